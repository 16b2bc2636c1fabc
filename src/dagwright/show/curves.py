"""Charts in a frame with axes: lines, steps, columns and points over a common scale."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from dagwright.errors import OptionError
from dagwright.show.axis import Axis, tick_label
from dagwright.show.colours import DASHES, SERIES, Theme, checked_theme
from dagwright.show.picture import Picture
from dagwright.show.scene import Group, Item, Point, Scene, Text, box, circle, line
from dagwright.show.text_width import one_line, text_width

SIZE = 12.0
PLOT_WIDTH, PLOT_HEIGHT = 460.0, 260.0
Kind = Literal["line", "step", "columns", "points"]


@dataclass(frozen=True)
class Curve:
    """A named series of points.

    Parameters
    ----------
    marked
        Points to set off, with a word for each.
    kind
        "line" joins the points; "step" holds each value until the next; "columns" stand on zero, each from
        one point to the next across; "points" are dots.
    errors
        For each point the lower and the upper end of a whisker.
    colour, dash
        A name of `dagwright.show.colours` and a pattern; by default each series has its own.
    """

    name: str
    points: tuple[Point, ...]
    marked: tuple[tuple[Point, str], ...] = ()
    kind: Kind = "line"
    errors: tuple[Point, ...] = ()
    colour: str | None = None
    dash: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Rule:
    """A vertical line through the chart, with words at its head."""

    at: float
    words: str


def curves(
    series: Sequence[Curve],
    *,
    title: str,
    across: str,
    up: str,
    logarithmic: bool = False,
    rules: Sequence[Rule] = (),
    across_range: tuple[float, float] | None = None,
    up_range: tuple[float, float] | None = None,
    theme: Theme = "auto",
) -> Picture:
    """A chart of one or more series; ``across`` and ``up`` name the axes, with units.

    Parameters
    ----------
    logarithmic
        Whether equal steps across are equal factors; all values across must then be positive.
    rules
        Values across to mark, such as a threshold.
    across_range, up_range
        What the axes show at least; by default just what the points need.

    >>> picture = curves([Curve("line", ((1, 2), (3, 4)))], title="A line", across="x", up="y")
    >>> picture.svg.count("<svg")
    1
    """
    points = [point for curve in series for point in curve.points]
    if not points:
        raise OptionError("a chart needs at least one point")
    if not all(math.isfinite(value) for point in points for value in point):
        raise OptionError("a chart needs finite numbers")
    if logarithmic and min(x for x, _ in points) <= 0:
        raise OptionError("an axis by factors has positive values only")

    def spread(x: float) -> float:
        return math.log10(x) if logarithmic else x

    wide = [spread(x) for x, _ in points] + [spread(rule.at) for rule in rules] + list(across_range or ())
    high = [y for _, y in points] + [end for curve in series for pair in curve.errors for end in pair]
    high += list(up_range or ()) + ([0.0] if any(curve.kind == "columns" for curve in series) else [])
    frame = _Frame(Axis(wide), Axis(high, room=0.0 if up_range else 0.05), spread, logarithmic)
    items: list[Item] = [Text(frame.left, 20.0, one_line(title), SIZE + 1, anchor="start", bold=True)]
    items += frame.grid(across, up)
    legend = frame.bottom + 56
    for at, curve in enumerate(series):
        colour = curve.colour or SERIES[at % len(SERIES)]
        dash = DASHES[at % len(DASHES)] if curve.dash is None else curve.dash
        marks = _series_marks(curve, frame, colour, dash)
        marks += _sample(curve, frame.left, legend + 18 * at, colour, dash)
        items.append(Group(tuple(marks), role="curve", about=(("name", curve.name),), title=curve.name))
    items += [mark for rule in rules for mark in _rule_marks(rule, frame)]
    items.append(box(frame.left, frame.top, PLOT_WIDTH, PLOT_HEIGHT, stroke="border"))
    words = f"{title}: {up} against {across}; {', '.join(curve.name for curve in series)}"
    height = legend + 18 * len(series)
    named = max(text_width(one_line(curve.name), SIZE) for curve in series) + 36
    width = math.ceil(frame.left + max(PLOT_WIDTH, named) + 20)
    return Picture(Scene(width, height, tuple(items), words), checked_theme(theme))


class _Frame:
    """Where values of the two axes lie on the paper."""

    def __init__(self, across: Axis, up: Axis, spread: Callable[[float], float], logarithmic: bool) -> None:
        self.across, self.up, self.spread, self.logarithmic = across, up, spread, logarithmic
        self.labels = [(at, tick_label(at)) for at in up.ticks]
        self.left = math.ceil(34.0 + max(text_width(label, SIZE) for _, label in self.labels))
        self.top, self.bottom = 34.0, 34.0 + PLOT_HEIGHT

    def x(self, value: float) -> float:
        return self.left + PLOT_WIDTH * self.across.share(self.spread(value))

    def y(self, value: float) -> float:
        return self.bottom - PLOT_HEIGHT * self.up.share(value)

    def place(self, point: Point) -> Point:
        return self.x(point[0]), self.y(point[1])

    def grid(self, across: str, up: str) -> list[Item]:
        items: list[Item] = []
        for at, label in self.labels:
            y = self.y(at)
            items.append(line([(self.left, y), (self.left + PLOT_WIDTH, y)], stroke="faint"))
            items.append(Text(self.left - 6, y + 4, label, SIZE, anchor="end", fill="soft"))
        for at in self.across.whole if self.logarithmic else self.across.ticks:
            x = self.left + PLOT_WIDTH * self.across.share(at)
            label = tick_label(10.0**at if self.logarithmic else at)
            items.append(line([(x, self.bottom), (x, self.bottom + 4)], stroke="soft"))
            items.append(Text(x, self.bottom + 17, label, SIZE, fill="soft"))
        items.append(Text(self.left + PLOT_WIDTH / 2, self.bottom + 36, one_line(across), SIZE))
        items.append(Text(14.0, self.top + PLOT_HEIGHT / 2, one_line(up), SIZE, turned=True))
        return items


def _series_marks(curve: Curve, frame: _Frame, colour: str, dash: tuple[float, ...]) -> list[Item]:
    placed = [frame.place(point) for point in curve.points]
    marks: list[Item] = []
    for (x, _), (low, high) in zip(placed, curve.errors, strict=False):
        ends = frame.y(low), frame.y(high)
        marks.append(line([(x, ends[0]), (x, ends[1])], stroke=colour, width=1.2))
        marks += [line([(x - 3, y), (x + 3, y)], stroke=colour, width=1.2) for y in ends]
    if curve.kind == "line":
        marks.append(line(placed, stroke=colour, width=2.0, dash=dash))
    elif curve.kind == "step":
        corners = [placed[0]]
        for before, after in pairwise(placed):
            corners += [(after[0], before[1]), after]
        marks.append(line(corners, stroke=colour, width=2.0, dash=dash))
    elif curve.kind == "columns":
        ground = frame.y(0.0)
        step = placed[1][0] - placed[0][0] if len(placed) > 1 else PLOT_WIDTH / 10
        for at, (x, y) in enumerate(placed):
            wide = placed[at + 1][0] - x if at + 1 < len(placed) else min(step, frame.left + PLOT_WIDTH - x)
            top = min(y, ground)
            if abs(y - ground) > 1e-9:
                marks.append(box(x + 0.5, top, max(wide - 1, 1), abs(ground - y), fill=colour))
    else:
        marks += [circle(point, 3.5, fill=colour) for point in placed]
    for point, word in curve.marked:
        x, y = frame.place(point)
        half = text_width(word, SIZE) / 2
        inside = min(max(x, frame.left + half + 4), frame.left + PLOT_WIDTH - half - 4)
        marks.append(circle((x, y), 4.0, fill=colour))
        marks.append(Text(inside, y + 20 if y + 26 < frame.bottom else y - 10, word, SIZE, fill=colour))
    return marks


def _sample(curve: Curve, left: float, y: float, colour: str, dash: tuple[float, ...]) -> list[Item]:
    """The entry of a series in the key."""
    if curve.kind == "columns":
        sample: Item = box(left, y - 10, 28, 11, fill=colour)
    elif curve.kind == "points":
        sample = circle((left + 14, y - 4), 3.5, fill=colour)
    else:
        sample = line([(left, y - 4), (left + 28, y - 4)], stroke=colour, width=2.0, dash=dash)
    return [sample, Text(left + 36, y, one_line(curve.name), SIZE, anchor="start")]


def _rule_marks(rule: Rule, frame: _Frame) -> list[Item]:
    x = frame.x(rule.at)
    on_left = x > frame.left + PLOT_WIDTH / 2
    words = one_line(rule.words)
    return [
        line([(x, frame.top), (x, frame.bottom)], stroke="orange", width=1.6, dash=(5, 3)),
        Text(
            x - 6 if on_left else x + 6, frame.top + 15, words, SIZE, "end" if on_left else "start", "orange"
        ),
    ]
