"""Numbers of Jensen & Nielsen 2007 (ch. 7), Lam & Bacchus 1994 and Cowell 2001 against the NumPy twins."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dagwright.evidence import reference
from dagwright.evidence.reference import Sample

LN2 = math.log(2)
# Jensen & Nielsen 2007, Table 7.2: ten rows over two binary variables.
TWO = Sample.of(np.repeat([(0, 0), (1, 0), (0, 1)], [2, 2, 6], axis=0))
# Table 7.4: thirty-two rows over A, B, C.
THREE = Sample.of(np.repeat([(0, 0, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1)], [11, 3, 12, 6], axis=0))
ARC = {0: [], 1: [0]}
EMPTY: dict[int, list[int]] = {0: [], 1: []}


def total(score, parents: dict[int, list[int]], *options: float) -> float:
    return math.fsum(score(TWO, child, given, *options) for child, given in parents.items())


def test_example_7_2_bic_in_bits() -> None:
    assert total(reference.bic, ARC) / LN2 == pytest.approx(-18.69239808687773, abs=1e-9)
    # The book prints 6 log(4/10) for the second structure; its result -20.25 needs 4 log(4/10).
    assert total(reference.bic, EMPTY) / LN2 == pytest.approx(-20.250714988307674, abs=1e-9)
    assert total(reference.bic, {0: [1], 1: []}) / LN2 == pytest.approx(-18.69239808687773, abs=1e-9)


def test_example_7_4_marginal_likelihood() -> None:
    assert math.exp(total(reference.k2, ARC)) == pytest.approx(1 / 374220, rel=1e-12)
    assert math.exp(total(reference.k2, EMPTY)) == pytest.approx(1 / 1143450, rel=1e-12)
    assert math.exp(total(reference.k2, {0: [1], 1: []})) == pytest.approx(1 / 485100, rel=1e-12)


def test_exercise_7_16_posterior_of_three_structures() -> None:
    likelihoods = [math.exp(total(reference.k2, g)) for g in (ARC, EMPTY, {0: [1], 1: []})]
    assert sum(likelihoods) / 3 == pytest.approx(202 / 108056025, rel=1e-12)
    posterior = [value / sum(likelihoods) for value in likelihoods]
    assert posterior == pytest.approx([385 / 808, 63 / 404, 297 / 808], rel=1e-12)


def test_squared_distance_of_table_7_2() -> None:
    assert reference.euclidean(TWO, ARC, 0.0) == pytest.approx(0.0, abs=1e-15)
    assert reference.euclidean(TWO, EMPTY, 0.0) == pytest.approx(-0.0576, abs=1e-12)
    assert reference.euclidean(TWO, EMPTY, 0.5) == pytest.approx(-1.0576, abs=1e-12)


@pytest.mark.parametrize(
    ("d", "parents", "bits"),
    [
        (None, ARC, 19.69239808687773),
        (None, EMPTY, 20.250714988307674),
        (16.0, ARC, 62.709505944546684),
        (16.0, EMPTY, 48.92878689342031),
    ],
)
def test_description_length_of_table_7_2(d: float | None, parents: dict[int, list[int]], bits: float) -> None:
    nats = None if d is None else d * LN2
    assert -total(reference.mdl, parents, nats) / LN2 == pytest.approx(bits, abs=1e-9)


# x, y, given: CMI in bits, G2, X2, df, adjusted df
TESTS = [
    ("A,B|", 0.12091656367200691, 5.364030412303917, 4.25615763546798, 1, 1),
    ("A,B|C", 0.25827070332782515, 11.45725502930663, 9.0, 2, 1),
    ("A,C|", 0.012659105721698836, 0.5615759001219724, 0.552104899930987, 1, 1),
    ("A,C|B", 0.15001324537751712, 6.654800517124687, 4.6231884057971016, 2, 1),
    ("B,C|", 0.1905937853952042, 8.455010878651716, 8.459770114942529, 1, 1),
    ("B,C|A", 0.3279479250510225, 14.548235495654431, 14.0, 2, 1),
]


@pytest.mark.parametrize("row", TESTS, ids=[row[0] for row in TESTS])
def test_independence_statistics_of_table_7_4(row: tuple[str, float, float, float, int, int]) -> None:
    query, cmi_bits, g2, x2, df, adjusted = row
    pair, given = query.split("|")
    x, y = (["ABC".index(name)] for name in pair.split(","))
    z = ["ABC".index(name) for name in given]
    assert reference.conditional_mutual_information(THREE, x, y, z) / LN2 == pytest.approx(
        cmi_bits, abs=1e-12
    )
    assert reference.g_square(THREE, x, y, z) == pytest.approx(g2, abs=1e-9)
    assert reference.chi_square(THREE, x, y, z) == pytest.approx(x2, abs=1e-9)
    assert reference.degrees_of_freedom(THREE, x, y, z) == df
    assert reference.degrees_of_freedom(THREE, x, y, z, adjusted=True) == adjusted


def test_independence_statistics_of_table_7_2() -> None:
    assert reference.conditional_mutual_information(TWO, [0], [1]) / LN2 == pytest.approx(0.32192809488736235)
    assert reference.g_square(TWO, [0], [1]) == pytest.approx(4.462871026284195, abs=1e-9)
    assert reference.chi_square(TWO, [0], [1]) == pytest.approx(3.75, abs=1e-12)


# Cowell 2001, Eqs. 8, 10, 12 on Table 7.4: child, added parent, parents before;
# then CMI, and the differences in BIC, K2 and BDeu(1), all in nats.
IDENTITIES = [
    (1, 0, [], 0.0838129751922487, 0.9491472547520949, 0.45602553328006934, 1.2607532773072343),
    (2, 0, [], 0.008774623439405715, -1.452080001338878, -0.7326585785307813, -1.8672032144904946),
    (2, 1, [0], 0.22731617961960054, 3.8083818450274904, 4.73400305783106, 6.801054783395887),
    (2, 0, [1], 0.10398125808007314, -0.13833564423738665, 1.2139844397401909, 2.0370117506213994),
]


@pytest.mark.parametrize("row", IDENTITIES)
def test_a_test_is_a_difference_of_scores(
    row: tuple[int, int, list[int], float, float, float, float],
) -> None:
    child, added, before, cmi, *differences = row
    after = [*before, added]
    gain = reference.log_likelihood(THREE, child, after) - reference.log_likelihood(THREE, child, before)
    assert gain / THREE.N == pytest.approx(cmi, abs=1e-12)
    assert reference.conditional_mutual_information(THREE, [child], [added], before) == pytest.approx(
        cmi, abs=1e-12
    )
    for score, difference in zip((reference.bic, reference.k2, reference.bdeu), differences, strict=True):
        assert score(THREE, child, after) - score(THREE, child, before) == pytest.approx(difference, abs=1e-9)


def test_two_switches_and_a_light() -> None:
    # Jensen & Nielsen 2007, section 7.1.4: the light is on when the switches agree.
    light = Sample.of([[a, b, int(a == b)] for a in (0, 1) for b in (0, 1)])
    for x, y in ((0, 1), (0, 2), (1, 2)):
        assert reference.conditional_mutual_information(light, [x], [y]) == pytest.approx(0.0, abs=1e-15)
    assert reference.conditional_mutual_information(light, [0], [2], [1]) / LN2 == pytest.approx(
        1.0, abs=1e-12
    )


def test_network_sizes() -> None:
    def size(cardinality: int, names: str, arcs: str) -> int:
        sample = Sample.of(np.zeros((1, len(names))), [cardinality] * len(names))
        pairs = [(names.index(arc[0]), names.index(arc[1])) for arc in arcs.split()]
        return sum(
            reference.parameters(sample, x, [s for s, e in pairs if e == x]) for x in range(len(names))
        )

    # Jensen & Nielsen 2007, section 7.2: 1 + 2 + 1 + 4 + 2, so q counts parent configurations, not parents.
    assert size(2, "ABCDE", "AB BD CD DE") == 10
    # Exercise 7.7: ternary nodes with 0, 0, 1, 2 and 2 parents.
    assert size(3, "ABCDE", "AC BD CD CE DE") == 46
    # Proposition 7.2 and Exercise 7.6: D -> A -> C <- B and its compensated reversal.
    assert size(2, "ABCD", "DA AC BC") == 8
    assert size(2, "ABCD", "DA CA BC DC BA") == 14


# Jensen & Nielsen 2007, Fig. 7.22 at expected counts (30, 20; 20, 30): posterior of independence against one
# dependent structure. The figure's value of about 0.6 is not the K2 value but near that of BIC and BDeu(2).
@pytest.mark.parametrize(
    ("score", "posterior"),
    [
        ("k2", 0.3618179000462202),
        ("bic", 0.5717595595380228),
        (0.5, 0.8093788400763987),
        (1.0, 0.6950097477110808),
        (2.0, 0.5685866863034184),
        (4.0, 0.45716185932900144),
        (10.0, 0.35529787033649385),
    ],
)
def test_figure_7_22(score: str | float, posterior: float) -> None:
    sample = Sample.of([(0, 0), (0, 1), (1, 0), (1, 1)], weights=[30, 20, 20, 30])

    def local(parents: list[int]) -> float:
        if isinstance(score, float):
            return reference.bdeu(sample, 1, parents, score)
        return {"k2": reference.k2, "bic": reference.bic}[score](sample, 1, parents)

    assert 1 / (1 + math.exp(local([0]) - local([]))) == pytest.approx(posterior, abs=1e-9)
