"""The textbook numbers again, now through the public scores, tests and information measures.

Jensen & Nielsen 2007 (J&N), Lam & Bacchus 1994, Cowell 2001; data of J&N Tables 7.2 and 7.4.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from dagwright.data import Table
from dagwright.evidence import (
    BIC,
    MDL,
    BDeu,
    ChiSquare,
    Counting,
    CriterionSign,
    Euclidean,
    Family,
    GSquare,
    K2Score,
    LogLik,
    Threshold,
    conditional_mutual_information,
    entropy,
    family_weight,
    independence_test,
    kl_divergence,
    mutual_information,
    score,
)
from dagwright.graph.dag import Dag


def table(names: str, cells: dict[str, int]) -> Table:
    """Cells such as {"112": 3}: one digit per column, states 1 and 2, weighted rows."""
    codes = np.array([[int(digit) - 1 for digit in cell] for cell in cells])
    return Table(list(names), list(codes.T), [["1", "2"]] * len(names), weights=list(cells.values()))


TWO = table("XY", {"11": 2, "21": 2, "12": 6})
THREE = table("ABC", {"111": 11, "122": 3, "211": 12, "212": 6})
XY, NONE, YX = Dag(list("XY"), [("X", "Y")]), Dag(list("XY")), Dag(list("XY"), [("Y", "X")])


def test_counts_of_table_7_4() -> None:
    codes, counts = Counting(THREE).cells([0, 1, 2])
    assert codes.tolist() == [[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1]]
    assert counts.tolist() == [11, 3, 12, 6]


def test_example_7_2() -> None:
    assert score(XY, TWO, BIC(), unit="bits").total == pytest.approx(-18.69239808687773, abs=1e-9)
    assert score(NONE, TWO, BIC(), unit="bits").total == pytest.approx(-20.250714988307674, abs=1e-9)
    assert score(YX, TWO, BIC(), unit="bits").total == pytest.approx(-18.69239808687773, abs=1e-9)
    assert score(XY, TWO, BIC()).total == pytest.approx(-12.956583031823413, abs=1e-9)
    assert score(XY, TWO, LogLik(), unit="bits").total == pytest.approx(-13.709505944546686, abs=1e-9)
    assert "bits" in score(XY, TWO, unit="bits").definition


def test_example_7_4_and_exercise_7_16() -> None:
    bound = K2Score().on(TWO)
    assert bound.total(XY) == pytest.approx(-math.log(374220), abs=1e-11)
    assert bound.total(NONE) == pytest.approx(-math.log(1143450), abs=1e-11)
    assert bound.total(YX) == pytest.approx(-math.log(485100), abs=1e-11)


def test_distances_of_table_7_2() -> None:
    assert Euclidean().on(TWO).distance(XY) == pytest.approx(0.0, abs=1e-15)
    assert Euclidean().on(TWO).distance(NONE) == pytest.approx(0.0576, abs=1e-12)
    assert score(NONE, TWO, Euclidean(0.5)).total == pytest.approx(-1.0576, abs=1e-12)


@pytest.mark.parametrize(
    ("d", "graph", "model", "data"),
    [
        (None, XY, 5.982892142331043, 13.709505944546686),
        (None, NONE, 3.321928094887362, 16.928786893420313),
        (16.0, XY, 49.0, 13.709505944546686),
        (16.0, NONE, 32.0, 16.928786893420313),
    ],
)
def test_description_length_of_table_7_2(d: float | None, graph: Dag, model: float, data: float) -> None:
    found = MDL(d).on(TWO).description_length(graph)
    assert found.model == pytest.approx(model, abs=1e-9)
    assert found.data == pytest.approx(data, abs=1e-9)
    assert score(graph, TWO, MDL(d), unit="bits").total == pytest.approx(-model - data, abs=1e-9)


# CMI in bits, G2, its p-value, X2, its p-value, df, adjusted df, p-value of G2 with adjusted df
TESTS = {
    "A,B|": (
        0.12091656367200691,
        5.364030412303917,
        0.020556212897040328,
        4.25615763546798,
        0.039108284707555244,
        1,
        1,
        0.020556212897040328,
    ),
    "A,B|C": (
        0.25827070332782515,
        11.45725502930663,
        0.0032515368592186166,
        9.0,
        0.011108996538242308,
        2,
        1,
        0.0007121541681713861,
    ),
    "A,C|": (
        0.012659105721698836,
        0.5615759001219724,
        0.45362598446898306,
        0.552104899930987,
        0.4574589064193114,
        1,
        1,
        0.45362598446898306,
    ),
    "A,C|B": (
        0.15001324537751712,
        6.654800517124687,
        0.03588627894760288,
        4.6231884057971016,
        0.09910313505307955,
        2,
        1,
        0.009888904114020295,
    ),
    "B,C|": (
        0.1905937853952042,
        8.455010878651716,
        0.0036403907183221577,
        8.459770114942529,
        0.0036308774387310816,
        1,
        1,
        0.0036403907183221577,
    ),
    "B,C|A": (
        0.3279479250510225,
        14.548235495654431,
        0.0006932514736023082,
        14.0,
        0.0009118819655545164,
        2,
        1,
        0.00013661653604663354,
    ),
}


@pytest.mark.parametrize("query", TESTS)
def test_independence_tests_of_table_7_4(query: str) -> None:
    cmi, g2, p_g2, x2, p_x2, df, adjusted, p_adjusted = TESTS[query]
    pair, given = query.split("|")
    x, y = pair.split(",")
    assert conditional_mutual_information(THREE, x, y, list(given), unit="bits") == pytest.approx(
        cmi, abs=1e-12
    )
    found = independence_test(THREE, x, y, list(given), GSquare(alpha=0.05))
    assert (found.statistic, found.p_value, found.df) == pytest.approx((g2, p_g2, df), abs=1e-9)
    assert found.effect == pytest.approx(cmi * math.log(2), abs=1e-12)
    assert found.independent == (p_g2 > 0.05)
    found = independence_test(THREE, x, y, list(given), ChiSquare())
    assert (found.statistic, found.p_value, found.df) == pytest.approx((x2, p_x2, df), abs=1e-9)
    found = independence_test(THREE, x, y, list(given), GSquare(adjusted=True))
    assert (found.p_value, found.df) == pytest.approx((p_adjusted, adjusted), abs=1e-9)


def test_independence_test_of_table_7_2() -> None:
    found = independence_test(TWO, "X", "Y")
    assert found.statistic == pytest.approx(4.462871026284195, abs=1e-9)
    assert found.p_value == pytest.approx(0.03463923066793114, abs=1e-9)
    assert independence_test(TWO, "X", "Y", test=ChiSquare()).p_value == pytest.approx(0.0528075114161135)
    assert mutual_information(TWO, "X", "Y", unit="bits") == pytest.approx(0.32192809488736235, abs=1e-12)


@pytest.mark.parametrize(
    ("child", "added", "before", "bic", "k2", "bdeu"),
    [
        ("B", "A", "", 0.9491472547520949, 0.45602553328006934, 1.2607532773072343),
        ("C", "A", "", -1.452080001338878, -0.7326585785307813, -1.8672032144904946),
        ("C", "B", "A", 3.8083818450274904, 4.73400305783106, 6.801054783395887),
        ("C", "A", "B", -0.13833564423738665, 1.2139844397401909, 2.0370117506213994),
    ],
)
def test_cowell_differences(child: str, added: str, before: str, bic: float, k2: float, bdeu: float) -> None:
    column = "ABC".index
    old = Family(column(child), frozenset(map(column, before)))
    new = Family(column(child), old.parents | {column(added)})
    for spec, difference in ((BIC(), bic), (K2Score(), k2), (BDeu(), bdeu)):
        after, earlier = spec.on(THREE).local([new, old])
        assert after - earlier == pytest.approx(difference, abs=1e-9)
    for spec, difference in ((BIC(), bic), (BDeu(), bdeu)):
        verdict = independence_test(THREE, child, added, list(before), CriterionSign(spec))
        assert verdict.gain == pytest.approx(difference, abs=1e-9)
        assert verdict.independent == (difference < 0)


def test_two_switches_and_a_light() -> None:
    """J&N section 7.1.4, from the distribution itself: pairwise independent, dependent given the third."""
    cells = np.zeros((2, 2, 2))
    for a in (0, 1):
        for b in (0, 1):
            cells[a, b, int(a == b)] = 0.25
    light = Table.from_distribution(cells, list("ABC"))
    for x, y in ("AB", "AC", "BC"):
        assert mutual_information(light, x, y) == 0.0
        assert independence_test(light, x, y, test=Threshold(1e-12)).independent
    assert conditional_mutual_information(light, "A", "C", "B", unit="bits") == pytest.approx(1.0, abs=1e-12)
    assert not independence_test(light, "A", "C", "B", test=Threshold(1e-12)).independent
    assert mutual_information(light, ["A", "B"], "C", unit="bits") == pytest.approx(1.0, abs=1e-12)


def test_weights_of_families_in_table_7_4() -> None:
    """Lam & Bacchus 1994, Eq. 8: the heaviest networks with 1, 2 and 3 arcs."""

    def weight(*families: str) -> float:
        return sum(family_weight(THREE, f[0], list(f[1:]), unit="bits") for f in families)

    assert family_weight(THREE, "A") == 0.0
    assert weight("CB") == pytest.approx(0.19059378539520422, abs=1e-9)
    assert weight("BAC") == pytest.approx(0.4488644887230293, abs=1e-9)
    assert weight("BAC", "CA") == pytest.approx(0.461523594444728, abs=1e-9)


def test_cross_entropy_of_a_network_from_weights() -> None:
    """Lam & Bacchus 1994, Eq. 12: KL(P, Q) = -sum W(x, F) + sum H(x) - H(all)."""
    joint = Counting(THREE).contingency_table([0, 1, 2]) / 32
    b_given_a = joint.sum(axis=2) / joint.sum(axis=(1, 2))[:, None]
    c_given_b = joint.sum(axis=0) / joint.sum(axis=(0, 2))[:, None]
    fitted = joint.sum(axis=(1, 2))[:, None, None] * b_given_a[:, :, None] * c_given_b[None]
    weights = family_weight(THREE, "B", "A") + family_weight(THREE, "C", "B")
    entropies = sum(entropy(THREE, name) for name in "ABC") - entropy(THREE, list("ABC"))
    assert kl_divergence(joint, fitted) == pytest.approx(entropies - weights, abs=1e-12)
