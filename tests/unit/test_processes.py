"""Values travel between processes and threads, and learning works after a fork and under spawn."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
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
