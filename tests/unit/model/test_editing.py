"""Networks changed by hand: the joint distribution says whether tables followed."""

from __future__ import annotations

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import CapacityError, CycleError, DataError, GraphError, UnknownNameError
from dagwright.model.editing import (
    empty_network,
    with_arc,
    with_arc_turned,
    with_node,
    with_state,
    without_arc,
    without_node,
    without_state,
)


def joint(network: dw.BayesianNetwork, nodes: tuple[str, ...]) -> np.ndarray:
    return np.asarray(network.joint(nodes))


@pytest.fixture(params=range(5))
def network(request: pytest.FixtureRequest) -> dw.BayesianNetwork:
    return dw.random_network(6, arcs=8, cardinalities=(2, 3), random_state=request.param)


def test_turning_any_arc_keeps_the_joint_distribution(network: dw.BayesianNetwork) -> None:
    nodes, turned = network.nodes, 0
    for start, end in network.graph.edges:
        try:
            other = with_arc_turned(network, start, end)
        except CycleError:
            continue
        turned += 1
        assert end in other.parents(start)
        assert np.allclose(joint(other, nodes), joint(network, nodes))
    assert turned


def test_a_new_arc_changes_nothing_yet(network: dw.BayesianNetwork) -> None:
    order = network.graph.topological_order()
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :] if not network.graph.adjacent(a, b)]
    for start, end in pairs:
        assert np.allclose(joint(with_arc(network, start, end), network.nodes), joint(network, network.nodes))


def test_a_lost_arc_keeps_the_marginal_of_a_root(network: dw.BayesianNetwork) -> None:
    for start, end in network.graph.edges:
        fewer = without_arc(network, start, end)
        assert start not in fewer.parents(end)
        if network.parents(end) == (start,):
            assert np.allclose(joint(fewer, (end,)), joint(network, (end,)))


def test_a_node_that_goes_takes_its_arcs_along(network: dw.BayesianNetwork) -> None:
    for node in network.nodes:
        rest = without_node(network, node)
        assert set(rest.nodes) == set(network.nodes) - {node}
        assert set(rest.graph.edges) == {arc for arc in network.graph.edges if node not in arc}


def test_states_come_and_go(network: dw.BayesianNetwork) -> None:
    for node in network.nodes:
        more = with_state(network, node, "new")
        assert more.states(node)[-1] == "new" and np.all(more.table(node)[..., -1] == 0)
        back = without_state(more, node, "new")
        assert np.allclose(joint(back, network.nodes), joint(network, network.nodes))


def test_counts_of_other_nodes_stay() -> None:
    fitted = dw.fit(dw.Dag.parse("a -> b; c"), {"a": [0, 1, 1], "b": [1, 0, 0], "c": [0, 1, 0]})
    changed = with_arc(fitted, "c", "b")
    assert changed.counts("a") is not None and changed.counts("b") is None


def test_what_cannot_be_is_refused() -> None:
    asia = dw.load("asia")
    with pytest.raises(GraphError, match="already"):
        with_node(asia, "asia", ["a"])
    with pytest.raises(DataError, match="at least one state"):
        with_node(asia, "x", [])
    with pytest.raises(GraphError, match="already"):
        with_arc(asia, "asia", "tub")
    with pytest.raises(CycleError):
        with_arc(asia, "dysp", "smoke")
    with pytest.raises(UnknownNameError):
        without_arc(asia, "tub", "asia")
    with pytest.raises(DataError, match="only state"):
        without_state(with_node(empty_network(), "x", ["a"]), "x", "a")
    large = empty_network()
    for at in range(12):
        large = with_node(large, f"v{at}", [f"s{state}" for state in range(30)])
    with pytest.raises(CapacityError):
        for at in range(1, 12):
            large = with_arc(large, f"v{at}", "v0")
