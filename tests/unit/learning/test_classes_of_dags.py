"""A class of DAGs is scored as its members are, or refused in words; never as if it lacked edges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dagwright as dw
from dagwright.errors import GraphError, NoExtensionError
from dagwright.graph.graph_like import as_dag

ASIA = dw.read(dw.sample_path("asia"))
FOUND = dw.learn(ASIA, search=dw.GES())
CLASS = FOUND.graph
assert isinstance(CLASS, dw.Pdag)
MEMBERS = list(CLASS.members())
TURNED = {name: f"{99 - at}{name}" for at, name in enumerate(sorted(ASIA.names))}
RENAMED = ASIA.rename(TURNED)
SQUARE = dw.Pdag.parse("asia -- tub -- smoke -- lung -- asia")


@pytest.mark.parametrize(
    "number",
    [
        lambda graph: dw.score(graph, ASIA).total,
        lambda graph: dw.score(graph, ASIA, dw.BDeu(ess=10)).total,
        lambda graph: dw.BIC().on(ASIA).total(graph),
        lambda graph: dw.description_length(graph, ASIA).total,
        lambda graph: dw.evidence.network_weight(graph, ASIA),
        lambda graph: dw.cross_entropy(graph, ASIA),
        lambda graph: len(dw.faithfulness(graph, ASIA).rejected),
        lambda graph: dw.observed_score(graph, ASIA).total,
        lambda graph: dw.ArcCost(2.0).log_prior(graph),
        lambda graph: dw.fit(graph, ASIA).log_likelihood(ASIA),
        lambda graph: dw.model.blanket_agreement(graph, MEMBERS[0]).mean,
        lambda graph: dw.FanIn().log_prior(graph),
        lambda graph: dw.posterior(ASIA, method="exact").log_bayes_factor(graph, dw.Dag(ASIA.names)),
    ],
)
def test_a_class_counts_as_its_members(number: Callable[[Any], float]) -> None:
    assert len(MEMBERS) > 1
    for member in (MEMBERS[0], MEMBERS[-1]):
        assert number(CLASS) == pytest.approx(number(member))
    with pytest.raises(NoExtensionError):
        number(SQUARE)


def test_the_score_of_a_result_is_that_of_its_graph() -> None:
    assert dw.score(CLASS, ASIA).total == pytest.approx(FOUND.score)
    assert dw.score(FOUND, ASIA).total == pytest.approx(FOUND.score)


@pytest.mark.parametrize(
    "refused",
    [
        lambda graph: dw.score(graph, ASIA, dw.K2Score()),
        lambda graph: dw.score(graph, ASIA, dw.BDs()),
        lambda graph: dw.KappaPrior(graph, 0.5),
        lambda graph: dw.KappaPrior(MEMBERS[0], 0.5).deltas(graph),
        lambda graph: dw.ArcCost({("smoke", "bronc"): 1.0}).log_prior(graph),
        lambda graph: dw.posterior(ASIA, method="exact").probability(graph),
        lambda graph: dw.posterior(ASIA, score=dw.K2Score(), method="exact").bayes_factor(graph, MEMBERS[0]),
        lambda graph: dw.BayesianNetwork(graph, {}, {}),
    ],
)
def test_a_class_is_refused_where_its_members_differ(refused: Callable[[Any], Any]) -> None:
    with pytest.raises(GraphError, match=r"leaves the direction of bronc -- smoke open, and .*extension\(\)"):
        refused(CLASS)


def test_a_graph_that_is_no_dag_of_observed_variables() -> None:
    with pytest.raises(GraphError, match="a PAG, in which variables may be hidden"):
        dw.score(dw.Pag.parse("asia o-> tub"), ASIA)
    with pytest.raises(GraphError, match="without a chord"):
        dw.score(SQUARE.skeleton(), ASIA)


def test_columns_that_the_graph_leaves_out_have_no_arcs() -> None:
    part, whole = dw.Dag.parse("smoke -> lung"), dw.Dag(ASIA.names, [("smoke", "lung")])
    assert dw.score(part, ASIA).total == pytest.approx(dw.score(whole, ASIA).total)
    assert set(dw.score(part, ASIA).by_node) == set(ASIA.names)
    assert dw.score(part, ASIA, dw.MDL()).total == pytest.approx(dw.score(whole, ASIA, dw.MDL()).total)


@pytest.mark.parametrize("search", [dw.HillClimb(), dw.Tabu(), dw.OrderSearch()])
def test_a_search_begins_from_a_member_whatever_the_names(search: Any) -> None:
    """Which member is taken must not depend on the names, nor break the knowledge."""
    known = dw.Knowledge(required=["smoke -> bronc"])
    found = dw.learn(ASIA, search=search, start=CLASS, knowledge=known)
    again = dw.learn(
        RENAMED,
        search=search,
        start=dw.Pdag(
            TURNED.values(),
            [(TURNED[a], TURNED[b]) for a, b in CLASS.directed_edges],
            [(TURNED[a], TURNED[b]) for a, b in CLASS.undirected_edges],
        ),
        knowledge=dw.Knowledge(required=[(TURNED["smoke"], TURNED["bronc"])]),
    )
    assert again.dag == found.dag.renamed(TURNED)
    assert dw.learn(ASIA, search=search, start="smoke -> bronc").score is not None


@pytest.mark.parametrize("search", [dw.Decomposable(), dw.Polytree(), dw.PC(), dw.GES()])
def test_the_dag_of_a_result_does_not_depend_on_names(search: Any) -> None:
    found = dw.learn(ASIA, search=search)
    assert found.dag is not None
    again = dw.learn(RENAMED, search=search)
    assert again.dag == found.dag.renamed(TURNED)


@pytest.mark.parametrize("search", [dw.Polytree(), dw.IAMB(), dw.MMPC(), dw.PairwiseMarkov()])
def test_a_result_has_a_dag_where_its_graph_has_one(search: Any) -> None:
    found = dw.learn(ASIA, search=search)
    if isinstance(found.graph, dw.UndirectedGraph):
        assert found.graph.is_chordal()
        assert found.dag is not None
        assert found.dag.skeleton() == found.graph
        assert found.dag.v_structures() == ()
    else:
        assert found.dag.cpdag() == found.graph


@pytest.mark.parametrize("seed", range(3))
def test_a_polytree_warns_of_what_is_none(seed: int) -> None:
    diamond = dw.random_network("A -> B; A -> C; B -> D; C -> D", min_difference=0.3, random_state=seed + 1)
    found = dw.learn(diamond.sample(5000, random_state=1), search=dw.Polytree())
    assert any("do not come from a polytree" in warning for warning in found.warnings)
    assert all("depend on each other" in note for note in found.notes["not a polytree"])
    tree = dw.random_network("A -> B; A -> C; B -> D; E -> D", min_difference=0.2, random_state=seed + 1)
    assert not dw.learn(tree.sample(5000, random_state=1), search=dw.Polytree()).warnings


def test_the_order_settles_the_member() -> None:
    chain = dw.Pdag.parse("A -- B -- C")
    assert as_dag(chain, order=list("CBA")) == dw.Dag.parse("C -> B -> A")
    assert as_dag(chain.skeleton(), order=list("CBA")) == dw.Dag.parse("C -> B -> A")
    with pytest.raises(GraphError, match="every node"):
        chain.extension(["A", "B"])
