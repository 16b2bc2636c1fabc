"""Curves in a frame with axes: a small chart for numbers that follow one another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dagwright.errors import OptionError
from dagwright.show.colours import DASHES, SERIES, Theme, checked_theme
from dagwright.show.picture import Picture
from dagwright.show.scene import Group, Item, Point, Scene, Text, box, circle, line
from dagwright.show.text_width import text_width

SIZE = 12.0
PLOT_WIDTH, PLOT_HEIGHT = 460.0, 260.0


@dataclass(frozen=True)
class Curve:
    """A named series of points; ``marked`` are points to set off, with a word for each."""

    name: str
    points: tuple[Point, ...]
    marked: tuple[tuple[Point, str], ...] = ()


def curves(
    series: Sequence[Curve],
    *,
    title: str,
    across: str,
    up: str,
    logarithmic: bool = False,
    theme: Theme = "auto",
) -> Picture:
    """A chart of one or more curves; ``across`` and ``up`` name the axes.

    Parameters
    ----------
    logarithmic
        Whether equal steps across are equal factors; all values across must then be positive.

    >>> picture = curves([Curve("line", ((1, 2), (3, 4)))], title="A line", across="x", up="y")
    >>> picture.svg.count("<svg")
    1
    """
    points = [point for curve in series for point in curve.points]
    if not points:
        raise OptionError("a chart needs at least one point")
    if logarithmic and min(x for x, _ in points) <= 0:
        raise OptionError("an axis by factors has positive values only")

    def spread(x: float) -> float:
        return math.log10(x) if logarithmic else x

    across_axis = _Axis([spread(x) for x, _ in points])
    up_axis = _Axis([y for _, y in points], room=0.05)
    up_labels = [(at, _label(at)) for at in up_axis.ticks]
    left = 34.0 + max(text_width(label, SIZE) for _, label in up_labels)
    top, bottom = 34.0, 34.0 + PLOT_HEIGHT

    def place(point: Point) -> Point:
        return (
            left + PLOT_WIDTH * across_axis.share(spread(point[0])),
            bottom - PLOT_HEIGHT * up_axis.share(point[1]),
        )

    items: list[Item] = [Text(left, 20.0, title, SIZE + 1, anchor="start", bold=True)]
    for at, label in up_labels:
        y = bottom - PLOT_HEIGHT * up_axis.share(at)
        items.append(line([(left, y), (left + PLOT_WIDTH, y)], stroke="faint"))
        items.append(Text(left - 6, y + 4, label, SIZE, anchor="end", fill="soft"))
    for at in _whole_powers(across_axis) if logarithmic else across_axis.ticks:
        x = left + PLOT_WIDTH * across_axis.share(at)
        label = _label(10.0**at if logarithmic else at)
        items.append(line([(x, bottom), (x, bottom + 4)], stroke="soft"))
        items.append(Text(x, bottom + 17, label, SIZE, fill="soft"))
    items.append(box(left, top, PLOT_WIDTH, PLOT_HEIGHT, stroke="border"))
    items.append(Text(left + PLOT_WIDTH / 2, bottom + 36, across, SIZE))
    items.append(Text(14.0, top + PLOT_HEIGHT / 2, up, SIZE, turned=True))
    legend = bottom + 56
    for at, curve in enumerate(series):
        colour, dash = SERIES[at % len(SERIES)], DASHES[at % len(DASHES)]
        marks: list[Item] = [line([place(p) for p in curve.points], stroke=colour, width=2.0, dash=dash)]
        for point, word in curve.marked:
            x, y = place(point)
            marks.append(circle((x, y), 4.0, fill=colour))
            marks.append(Text(x, y + 20, word, SIZE, fill=colour))
        y = legend + 18 * at
        marks.append(line([(left, y - 4), (left + 28, y - 4)], stroke=colour, width=2.0, dash=dash))
        marks.append(Text(left + 36, y, curve.name, SIZE, anchor="start"))
        items.append(Group(tuple(marks), role="curve", about=(("name", curve.name),), title=curve.name))
    words = f"{title}: {up} against {across}; {', '.join(curve.name for curve in series)}"
    height = legend + 18 * len(series)
    return Picture(Scene(left + PLOT_WIDTH + 20, height, tuple(items), words), checked_theme(theme))


class _Axis:
    """A range of values with round ticks inside."""

    def __init__(self, values: Sequence[float], room: float = 0.0) -> None:
        low, high = min(values), max(values)
        high += room * (high - low)
        if high - low < 1e-12 * max(1.0, abs(high)):
            low, high = low - 0.5, high + 0.5
        step = 10.0 ** math.floor(math.log10(high - low))
        step *= next(factor for factor in (0.1, 0.2, 0.5, 1.0) if (high - low) / (factor * step) <= 10)
        self.low, self.high = low, high
        self.ticks = [
            k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        ]

    def share(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)


def _whole_powers(axis: _Axis) -> list[float]:
    return [float(k) for k in range(math.ceil(axis.low - 1e-9), math.floor(axis.high + 1e-9) + 1)]


def _label(value: float) -> str:
    return f"{value:.6g}"
