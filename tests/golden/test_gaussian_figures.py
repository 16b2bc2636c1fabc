"""Scores and tests of numbers against figures of bnlearn 5.2.1, from the moments of its sample data.

bnlearn puts the unbiased variance RSS/(N - p - 1) into the log-likelihood, which is below the maximum by a
number that depends on N and on the number p of parents alone.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from dagwright import _core
from dagwright.graph.dag import Dag

Figures = tuple[int, list[float], list[list[float]]]

GAUSSIAN_TEST = (
    5000,
    [
        1.007493425474311,
        2.0394985554808525,
        8.089118036928207,
        9.051010771599058,
        3.4939063309973077,
        22.122516670153274,
        5.028075788438815,
    ],
    [
        [1.0082819305197808],
        [-0.07956011052585972, 9.203986961500652],
        [1.8533820950204116, 18.240967354274346, 40.423729150483446],
        [-0.11887671785567146, 13.79121140801422, 27.330390223615527, 20.772666155175973],
        [
            0.018740613358094457,
            -0.014328402338886078,
            0.002911848448980479,
            -0.009671860181236917,
            3.9587503247040865,
        ],
        [
            1.905282208167584,
            13.706186097909962,
            31.195500373957817,
            20.669571077410865,
            3.9555994068968756,
            38.3042217848888,
        ],
        [
            -0.0035694964150000223,
            0.010183466790107848,
            0.018836317847206574,
            0.017833332835894975,
            -0.02744362340362127,
            5.862169718867061,
            3.9340042843215026,
        ],
    ],
)
MARKS = (
    88,
    [38.95454545454545, 50.59090909090909, 50.60227272727273, 46.68181818181818, 42.30681818181818],
    [
        [302.29338842975204],
        [125.77685950413223, 170.87809917355372],
        [100.42510330578513, 84.18956611570248, 111.60317665289256],
        [105.0650826446281, 93.59710743801652, 110.83935950413223, 217.87603305785123],
        [116.07076446280992, 97.88688016528926, 120.48566632231405, 153.7680785123967, 294.3717716942149],
    ],
)
TRUE = Dag.parse("A -> C; B -> C; B -> D; A -> F; D -> F; E -> F; G -> F")
EMPTY = Dag(list("ABCDEFG"))


def moments(figures: Figures) -> _core.SetMoments:
    N, means, lower = figures
    n = len(means)
    covariance = np.zeros((n, n))
    for i, row in enumerate(lower):
        covariance[i, : i + 1] = covariance[: i + 1, i] = row
    return _core.SetMoments.given(N, means, covariance)


def totals(measure: _core.Measure, dag: Dag, names: str, penalty: float) -> list[float]:
    families = [(names.index(x), sorted(map(names.index, dag.parents(x)))) for x in names]
    return _core.CriterionScore(measure, penalty).local(families, 1).tolist()


def below_maximum(N: int, parents: int) -> float:
    """What the unbiased variance takes from the log-likelihood of a family."""
    return N / 2 * math.log((N - parents - 1) / N) + (parents + 1) / 2


@pytest.mark.parametrize(
    ("dag", "penalty", "expected"),
    [
        (TRUE, 0.0, -53131.9172599189),
        (TRUE, 1.0, -53152.9172599189),
        (TRUE, math.log(5000) / 2, -53221.3477884288),
        (EMPTY, 0.0, -88043.0636910865),
        (EMPTY, math.log(5000) / 2, -88102.6840434264),
    ],
)
def test_penalized_likelihoods(dag: Dag, penalty: float, expected: float) -> None:
    found = totals(_core.GaussianMeasure(moments(GAUSSIAN_TEST)), dag, "ABCDEFG", penalty)
    shortfall = sum(below_maximum(5000, len(dag.parents(x))) for x in "ABCDEFG")
    assert sum(found) + shortfall == pytest.approx(expected, rel=1e-12)


def test_the_maximum_itself() -> None:
    found = totals(_core.GaussianMeasure(moments(GAUSSIAN_TEST)), TRUE, "ABCDEFG", 0.0)
    assert sum(found) == pytest.approx(-53131.91515882488, rel=1e-12)


def bge(
    figures: tuple[int, list[float], list[list[float]]], alpha_mu: float, alpha_w: float
) -> _core.Measure:
    n = len(figures[1])
    t = alpha_mu * (alpha_w - n - 1) / (alpha_mu + 1)
    return _core.BGeMeasure(
        moments(figures), alpha_mu=alpha_mu, alpha_w=alpha_w, mean=figures[1], scale=[t] * n
    )


def test_bge() -> None:
    usual = bge(GAUSSIAN_TEST, 1.0, 9.0)
    by_node = [
        -7124.78293659315,
        -12656.35144539651,
        -3743.04356564565,
        -1548.93940917744,
        -10545.85100623952,
        -7109.80773695991,
        -10530.16551812828,
    ]
    assert totals(usual, TRUE, "ABCDEFG", 0.0) == pytest.approx(by_node, rel=1e-12)
    assert sum(totals(usual, EMPTY, "ABCDEFG", 0.0)) == pytest.approx(-88130.9900656377, rel=1e-12)
    other = bge(GAUSSIAN_TEST, 2.0, 12.0)
    assert sum(totals(other, TRUE, "ABCDEFG", 0.0)) == pytest.approx(-53315.5529453011, rel=1e-12)


def test_marks() -> None:
    names = "MVALS"  # mechanics, vectors, algebra, analysis, statistics
    found = totals(_core.GaussianMeasure(moments(MARKS)), Dag(list(names)), names, math.log(88) / 2)
    assert sum(found) + 5 * below_maximum(88, 0) == pytest.approx(-1818.72093145248, rel=1e-12)
    usual = bge(MARKS, 1.0, 7.0)
    assert sum(totals(usual, Dag(list(names)), names, 0.0)) == pytest.approx(-1862.10969089126, rel=1e-12)


def gaussian(measure: _core.GaussianMeasure, kind: _core.GaussianNull) -> _core.MeasureTest:
    return _core.MeasureTest.gaussian(measure, kind=kind, alpha=0.05, columns=measure.columns)


@pytest.mark.parametrize(
    ("x", "y", "given", "r", "z", "ratio", "p"),
    [
        ("A", "C", "", 0.290305847231465, 21.1290961460149, 440.20945677303, 1.08816024967488e-97),
        ("A", "C", "B", 0.969229869900076, 146.978845177773, 14017.8416209139, 0.0),
        ("A", "F", "DE", 0.538345117407434, 42.5339910813082, 1711.15217440471, 0.0),
        ("B", "G", "", 0.00169235021053341, 0.119631439655322, 0.0143202666825207, 0.904770394410964),
        ("B", "G", "ACD", 0.00657064933897248, 0.464342900218038, 0.215871823676079, 0.642386637509864),
    ],
)
def test_tests(x: str, y: str, given: str, r: float, z: float, ratio: float, p: float) -> None:
    measure = _core.GaussianMeasure(moments(GAUSSIAN_TEST))
    question = [({"ABCDEFG".index(x)}, {"ABCDEFG".index(y)}, {"ABCDEFG".index(v) for v in given})]
    by_t = gaussian(measure, _core.GaussianNull.student_t).answers(question)
    df = 5000 - 2 - len(given)
    assert by_t.df == [df]
    assert by_t.statistic[0] == pytest.approx(r * math.sqrt(df / (1 - r * r)), rel=1e-9)
    assert math.exp(by_t.log_p[0] or 0.0) == pytest.approx(p, rel=1e-9)
    by_z = gaussian(measure, _core.GaussianNull.fisher_z).answers(question)
    assert by_z.statistic[0] == pytest.approx(z, rel=1e-9)
    by_ratio = _core.MeasureTest.chi_squared(measure, 0.05).answers(question)
    assert by_ratio.statistic[0] == pytest.approx(ratio, rel=1e-9)
