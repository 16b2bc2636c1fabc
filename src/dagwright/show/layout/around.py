"""Edges between nodes that stand where a person or an earlier layout put them: around the nodes between."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dagwright import _core
from dagwright.show.layout.acyclic import Arc
from dagwright.show.layout.routes import Point

Size = tuple[float, float]
Route = tuple[Point, ...]
CLEAR, BEND = 8.0, 12.0
"""Pixels between an edge and the nodes that it passes, and over which it bends on either side of a corner."""
MOST = 24
"""An edge with more nodes in its way is straight."""
STEPS = 16
"""Points of each cubic that are looked at."""


def around(centers: Sequence[Point], sizes: Sequence[Size], edges: Sequence[Arc]) -> list[Route]:
    """For each edge a chain of cubics from border to border: straight, or around the nodes in its way.

    >>> (straight,) = around([(0, 0), (0, 200)], [(40, 20)] * 2, [(0, 1)])
    >>> straight[0], straight[-1]
    ((0.0, 10.0), (0.0, 190.0))
    >>> (bent,) = around([(0, 0), (0, 200), (0, 100)], [(40, 20)] * 3, [(0, 1)])
    >>> max(abs(x) for x, _ in bent)
    28.0
    """
    lines = _core.routes_around(list(centers), list(sizes), list(edges), clear=CLEAR, most=MOST)
    return [_rounded(line, sizes[start], sizes[end]) for line, (start, end) in zip(lines, edges, strict=True)]


def passes_behind(route: Route, edge: Arc, centers: Sequence[Point], sizes: Sequence[Size]) -> bool:
    """Whether a chain of cubics runs behind a node other than its ends."""
    pieces = np.asarray([route[at : at + 4] for at in range(0, len(route) - 1, 3)], dtype=float)
    t = np.linspace(0.0, 1.0, STEPS + 1)[:, None]
    weights = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    points = np.einsum("ti,pic->ptc", weights, pieces).reshape(-1, 1, 2)
    others = [at for at in range(len(sizes)) if at not in edge]
    if not others:
        return False
    middle, half = np.asarray(centers, dtype=float)[others], np.asarray(sizes, dtype=float)[others] / 2
    return bool((np.abs(points - middle) < half).all(axis=2).any())


def _rounded(line: Sequence[Point], size: Size, other: Size) -> Route:
    """A line with bends from center to center as cubics from border to border, round at the bends."""
    bends = list(line[1:-1])
    while bends and _within(bends[0], line[0], size):
        bends.pop(0)
    while bends and _within(bends[-1], line[-1], other):
        bends.pop()
    most = 1.0 if bends else 0.5  # of boxes that overlap each gets half of the line
    start = _border(line[0], size, bends[0] if bends else line[-1], most)
    end = _border(line[-1], other, bends[-1] if bends else line[0], most)
    corners = [start, *bends, end]
    points = [start]
    for before, bend, after in zip(corners, bends, corners[2:], strict=False):
        reach = min(BEND, math.dist(before, bend) / 2, math.dist(bend, after) / 2)
        into, out = _toward(bend, before, reach), _toward(bend, after, reach)
        _line_to(points, into)
        points += [_between(into, bend, 2 / 3), _between(out, bend, 2 / 3), out]
    _line_to(points, end)
    return tuple(points)


def _line_to(points: list[Point], end: Point) -> None:
    start = points[-1]
    points += [_between(start, end, 1 / 3), _between(start, end, 2 / 3), end]


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _toward(start: Point, end: Point, pixels: float) -> Point:
    whole = math.dist(start, end)
    return _between(start, end, pixels / whole) if whole > 0 else start


def _within(at: Point, center: Point, size: Size) -> bool:
    return abs(at[0] - center[0]) <= size[0] / 2 and abs(at[1] - center[1]) <= size[1] / 2


def _border(center: Point, size: Size, toward: Point, most: float) -> Point:
    """Where the line from a center leaves its box, at most that share of the way."""
    dx, dy = toward[0] - center[0], toward[1] - center[1]
    across = [size[0] / 2 / abs(dx)] if dx else []
    along = [size[1] / 2 / abs(dy)] if dy else []
    return _between(center, toward, min([*across, *along, most]))
