"""Delimited text as bytes: where its quoting is broken, and whether all lines have as many fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from dagwright.data.text_file import TextFile

Bytes = npt.NDArray[np.uint8]
_BLOCK = 1 << 24
_LINE_ENDS = (ord("\n"), ord("\r"))


@dataclass(frozen=True)
class Slip:
    """The first quote that does not stand where RFC 4180 wants it."""

    line: int
    kind: Literal["inside", "after", "open"]
    """Within a field that is not quoted; closing, with text behind it; or never closed."""


def quoting_slip(text: TextFile, separator: str, quote: str) -> Slip | None:
    """The first slip in the quoting, if there is one.

    Quotes are paired one after the other; a doubled quote within a field is a pair's end and the next one's
    beginning. Up to the first slip that is the meaning of RFC 4180.
    """
    content = text.as_array()
    mark = ord(quote)
    before = np.array([ord(separator), *_LINE_ENDS, mark], dtype=np.uint8)
    is_open, opened_at = False, 0
    for start, block in _blocks(content):
        found = np.flatnonzero(block == mark) + start
        opening, closing = (found[1::2], found[::2]) if is_open else (found[::2], found[1::2])
        is_open ^= bool(len(found) % 2)
        if len(opening):
            opened_at = int(opening[-1])
        inside = opening[~(np.isin(content[opening - 1], before) | (opening == _start(content)))]
        closing = closing[closing + 1 < len(content)]
        after = closing[~np.isin(content[closing + 1], before)]
        if len(inside) and (not len(after) or inside[0] < after[0]):
            return Slip(_line(content, int(inside[0])), "inside")
        if len(after):
            return Slip(_line(content, int(after[0])), "after")
    return Slip(_line(content, opened_at), "open") if is_open else None


def all_lines_have(text: TextFile, separator: str, count: int) -> bool:
    """Whether each line has this many separators; a blank line has not. For text without quotes."""
    content = text.as_array()
    within = 0
    for _, block in _blocks(content):
        ends = np.flatnonzero(block == ord("\n"))
        marks = np.flatnonzero(block == ord(separator))
        up_to_end = np.searchsorted(marks, ends)
        per_line = np.diff(up_to_end, prepend=-within)
        if np.any(per_line != count):
            return False
        within = len(marks) - int(up_to_end[-1]) if len(ends) else within + len(marks)
    return content[-1] == ord("\n") or within == count


def _blocks(content: Bytes) -> Iterator[tuple[int, Any]]:
    for start in range(0, len(content), _BLOCK):
        yield start, content[start : start + _BLOCK]


def _start(content: Bytes) -> int:
    return 3 if bytes(content[:3]) == b"\xef\xbb\xbf" else 0


def _line(content: Bytes, position: int) -> int:
    return int(np.count_nonzero(content[:position] == ord("\n"))) + 1
