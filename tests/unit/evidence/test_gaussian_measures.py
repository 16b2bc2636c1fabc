"""Gaussian, BGe and conditional Gaussian measures against NumPy, by-hand values and their own laws."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from dagwright import _core
from dagwright.errors import DagwrightError
from gaussian_twins import SMALL, Array, Column, bge, conditional_gaussian, gaussian, mixed_table

NUMBERS = [SMALL[name] for name in "abc"]
ALL = [SMALL[name] for name in "abcde"]
A, B, C, D, E = range(5)


def gaussian_of(columns: list[Column], weights: Array | None = None) -> _core.GaussianMeasure:
    return _core.GaussianMeasure(_core.SetMoments.of(mixed_table(columns, weights)))


def bge_of(
    columns: list[Array],
    *,
    mean: list[float] | None = None,
    identity: bool = True,
    alpha_mu: float = 1.0,
    alpha_w: float | None = None,
) -> _core.BGeMeasure:
    n = len(columns)
    alpha_w = n + 2.0 if alpha_w is None else alpha_w
    t = alpha_mu * (alpha_w - n - 1) / (alpha_mu + 1)
    scale = [t if identity else t * float(np.var(column, ddof=1)) for column in columns]
    center = [float(np.mean(column)) for column in columns] if mean is None else mean
    moments = _core.SetMoments.of(mixed_table(columns))
    return _core.BGeMeasure(moments, alpha_mu=alpha_mu, alpha_w=alpha_w, mean=center, scale=scale)


def fits(measure: _core.Measure, *sets: tuple[int, ...]) -> list[float]:
    return [float(x) for x in measure.evidence([list(s) for s in sets]).fit]


def family(measure: _core.Measure, child: int, parents: tuple[int, ...]) -> float:
    joint, given = fits(measure, (*parents, child), parents)
    return joint - given


def interaction(measure: _core.Measure, x: int, y: int, z: tuple[int, ...] = ()) -> tuple[float, float]:
    given = measure.evidence([[*z, x, y], list(z), [*z, x], [*z, y]])
    found, dims = given.fit, given.dim
    return (
        float(found[0] + found[1] - found[2] - found[3]),
        float(dims[0] + dims[1] - dims[2] - dims[3]),
    )


def random_columns(rows: int, seed: int) -> list[Column]:
    """Four columns of numbers and two of codes that depend on each other."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=rows) * 40 + 1e3
    y = 0.3 * x + rng.normal(size=rows)
    z = rng.normal(size=rows) * 1e-6
    w = y - 1e5 * z + rng.normal(size=rows)
    u = (x + rng.normal(size=rows) * 30 > 1000).astype(np.uint8)
    v = rng.integers(0, 3, rows).astype(np.uint8)
    return [x, y, z, w, (u, 2), (v, 3)]


def all_sets(n: int) -> list[tuple[int, ...]]:
    return [s for k in range(n + 1) for s in itertools.combinations(range(n), k)]


# Values by hand -----------------------------------------------------------------------------------------


def test_gaussian_family_and_its_bic() -> None:
    measure = gaussian_of(NUMBERS)
    assert family(measure, C, (A, B)) == pytest.approx(-10.329408422368388, rel=1e-12)
    score = _core.CriterionScore(measure, math.log(8) / 2)
    assert score.local([(C, [A, B])])[0] == pytest.approx(-14.48829150572806, rel=1e-12)


def test_the_variance_of_other_tools_is_a_function_of_the_size_of_the_set() -> None:
    # RSS/(N - p - 1) in place of RSS/N: F(k+1) - F(k) = N/2 log((N-k-1)/N) + (k+1)/2.
    N, p = 8, 2
    shift = N / 2 * math.log((N - p - 1) / N) + (p + 1) / 2
    found = family(gaussian_of(NUMBERS), C, (A, B)) + shift
    assert found == pytest.approx(-10.709422939351331, rel=1e-12)


@pytest.mark.parametrize(
    ("mean", "identity", "of_family", "of_table"),
    [
        (None, True, -18.193272027573443, -58.68754320276113),
        ([0.0, 0.0, 0.0], True, -18.917954150900748, -61.5311580606801),
        (None, False, -14.805225485527359, -51.212395522222224),
    ],
)
def test_bge(mean: list[float] | None, identity: bool, of_family: float, of_table: float) -> None:
    measure = bge_of(NUMBERS, mean=mean, identity=identity)
    assert family(measure, C, (A, B)) == pytest.approx(of_family, rel=1e-12)
    assert fits(measure, (A, B, C))[0] == pytest.approx(of_table, rel=1e-12)


def test_partial_correlation() -> None:
    fit, df = interaction(gaussian_of(NUMBERS), A, C, (B,))
    assert df == 1
    assert fit == pytest.approx(0.7470934918414898, rel=1e-12)
    assert math.sqrt(-math.expm1(-2 * fit / 8)) == pytest.approx(0.4127569114314548, rel=1e-12)


def test_degenerate_gaussian() -> None:
    measure = gaussian_of(ALL)
    assert interaction(measure, C, D, (A,)) == (pytest.approx(0.3685487299325416, rel=1e-11), 1)
    assert interaction(measure, E, D, (A,)) == (pytest.approx(0.2759714859478066, rel=1e-11), 2)
    assert family(measure, D, (A, C)) == pytest.approx(0.3025560099320188, rel=1e-11)


def test_conditional_gaussian() -> None:
    measure = _core.ConditionalGaussianMeasure(mixed_table(ALL))
    assert interaction(measure, C, D, (A,)) == (pytest.approx(1.9364469447029915, rel=1e-11), 3)
    assert family(measure, C, (A, D)) == pytest.approx(-8.968407696982625, rel=1e-11)
    assert family(measure, D, (A, C)) == pytest.approx(2.131607601380722, rel=1e-11)
    dims = measure.evidence([[A, C, D], [A, D]]).dim
    assert dims[0] - dims[1] == 6


# Twins ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [40, 700])
def test_gaussian_equals_its_twin(rows: int) -> None:
    columns = random_columns(rows, rows)
    sets = all_sets(len(columns))
    given = gaussian_of(columns).evidence([list(s) for s in sets])
    found, dims = given.fit, given.dim
    for s, fit, dim in zip(sets, found, dims, strict=True):
        expected = gaussian([columns[i] for i in s])
        assert fit == pytest.approx(expected[0], rel=1e-11, abs=1e-9)
        assert dim == expected[1]


def test_whole_and_fractional_weights() -> None:
    columns = random_columns(300, 5)
    rng = np.random.default_rng(1)
    whole = rng.integers(0, 5, 300).astype(float)
    repeated = [
        (np.repeat(c[0], whole.astype(int)), c[1])
        if isinstance(c, tuple)
        else np.repeat(c, whole.astype(int))
        for c in columns
    ]
    sets = [list(s) for s in all_sets(len(columns))]
    # The grid is that of all rows, also of those of weight 0.
    weighted, plain = gaussian_of(columns, whole), gaussian_of(repeated)
    assert weighted.total == plain.total
    np.testing.assert_allclose(weighted.evidence(sets).fit, plain.evidence(sets).fit, rtol=1e-12, atol=1e-9)
    fractional = rng.random(300) * 3
    found = gaussian_of(columns, fractional).evidence(sets).fit
    expected = [gaussian([columns[i] for i in s], fractional)[0] for s in sets]
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-9)
    large = whole * 123456789.0
    found = gaussian_of(columns, large).evidence(sets).fit
    np.testing.assert_allclose(found, weighted.evidence(sets).fit * 123456789.0, rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("identity", [True, False])
def test_bge_equals_its_twin(identity: bool) -> None:
    columns = [c for c in random_columns(120, 3) if not isinstance(c, tuple)]
    n, alpha_mu, alpha_w = len(columns), 2.5, 9.5
    mean = [1.0, -2.0, 0.0, 10.0]
    measure = bge_of(columns, mean=mean, identity=identity, alpha_mu=alpha_mu, alpha_w=alpha_w)
    t = alpha_mu * (alpha_w - n - 1) / (alpha_mu + 1)
    scale = np.array([t if identity else t * np.var(c, ddof=1) for c in columns])
    for s in all_sets(n):
        i = list(s)
        expected = bge([columns[k] for k in i], n, alpha_mu, alpha_w, np.array(mean)[i], scale[i])
        assert fits(measure, s)[0] == pytest.approx(expected, rel=1e-11, abs=1e-9)


def test_conditional_gaussian_equals_its_twin() -> None:
    columns = random_columns(600, 8)
    sets = all_sets(len(columns))
    found = _core.ConditionalGaussianMeasure(mixed_table(columns)).evidence([list(s) for s in sets])
    for s, fit, dim in zip(sets, found.fit, found.dim, strict=True):
        expected = conditional_gaussian([columns[i] for i in s])
        assert fit == pytest.approx(expected[0], rel=1e-10, abs=1e-8)
        assert dim == expected[1]


def test_equal_covariances_make_both_mixed_measures_agree() -> None:
    rng = np.random.default_rng(2)
    half = rng.normal(size=(50, 2))
    x = np.concatenate([half, half + np.array([1.5, -0.5])])
    columns: list[Column] = [x[:, 0].copy(), x[:, 1].copy(), (np.repeat([0, 1], 50).astype(np.uint8), 2)]
    one = interaction(gaussian_of(columns), 0, 2, (1,))[0]
    other = interaction(_core.ConditionalGaussianMeasure(mixed_table(columns)), 0, 2, (1,))[0]
    assert one == pytest.approx(other, rel=1e-10)


def test_conditional_gaussian_interactions_can_be_negative() -> None:
    # Two binary children of one number: the normal distributions in the cells are not nested.
    rng = np.random.default_rng(0)
    z = rng.normal(size=100_000)
    child = [(rng.random(z.size) < 1 / (1 + np.exp(-z))).astype(np.uint8) for _ in range(2)]
    measure = _core.ConditionalGaussianMeasure(mixed_table([z, (child[0], 2), (child[1], 2)]))
    assert interaction(measure, 1, 2, (0,))[0] < -1.0


# Missing values ------------------------------------------------------------------------------------------


def test_moments_are_those_of_the_known_rows() -> None:
    columns = random_columns(400, 11)
    rng = np.random.default_rng(4)
    for i in (0, 3):
        holes = np.array(columns[i], copy=True)
        holes[rng.random(400) < 0.2] = np.nan
        columns[i] = holes
    codes = columns[5][0].copy()
    codes[rng.random(400) < 0.1] = 255
    columns[5] = (codes, 3)
    table = mixed_table(columns)
    assert not table.complete
    known = ~np.isnan(columns[0]) & ~np.isnan(columns[3]) & (codes != 255)
    kept = [(c[0][known], c[1]) if isinstance(c, tuple) else c[known] for c in columns]
    sets = [list(s) for s in all_sets(len(columns))]
    for measure, twin in (
        (_core.GaussianMeasure(_core.SetMoments.of(table)), gaussian),
        (_core.ConditionalGaussianMeasure(table), conditional_gaussian),
    ):
        given = measure.evidence(sets, [0, 3, 5])
        found, dims = given.fit, given.dim
        for s, fit, dim in zip(sets, found, dims, strict=True):
            expected = twin([kept[i] for i in s])
            assert fit == pytest.approx(expected[0], rel=1e-10, abs=1e-8)
            assert dim == expected[1]


# What has no likelihood ----------------------------------------------------------------------------------


def test_collinear_and_constant_columns_and_too_few_rows() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 50))
    columns: list[Column] = [x, y, x.copy(), np.full(50, 7.5), 2 * x - 3 * y + 1]
    measure = gaussian_of(columns)
    unbounded = {(0, 2), (0, 1, 4), (0, 1, 2, 3, 4)}
    for s in unbounded:
        assert fits(measure, s) == [math.inf]
    for s in [(0,), (1,), (2,), (4,), (0, 1), (0, 4), (1, 4), (2, 4)]:
        assert math.isfinite(fits(measure, s)[0])
    score = _core.CriterionScore(measure, 1.0)
    found = score.local([(2, [0]), (4, [0, 1]), (1, [0, 2]), (3, []), (4, [0]), (1, [3]), (1, [])])
    assert list(found[:3]) == [-math.inf] * 3
    assert math.isfinite(found[4])
    # A constant column tells nothing, as a parent and as a child.
    assert fits(measure, (3,)) == [0.0]
    assert fits(measure, (1, 3)) == fits(measure, (1,))
    assert found[3] == 0.0
    assert found[5] == found[6]
    assert not score.bounded
    few = gaussian_of([c[:4] for c in (x, y, rng.normal(size=50), rng.normal(size=50))])
    assert fits(few, (0, 1, 2, 3)) == [-math.inf]
    assert math.isfinite(fits(few, (0, 1, 2))[0])


def test_bge_needs_no_likelihood() -> None:
    rng = np.random.default_rng(3)
    x, y, z, u = rng.normal(size=(4, 3))  # fewer rows than columns, and a duplicate
    columns = [x, y, z, u, x.copy()]
    measure = bge_of(columns, identity=False)
    n, t = 5, 0.5
    for s in all_sets(5):
        i = list(s)
        mean = np.array([columns[k].mean() for k in i])
        scale = np.array([t * np.var(columns[k], ddof=1) for k in i])
        expected = bge([columns[k] for k in i], n, 1.0, n + 2.0, mean, scale)
        assert fits(measure, s)[0] == pytest.approx(expected, rel=1e-10, abs=1e-10)


def test_bad_priors_are_refused() -> None:
    with pytest.raises(DagwrightError, match="alpha_w must be more than the number of variables plus 1, 4"):
        bge_of(NUMBERS, alpha_w=4.0)
    with pytest.raises(DagwrightError, match=r"alpha_mu must be positive, got -0\.5"):
        bge_of(NUMBERS, alpha_mu=-0.5)
    with pytest.raises(DagwrightError, match="variable 1 is 0"):
        bge_of([NUMBERS[0], np.full(8, 3.0)], identity=False)


def test_infinite_numbers_are_refused() -> None:
    with pytest.raises(DagwrightError, match="variable 1 has an infinite value in row 2"):
        mixed_table([np.zeros(3), np.array([0.0, 1.0, -math.inf])])


# Equivalence ---------------------------------------------------------------------------------------------


def test_members_of_a_class_score_the_same() -> None:
    rng = np.random.default_rng(9)
    x = rng.normal(size=(200, 5)) @ rng.normal(size=(5, 5)) + rng.normal(size=5) * 10
    columns = [np.ascontiguousarray(column) for column in x.T]
    for score in (
        _core.CriterionScore(gaussian_of(list(columns)), math.log(200) / 2),
        _core.CriterionScore(bge_of(columns, identity=False), 0.0),
    ):
        for _ in range(300):
            order = rng.permutation(5)
            parents: dict[int, list[int]] = {int(v): [] for v in range(5)}
            for i, j in itertools.combinations(range(5), 2):
                if rng.random() < 0.5:
                    parents[int(order[j])].append(int(order[i]))
            total = score.local(list(parents.items())).sum()
            # Covered arcs are turned at random: the class stays the same (Chickering 1995).
            for _ in range(20):
                covered = [
                    (u, v) for v in parents for u in parents[v] if {*parents[v]} - {u} == {*parents[u]}
                ]
                if not covered:
                    break
                u, v = covered[rng.integers(len(covered))]
                parents[v].remove(u)
                parents[u].append(v)
            assert score.local(list(parents.items())).sum() == pytest.approx(total, rel=1e-11)


# Memory --------------------------------------------------------------------------------------------------


def test_a_remembered_measure_is_asked_once_for_each_set() -> None:
    class Counting:
        N = 8.0

        def __init__(self) -> None:
            self.asked: list[frozenset[int]] = []

        def evidence(self, sets: list[frozenset[int]], rows: object = None) -> list[_Fit]:
            self.asked += sets
            return [_Fit(float(sum(s)) + (0.5 if rows else 0.0), float(len(s))) for s in sets]

    own = Counting()
    measure = _core.RememberedMeasure(_core.PythonMeasure(own, 4), 1.0)
    sets = [[0], [1, 2], [0], [3, 1], [1, 2]]
    for _ in range(3):
        given = measure.evidence(sets)
        found, dims = given.fit, given.dim
        assert list(found) == [0.0, 3.0, 0.0, 4.0, 3.0]
        assert list(dims) == [1.0, 2.0, 1.0, 2.0, 2.0]
    assert sorted(own.asked, key=sorted) == [frozenset({0}), frozenset({1, 2}), frozenset({1, 3})]
    assert list(measure.evidence(sets, [2]).fit) == [0.5, 3.5, 0.5, 4.5, 3.5]  # other rows, another answer
    assert len(own.asked) == 6
    assert (measure.statistics().requested, measure.statistics().computed) == (20, 6)


class _Fit:
    def __init__(self, fit: float, dim: float) -> None:
        self.fit, self.dim = fit, dim
