"""Numbers, mixed columns and fractional weights on a cluster: the same bits as in memory, for any split."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagwright as dw
from dagwright import _core
from dagwright.errors import DataError
from dagwright.scale import cluster_table, on_worker
from dagwright.scale.coded_block import exact_sum

Split = Callable[[pl.DataFrame, int], str]


def frame(rows: int = 900) -> pl.DataFrame:
    draw = np.random.default_rng(6)
    a = draw.integers(0, 3, rows)
    x = draw.normal(size=rows) * 1e3 + 1e6
    y = x / 7 + draw.normal(size=rows) + a
    z = draw.normal(size=rows) ** 3
    w = y + z + draw.normal(size=rows)
    b = np.where(draw.random(rows) < 0.6, a, draw.integers(0, 3, rows))
    return pl.DataFrame(
        {
            "a": np.array(list("pqr"))[a],
            "x": x,
            "y": y,
            "z": z,
            "w": w,
            "b": b,
            "weight": draw.random(rows) * 3,
        }
    )


def answer(found: dw.Learned) -> tuple[Any, ...]:
    return found.graph, found.score, found.evaluations, found.separations


NUMBERS, MIXED = ["x", "y", "z", "w"], ["a", "x", "y", "z", "w", "b"]
RUNS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "Gaussian": (NUMBERS, {"search": dw.HillClimb(), "score": dw.BIC()}),
    "BGe": (NUMBERS, {"search": dw.GES(), "score": dw.BGe()}),
    "PC": (NUMBERS, {"search": dw.PC()}),
    "mixed": (MIXED, {"search": dw.HillClimb(), "score": dw.BIC()}),
    "mixed PC": (MIXED, {"search": dw.PC()}),
    "states": (["a", "b"], {"search": dw.HillClimb(), "score": dw.BDeu()}),
}


@pytest.mark.parametrize("weights", [None, "weight"])
@pytest.mark.parametrize("blocks", [1, 2, 7])
def test_the_same_bits_for_any_number_of_blocks(
    client: Any, split: Split, blocks: int, weights: str | None
) -> None:
    data = frame() if weights else frame().drop("weight")
    memory = dw.read(data, weights=weights)
    table = cluster_table(split(data, blocks), client, weights=weights)
    assert table.schema == memory.schema
    assert (table.n_rows, table.N, table.missing) == (memory.n_rows, memory.N, memory.missing)
    assert table.fractional == memory.fractional == (weights is not None)
    ours, theirs = table.moments().matrix, memory.moments().matrix
    assert ours.N == theirs.N
    np.testing.assert_array_equal(ours.means, theirs.means)
    np.testing.assert_array_equal(ours.covariance, theirs.covariance)
    assert table.signatures() == memory.signatures()
    assert table.canonical().table.names == memory.canonical().table.names
    for name, (columns, options) in RUNS.items() if blocks == 7 else list(RUNS.items())[:1]:
        found = dw.learn(table.select(columns), **options)
        assert answer(found) == answer(dw.learn(memory.select(columns), **options)), name


def test_the_bootstrap_of_numbers_does_not_depend_on_the_split(client: Any, split: Split) -> None:
    data = frame(300).select(NUMBERS)
    options: dict[str, Any] = {"search": dw.HillClimb(), "replicates": 3, "random_state": 1}
    expected = dw.bootstrap(data, draw=dw.PoissonBootstrap(), **options)
    table = cluster_table(split(data, 3), client)
    assert dw.bootstrap(table, threads=1, **options).edges(0.0) == expected.edges(0.0)


def test_what_needs_rows_is_refused_in_words(client: Any, split: Split) -> None:
    table = cluster_table(split(frame(300), 2), client).select(MIXED)
    with pytest.raises(DataError, match="needs the rows"):
        dw.learn(table, search=dw.HillClimb(), score=dw.BIC(measure=dw.Embedded(degree=2)))
    with pytest.raises(DataError, match="needs the rows"):  # to cut numbers into intervals
        dw.learn(table, search=dw.HillClimb(), score=dw.BDeu())


@given(
    rows=st.integers(2, 40),
    cuts=st.lists(st.integers(0, 40), max_size=4),
    seed=st.integers(0, 1000),
    weighted=st.booleans(),
)
@settings(max_examples=60)
def test_sums_of_blocks_add_up(rows: int, cuts: list[int], seed: int, weighted: bool) -> None:
    draw = np.random.default_rng(seed)
    x, y = draw.normal(size=rows) * 10.0 ** draw.integers(-3, 6), draw.exponential(size=rows)
    codes = draw.integers(0, 3, rows).astype(np.uint8)
    weights = draw.random(rows) * 4 if weighted else None
    total = math.fsum(weights) if weights is not None else float(rows)
    unit = _core.Table.unit_for(total, not weighted)

    def mixed(part: slice) -> _core.MixedTable:
        columns = [[np.ascontiguousarray(column[part])] for column in (x, codes, y)]
        own = None if weights is None else np.ascontiguousarray(weights[part])
        return _core.MixedTable.from_columns(columns, [None, 3, None], len(columns[0][0]), own, unit)

    whole = mixed(slice(None))
    grids = _core.grids_of(whole)
    edges = sorted({0, rows, *(cut for cut in cuts if cut < rows)})
    parts = [slice(a, b) for a, b in pairwise(edges)]

    def added(make: Callable[[], Any]) -> Any:
        sums = []
        for part in parts:
            sums.append(make())
            sums[-1].add(mixed(part))
        return on_worker.merged(pickle.loads(pickle.dumps(sums)))

    expected = _core.SetMoments.of(
        _core.MixedTable.from_columns([[x], [codes], [y]], [None, 3, None], rows, weights)
    ).matrix
    found = added(lambda: _core.MomentBlocks(grids)).moments().matrix
    assert found.N == expected.N
    np.testing.assert_array_equal(found.covariance, expected.covariance)
    alone = _core.PowerSums(grids, [0.0, 0.0], 1)
    alone.add(whole)
    means = alone.means()
    assert added(lambda: _core.PowerSums(grids, [0.0, 0.0], 1)).means() == means
    for power in (2, 3, 4):
        alone = _core.PowerSums(grids, means, power)
        alone.add(whole)
        assert added(lambda power=power: _core.PowerSums(grids, means, power)).means() == alone.means()
        # the plain twin
        half = [max(abs(one.largest - one.center), abs(one.center - one.least)) for one in grids]
        shares = np.ones(rows) / rows if weights is None else weights / weights.sum()
        plain = [
            float((((column - one.center) / h - mean) ** power * shares).sum()) if h > 0 else 0.0
            for column, one, h, mean in zip((x, y), grids, half, means, strict=True)
        ]
        np.testing.assert_allclose(alone.means(), plain, atol=1e-9)


@given(st.lists(st.floats(0, 1e12), min_size=1, max_size=30))
def test_weights_are_summed_without_rounding(values: list[float]) -> None:
    found = exact_sum(np.array(values))
    assert found == sum(map(Fraction, values))
    assert float(found) == math.fsum(values)


@pytest.mark.parametrize("weights", [None, "weight", "times"])
def test_networks_with_numbers_are_fitted_by_cell(client: Any, split: Split, weights: str | None) -> None:
    data = frame(300).with_columns(times=pl.int_range(300) % 3)
    options: dict[str, Any] = {"weights": weights, "exclude": {"weight", "times"} - {weights}}
    memory = dw.read(data, **options)
    graph = dw.Dag(
        MIXED,
        [("a", "b"), ("a", "x"), ("x", "y"), ("b", "y"), ("y", "w"), ("z", "w"), ("b", "w"), ("a", "w")],
    )
    expected = dw.fit(graph, memory, parameter_prior=dw.BDeu())
    for blocks in (1, 7):
        table = cluster_table(split(data, blocks), client, **options)
        network = dw.fit(graph, table, parameter_prior=dw.BDeu())
        assert network == expected
        found = dw.learn(table, search=dw.HillClimb())
        assert found.network() == dw.learn(memory, search=dw.HillClimb()).network()
