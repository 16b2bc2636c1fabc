"""Searches and structure priors on the textbook's data (Jensen & Nielsen 2007, Tables 7.2 and 7.4)."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

import dagwright as dw


def table(names: str, cells: dict[str, int]) -> dw.Table:
    """Cells such as {"112": 3}: one digit per column, states 1 and 2, weighted rows."""
    codes = np.array([[int(digit) - 1 for digit in cell] for cell in cells])
    return dw.Table(list(names), list(codes.T), [["1", "2"]] * len(names), weights=list(cells.values()))


TWO = table("XY", {"11": 2, "21": 2, "12": 6})
THREE = table("ABC", {"111": 11, "122": 3, "211": 12, "212": 6})

# Exercise 7.10: where the greedy search ends depends on how ties are broken. (arcs, score in nats)
TIE_OUTCOMES = {
    dw.BIC(): [("A->B C->B", -51.33942306844068), ("B->A B->C", -52.653167425542165)],
    dw.AIC(): [
        ("A->B C->B", -46.942215360041494),
        ("A->C B->A B->C", -47.66142740998051),
        ("B->A B->C C->A", -47.66142740998051),
    ],
    dw.K2Score(): [("B->A B->C C->A", -50.4916840781128)],
    dw.BDeu(1): [
        ("A->B C->B", -48.74729629763714),
        ("A->B A->C B->C", -50.61449951212764),
        ("A->C B->A B->C", -50.61449951212764),
    ],
}


def text(graph: dw.Dag) -> str:
    return " ".join(f"{start}->{end}" for start, end in graph.edges)


@pytest.mark.parametrize("score", list(TIE_OUTCOMES), ids=lambda score: score.name)
def test_exercise_7_10_all_outcomes_of_ties(score: dw.BIC) -> None:
    found = dw.search.greedy_tie_outcomes(THREE, score=score)
    expected = TIE_OUTCOMES[score]
    assert [round(outcome.score, 8) for outcome in found] == [round(nats, 8) for _, nats in expected]
    assert {text(outcome.graph) for outcome in found} == {arcs for arcs, _ in expected}
    # The one that the search itself takes is among them.
    learned = dw.learn(THREE, score=score, search=dw.HillClimb())
    assert text(learned.graph) in {arcs for arcs, _ in expected}
    # The first steps of every outcome: B and C are joined first.
    assert {learned.trace[0].start, learned.trace[0].end} == {"B", "C"}


def test_exercise_7_10_gains() -> None:
    trace = dw.learn(THREE, search=dw.HillClimb(), score=dw.BIC()).trace
    assert [step.gain for step in trace[:2]] == pytest.approx([2.4946374879, 0.9491472548], abs=1e-9)


@pytest.mark.parametrize(
    ("score", "gains", "final"),
    [
        (dw.BIC(), [2.4946374879260, 2.2628916118536], -51.33942306844068),
        (dw.BDeu(1), [2.8968398182840, 5.1649682424191], -48.74729629763714),
    ],
    ids=["BIC", "BDeu"],
)
def test_equivalence_search_finds_the_collider(score: dw.BIC, gains: list[float], final: float) -> None:
    found = dw.learn(THREE, score=score, search=dw.GES())
    assert isinstance(found.graph, dw.Pdag)
    assert found.graph.directed_edges == (("A", "B"), ("C", "B"))
    assert found.graph.undirected_edges == ()
    assert found.score == pytest.approx(final, abs=1e-8)
    assert [step.move for step in found.trace] == ["insert", "insert"]
    assert [step.gain for step in found.trace] == pytest.approx(gains, abs=1e-9)
    assert found.warnings == ()


EXPERT = dw.Dag(["X1", "X2", "X3"], [("X1", "X2"), ("X2", "X3")])


def all_dags(names: list[str]) -> list[dw.Dag]:
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    found = []
    for kinds in product(range(3), repeat=len(pairs)):
        arcs = [(a, b)[:: 1 if kind == 1 else -1] for (a, b), kind in zip(pairs, kinds, strict=True) if kind]
        try:
            found.append(dw.Dag(names, arcs))
        except dw.CycleError:
            continue
    return found


def test_example_7_5_differences_to_the_expert() -> None:
    prior = dw.KappaPrior(EXPERT, 0.5)
    first = dw.Dag(EXPERT.nodes, [("X2", "X1"), ("X2", "X3")])
    assert prior.deltas(first) == {"X1": 1, "X2": 1, "X3": 0}
    assert prior.log_prior(first) == pytest.approx(2 * math.log(0.5))
    by_differences: dict[tuple[int, ...], set[str]] = {}
    dags = all_dags(list(EXPERT.nodes))
    assert len(dags) == 25
    for dag in dags:
        by_differences.setdefault(tuple(prior.deltas(dag).values()), set()).add(text(dag))
    assert by_differences[1, 1, 0] == {"X2->X3 X3->X1", "X2->X1 X2->X3"}
    assert by_differences[1, 2, 1] == {"X3->X1 X3->X2", "X2->X1 X3->X2"}
    assert by_differences[0, 1, 1] == {"", "X1->X3 X2->X3", "X1->X2 X3->X2"}
    assert math.fsum(math.exp(prior.log_prior(dag)) for dag in dags) == pytest.approx(5.59375, abs=1e-12)


@pytest.mark.parametrize("kappa", [0.1, 0.5, 0.878, 0.8783100656])
def test_exercise_7_17_below_the_switch_the_expert_wins(kappa: float) -> None:
    prior = dw.KappaPrior(dw.Dag(["X", "Y"], [("Y", "X")]), kappa)
    found = dw.learn(TWO, score=dw.K2Score(), search=dw.HillClimb(), structure_prior=prior)
    assert found.graph.edges == (("Y", "X"),)


@pytest.mark.parametrize("kappa", [0.8783100657, 0.9, 1.0])
def test_exercise_7_17_above_the_switch_the_data_win(kappa: float) -> None:
    prior = dw.KappaPrior(dw.Dag(["X", "Y"], [("Y", "X")]), kappa)
    found = dw.learn(TWO, score=dw.K2Score(), search=dw.HillClimb(), structure_prior=prior)
    assert found.graph.edges == (("X", "Y"),)


def test_exercise_7_18_the_prior_tells_equivalent_graphs_apart() -> None:
    expert, reversed_, empty = (dw.Dag(["X1", "X2"], arcs) for arcs in ([("X2", "X1")], [("X1", "X2")], []))
    prior = dw.KappaPrior(expert, 0.3)
    assert expert.equivalent(reversed_)
    assert prior.log_prior(expert) == 0.0
    assert prior.log_prior(reversed_) == pytest.approx(2 * math.log(0.3))
    assert prior.log_prior(empty) == pytest.approx(math.log(0.3))
    assert not prior.equivalent


def test_exercise_7_16_the_prior_that_keeps_the_empty_graph() -> None:
    # At prior 55/91 of the empty graph, the rest shared evenly, the empty graph ties with X -> Y.
    def search(empty: float) -> tuple[tuple[str, str], ...]:
        odds = math.log((1 - empty) / 2) - math.log(empty)
        prior = dw.FamilyPrior(lambda child, parents: odds if parents else 0.0)  # noqa: ARG005
        found = dw.learn(TWO, score=dw.K2Score(), search=dw.HillClimb(), structure_prior=prior)
        return found.graph.edges

    assert search(55 / 91 - 1e-9) == (("X", "Y"),)
    assert search(55 / 91 + 1e-9) == ()
