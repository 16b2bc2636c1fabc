"""Moments: exact sums against whole numbers of Python, and the same bits whatever the order."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dagwright import _core
from gaussian_twins import Array, Column, mixed_table


def matrix_of(columns: list[Column], weights: Array | None = None, threads: int = 1) -> _core.MomentMatrix:
    return _core.SetMoments.of(mixed_table(columns, weights), threads).matrix


def same_bits(one: _core.MomentMatrix, other: _core.MomentMatrix) -> bool:
    return (
        one.N == other.N
        and one.means.tobytes() == other.means.tobytes()
        and one.covariance.tobytes() == other.covariance.tobytes()
    )


def wild_columns(rows: int, n: int, seed: int) -> list[Array]:
    rng = np.random.default_rng(seed)
    scale = 10.0 ** rng.integers(-9, 9, n)
    x = rng.standard_t(3, size=(rows, n)) @ rng.normal(size=(n, n)) * scale + scale * rng.normal(size=n)
    return [np.ascontiguousarray(column) for column in x.T]


def exact_moments(columns: list[Array], weights: list[int] | None = None) -> tuple[list[float], Array]:
    """Each column from its midrange in steps of a power of two, summed as whole numbers."""
    weights = [1] * len(columns[0]) if weights is None else weights
    grids = []
    for column in columns:
        least, largest = float(column.min()), float(column.max())
        center = least / 2 + largest / 2
        half = max(largest / 2 - least / 2, largest - center, center - least)
        grids.append((center, 47 - math.frexp(half)[1]))
    q = [
        [round((float(v) - center) * 2.0**e) for v in column]
        for column, (center, e) in zip(columns, grids, strict=True)
    ]
    W = sum(weights)
    sums = [sum(w * v for w, v in zip(weights, values, strict=True)) for values in q]
    middle = [round(float(s) / float(W)) for s in sums]
    rest = [float(s - W * m) for s, m in zip(sums, middle, strict=True)]
    means = [
        center + math.ldexp(m + r / W, -e) for (center, e), m, r in zip(grids, middle, rest, strict=True)
    ]
    covariance = np.empty((len(q), len(q)))
    for i in range(len(q)):
        for k in range(len(q)):
            about = sum(
                w * (a - middle[i]) * (b - middle[k]) for w, a, b in zip(weights, q[i], q[k], strict=True)
            )
            steps = (float(about) - rest[i] * rest[k] / W) / W
            covariance[i, k] = math.ldexp(steps, -(grids[i][1] + grids[k][1]))
    return means, covariance


@pytest.mark.parametrize(("rows", "n"), [(1, 2), (7, 3), (63, 9), (200, 17)])
def test_every_bit_is_that_of_whole_numbers(rows: int, n: int) -> None:
    columns = wild_columns(rows + 1, n, rows)
    means, covariance = exact_moments(columns)
    found = matrix_of(list(columns))
    assert rows + 1 == found.N
    assert found.means.tolist() == means
    assert found.covariance.tolist() == covariance.tolist()


@pytest.mark.parametrize("largest", [2, 1000, 2**40])
def test_whole_weights_are_exact(largest: int) -> None:
    columns = wild_columns(90, 5, 3)
    weights = np.random.default_rng(largest).integers(0, largest + 1, 90)
    means, covariance = exact_moments(columns, weights.tolist())
    found = matrix_of(list(columns), weights.astype(float))
    assert weights.sum() == found.N
    assert found.means.tolist() == means
    assert found.covariance.tolist() == covariance.tolist()


def test_covariance_is_near_numpy() -> None:
    columns = wild_columns(5000, 12, 1)
    found = matrix_of(list(columns))
    expected = np.cov(np.array(columns), bias=True)
    scale = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
    assert np.max(np.abs(found.covariance - expected) / scale) < 1e-12
    np.testing.assert_allclose(found.means, np.mean(columns, axis=1), rtol=1e-11)


def test_rows_threads_and_blocks_change_no_bit() -> None:
    rows, n = 20_000, 70  # several stretches of rows
    numbers = wild_columns(rows, n, 7)
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 4, rows).astype(np.uint8)
    whole = rng.integers(0, 4, rows).astype(float)
    columns: list[Column] = [*numbers, (codes, 4)]
    for weights in (None, whole):
        first = matrix_of(columns, weights)
        assert same_bits(first, matrix_of(columns, weights, threads=3))
        order = rng.permutation(rows)
        turned: list[Column] = [*(c[order] for c in numbers), (codes[order], 4)]
        assert same_bits(first, matrix_of(turned, None if weights is None else weights[order]))
        grids = _core.grids_of(mixed_table(columns))
        for blocks in (1, 2, 7):
            total = _core.MomentBlocks(grids)
            for part in np.array_split(order, blocks):
                block = _core.MomentBlocks(grids)
                some: list[Column] = [*(c[part] for c in numbers), (codes[part], 4)]
                block.add(mixed_table(some, None if weights is None else weights[part]))
                total.merge(block)
            assert same_bits(first, total.matrix())
            assert total.moments().variables == n + 1


def test_the_order_of_columns_changes_no_bit() -> None:
    columns = wild_columns(3000, 140, 4)  # two blocks of columns
    order = np.random.default_rng(1).permutation(140)
    first, other = matrix_of(list(columns)), matrix_of([columns[i] for i in order])
    assert first.means[order].tobytes() == other.means.tobytes()
    assert first.covariance[np.ix_(order, order)].tobytes() == other.covariance.tobytes()


def test_grids_of_blocks_are_those_of_all_rows() -> None:
    columns = wild_columns(500, 4, 2)
    whole = _core.grids_of(mixed_table(columns))
    parts = [_core.grids_of(mixed_table([c[s] for c in columns])) for s in (slice(0, 99), slice(99, 500))]
    for i, grid in enumerate(whole):
        parts[0][i].include(parts[1][i])
        assert (parts[0][i].least, parts[0][i].largest) == (grid.least, grid.largest)
        assert (parts[0][i].center, parts[0][i].exponent) == (grid.center, grid.exponent)


def test_an_outlier_costs_resolution_and_is_reported() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=1000)
    wide = x.copy()
    wide[17] = 1e9
    bits = matrix_of([x, wide, np.full(1000, 3.0)]).resolution
    assert bits[0] is not None and bits[1] is not None
    assert bits[2] is None  # constant
    # A standard deviation has at least 47 - log2(N)/2 - 1 bits, whatever the outlier.
    assert bits[0] >= 44
    assert 41 <= bits[1] < bits[0]
    for column in (x, wide):
        assert matrix_of([column]).covariance[0, 0] == pytest.approx(np.var(column), rel=1e-11)


def test_extreme_units() -> None:
    x = np.random.default_rng(0).normal(size=200)
    for factor in (1e-300, 1e-150, 1e150, 1e300):
        measure = _core.GaussianMeasure(_core.SetMoments.of(mixed_table([x * factor, x[::-1].copy()])))
        plain = _core.GaussianMeasure(_core.SetMoments.of(mixed_table([x, x[::-1].copy()])))
        shift = 200 * math.log(factor)
        found, expected = measure.evidence([[0], [0, 1]]).fit, plain.evidence([[0], [0, 1]]).fit
        np.testing.assert_allclose(found + shift, expected, atol=1e-8)
    huge = np.array([-1.7e308, 1.7e308, 0.0])
    assert matrix_of([huge]).means[0] == pytest.approx(0.0, abs=1e295)


def test_the_largest_sums_are_exact() -> None:
    """Nearly all values at an end of their range, so that every partial sum is as large as it can be."""
    ends = np.full(1000, 1.0 - 2.0**-53)  # rounds up to 2^47 steps
    ends[-1] = -1.0 + 2.0**-53
    turned = -ends
    columns = [ends, turned, np.where(np.arange(1000) % 2 == 0, ends, turned)]
    _, covariance = exact_moments(columns)
    assert matrix_of(list(columns)).covariance.tolist() == covariance.tolist()


def test_weights_of_one_change_no_bit() -> None:
    """Rows with weights are summed by limbs, rows without by fused multiplications."""
    columns = wild_columns(9000, 9, 5)
    assert same_bits(matrix_of(list(columns)), matrix_of(list(columns), np.ones(9000)))


def test_numbers_outside_of_their_grid_are_refused() -> None:
    blocks = _core.MomentBlocks([_core.Grid(-1.0, 1.0)])
    with pytest.raises(Exception, match="outside of the range"):
        blocks.add(mixed_table([np.array([0.5, 2.5])]))


def test_moments_of_columns_in_another_order_are_not_summed_again() -> None:
    rng = np.random.default_rng(1)
    numbers = wild_columns(300, 4, 2)
    numbers[2][7] = np.nan
    codes = rng.integers(0, 3, 300).astype(np.uint8)
    columns: list[Column] = [numbers[0], (codes, 3), *numbers[1:]]
    order = [4, 1, 0, 3, 2]
    turned = mixed_table([columns[at] for at in order])
    reordered = _core.SetMoments.of(mixed_table(columns), 1).reordered(turned, order)
    again = _core.SetMoments.of(turned, 1)
    assert same_bits(reordered.matrix, again.matrix)
    sets = [[0, 3], [1, 2, 4], [0, 1, 2, 3, 4]]
    for known in ([], [3]):
        one, other = (_core.GaussianMeasure(m).evidence(sets, known) for m in (reordered, again))
        assert one.fit.tolist() == other.fit.tolist()
        assert one.dim.tolist() == other.dim.tolist()
