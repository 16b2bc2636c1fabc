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
    with_equation,
    with_node,
    with_number,
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


@pytest.fixture
def body() -> dw.BayesianNetwork:
    """A state and two numbers."""
    return dw.BayesianNetwork(
        "sex -> height; sex -> weight; height -> weight",
        {"sex": ["f", "m"]},
        {
            "sex": [0.4, 0.6],
            "height": dw.LinearGaussian([165, 178], sd=[6, 7], given=["sex"]),
            "weight": dw.LinearGaussian([-50, -45], {"height": [0.7, 0.72]}, [6, 8], given=["sex"]),
        },
    )


def test_numbers_are_added_joined_and_parted(body: dw.BayesianNetwork) -> None:
    grown = with_arc(with_arc(with_number(body, "size"), "sex", "size"), "weight", "size")
    assert grown.parents("size") == ("sex", "weight")
    assert (grown.query("size").mean, grown.query("size").sd) == (0, 1)
    own = dw.LinearGaussian([1, 2], {"weight": [0.5, 0.25]}, [1, 1], given=["sex"])
    told = with_equation(grown, "size", own)
    assert told.gaussians["size"] == own
    for node in body.nodes:  # what was there stays as it was
        assert repr(told.cpd(node)) == repr(body.cpd(node))
    assert without_node(told, "size") == body


def test_a_number_that_loses_a_parent_keeps_its_mean_and_variance(body: dw.BayesianNetwork) -> None:
    plain = without_arc(body, "sex", "height")
    assert plain.parents("height") == ()
    before, after = body.query("height"), plain.query("height")
    assert (after.mean, after.sd) == pytest.approx((before.mean, before.sd))
    chain = dw.BayesianNetwork(
        "x -> y", {}, {"x": dw.LinearGaussian(3, sd=2), "y": dw.LinearGaussian(1, {"x": -2}, 0.5)}
    )
    cut = without_arc(chain, "x", "y")
    assert cut.gaussians["y"] == dw.LinearGaussian(-5, sd=np.sqrt(16.25))
    assert without_node(chain, "x").nodes == ("y",)


def test_states_of_a_parent_of_numbers_change(body: dw.BayesianNetwork) -> None:
    more = with_state(body, "sex", "other")
    assert more.gaussians["height"].intercept.tolist() == [165, 178, 171.5]
    assert without_state(more, "sex", "other") == body


def test_what_numbers_cannot_do_is_refused(body: dw.BayesianNetwork) -> None:
    with pytest.raises(GraphError, match="from a number to a category has no table; reverse it"):
        with_arc(with_node(body, "ill", ["no", "yes"]), "weight", "ill")
    with pytest.raises(GraphError, match="'height' is continuous"):
        with_arc_turned(body, "sex", "height")
    with pytest.raises(DataError, match="'sex' has states"):
        with_equation(body, "sex", dw.LinearGaussian())
    with pytest.raises(GraphError, match="already"):
        with_number(body, "weight")
