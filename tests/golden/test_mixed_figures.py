"""Scores, tests and parameters of mixed tables against figures of bnlearn 5.2.1, from moments of the cells.

The rows of a cell are replaced by eight with the same means and covariances: a likelihood sees no difference.
bnlearn puts the unbiased variance RSS/(n - p - 1) of each cell into the log-likelihood (see
`test_gaussian_figures`); its tests differ likewise and are given here at the maximum.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import dagwright as dw
from dagwright.graph.query import Query

CELLS = json.loads((Path(__file__).parent / "figures" / "clgaussian.json").read_text(encoding="utf-8"))[
    "cells"
]
NAMES = "ABCDEFGH"
TRUE = dw.Dag.parse(
    "A; B; C; H; A -> D; H -> D; B -> F; C -> F; B -> E; D -> E; A -> G; D -> G; E -> G; F -> G"
)
EMPTY = dw.Dag(list(NAMES))


@pytest.fixture(scope="module")
def table() -> dw.Table:
    columns: dict[str, list[object]] = {name: [] for name in [*NAMES, "weight"]}
    for states, n, means, lower in CELLS:
        covariance = np.zeros((4, 4))
        covariance[np.tril_indices(4)] = lower
        values, vectors = np.linalg.eigh(covariance + np.tril(covariance, -1).T)
        steps = vectors * np.sqrt(4.0 * np.maximum(values, 0.0))
        for sign in (-1.0, 1.0):
            for step in steps.T:
                for name, state in zip("ABCF", states, strict=True):
                    columns[name].append(state)
                for name, number in zip("DEGH", means + sign * step, strict=True):
                    columns[name].append(float(number))
                columns["weight"].append(n / 8)
    return dw.read(columns, weights="weight")


def rows_of(given: str) -> list[int]:
    """The rows of each configuration of some of A, B, C, F."""
    counts: dict[str, int] = {}
    for states, n, _, _ in CELLS:
        key = "".join(state for name, state in zip("ABCF", states, strict=True) if name in given)
        counts[key] = counts.get(key, 0) + n
    return list(counts.values())


def below_maximum(dag: dw.Dag, node: str) -> float:
    """What the unbiased variances take from the log-likelihood of a node."""
    if node in "ABCF":
        return 0.0
    given = "".join(parent for parent in dag.parents(node) if parent in "ABCF")
    p = len(dag.parents(node)) - len(given)
    return sum(n / 2 * math.log((n - p - 1) / n) + (p + 1) / 2 for n in rows_of(given=given))


LOG_LIKELIHOOD = {
    "true": [
        -1567.524029246018,
        -5231.309013873065,
        -6461.51001500141,
        -1433.404256476842,
        -6538.292412603942,
        -2906.08219748693,
        616.289317670426,
        3447.699146080558,
    ],
    "empty": [
        -1567.52402924602,
        -5231.30901387306,
        -6461.51001500141,
        -9131.87818897732,
        -16567.38319603348,
        -3465.21748488234,
        -21692.61070751752,
        3447.69914608056,
    ],
}
BIC = {"true": -20291.3218873183, "empty": -60733.6124383862}
AIC = {"true": -20125.1334609372, "empty": -60684.7334894506}
GRAPHS = {"true": TRUE, "empty": EMPTY}


@pytest.mark.parametrize("graph", ["true", "empty"])
def test_penalized_likelihoods(table: dw.Table, graph: str) -> None:
    dag, measure = GRAPHS[graph], dw.ConditionalGaussian()
    short = {name: below_maximum(dag, name) for name in NAMES}
    found = dw.score(dag, table, dw.LogLik(measure=measure))
    for name, expected in zip(NAMES, LOG_LIKELIHOOD[graph], strict=True):
        assert found.by_node[name] + short[name] == pytest.approx(expected, rel=1e-9)
    for criterion, expected in ((dw.BIC(measure=measure), BIC[graph]), (dw.AIC(measure=measure), AIC[graph])):
        total = dw.score(dag, table, criterion).total
        assert total + sum(short.values()) == pytest.approx(expected, rel=1e-11)


def test_the_maximum_itself(table: dw.Table) -> None:
    found = dw.score(TRUE, table, dw.LogLik(measure=dw.ConditionalGaussian()))
    assert found.total == pytest.approx(-20074.107878520033, rel=1e-11)


@pytest.mark.parametrize(
    ("x", "y", "given", "statistic"),
    [
        ("A", "D", "", 14740.391915128668),
        ("A", "D", "H", 15364.729437858121),
        ("D", "E", "B", 10100.576185442762),
        ("G", "C", "F", 73.16230372709833),
        ("D", "G", "AE", 282.9830787830142),
    ],
)
def test_tests(table: dw.Table, x: str, y: str, given: str, statistic: float) -> None:
    test = dw.LikelihoodRatio(0.05, measure=dw.ConditionalGaussian()).on(table)
    [found] = test.test([Query(x, y, list(given))])
    assert found.statistic == pytest.approx(statistic, rel=1e-9)


def test_greedy_search_finds_the_same_graph(table: dw.Table) -> None:
    knowledge = dw.Knowledge(continuous=list("DEGH"))
    score = dw.BIC(measure=dw.ConditionalGaussian())
    found = dw.learn(table, score=score, search=dw.HillClimb(), knowledge=knowledge)
    assert found.graph == TRUE


def test_parameters(table: dw.Table) -> None:
    network = dw.fit(TRUE, table, parameter_prior=None)
    fitted = network.gaussians["D"]
    assert fitted.intercept == pytest.approx([5.291930009107281, 10.041054916425248], rel=1e-9)
    assert fitted.coefficients["H"] == pytest.approx([0.881719270130936, 0.983447417070513], rel=1e-9)
    unbiased = [math.sqrt(n / (n - 2)) for n in rows_of(given="A")]
    assert fitted.sd * unbiased == pytest.approx([0.509920820687816, 0.307321547737875], rel=1e-9)
    fitted = network.gaussians["E"]
    assert fitted.intercept == pytest.approx(
        [0.995355390850565, 4.344040181557324, 7.919163580373318], rel=1e-9
    )
    slopes = [2.35160603757232, 1.151068457976433, 0.674265242854537]
    assert fitted.coefficients["D"] == pytest.approx(slopes, rel=1e-9)
