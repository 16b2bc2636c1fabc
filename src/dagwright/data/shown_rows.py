"""The rows of a small table in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dagwright.wording import aligned, counted

FEW_ROWS = 12
LINE = 110


def shown_rows(columns: Mapping[str, Sequence[Any]]) -> list[str]:
    """A line of names and one for each row, with as many columns as go on a line."""
    texts = [
        [name, *("" if cell is None else str(cell) for cell in cells)] for name, cells in columns.items()
    ]
    fit, used = 0, 0
    for column in texts:
        used += max(map(len, column)) + 2
        if used > LINE and fit:
            break
        fit += 1
    lines = aligned(list(zip(*texts[:fit], strict=True)))
    left = len(texts) - fit
    return [f"  {line}" for line in lines] + ([f"  and {counted(left, 'more column')}"] if left else [])
