"""Links as smooth curves: down from a node, through the free places in the layers between, down to a node.

Between two layers a curve is one cubic; inside a layer it runs straight down, so that it stays clear of the
nodes there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dagwright.show.layout.levels import Levels

Point = tuple[float, float]
# Share of a node's side over which the ends of its links are spread, and how far apart they are at least.
SPREAD, PORT_STEP = 0.76, 12.0
# How much of the way to the side a curve already leans where it meets a node, and how upright it stays.
LEAN, STIFF = 0.12, 0.46


@dataclass(frozen=True)
class Bands:
    """The top and the bottom of each layer."""

    top: list[float]
    bottom: list[float]


def routed(
    levels: Levels, x: Sequence[float], sizes: Sequence[tuple[float, float]], bands: Bands
) -> list[list[Point]]:
    """For each link the points of a chain of cubics: start, then two controls and an end per piece."""
    leaving = _ports(levels, x, sizes, levels.down)
    entering = _ports(levels, x, sizes, levels.up)
    layer = levels.layer
    routes = []
    for chain in levels.chains:
        start, end = chain[0], chain[-1]
        middle = (bands.top[layer[start]] + bands.bottom[layer[start]]) / 2
        points = [(leaving[start, chain[1]], middle + sizes[start][1] / 2)]
        _straight_to(points, bands.bottom[layer[start]])
        for vertex in chain[1:-1]:
            _curve_to(points, (x[vertex], bands.top[layer[vertex]]), len(points) == 1, False)
            _straight_to(points, bands.bottom[layer[vertex]])
        middle = (bands.top[layer[end]] + bands.bottom[layer[end]]) / 2
        border = middle - sizes[end][1] / 2
        top = bands.top[layer[end]]
        _curve_to(points, (entering[end, chain[-2]], top), len(points) == 1, border - top < 1e-6)
        _straight_to(points, border)
        routes.append(points)
    return routes


def _straight_to(points: list[Point], y: float) -> None:
    x, begin = points[-1]
    if y - begin > 1e-6:
        third = (y - begin) / 3
        points += [(x, begin + third), (x, y - third), (x, y)]


def _curve_to(points: list[Point], end: Point, leans_first: bool, leans_last: bool) -> None:
    """One cubic to ``end``; at a node it may lean, at a dummy it must join a vertical."""
    (x0, y0), (x1, y1) = points[-1], end
    bend, side = STIFF * (y1 - y0), LEAN * (x1 - x0)
    first = side if leans_first else 0.0
    last = side if leans_last else 0.0
    points += [(x0 + first, y0 + bend), (x1 - last, y1 - bend), end]


def _ports(
    levels: Levels,
    x: Sequence[float],
    sizes: Sequence[tuple[float, float]],
    neighbours: Sequence[Sequence[int]],
) -> dict[tuple[int, int], float]:
    """Where each link of a node meets its border: as straight above or below its other end as may be."""
    places: dict[tuple[int, int], float] = {}
    for node in range(levels.n):
        near = sorted(neighbours[node], key=lambda other: (x[other], other))
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
