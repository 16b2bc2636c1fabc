"""Rows of named horizontal bars: shares of states, missing cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dagwright.errors import OptionError
from dagwright.show.colors import Theme, checked_theme
from dagwright.show.picture import Picture
from dagwright.show.scene import Item, Scene, Text, box
from dagwright.show.text_width import one_line, shortened, text_width

SIZE, ROW, BAR_WIDTH, NAME_WIDTH = 12.0, 20.0, 260.0, 180.0


@dataclass(frozen=True)
class RowBar:
    """One bar: its name, its share of the full width, the words after it, and its color."""

    name: str
    share: float
    words: str = ""
    color: str = "blue"


def row_bars(
    groups: Sequence[tuple[str, Sequence[RowBar]]], *, title: str, theme: Theme = "auto", columns: int = 1
) -> Picture:
    """Groups of bars one below the other, in one or more columns.

    >>> picture = row_bars([("", [RowBar("a", 0.5, "50 %")])], title="Shares")
    >>> "50 %" in picture.svg
    True
    """
    rows = [bar for _, bars in groups for bar in bars]
    if not rows:
        raise OptionError("a chart of bars needs at least one bar")
    if columns < 1:
        raise OptionError(f"a chart has at least one column, not {columns}")
    names = [shortened(one_line(bar.name), SIZE, NAME_WIDTH) for bar in rows]
    name_width = max(text_width(name, SIZE) for name in names)
    words_width = max(text_width(one_line(bar.words), SIZE) for bar in rows)
    bar_width = BAR_WIDTH if columns == 1 else BAR_WIDTH / 2
    room = name_width + bar_width + words_width
    heads = [shortened(one_line(head), SIZE, room, bold=True) for head, _ in groups]
    column = name_width + 10 + bar_width + 8 + words_width
    heights = [
        (ROW if head else 0.0) + ROW * len(bars) + 8 for head, (_, bars) in zip(heads, groups, strict=True)
    ]
    items: list[Item] = [Text(16, 22, one_line(title), SIZE + 1, "start", bold=True)]
    tops = [36.0] * columns
    shown = iter(names)
    for head, (_, bars), height in zip(heads, groups, heights, strict=True):
        at = tops.index(min(tops))
        left, y = 16 + at * (column + 36), tops[at]
        tops[at] += height
        if head:
            items.append(Text(left, y + 14, head, SIZE, "start", bold=True))
            y += ROW
        for bar in bars:
            start = left + name_width + 10
            items.append(Text(start - 10, y + 14, next(shown), SIZE, "end"))
            items.append(box(start, y + 3, bar_width, ROW - 7, fill="faint"))
            share = min(max(bar.share, 0.0), 1.0)
            if share > 0:
                items.append(box(start, y + 3, bar_width * share, ROW - 7, fill=bar.color))
            items.append(Text(start + bar_width + 8, y + 14, one_line(bar.words), SIZE, "start", "soft"))
            y += ROW
    used = min(columns, len(groups))
    width = max(16 + used * (column + 36) - 36 + 16, text_width(title, SIZE + 1, bold=True) + 32)
    return Picture(
        Scene(math.ceil(width), math.ceil(max(tops) + 8), tuple(items), title), checked_theme(theme)
    )
