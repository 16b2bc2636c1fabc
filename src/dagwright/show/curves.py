"""Charts in a frame with axes: lines, steps, columns and points over a common scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from dagwright.errors import OptionError
from dagwright.show.axis import Axis
from dagwright.show.colors import Theme, checked_theme, series_style
from dagwright.show.frame import SIZE, Frame
from dagwright.show.picture import Picture
from dagwright.show.scene import Group, Item, Point, Scene, Text, box, circle, line, polygon
from dagwright.show.text_width import one_line, text_width

Kind = Literal["line", "step", "columns", "points", "band"]


@dataclass(frozen=True)
class Curve:
    """A named series of points.

    Parameters
    ----------
    marked
        Points to set off, with a word for each.
    kind
        "line" joins the points; "step" holds each value until the next; "columns" stand on zero, each from
        one point to the next across; "points" are dots; "band" is a line in a band between ``errors``.
    errors
        For each point the lower and the upper end of a whisker, or of the band.
    color, dash
        A name of `dagwright.show.colors` and a pattern; by default each series has its own.
    """

    name: str
    points: tuple[Point, ...]
    marked: tuple[tuple[Point, str], ...] = ()
    kind: Kind = "line"
    errors: tuple[Point, ...] = ()
    color: str | None = None
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
        Whether the horizontal axis is logarithmic; all its values must then be positive.
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
        raise OptionError("a logarithmic axis needs positive values")

    def spread(x: float) -> float:
        return math.log10(x) if logarithmic else x

    wide = [spread(x) for x, _ in points] + [spread(rule.at) for rule in rules] + list(across_range or ())
    high = [y for _, y in points] + [end for curve in series for pair in curve.errors for end in pair]
    high += list(up_range or ()) + ([0.0] if any(curve.kind == "columns" for curve in series) else [])
    frame = Frame(
        Axis(wide), Axis(high, room=0.0 if up_range else 0.05), spread=math.log10 if logarithmic else None
    )
    items: list[Item] = [Text(frame.left, 20.0, one_line(title), SIZE + 1, anchor="start", bold=True)]
    items += frame.grid(across, up)
    legend = frame.bottom + 56
    for at, curve in enumerate(series):
        usual_color, usual_dash = series_style(at)
        color = curve.color or usual_color
        dash = usual_dash if curve.dash is None else curve.dash
        marks = series_marks(curve, frame, color, dash)
        marks += key_entry(curve, frame.left, legend + 18 * at, color, dash)
        items.append(Group(tuple(marks), role="curve", about=(("name", curve.name),), title=curve.name))
    items += [mark for rule in rules for mark in _rule_marks(rule, frame)]
    items.append(frame.border())
    words = f"{title}: {up} against {across}; {', '.join(curve.name for curve in series)}"
    height = legend + 18 * len(series)
    named = max(text_width(one_line(curve.name), SIZE) for curve in series) + 36
    headed = text_width(one_line(title), SIZE + 1, bold=True)
    width = math.ceil(frame.left + max(frame.width, named, headed) + 20)
    return Picture(Scene(width, height, tuple(items), words), checked_theme(theme))


def series_marks(curve: Curve, frame: Frame, color: str, dash: tuple[float, ...]) -> list[Item]:
    """Lines, columns or dots of a series in its frame, with whiskers and words."""
    placed = [frame.place(point) for point in curve.points]
    marks: list[Item] = []
    if curve.kind == "band":
        return _band_marks(curve, frame, color, dash)
    for (x, _), (low, high) in zip(placed, curve.errors, strict=False):
        ends = frame.y(low), frame.y(high)
        marks.append(line([(x, ends[0]), (x, ends[1])], stroke=color, width=1.2))
        marks += [line([(x - 3, y), (x + 3, y)], stroke=color, width=1.2) for y in ends]
    if curve.kind == "line":
        marks.append(line(placed, stroke=color, width=2.0, dash=dash))
    elif curve.kind == "step":
        corners = [placed[0]]
        for before, after in pairwise(placed):
            corners += [(after[0], before[1]), after]
        marks.append(line(corners, stroke=color, width=2.0, dash=dash))
    elif curve.kind == "columns":
        ground = frame.y(0.0)
        step = placed[1][0] - placed[0][0] if len(placed) > 1 else frame.width / 10
        for at, (x, y) in enumerate(placed):
            wide = placed[at + 1][0] - x if at + 1 < len(placed) else min(step, frame.right - x)
            top = min(y, ground)
            if abs(y - ground) > 1e-9:
                marks.append(box(x + 0.5, top, max(wide - 1, 1), abs(ground - y), fill=color))
    else:
        marks += [circle(point, 3.5, fill=color) for point in placed]
    for point, word in curve.marked:
        x, y = frame.place(point)
        half = text_width(word, SIZE) / 2
        inside = min(max(x, frame.left + half + 4), frame.right - half - 4)
        marks.append(circle((x, y), 4.0, fill=color))
        marks.append(Text(inside, y + 20 if y + 26 < frame.bottom else y - 10, word, SIZE, fill=color))
    return marks


def _band_marks(curve: Curve, frame: Frame, color: str, dash: tuple[float, ...]) -> list[Item]:
    """A line in a shaded band; a single point has whiskers and a dot."""
    if len(curve.points) == 1:
        return series_marks(replace(curve, kind="points"), frame, color, dash)
    across = [frame.x(x) for x, _ in curve.points]
    lower = [(x, frame.y(low)) for x, (low, _) in zip(across, curve.errors, strict=True)]
    upper = [(x, frame.y(high)) for x, (_, high) in zip(across, curve.errors, strict=True)]
    return [
        polygon([*lower, *reversed(upper)], fill=f"{color}-fill"),
        line(lower, stroke=color, width=0.8),
        line(upper, stroke=color, width=0.8),
        line([frame.place(point) for point in curve.points], stroke=color, width=2.0, dash=dash),
    ]


def key_entry(curve: Curve, left: float, y: float, color: str, dash: tuple[float, ...]) -> list[Item]:
    """The entry of a series in the key."""
    if curve.kind == "columns":
        sample: Item = box(left, y - 10, 28, 11, fill=color)
    elif curve.kind == "points":
        sample = circle((left + 14, y - 4), 3.5, fill=color)
    else:
        sample = line([(left, y - 4), (left + 28, y - 4)], stroke=color, width=2.0, dash=dash)
    return [sample, Text(left + 36, y, one_line(curve.name), SIZE, anchor="start")]


def _rule_marks(rule: Rule, frame: Frame) -> list[Item]:
    x = frame.x(rule.at)
    on_left = x > frame.left + frame.width / 2
    words = one_line(rule.words)
    return [
        line([(x, frame.top), (x, frame.bottom)], stroke="orange", width=1.6, dash=(5, 3)),
        Text(
            x - 6 if on_left else x + 6, frame.top + 15, words, SIZE, "end" if on_left else "start", "orange"
        ),
    ]
