"""Properties of every layout: nothing overlaps, routes begin and end on borders, the same every time."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import dagwright as dw
from dagwright.show.layout import Layout, Spacing, layered
from dagwright.show.layout.acyclic import acyclic, components
from dagwright.show.layout.ranks import ranks

Edges = list[tuple[int, int]]
Sizes = list[tuple[float, float]]


def of_graph(name: str) -> tuple[Sizes, Edges]:
    graph = dw.load(name).graph
    number = {node: position for position, node in enumerate(graph.nodes)}
    sizes = [(7.0 * len(node) + 20, 30.0) for node in graph.nodes]
    return sizes, [(number[a], number[b]) for a, b in graph.edges]


def random_case(seed: int) -> tuple[Sizes, Edges]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 25))
    sizes = [(float(rng.integers(20, 160)), float(rng.integers(20, 120))) for _ in range(n)]
    pairs = [pair for pair in itertools.combinations(range(n), 2) if rng.random() < 2.0 / max(n, 2)]
    return sizes, [pair if rng.random() < 0.5 else pair[::-1] for pair in pairs]


def star(leaves: int, *, up: bool) -> tuple[Sizes, Edges]:
    """A node with many leaves, and a tail of two more."""
    arms = [(0, leaf) for leaf in range(1, leaves + 1)]
    edges = [*arms, (0, leaves + 1), (leaves + 1, leaves + 2)]
    sizes = [(60.0 + 9 * (node % 5), 26.0 + node % 3) for node in range(leaves + 3)]
    return sizes, [(b, a) for a, b in edges] if up else edges


CASES = [
    star(40, up=False),
    star(40, up=True),
    *map(of_graph, ("asia", "alarm", "insurance")),
    *map(random_case, range(30)),
]


def bezier(route: tuple[tuple[float, float], ...], steps: int = 16) -> np.ndarray:
    t = np.linspace(0, 1, steps)[:, None]
    weights = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t**3)
    pieces = [
        sum(w * np.array(point) for w, point in zip(weights, route[at : at + 4], strict=True))
        for at in range(0, len(route) - 1, 3)
    ]
    return np.concatenate(pieces)


def on_border(point: tuple[float, float], center: tuple[float, float], size: tuple[float, float]) -> bool:
    dx, dy = abs(point[0] - center[0]), abs(point[1] - center[1])
    inside = dx <= size[0] / 2 + 1e-6 and dy <= size[1] / 2 + 1e-6
    return inside and (abs(dx - size[0] / 2) < 1e-6 or abs(dy - size[1] / 2) < 1e-6)


def check(sizes: Sizes, edges: Edges, layout: Layout) -> None:
    for i, j in itertools.combinations(range(len(sizes)), 2):
        apart_x = abs(layout.centers[i][0] - layout.centers[j][0]) - (sizes[i][0] + sizes[j][0]) / 2
        apart_y = abs(layout.centers[i][1] - layout.centers[j][1]) - (sizes[i][1] + sizes[j][1]) / 2
        assert max(apart_x, apart_y) > 5, (i, j)
    for (start, end), route in zip(edges, layout.routes, strict=True):
        assert on_border(route[0], layout.centers[start], sizes[start])
        assert on_border(route[-1], layout.centers[end], sizes[end])
        points = bezier(route)
        for node, ((x, y), (w, h)) in enumerate(zip(layout.centers, sizes, strict=True)):
            if node not in (start, end):
                within = (np.abs(points[:, 0] - x) < w / 2) & (np.abs(points[:, 1] - y) < h / 2)
                assert not within.any(), (start, end, node)
    xs = [x + side * w / 2 for (x, _), (w, _) in zip(layout.centers, sizes, strict=True) for side in (-1, 1)]
    ys = [y + side * h / 2 for (_, y), (_, h) in zip(layout.centers, sizes, strict=True) for side in (-1, 1)]
    assert min(xs) >= -1e-6 and max(xs) <= layout.width + 1e-6
    assert min(ys) >= -1e-6 and max(ys) <= layout.height + 1e-6


@pytest.mark.parametrize("direction", ["down", "right"])
@pytest.mark.parametrize("case", range(len(CASES)))
def test_nothing_overlaps_and_edges_end_on_borders(case: int, direction: str) -> None:
    sizes, edges = CASES[case]
    layout = layered(sizes, edges, Spacing(), direction)
    check(sizes, edges, layout)
    assert layout == layered(sizes, edges, Spacing(), direction)


def test_arcs_of_a_dag_lead_down() -> None:
    sizes, edges = of_graph("alarm")
    layout = layered(sizes, edges)
    for start, end in edges:
        assert layout.centers[start][1] < layout.centers[end][1]


def test_no_nodes_and_no_edges() -> None:
    assert layered([], []) == Layout((), (), 0.0, 0.0, 0)
    alone = layered([(40.0, 20.0)] * 3, [])
    assert alone.routes == () and len(set(alone.centers)) == 3


@pytest.mark.parametrize("seed", range(40))
def test_layers_have_the_least_total_length(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 7))
    arcs = [(a, b) for a, b in itertools.combinations(range(n), 2) if rng.random() < 0.5]
    if not arcs or len(components(n, arcs)) > 1:
        arcs = [(a, a + 1) for a in range(n - 1)]
    found = ranks(n, arcs)
    assert min(found) == 0 and all(found[a] < found[b] for a, b in arcs)
    least = min(
        sum(tried[b] - tried[a] for a, b in arcs)
        for tried in itertools.product(range(n), repeat=n)
        if all(tried[a] < tried[b] for a, b in arcs)
    )
    assert sum(found[b] - found[a] for a, b in arcs) == least


def test_a_cycle_is_opened_by_turning_one_arc() -> None:
    turned = acyclic(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    assert sum(a != b for a, b in zip(turned, [(0, 1), (1, 2), (2, 3), (3, 0)], strict=True)) == 1
    layout = layered([(30.0, 20.0)] * 4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    assert layout.crossings == 0
    # The route of the arc that was turned still runs from its first node to its second.
    assert math.dist(layout.routes[3][0], layout.centers[3]) < math.dist(
        layout.routes[3][0], layout.centers[0]
    )


@pytest.mark.parametrize("up", [False, True])
def test_many_leaves_of_one_node_stand_in_a_block(up: bool) -> None:
    sizes, edges = star(40, up=up)
    found = layered(sizes, edges)
    assert found.width < sum(width for width, _ in sizes) / 3
    hub = found.centers[0][1]
    leaves = [found.centers[leaf][1] for leaf in range(1, 41)]
    assert max(leaves) < hub if up else min(leaves) > hub
    few = layered(*star(8, up=up))
    assert len({few.centers[leaf][1] for leaf in range(1, 9)}) == 1
