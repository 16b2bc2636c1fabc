"""Values travel between processes and threads, and learning works after a fork and under spawn."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import polars
import pytest

import dagwright as dw


def sample(rows: int = 2000) -> dict[str, list[int]]:
    """A chain a -> b -> c with noise, and a coin."""
    random = np.random.default_rng(7)
    a = random.integers(0, 2, rows)
    b = np.where(random.random(rows) < 0.85, a, 1 - a)
    c = np.where(random.random(rows) < 0.85, b, 1 - b)
    coin = random.integers(0, 3, rows)
    return {"a": a.tolist(), "b": b.tolist(), "c": c.tolist(), "coin": coin.tolist()}


def learn_edges(data: dw.Table) -> tuple[tuple[str, str], ...]:
    """Run in other processes, therefore at module level."""
    return dw.learn(data, threads=2).graph.edges


VALUES = [
    pytest.param(lambda: dw.read(sample()), id="Table"),
    pytest.param(lambda: dw.learn(sample()), id="Learned"),
    pytest.param(lambda: dw.Dag(["a", "b", "c"], [("a", "b")]), id="Dag"),
    pytest.param(lambda: dw.Knowledge(required=["a -> b"], max_parents=2), id="Knowledge"),
    pytest.param(lambda: dw.BDeu(ess=3), id="BDeu"),
    pytest.param(lambda: dw.HillClimb(max_parents=2), id="HillClimb"),
    pytest.param(lambda: dw.GSquare(alpha=0.01), id="GSquare"),
]


@pytest.mark.parametrize("make", VALUES)
def test_values_pickle_and_copy(make: object) -> None:
    value = make()  # type: ignore[operator]
    for twin in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert type(twin) is type(value)
        assert twin == value


@pytest.mark.skipif(sys.platform == "win32", reason="this system cannot fork")
def test_a_forked_child_can_learn_after_the_parent_learned() -> None:
    table = dw.read(sample())
    expected = learn_edges(table)
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(learn_edges, [table] * 4, timeout=60)) == [expected] * 4


def test_a_spawned_child_can_learn() -> None:
    table = dw.read(sample())
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        assert pool.submit(learn_edges, table).result(timeout=60) == learn_edges(table)


def test_threads_share_one_table() -> None:
    table = dw.read(sample())
    expected = learn_edges(dw.read(sample()))
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(learn_edges, [table] * 16)) == [expected] * 16


def read_csv(path: str) -> int:
    """Run in other processes, therefore at module level."""
    return dw.read(path).n_rows


def read_parquet(path: str) -> str:
    """The sentence with which reading is refused, or the rows read."""
    try:
        return str(dw.read(path).n_rows)
    except dw.DataError as problem:
        return str(problem)


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_a_child_reads_files_after_the_parent_read_some(method: str, tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("a,b\n" + "x,1\ny,2\n" * 100)
    assert read_csv(str(path)) == 200
    polars.read_csv(path).write_parquet(tmp_path / "d.parquet")
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) as pool:
        assert pool.submit(read_csv, str(path)).result(timeout=60) == 200
        told = pool.submit(read_parquet, str(tmp_path / "d.parquet")).result(timeout=60)
    assert ("do not survive a fork" in told) if method == "fork" else (told == "200")
