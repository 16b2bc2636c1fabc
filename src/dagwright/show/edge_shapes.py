"""An edge as marks: the curve between two nodes, and at its ends an arrowhead, a circle or nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from dagwright.show.diagram import EdgeLook, Mark
from dagwright.show.scene import Group, Item, Point, Text, box, circle, curve, polygon
from dagwright.show.text_width import one_line, text_width

CIRCLE = 3.4


def arrow_size(width: float) -> tuple[float, float]:
    """Length and breadth of the head of an arrow on a line of this width."""
    return 7.0 + 1.6 * width, 5.6 + 1.5 * width


def edge_marks(look: EdgeLook, route: Sequence[Point], font_size: float) -> Group:
    """The edge drawn along a route, which starts and ends on the borders of the nodes."""
    points = list(route)
    heads: list[Item] = []
    points.reverse()
    heads += _end_mark(points, look.start_mark, look)
    points.reverse()
    heads += _end_mark(points, look.end_mark, look)
    items: list[Item] = [curve(points, stroke=look.color, width=look.width, dash=look.dash), *heads]
    if look.given:
        x, y = midpoint(points)
        r = 4.0 + look.width / 2
        diamond = [(x, y - r), (x + r, y), (x, y + r), (x - r, y)]
        items.append(polygon(diamond, fill=look.color, stroke="paper", width=1.2))
    if look.label:
        x, y = midpoint(points)
        items += label_marks(look.label, x, y, 0.8 * font_size)
    if not look.start:
        return Group(tuple(items), "sample")
    return Group(tuple(items), "link", (("from", look.start), ("to", look.end)), look.title)


def label_marks(text: str, x: float, y: float, size: float) -> list[Item]:
    """Words on a line: a piece of paper under them keeps them readable."""
    shown = one_line(text)
    half = text_width(shown, size) / 2 + 3
    return [
        box(x - half, y - 0.65 * size, 2 * half, 1.3 * size, radius=3, fill="paper"),
        Text(x, y + 0.36 * size, shown, size, fill="soft"),
    ]


def _end_mark(points: list[Point], mark: Mark, look: EdgeLook) -> list[Item]:
    """The mark at the last point, where the curve now ends short of it."""
    if mark == "none":
        return []
    tip = points[-1]
    ux, uy = _direction(points)
    if mark == "circle":
        center = (tip[0] - CIRCLE * ux, tip[1] - CIRCLE * uy)
        _shorten(points, (tip[0] - 2 * CIRCLE * ux, tip[1] - 2 * CIRCLE * uy))
        return [
            circle(center, CIRCLE - 0.5, fill="paper", stroke=look.color, line_width=max(look.width, 1.2))
        ]
    length, breadth = arrow_size(look.width)
    base = (tip[0] - length * ux, tip[1] - length * uy)
    side = (-uy * breadth / 2, ux * breadth / 2)
    _shorten(points, (tip[0] - 0.85 * length * ux, tip[1] - 0.85 * length * uy))
    corners = [tip, (base[0] + side[0], base[1] + side[1]), (base[0] - side[0], base[1] - side[1])]
    return [polygon(corners, fill=look.color)]


def _direction(points: Sequence[Point]) -> Point:
    """The direction in which a chain of cubics arrives."""
    x, y = points[-1]
    for px, py in reversed(points[:-1]):
        dx, dy = x - px, y - py
        length = math.hypot(dx, dy)
        if length > 1e-6:
            return dx / length, dy / length
    return 0.0, 1.0


def _shorten(points: list[Point], end: Point) -> None:
    dx, dy = end[0] - points[-1][0], end[1] - points[-1][1]
    points[-2:] = [(points[-2][0] + dx, points[-2][1] + dy), end]


def midpoint(points: Sequence[Point]) -> Point:
    """The point halfway along a chain of cubics, by the length of its control polygon."""
    ends = [points[at] for at in range(0, len(points), 3)]
    lengths = [math.dist(a, b) for a, b in pairwise(ends)]
    rest = sum(lengths) / 2
    for piece, length in enumerate(lengths):
        if rest <= length:
            t = rest / length if length else 0.0
            a, b, c, d = points[3 * piece : 3 * piece + 4]
            weights = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t**3)
            return (
                sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True)),
                sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True)),
            )
        rest -= length
    return ends[-1]
