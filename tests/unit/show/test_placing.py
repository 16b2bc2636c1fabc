"""Places that stay: what has a place keeps it, what is new covers nothing."""

from __future__ import annotations

import pytest

import dagwright as dw
from dagwright.show.diagram import PLAIN
from dagwright.show.diagram_scene import node_sizes
from dagwright.show.graph_diagram import graph_diagram
from dagwright.show.placing import place


def overlapping(dag: dw.Dag, positions: dict[str, tuple[float, float]]) -> list[tuple[str, str]]:
    sizes = dict(zip(dag.nodes, node_sizes(graph_diagram(dag), PLAIN), strict=True))
    return [
        (a, b)
        for i, a in enumerate(dag.nodes)
        for b in dag.nodes[i + 1 :]
        if abs(positions[a][0] - positions[b][0]) < (sizes[a][0] + sizes[b][0]) / 2
        and abs(positions[a][1] - positions[b][1]) < (sizes[a][1] + sizes[b][1]) / 2
    ]


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


def test_a_node_that_was_moved_has_no_route_of_the_layout() -> None:
    dag = dw.Dag.parse("a -> b; b -> c")
    first = place(dag)
    second = place(dag, kept={**first.positions, "c": (400.0, 0.0)})
    assert set(second.routes) == {("a", "b")}
    assert second.routes["a", "b"] == first.routes["a", "b"]


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
