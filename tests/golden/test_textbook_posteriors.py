"""Posteriors of structures: Jensen & Nielsen 2007 (J&N), Exercises 7.16 and 7.17, Example 7.5, Table 7.4.

The posteriors of arcs and orders on Table 7.4 follow Friedman & Koller (2003), with every DAG listed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import dagwright as dw
from dagwright.confidence.structure_posterior import linear_extensions
from dagwright.data import Table
from dagwright.graph.counting import all_dags


def table(names: list[str], cells: dict[str, int]) -> Table:
    codes = np.array([[int(digit) - 1 for digit in cell] for cell in cells])
    return Table(names, list(codes.T), [["1", "2"]] * len(names), weights=list(cells.values()))


TWO = table(["X1", "X2"], {"11": 2, "21": 2, "12": 6})
THREE = table(["A", "B", "C"], {"111": 11, "122": 3, "211": 12, "212": 6})
EMPTY, FORTH, BACK = (dw.Dag(["X1", "X2"], arcs) for arcs in ([], [("X1", "X2")], [("X2", "X1")]))


class Silent:
    """Data that say nothing: the posterior is the prior."""

    def local(self, families: Sequence[dw.evidence.Family]) -> list[float]:
        return [0.0] * len(families)


def test_exercise_7_16() -> None:
    found = dw.posterior(TWO, score=dw.K2Score())
    by_dag = {one.dag: one for one in found.dags}
    assert math.exp(by_dag[FORTH].log_likelihood) == pytest.approx(float(Fraction(1, 374220)), rel=1e-9)
    assert math.exp(by_dag[EMPTY].log_likelihood) == pytest.approx(float(Fraction(1, 1143450)), rel=1e-9)
    assert math.exp(by_dag[BACK].log_likelihood) == pytest.approx(float(Fraction(1, 485100)), rel=1e-9)
    assert found.log_evidence is not None
    assert math.exp(found.log_evidence) == pytest.approx(float(Fraction(202, 108056025)), rel=1e-9)
    for dag, exact in ((FORTH, Fraction(385, 808)), (EMPTY, Fraction(63, 404)), (BACK, Fraction(297, 808))):
        assert found.probability(dag) == pytest.approx(float(exact), abs=1e-9)
    assert found.best == FORTH
    assert found.bayes_factor(FORTH, EMPTY) == pytest.approx(float(Fraction(1143450, 374220)), rel=1e-9)


def test_exercise_7_16_the_smallest_prior_that_changes_the_answer() -> None:
    found = dw.posterior(TWO, score=dw.K2Score())
    least = found.smallest_prior(EMPTY)
    assert least == pytest.approx(float(Fraction(55, 91)), abs=1e-9)

    def with_prior_of_empty(p: float) -> dw.Dag:
        prior = dw.ArcCost(math.log(p / ((1 - p) / 2)))
        return dw.posterior(TWO, score=dw.K2Score(), structure_prior=prior).best

    assert with_prior_of_empty(least + 1e-6) == EMPTY
    assert with_prior_of_empty(least - 1e-6) == FORTH


def test_exercise_7_17_the_kappa_at_which_the_answer_changes() -> None:
    switch = 0.8783100656536799

    def best(kappa: float) -> dw.Dag:
        return dw.posterior(TWO, score=dw.K2Score(), structure_prior=dw.KappaPrior(BACK, kappa)).best

    assert best(switch - 1e-6) == BACK
    assert best(switch + 1e-6) == FORTH
    plain = dw.posterior(TWO, score=dw.K2Score())
    assert math.sqrt(plain.bayes_factor(BACK, FORTH)) == pytest.approx(switch, abs=1e-9)


def test_example_7_5_the_normalizer_of_the_kappa_prior() -> None:
    expert = dw.Dag.parse("X1 -> X2 -> X3")
    prior = dw.KappaPrior(expert, 0.5)
    nodes = expert.nodes
    total = math.fsum(
        math.exp(prior.log_prior(dw.Dag(nodes, [(nodes[a], nodes[b]) for a, b in arcs])))
        for arcs in all_dags(3)
    )
    assert total == pytest.approx(5.59375, abs=1e-12)
    listed = dw.posterior({name: [0, 1] for name in nodes}, score=Silent(), structure_prior=prior)
    assert listed.probability(expert) == pytest.approx(1 / 5.59375, abs=1e-12)


ARCS = {
    "K2": {"AB": 0.18698817169696202, "AC": 0.36109841522022157, "BA": 0.7167026436184506,
           "BC": 0.7166496420422123, "CA": 0.4586728766717619, "CB": 0.25611967270935365},
    "BDeu": {"AB": 0.7219310536346533, "AC": 0.24728117050278312, "BA": 0.24973394109186872,
             "BC": 0.26946198060726995, "CA": 0.23048053406807945, "CB": 0.7248584567153512},
}  # fmt: skip
EVIDENCE = {"K2": -52.4041683670, "BDeu": -51.2447436908}
ORDERS = {
    "K2": {"ABC": 0.14708405276101463, "ACB": 0.05621532356425379, "BAC": 0.2708696219570077,
           "BCA": 0.3049002395730988, "CAB": 0.0596368508787419, "CBA": 0.16129391126588322},
    "BDeu": {"ABC": 0.07148150850276552, "ACB": 0.3679753305001064, "BAC": 0.07148150850276552,
             "BCA": 0.06054316099712784, "CAB": 0.3679753305001064, "CBA": 0.06054316099712827},
}  # fmt: skip
SCORES = {"K2": dw.K2Score(), "BDeu": dw.BDeu(1)}


@pytest.mark.parametrize("name", ["K2", "BDeu"])
@pytest.mark.parametrize("method", ["enumerate", "exact"])
def test_arcs_of_table_7_4(name: str, method: str) -> None:
    found = dw.posterior(THREE, score=SCORES[name], method=method)
    for (start, end), probability in ARCS[name].items():
        assert found.confidence.arc(start, end) == pytest.approx(probability, abs=1e-9)
    assert found.log_evidence == pytest.approx(EVIDENCE[name], abs=1e-9)


@pytest.mark.parametrize("name", ["K2", "BDeu"])
def test_orders_of_table_7_4(name: str) -> None:
    listed = dw.posterior(THREE, score=SCORES[name])
    weights = {
        "".join(order): math.fsum(
            one.probability
            for one in listed.dags
            if all(order.index(start) < order.index(end) for start, end in one.dag.edges)
        )
        for order in permutations("ABC")
    }
    total = math.fsum(weights.values())
    for order, probability in ORDERS[name].items():
        assert weights[order] / total == pytest.approx(probability, abs=1e-9)
    # Each network once per order: the same posterior of arcs as the exact sums over orders.
    per_order = dw.posterior(THREE, score=SCORES[name], method=dw.ExactPosterior("orders"))
    for order, probability in ORDERS[name].items():
        assert per_order.order_probability(order) == pytest.approx(probability, abs=1e-9)
    for start, end in permutations("ABC", 2):
        expected = math.fsum(
            one.probability * linear_extensions(one.dag)
            for one in listed.dags
            if (start, end) in one.dag.edges
        )
        assert per_order.confidence.arc(start, end) == pytest.approx(expected / total, abs=1e-9)


def test_the_description_length_as_a_prior() -> None:
    bits = math.log2(10) / 2
    prior = dw.DescriptionLengthPrior({"X1": 2, "X2": 2}, bits)
    # Lam & Bacchus 1994 on J&N Table 7.2: model bits of the arc and of the empty network.
    assert -prior.log_prior(FORTH) / math.log(2) == pytest.approx(5.982892142331043, abs=1e-9)
    assert -prior.log_prior(EMPTY) / math.log(2) == pytest.approx(3.321928094887362, abs=1e-9)
    found = dw.posterior(TWO, score=dw.LogLik(), structure_prior=prior)
    odds = found.probability(FORTH) / found.probability(EMPTY)
    assert math.log2(odds) == pytest.approx(20.250714988307674 - 19.69239808687773, abs=1e-9)
