"""Random networks and edges that carry nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import CapacityError, OptionError, UnknownNameError


@pytest.mark.parametrize(
    ("n", "arcs", "bound"), [(6, 15, None), (6, 9, 2), (30, 60, 3), (300, 500, 4), (5, 0, None)]
)
def test_as_many_arcs_as_asked_for(n: int, arcs: int, bound: int | None) -> None:
    network = dw.random_network(n, arcs=arcs, max_parents=bound, random_state=3)
    assert len(network.graph.edges) == arcs
    assert max(len(network.parents(node)) for node in network.nodes) <= (n if bound is None else bound)
    assert network.inessential_edges() == ()


def test_density_and_default() -> None:
    assert len(dw.random_network(12, random_state=1).graph.edges) == 12
    assert len(dw.random_network(1, random_state=1).graph.edges) == 0
    sizes = [len(dw.random_network(20, density=0.1, random_state=seed).graph.edges) for seed in range(30)]
    assert 14 < np.mean(sizes) < 24
    assert len(dw.random_network(5, density=1.0, random_state=1).graph.edges) == 10


def test_every_order_of_the_nodes_is_possible() -> None:
    edges = {dw.random_network(["a", "b"], arcs=1, random_state=seed).graph.edges[0] for seed in range(20)}
    assert edges == {("a", "b"), ("b", "a")}


def test_cardinalities() -> None:
    network = dw.random_network(40, cardinalities=(2, 5), random_state=1)
    assert {network.cardinality(node) for node in network.nodes} == {2, 3, 4, 5}
    chosen = dw.random_network(["a", "b"], cardinalities={"a": 7}, random_state=1)
    assert (chosen.cardinality("a"), chosen.cardinality("b")) == (7, 2)


@pytest.mark.parametrize("concentration", [1e-9, 1e-4, 1.0, 1e9])
def test_edges_are_essential_however_extreme_the_tables(concentration: float) -> None:
    network = dw.random_network(
        10, arcs=20, max_parents=4, cardinalities=(2, 4), concentration=concentration, random_state=2
    )
    assert network.inessential_edges(0.01) == ()


def test_concentration_decides_how_sure_tables_are() -> None:
    sure, unsure = (
        dw.random_network(30, concentration=alpha, random_state=1).table("X1").max()
        for alpha in (0.01, 1000.0)
    )
    assert sure > 0.95 > 0.6 > unsure


def test_the_same_seed_gives_the_same_network() -> None:
    assert dw.random_network(20, random_state=7) == dw.random_network(20, random_state=7)
    assert dw.random_network(20, random_state=7) != dw.random_network(20, random_state=8)


def test_random_tables_on_a_given_graph() -> None:
    graph = dw.load("asia").graph
    assert dw.random_network(graph, random_state=1).graph == graph
    with pytest.raises(OptionError, match="graph"):
        dw.random_network(graph, arcs=3)


@pytest.mark.parametrize(
    "options",
    [
        {"arcs": 11},
        {"arcs": -1},
        {"arcs": 8, "max_parents": 1},
        {"arcs": 1, "density": 0.5},
        {"density": 1.5},
        {"max_parents": -1},
        {"concentration": 0},
        {"min_difference": 0.5},
        {"cardinalities": 1},
        {"cardinalities": (4, 3)},
    ],
)
def test_what_cannot_be(options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        dw.random_network(5, **options)


def test_unknown_nodes_and_too_large_tables() -> None:
    with pytest.raises(UnknownNameError, match="'z'"):
        dw.random_network(["a"], cardinalities={"z": 2})
    star = dw.Dag.from_parents({"x": [f"p{i}" for i in range(12)]})
    with pytest.raises(CapacityError, match="'x'"):
        dw.random_network(star, cardinalities=20)


def test_inessential_edges_are_listed() -> None:
    graph = dw.Dag(["a", "b", "c"], [("a", "c"), ("b", "c")])
    table = np.zeros((2, 2, 2))
    table[:, 0], table[:, 1] = [0.3, 0.7], [0.6, 0.4]
    states = {node: [0, 1] for node in "abc"}
    network = dw.BayesianNetwork(graph, states, {"a": [0.5, 0.5], "b": [0.5, 0.5], "c": table})
    assert network.inessential_edges() == (("a", "c", 0.0),)
    assert [edge.parent for edge in network.inessential_edges(0.31)] == ["a", "b"]
    table[1, 0] = [0.4, 0.6]
    assert network.with_table("c", table).inessential_edges() == ()
    assert [edge.parent for edge in network.with_table("c", table).inessential_edges(0.15)] == ["a"]


def test_removing_an_inessential_edge_changes_nothing() -> None:
    """Minimality: what Prop. 7.2 of Jensen & Nielsen (2007) calls inessential can go."""
    network = dw.random_network(dw.Dag.parse("a -> c; b -> c"), random_state=1)
    table = network.table("c").copy()
    table[1] = table[0]
    with_edge = network.with_table("c", table)
    without = dw.BayesianNetwork(
        dw.Dag.parse("b -> c; a"),
        {node: network.states(node) for node in "abc"},
        {"a": network.table("a"), "b": network.table("b"), "c": table[0]},
    )
    assert dw.divergence(with_edge, without, "hellinger").value < 1e-7
    assert dw.divergence(network, without, "hellinger").value > 1e-3


@pytest.mark.parametrize("given", [[2, 3, 2], (2, 3, 4), "two", 2.5, (2, "many")])
def test_wrong_cardinalities_are_refused_in_words(given: Any) -> None:
    with pytest.raises(OptionError, match="cardinalities= must be a number of states, a range"):
        dw.random_network(3, cardinalities=given)
