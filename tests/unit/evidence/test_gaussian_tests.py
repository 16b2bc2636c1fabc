"""Tests of partial correlations: by-hand values, SciPy, blocks of columns, and what cannot be tested."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from dagwright import _core
from dagwright.errors import DagwrightError
from gaussian_twins import SMALL, Column, mixed_table

A, B, C, D, E = range(5)


def measure_of(columns: list[Column]) -> _core.GaussianMeasure:
    return _core.GaussianMeasure(_core.SetMoments.of(mixed_table(columns)))


def student_t(measure: _core.GaussianMeasure, alpha: float) -> _core.MeasureTest:
    kind = _core.GaussianNull.student_t
    return _core.MeasureTest.gaussian(measure, kind=kind, alpha=alpha, columns=measure.columns)


def fisher_z(measure: _core.GaussianMeasure, alpha: float) -> _core.MeasureTest:
    kind = _core.GaussianNull.fisher_z
    return _core.MeasureTest.gaussian(measure, kind=kind, alpha=alpha, columns=measure.columns)


def ask(
    test: _core.IndependenceTest, x: int, y: int, z: tuple[int, ...] = ()
) -> tuple[float, float, float, bool]:
    """Statistic, degrees of freedom, log p and the decision."""
    found = test.answers([({x}, {y}, set(z))])
    only = test.answers([({x}, {y}, set(z))], facts=False)
    assert only.independent == found.independent
    gain = found.gain[0]
    assert gain is not None and (gain > 0) == (not found.independent[0])
    return found.statistic[0], found.df[0], found.log_p[0], found.independent[0]


def test_values_by_hand() -> None:
    measure = measure_of([SMALL[name] for name in "abc"])
    t = ask(student_t(measure, 0.05), A, C, (B,))
    assert t[:2] == (pytest.approx(1.0132968179795054, rel=1e-12), 5)
    assert math.exp(t[2]) == pytest.approx(0.3574141652643942, rel=1e-12)
    z = ask(fisher_z(measure, 0.05), A, C, (B,))
    assert z[:2] == (pytest.approx(0.8778594763579594, rel=1e-12), 4)
    assert math.exp(z[2]) == pytest.approx(0.3800199829526326, rel=1e-12)
    ratio = ask(_core.MeasureTest.chi_squared(measure, 0.05), A, C, (B,))
    assert math.exp(ratio[2]) == pytest.approx(0.22156796037685494, rel=1e-12)


@pytest.mark.parametrize("rows", [5, 60, 4000])
def test_student_t_is_that_of_scipy(rows: int) -> None:
    rng = np.random.default_rng(rows)
    x = rng.normal(size=rows)
    y = 0.2 * x + rng.normal(size=rows)
    measure = measure_of([x, y])
    statistic, df, log_p, _ = ask(student_t(measure, 0.01), 0, 1)
    expected = stats.pearsonr(x, y)
    assert df == rows - 2
    assert math.exp(log_p) == pytest.approx(expected.pvalue, rel=1e-9)
    assert stats.t.sf(statistic, df) * 2 == pytest.approx(expected.pvalue, rel=1e-9)


def test_f_tail_is_that_of_scipy() -> None:
    for df1 in (1, 2, 7, 30):
        for df2 in (1, 3, 50, 10_000, 1e7):
            for p in (0.999, 0.5, 0.05, 1e-6, 1e-200):
                f = stats.f.isf(p, df1, df2)
                if math.isfinite(f) and stats.f.sf(f, df1, df2) == pytest.approx(p, rel=1e-6):
                    assert _core.log_f_sf(f, df1, df2) == pytest.approx(
                        stats.f.logsf(f, df1, df2), rel=1e-8, abs=1e-11
                    )
    # P(F > f) for F(2, n) is (1 + 2 f/n)^(-n/2), far beyond the smallest number.
    assert _core.log_f_sf(1e9, 2, 100) == pytest.approx(-50 * math.log1p(2e7), rel=1e-14)
    assert _core.log_incomplete_beta(3.0, 1.0, -1e5) == pytest.approx(-3e5, rel=1e-14)
    with pytest.raises(DagwrightError):
        _core.log_f_sf(1.0, 0, 3)


def test_blocks_by_raos_f_and_bartletts_correction() -> None:
    measure = measure_of([SMALL[name] for name in "abcde"])
    N, p, q, d = 8, 2, 1, 1
    fit = 0.2759714859478066  # of e and d given a
    statistic, df, log_p, _ = ask(student_t(measure, 0.05), E, D, (A,))
    wilks = math.exp(-2 * fit / N)
    df2 = N - 1 - d - p - q + 1  # exact for q = 1
    assert (statistic, df) == (pytest.approx((1 - wilks) / wilks * df2 / p, rel=1e-10), p)
    assert math.exp(log_p) == pytest.approx(stats.f.sf(statistic, p, df2), rel=1e-10)
    statistic, df, log_p, _ = ask(fisher_z(measure, 0.05), E, D, (A,))
    assert statistic == pytest.approx((N - 1 - d - (p + q + 1) / 2) * 2 * fit / N, rel=1e-10)
    assert math.exp(log_p) == pytest.approx(stats.chi2.sf(statistic, 2), rel=1e-10)


def test_levels_hold_under_independence() -> None:
    rng = np.random.default_rng(12)
    rejected = dict.fromkeys(("t", "z", "blocks"), 0)
    draws, rows = 1500, 30
    for _ in range(draws):
        x, y, z = rng.normal(size=(3, rows))
        codes = (rng.integers(0, 3, rows).astype(np.uint8), 3)
        measure = measure_of([x + z, y + z, z, codes])
        rejected["t"] += not ask(student_t(measure, 0.05), 0, 1, (2,))[3]
        rejected["z"] += not ask(fisher_z(measure, 0.05), 0, 1, (2,))[3]
        rejected["blocks"] += not ask(student_t(measure, 0.05), 0, 3, (2,))[3]
    for share in rejected.values():
        assert 0.033 < share / draws < 0.067  # three standard errors


def test_what_cannot_be_tested_is_independent() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 40))
    measure = measure_of([x, y, x.copy(), np.full(40, 2.0)])
    for make in (student_t, fisher_z, _core.MeasureTest.chi_squared):
        test = make(measure, 0.05)
        # x is determined by its copy; a constant has nothing to be correlated.
        for question in ((0, 1, (2,)), (1, 0, (2,)), (3, 0, ()), (0, 3, (1,))):
            assert ask(test, *question)[3]
            caveat = test.answers([({question[0]}, {question[1]}, set(question[2]))]).caveat
            assert caveat == [_core.Caveat.no_degrees_of_freedom]
        # Duplicates depend on each other as much as can be told, and finitely.
        statistic, _, log_p, independent = ask(test, 0, 2)
        assert not independent
        assert math.isfinite(statistic) and -5000 < log_p < -100
    few = measure_of([rng.normal(size=4) for _ in range(4)])
    assert ask(student_t(few, 0.05), 0, 1, (2, 3))[3]
    assert ask(fisher_z(few, 0.05), 0, 1, (2,))[3]


def test_questions_are_asked_on_the_rows_where_they_are_known() -> None:
    rng = np.random.default_rng(6)
    x, z = rng.normal(size=(2, 300))
    y = x + z + rng.normal(size=300)
    holes = y.copy()
    holes[:100] = np.nan
    found = student_t(measure_of([x, holes, z]), 0.05).answers([({0}, {1}, {2}), ({0}, {2}, set())])
    kept = student_t(measure_of([x[100:], y[100:], z[100:]]), 0.05).answers([({0}, {1}, {2})])
    assert found.rows == [200.0, 300.0]
    assert found.statistic[0] == pytest.approx(kept.statistic[0], rel=1e-10)
    assert found.df == [197.0, 298.0]


# Canonical order -----------------------------------------------------------------------------------------


def order_of(columns: list[Column], ranks: list[int] | None = None) -> _core.CanonicalOrder:
    table = mixed_table(columns)
    ranks = list(range(len(columns))) if ranks is None else ranks
    return _core.canonical_order(_core.signatures(table), _core.SetMoments.of(table), ranks)


def test_units_signs_rows_and_columns_change_no_canonical_order() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(500, 6)) @ rng.normal(size=(6, 6))
    codes = rng.integers(0, 3, 500).astype(np.uint8)
    columns: list[Column] = [*(np.ascontiguousarray(c) for c in x.T), (codes, 3)]
    first = order_of(columns)
    assert first.complete and first.tied == []
    assert first.order[0] == 6  # discrete columns come first
    rows = rng.permutation(500)
    for _ in range(5):
        factor = rng.normal(size=6) * 10.0 ** rng.integers(-5, 5, 6)
        other: list[Column] = [c[rows] * f + f for c, f in zip(columns[:6], factor, strict=True)]
        other.append((codes[rows], 3))
        assert order_of(other).order == first.order
        turn = rng.permutation(7)
        turned = order_of([other[i] for i in turn])
        assert [turn[i] for i in turned.order] == first.order


def test_duplicates_are_tied_and_keep_the_order_of_their_names() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 80))
    found = order_of([x, y, 2 - 3 * x], [2, 1, 0])
    assert found.tied == [[2, 0]]
