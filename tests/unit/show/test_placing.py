"""Places that stay: what has a place keeps it, what is new covers nothing."""

from __future__ import annotations

import pytest

import dagwright as dw
from dagwright.show.diagram import PLAIN
from dagwright.show.diagram_scene import node_sizes
from dagwright.show.graph_diagram import graph_diagram
from dagwright.show.placing import Places, place


def overlapping(dag: dw.Dag, positions: dict[str, tuple[float, float]]) -> list[tuple[str, str]]:
    sizes = dict(zip(dag.nodes, node_sizes(graph_diagram(dag), PLAIN), strict=True))
    return [
        (a, b)
        for i, a in enumerate(dag.nodes)
        for b in dag.nodes[i + 1 :]
        if abs(positions[a][0] - positions[b][0]) < (sizes[a][0] + sizes[b][0]) / 2
        and abs(positions[a][1] - positions[b][1]) < (sizes[a][1] + sizes[b][1]) / 2
    ]


def behind(dag: dw.Dag, places: Places, sizes: dict[str, tuple[float, float]]) -> list[tuple[str, str, str]]:
    """Edges whose curve enters the box of a node that is not one of its ends."""
    boxes = dict(zip(dag.nodes, node_sizes(graph_diagram(dag), PLAIN), strict=True)) | sizes
    found = []
    for (start, end), route in places.routes.items():
        for at in range(0, len(route) - 1, 3):
            a, b, c, d = route[at : at + 4]
            for t in (step / 40 for step in range(41)):
                weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
                x, y = (sum(w * p[i] for w, p in zip(weights, (a, b, c, d), strict=True)) for i in (0, 1))
                for node, (wide, high) in boxes.items():
                    px, py = places.positions[node]
                    if node not in (start, end) and abs(x - px) < wide / 2 - 1 and abs(y - py) < high / 2 - 1:
                        found.append((start, end, node))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_nodes_that_are_kept_stay_and_new_ones_cover_nothing(seed: int) -> None:
    dag = dw.random_dag(25, degree=3.0, random_state=seed)
    whole = place(dag)
    assert len(whole.routes) == len(dag.edges)
    kept = {node: whole.positions[node] for node in dag.nodes[::2]}
    found = place(dag, kept=kept)
    assert {node: found.positions[node] for node in kept} == kept
    assert set(found.positions) == set(dag.nodes)
    assert overlapping(dag, found.positions) == []


def test_one_more_edge_moves_nothing() -> None:
    dag = dw.load("asia").graph
    first = place(dag)
    second = place(dag.with_edges(add=[("asia", "dysp")]), kept=first.positions)
    assert second.positions == first.positions


@pytest.mark.parametrize("name", ["asia", "alarm"])
def test_no_edge_runs_behind_a_node_after_edges_by_hand(name: str) -> None:
    dag = dw.load(name).graph
    sizes = dict.fromkeys(dag.nodes, (164.0, 72.0))
    first = place(dag, sizes=sizes)
    order = dag.topological_order()
    by_hand = [(a, b) for a, b in ((order[0], order[-1]), (order[1], order[-2])) if (a, b) not in dag.edges]
    longer = dag.with_edges(add=by_hand)
    second = place(longer, kept=first.positions, sizes=sizes)
    assert second.positions == first.positions
    assert set(second.routes) == set(longer.edges)
    assert behind(longer, second, sizes) == []


def test_a_node_that_was_moved_has_a_route_around_the_others() -> None:
    dag = dw.Dag.parse("a -> b; b -> c; d")
    first = place(dag)
    middle = first.positions["b"]
    moved = {"c": (middle[0] + 400.0, middle[1]), "d": (middle[0] + 200.0, middle[1])}
    second = place(dag, kept={**first.positions, **moved})
    assert second.routes["a", "b"] == first.routes["a", "b"]
    route = second.routes["b", "c"]
    assert middle[0] < route[0][0] < route[-1][0] < moved["c"][0]
    assert behind(dag, second, {}) == []


@pytest.mark.parametrize("name", ["asia", "alarm"])
def test_edges_that_the_graph_lacks_run_around_the_nodes(name: str) -> None:
    dag = dw.load(name).graph
    sizes = dict.fromkeys(dag.nodes, (164.0, 72.0))
    order = dag.topological_order()
    also = [
        (a, b) for a, b in zip(order[:12], reversed(order), strict=False) if a != b and not dag.adjacent(a, b)
    ]
    alone, found = place(dag, sizes=sizes), place(dag, sizes=sizes, also=[*also, *also, *dag.edges[:1]])
    assert also and found.positions == alone.positions
    assert {edge: found.routes[edge] for edge in dag.edges} == alone.routes
    assert set(found.routes) == {*dag.edges, *also}
    assert behind(dag, found, sizes) == []


def test_edges_that_cannot_be_drawn_are_refused() -> None:
    dag = dw.Dag.parse("a -> b")
    with pytest.raises(dw.OptionError, match="two different nodes"):
        place(dag, also=[("a", "a")])
    with pytest.raises(dw.DagwrightError, match="unknown node 'c'"):
        place(dag, also=[("a", "c")])


def test_sizes_and_an_empty_graph() -> None:
    wide = place(dw.Dag.parse("a -> b; a -> c"), sizes={"b": (250.0, 30.0), "c": (250.0, 30.0)})
    assert abs(wide.positions["b"][0] - wide.positions["c"][0]) >= 250
    assert place(dw.Dag([])).positions == {}


def test_pictures_stand_where_they_are_told() -> None:
    dag = dw.Dag.parse("a -> b; c")
    picture = dw.draw(dag, positions={"a": (0, 0), "b": (500, 300)})
    assert picture.width > 500 and picture.height > 300
    assert picture.svg.count('class="dw-node"') == 3
    with pytest.raises(dw.OptionError):
        dw.draw(dag, compare=dag, positions={})
