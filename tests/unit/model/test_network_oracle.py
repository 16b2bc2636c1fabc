"""A network with parameters wherever a distribution or an oracle is taken: the infinite sample from it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import CapacityError, GraphError, OptionError
from dagwright.evidence import conditional_mutual_information, independence_test
from dagwright.graph.minimal_imap import best_imap, minimal_imap
from dagwright.graph.oracle import GraphOracle, as_oracle
from dagwright.graph.query import Query
from dagwright.model.network_oracle import NetworkOracle

SIX = dw.random_network(6, arcs=7, random_state=3)


def test_information_is_that_of_the_joint_distribution() -> None:
    oracle = SIX.oracle()
    exact = SIX.distribution()
    for x, y in itertools.combinations(SIX.nodes, 2):
        rest = [z for z in SIX.nodes if z not in (x, y)]
        for given in ((), rest[:1], rest[:3]):
            expected = conditional_mutual_information(exact, x, y, given)
            assert oracle.information(Query(x, y, given)) == pytest.approx(expected, abs=1e-12)
            assert oracle.independent(x, y, given) == SIX.graph.d_separated(x, y, given)
    assert oracle.queries == 45


def test_the_tables_decide_where_the_graph_does_not() -> None:
    """An arc without effect, and an exclusive or of two coins that hides each of them."""
    graph = dw.Dag.parse("a -> c; b -> c")
    states = {node: ["no", "yes"] for node in "abc"}
    xor = dw.BayesianNetwork(
        graph,
        states,
        {"a": [0.5, 0.5], "b": [0.5, 0.5], "c": [[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]},
    )
    oracle = as_oracle(xor)
    assert isinstance(oracle, NetworkOracle)
    assert oracle.independent("a", "c") and not oracle.independent("a", "c", "b")
    assert not oracle.independent("c", ["a", "b"])


@pytest.mark.parametrize("name", ["cancer", "asia", "sachs"])
def test_pc_finds_the_class_of_a_network(name: str) -> None:
    network = dw.load(name) if name != "asia" else SIX
    truth = network.graph.cpdag()
    assert dw.learn(oracle=network, search=dw.PC()).graph == truth
    rows = network.sample(50, random_state=1)
    for test in (network, network.graph, network.oracle(), GraphOracle(network.graph)):
        found = dw.learn(rows, search=dw.PC(test=test))
        assert found.graph == truth
        assert found.notes["test"].startswith("answers of")


def test_thick_thin_takes_oracles() -> None:
    order = SIX.graph.topological_order()
    expected = minimal_imap(SIX.graph, order).dag
    for oracle in (SIX, SIX.graph, SIX.oracle()):
        found = dw.learn(oracle=oracle, search=dw.ThickThin(order))
        assert set(found.graph.edges) == set(expected.edges)
        assert found.score is None
        rows = SIX.sample(30, random_state=2)
        assert set(dw.learn(rows, search=dw.ThickThin(order, by=oracle)).graph.edges) == set(expected.edges)
    with pytest.raises(OptionError, match="takes no score"):
        dw.learn(oracle=SIX, search=dw.ThickThin(order), score=dw.BIC())
    with pytest.raises(OptionError, match="needs data"):
        dw.learn(oracle=SIX, search=dw.HillClimb())


def test_minimal_imaps_take_networks_and_tests_on_data() -> None:
    order = sorted(SIX.nodes)
    expected = minimal_imap(SIX.graph, order)
    assert minimal_imap(SIX, order) == expected
    exact = SIX.distribution()
    assert minimal_imap(dw.Threshold(1e-12).on(exact), order) == expected
    assert len(best_imap(SIX).dag.edges) == len(best_imap(SIX.graph).dag.edges)
    for wrong in (exact, 7, "A -> B"):
        with pytest.raises(GraphError, match=r"does not know which variables .* GSquare\(alpha=0.01\)"):
            minimal_imap(wrong, order)


def test_tests_and_scores_on_a_network_are_those_of_its_distribution() -> None:
    exact = SIX.distribution()
    x, y = SIX.nodes[:2]
    assert dw.mutual_information(SIX, x, y) == dw.mutual_information(exact, x, y)
    assert dw.score(SIX.graph, SIX, dw.LogLik()).total == dw.score(SIX.graph, exact, dw.LogLik()).total
    assert independence_test(SIX, x, y, test=dw.Threshold(1e-9)) == independence_test(
        exact, x, y, test=dw.Threshold(1e-9)
    )
    found = dw.learn(SIX.distribution(sample_size=1e6), search=dw.GES())
    assert found.graph == SIX.graph.cpdag()
    with pytest.raises(OptionError, match=r"has no rows.*distribution\(sample_size=1000\)"):
        dw.learn(SIX)


def test_joint_distributions_that_do_not_fit_are_refused_in_words() -> None:
    alarm = dw.load("alarm")
    for nodes in (alarm.nodes, alarm.nodes[:30]):
        with pytest.raises(CapacityError, match=r"the joint distribution of \d+ nodes has .* cells"):
            alarm.marginal(nodes)
    with pytest.raises(CapacityError):
        alarm.distribution()


def test_restrict_takes_a_score_or_an_oracle_as_its_test() -> None:
    rows = SIX.sample(2000, random_state=4)
    by_score = dw.learn(rows, search=dw.Restrict(dw.BIC()))
    assert by_score.graph == dw.learn(rows, search=dw.Restrict(dw.MMPC(test=dw.BIC()))).graph
    edges = dw.learn(rows, search=dw.Restrict(SIX.oracle())).graph.skeleton()
    assert set(map(frozenset, edges.edges)) <= set(map(frozenset, SIX.graph.edges))


def test_listing_ties_has_limits() -> None:
    rng = np.random.default_rng(0)
    base = rng.integers(0, 2, 60)
    data = {f"v{i}": np.where(rng.random(60) < 0.9, base, 1 - base).tolist() for i in range(6)}
    with pytest.raises(CapacityError, match="exceed max_graphs"):
        dw.search.greedy_tie_outcomes(data, max_graphs=3)
    with pytest.raises(CapacityError, match="exceed time_limit"):
        dw.search.greedy_tie_outcomes(data, time_limit=0.0)
