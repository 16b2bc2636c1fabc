"""Numbers in sentences."""

from __future__ import annotations

from collections.abc import Sequence


def count_of(count: int, one: str, many: str | None = None) -> str:
    """A number with its noun.

    >>> count_of(1, "arc"), count_of(1200, "arc"), count_of(0, "class", "classes")
    ('1 arc', '1,200 arcs', '0 classes')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of texts as lines whose columns begin under each other.

    >>> aligned([("a", "bc"), ("def", "g")])
    ['a    bc', 'def  g']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
