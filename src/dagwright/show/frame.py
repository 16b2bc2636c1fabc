"""The frame of a chart: where values of its two axes lie on the paper, with ticks and names."""

from __future__ import annotations

import math
from collections.abc import Callable

from dagwright.show.axis import Axis, tick_label
from dagwright.show.scene import Item, Point, Text, box, line
from dagwright.show.text_width import one_line, text_width

SIZE = 12.0
WIDTH, HEIGHT, TOP = 460.0, 260.0, 34.0


class Frame:
    """A plot of a given size whose left edge leaves room for the labels of the axis.

    Parameters
    ----------
    across, up
        The values of the axes.
    width, height, top
        The plot itself, without labels, and where it begins.
    spread
        What is done to values across before they are placed, such as a logarithm.
    """

    def __init__(
        self,
        across: Axis,
        up: Axis,
        *,
        width: float = WIDTH,
        height: float = HEIGHT,
        top: float = TOP,
        spread: Callable[[float], float] | None = None,
    ) -> None:
        self.across, self.up, self.width, self.height, self.spread = across, up, width, height, spread
        self.labels = [(at, tick_label(at)) for at in up.ticks]
        self.left = math.ceil(34.0 + max(text_width(label, SIZE) for _, label in self.labels))
        self.top, self.bottom = top, top + height

    @property
    def right(self) -> float:
        """Where the plot ends."""
        return self.left + self.width

    def x(self, value: float) -> float:
        """Pixels across of a value."""
        placed = value if self.spread is None else self.spread(value)
        return self.left + self.width * self.across.share(placed)

    def y(self, value: float) -> float:
        """Pixels down of a value."""
        return self.bottom - self.height * self.up.share(value)

    def place(self, point: Point) -> Point:
        return self.x(point[0]), self.y(point[1])

    def grid(self, across: str, up: str) -> list[Item]:
        """Lines, ticks and the names of the axes."""
        items: list[Item] = []
        for at, label in self.labels:
            y = self.y(at)
            items.append(line([(self.left, y), (self.right, y)], stroke="faint"))
            items.append(Text(self.left - 6, y + 4, label, SIZE, anchor="end", fill="soft"))
        for at in self.across.ticks if self.spread is None else self.across.powers:
            x = self.left + self.width * self.across.share(at)
            label = tick_label(at if self.spread is None else 10.0**at)
            items.append(line([(x, self.bottom), (x, self.bottom + 4)], stroke="soft"))
            items.append(Text(x, self.bottom + 17, label, SIZE, fill="soft"))
        items.append(Text(self.left + self.width / 2, self.bottom + 36, one_line(across), SIZE))
        items.append(Text(14.0, self.top + self.height / 2, one_line(up), SIZE, turned=True))
        return items

    def border(self) -> Item:
        return box(self.left, self.top, self.width, self.height, stroke="border")
