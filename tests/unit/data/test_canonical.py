"""The canonical order of the columns: the same as by whole rows of fits, fast, and stopped on request."""

from __future__ import annotations

import math
import random
import time
from collections import Counter

import numpy as np
import pytest

import dagwright as dw


def table_of(seed: int) -> dw.Table:
    """Columns with many equal distributions, some of them copies or complements of others."""
    rng = np.random.default_rng(seed)
    rows = int(rng.choice([8, 12, 40]))
    columns: dict[str, np.ndarray] = {}
    for i in range(int(rng.integers(3, 14))):
        kind = int(rng.integers(0, 5))
        if kind < 2 and columns:
            other = columns[list(columns)[int(rng.integers(len(columns)))]]
            columns[f"x{i:02}"] = other if kind == 0 else 1 - other
        elif kind == 2:
            columns[f"x{i:02}"] = rng.permutation(np.arange(rows) % 2)
        else:
            columns[f"x{i:02}"] = rng.integers(0, 2, rows)
    return dw.read({name: [f"s{v}" for v in codes] for name, codes in columns.items()})


def pair_classes(table: dw.Table) -> list[set[str]]:
    """Classes of columns in their order, refined by whole rows of fits of pairs, until they stay."""
    codes = {name: table.codes(name).tolist() for name in table.names}

    def fit(*names: str) -> float:
        cells = Counter(zip(*(codes[name] for name in names), strict=True))
        return math.fsum(sorted(c * math.log(c) for c in cells.values()))

    def round_up(value: float) -> float:
        return round(value, 9)

    states = dict(zip(table.names, table.cardinalities, strict=True))
    keys: dict[str, tuple] = {x: (round_up(fit(x)), states[x]) for x in table.names}
    while True:
        ranks = {key: rank for rank, key in enumerate(sorted(set(keys.values())))}
        color = {x: ranks[keys[x]] for x in table.names}
        finer = {
            x: (color[x], *(f for _, f in sorted((color[u], round_up(fit(x, u))) for u in codes if u != x)))
            for x in table.names
        }
        if len(set(finer.values())) == len(ranks):
            classes: list[set[str]] = [set() for _ in ranks]
            for x in table.names:
                classes[color[x]].add(x)
            return classes
        keys = finer


@pytest.mark.parametrize("seed", range(25))
def test_classes_are_those_of_whole_rows_of_fits(seed: int) -> None:
    table = table_of(seed)
    order = list(table.canonical().table.names)
    for expected in pair_classes(table):
        assert set(order[: len(expected)]) == expected
        del order[: len(expected)]


@pytest.mark.parametrize("seed", range(5))
def test_neither_positions_nor_threads_matter(seed: int) -> None:
    table = table_of(seed)
    names = list(table.names)
    random.Random(seed).shuffle(names)
    expected = table.canonical()
    for threads in (1, 3):
        found = table.select(names).canonical(threads)
        assert found.table.names == expected.table.names
        assert found.ties == expected.ties


@pytest.fixture(scope="module")
def balanced() -> dw.Table:
    """All columns have the same distribution, so that only pairs tell them apart."""
    rng = np.random.default_rng(3)
    return dw.read({f"v{i:03}": [f"s{v}" for v in rng.permutation(np.arange(200) % 2)] for i in range(600)})


def test_a_request_to_stop_leaves_the_order_of_single_columns(balanced: dw.Table) -> None:
    token = dw.CancelToken()
    token.cancel()
    for stopped in (balanced.canonical(1, 0.0), balanced.canonical(2, None, token)):
        assert not stopped.complete
        assert stopped.table.names == tuple(sorted(balanced.names))
        assert stopped.ties == ()
    assert balanced.canonical().complete  # what was stopped is not kept


def test_learning_says_that_the_order_was_stopped(balanced: dw.Table) -> None:
    table = balanced.select(balanced.names[:20])
    found = dw.learn(table, time_limit=0.0)
    assert any("names decide between columns of equal distribution" in text for text in found.warnings)
    assert not any("exchangeable" in text for text in found.warnings)
    assert not any("names decide" in text for text in dw.learn(table).warnings)


def test_a_thousand_columns_take_seconds() -> None:
    rng = np.random.default_rng(1)
    codes = (rng.random((1000, 1000)) < rng.uniform(0.1, 0.9, 1000)).astype(np.uint8)
    table = dw.read({f"v{i}": codes[:, i] for i in range(1000)})
    began = time.monotonic()
    assert table.canonical(2).complete
    assert time.monotonic() - began < 2.0
    # Few of the 499,500 pairs are counted: a few neighbors mostly tell columns apart.
    assert table.native.statistics().counted < 100_000
