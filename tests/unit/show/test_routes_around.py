"""Lines around nodes: never through one, and as short as the shortest among all corners."""

from __future__ import annotations

import heapq
import math
from itertools import pairwise

import numpy as np
import pytest

from dagwright import _core
from dagwright.show.layout.around import around, passes_behind

Point = tuple[float, float]
Wall = tuple[float, float, float, float]
CLEAR = 8.0
EDGE = 1e-6


def walls(centers: list[Point], sizes: list[Point], edge: tuple[int, int]) -> list[Wall]:
    """The boxes in the way, with the distance to keep; those that hold an end are none."""
    found = []
    for at, ((x, y), (w, h)) in enumerate(zip(centers, sizes, strict=True)):
        wall = (x - w / 2 - CLEAR, y - h / 2 - CLEAR, x + w / 2 + CLEAR, y + h / 2 + CLEAR)
        if at not in edge and not any(holds(wall, centers[end]) for end in edge):
            found.append(wall)
    return found


def holds(wall: Wall, at: Point) -> bool:
    left, top, right, bottom = wall
    return left + EDGE < at[0] < right - EDGE and top + EDGE < at[1] < bottom - EDGE


def blocked(a: Point, b: Point, wall: Wall) -> bool:
    """Whether the open line between two points enters a box: between the places where it meets its sides."""
    left, top, right, bottom = wall
    cuts = [0.0, 1.0]
    for low, high, i in ((left, right, 0), (top, bottom, 1)):
        if a[i] != b[i]:
            cuts += [t for side in (low, high) if 0 < (t := (side - a[i]) / (b[i] - a[i])) < 1]
    middles = [(s + t) / 2 for s, t in pairwise(sorted(cuts))]
    return any(holds(wall, (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))) for t in middles)


def shortest(start: Point, end: Point, boxes: list[Wall]) -> float:
    """The length of the shortest line over all corners of all boxes."""
    spots = [
        start,
        end,
        *((x, y) for left, top, right, bottom in boxes for x in (left, right) for y in (top, bottom)),
    ]
    length = {0: 0.0}
    queue = [(0.0, 0)]
    while queue:
        gone, at = heapq.heappop(queue)
        if at == 1:
            return gone
        if gone > length[at]:
            continue
        for other, spot in enumerate(spots):
            reached = gone + math.dist(spots[at], spot)
            if reached < length.get(other, math.inf) and not any(
                blocked(spots[at], spot, one) for one in boxes
            ):
                length[other] = reached
                heapq.heappush(queue, (reached, other))
    return math.inf


@pytest.mark.parametrize("seed", range(12))
def test_lines_are_free_and_shortest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    centers = [(float(x), float(y)) for x, y in rng.integers(0, 500, (10, 2))]
    sizes = [(float(w), float(h)) for w, h in rng.integers(20, 90, (10, 2))]
    edges = [(0, 1), (2, 3), (4, 5)]
    found = _core.routes_around(centers, sizes, edges, clear=CLEAR, most=10)
    for (start, end), line in zip(edges, found, strict=True):
        boxes = walls(centers, sizes, (start, end))
        least = shortest(centers[start], centers[end], boxes)
        assert line[0] == centers[start] and line[-1] == centers[end]
        if least == math.inf:
            assert len(line) == 2
            continue
        assert sum(math.dist(a, b) for a, b in pairwise(line)) == pytest.approx(least, abs=1e-4)
        assert not any(blocked(a, b, one) for a, b in pairwise(line) for one in boxes)


def test_the_order_of_the_nodes_does_not_matter() -> None:
    centers = [(0.0, 0.0), (0.0, 300.0), (0.0, 100.0), (0.0, 200.0), (80.0, 150.0), (-80.0, 150.0)]
    sizes = [(60.0, 30.0)] * 6
    (first,) = _core.routes_around(centers, sizes, [(0, 1)], clear=CLEAR, most=24)
    order = [0, 1, 5, 3, 4, 2]
    moved = [centers[at] for at in order]
    assert _core.routes_around(moved, sizes, [(0, 1)], clear=CLEAR, most=24) == [first]


def test_a_line_with_too_many_nodes_in_its_way_is_straight() -> None:
    centers = [(0.0, 0.0), (0.0, 900.0), *((0.0, 100.0 * at) for at in range(1, 8))]
    sizes = [(60.0, 30.0)] * len(centers)
    (line,) = _core.routes_around(centers, sizes, [(0, 1)], clear=CLEAR, most=3)
    assert line == [(0.0, 0.0), (0.0, 900.0)]
    (curve,) = around(centers, sizes, [(0, 1)])
    assert not passes_behind(curve, (0, 1), centers, sizes)
    assert passes_behind(((0.0, 15.0), (0.0, 300.0), (0.0, 600.0), (0.0, 885.0)), (0, 1), centers, sizes)


def test_numbers_of_no_node_are_refused() -> None:
    with pytest.raises(ValueError, match="two of the boxes"):
        _core.routes_around([(0.0, 0.0)], [(1.0, 1.0)], [(0, 1)], clear=CLEAR, most=3)
    with pytest.raises(ValueError, match="a center and a size"):
        _core.routes_around([(0.0, 0.0)], [], [], clear=CLEAR, most=3)
