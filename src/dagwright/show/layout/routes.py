"""Edges as smooth curves: down from a node, through the free places in the layers between, down to a node.

Between two layers a curve is one cubic; inside a layer it is straight and leans no further than the nodes
beside it allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from dagwright.show.layout.levels import Levels

Point = tuple[float, float]
# Share of a node's side over which the ends of its edges are spread, and how far apart they are at least.
SPREAD, PORT_STEP = 0.76, 12.0
# How much of the way to the side a curve already leans where it meets a node, and how upright it stays.
LEAN, STIFF = 0.12, 0.46
# Of the way that an edge goes to the side, the share that it may go inside a layer; pixels at most, clear.
PASSING, MOST_LEANING, CLEAR = 0.14, 60.0, 4.0


@dataclass(frozen=True)
class Bands:
    """The top and the bottom of each layer."""

    top: list[float]
    bottom: list[float]


def routed(
    levels: Levels,
    layers: Sequence[Sequence[int]],
    x: Sequence[float],
    sizes: Sequence[tuple[float, float]],
    bands: Bands,
) -> list[list[Point]]:
    """For each edge the points of a chain of cubics: start, then two controls and an end per piece."""
    leaving = _ports(levels, x, sizes, levels.down)
    entering = _ports(levels, x, sizes, levels.up)
    room = _room(levels, layers, x, sizes)
    layer = levels.layer
    routes = []
    for chain in levels.chains:
        start, end = chain[0], chain[-1]
        middle = (bands.top[layer[start]] + bands.bottom[layer[start]]) / 2
        points = [(leaving[start, chain[1]], middle + sizes[start][1] / 2)]
        _straight_to(points, points[0][0], bands.bottom[layer[start]])
        arrival = entering[end, chain[-2]]
        along = [points[0][0], *(x[vertex] for vertex in chain[1:-1]), arrival]
        slope = None if len(points) == 1 else 0.0
        for at, vertex in enumerate(chain[1:-1], 1):
            top, bottom = bands.top[layer[vertex]], bands.bottom[layer[vertex]]
            side = _side(along[at - 1 : at + 2], room[vertex])
            lean = 2 * side / (bottom - top)
            _curve_to(points, (x[vertex] - side, top), slope, lean)
            _straight_to(points, x[vertex] + side, bottom)
            slope = lean
        middle = (bands.top[layer[end]] + bands.bottom[layer[end]]) / 2
        border, top = middle - sizes[end][1] / 2, bands.top[layer[end]]
        _curve_to(points, (arrival, top), slope, None if border - top < 1e-6 else 0.0)
        _straight_to(points, arrival, border)
        routes.append(points)
    return routes


def _room(
    levels: Levels, layers: Sequence[Sequence[int]], x: Sequence[float], sizes: Sequence[tuple[float, float]]
) -> list[float]:
    """How far each dummy's edge may lean to the side within its layer: clear of nodes, halfway to edges."""
    room = [MOST_LEANING] * levels.size
    for layer in layers:
        for left, right in pairwise(layer):
            for vertex, other in ((left, right), (right, left)):
                if vertex >= levels.n:
                    gap = x[right] - x[left]
                    free = gap - sizes[other][0] / 2 - CLEAR if other < levels.n else gap / 2
                    room[vertex] = min(room[vertex], max(free, 0.0))
    return room


def _side(along: Sequence[float], room: float) -> float:
    """Half of the way to the side inside a layer: none where an edge turns back, else as is smooth."""
    before, after = along[1] - along[0], along[2] - along[1]
    if before * after <= 0:
        return 0.0
    wished = PASSING * 2 * before * after / (before + after)
    return min(max(wished, -room), room)


def _straight_to(points: list[Point], x: float, y: float) -> None:
    (x0, y0) = points[-1]
    if y - y0 > 1e-6:
        dx, dy = (x - x0) / 3, (y - y0) / 3
        points += [(x0 + dx, y0 + dy), (x - dx, y - dy), (x, y)]


def _curve_to(points: list[Point], end: Point, first: float | None, last: float | None) -> None:
    """One cubic to ``end`` with these slopes to the side at its ends; None at a node, where it may lean."""
    (x0, y0), (x1, y1) = points[-1], end
    bend = STIFF * (y1 - y0)
    lean = LEAN * (x1 - x0)
    left = lean if first is None else first * bend
    right = lean if last is None else last * bend
    points += [(x0 + left, y0 + bend), (x1 - right, y1 - bend), end]


def _ports(
    levels: Levels,
    x: Sequence[float],
    sizes: Sequence[tuple[float, float]],
    neighbors: Sequence[Sequence[int]],
) -> dict[tuple[int, int], float]:
    """Where each edge of a node meets its border: as straight above or below its other end as may be."""
    places: dict[tuple[int, int], float] = {}
    for node in range(levels.n):
        near = sorted(neighbors[node], key=lambda other: (x[other], other))
        if not near:
            continue
        half = SPREAD * sizes[node][0] / 2
        wished = []
        for other in near:
            room = SPREAD * sizes[other][0] / 2 if other < levels.n else 0.0
            low = max(x[node] - half, x[other] - room)
            high = min(x[node] + half, x[other] + room)
            if low <= high:  # one stands over the other: a vertical is possible
                wished.append((low + high) / 2)
            else:
                wished.append(x[node] + (half if x[other] > x[node] else -half) * min(1.0, 0.3 * len(near)))
        step = min(PORT_STEP, 2 * half / max(len(near) - 1, 1))
        found = spaced(wished, step)
        shift = max(0.0, x[node] - half - found[0]) - max(0.0, found[-1] - x[node] - half)
        for other, place in zip(near, found, strict=True):
            places[node, other] = min(max(place + shift, x[node] - half), x[node] + half)
    return places


def spaced(wished: Sequence[float], step: float) -> list[float]:
    """Ascending places at least ``step`` apart, nearest to those wished for (least squares, by pooling).

    >>> spaced([0.0, 0.0, 9.0], 2.0)
    [-1.0, 1.0, 9.0]
    """
    pools: list[tuple[float, int]] = []  # mean of the wishes less their steps, and how many
    for position, wish in enumerate(wished):
        mean, count = wish - position * step, 1
        while pools and pools[-1][0] > mean:
            other, many = pools.pop()
            mean = (mean * count + other * many) / (count + many)
            count += many
        pools.append((mean, count))
    flat = [mean for mean, count in pools for _ in range(count)]
    return [mean + position * step for position, mean in enumerate(flat)]
