"""The default search on real data: neither columns, rows, names nor threads change the class it finds."""

from __future__ import annotations

import numpy as np
import pytest

import dagwright as dw

DATA = dw.read(dw.sample_path("asia"))
EXPECTED = dw.learn(DATA)


@pytest.mark.parametrize("seed", range(20))
def test_columns_rows_names_and_threads_change_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = [DATA.names[at] for at in rng.permutation(len(DATA.names))]
    new = {name: f"n{at}" for at, name in enumerate(names)}
    table = DATA.select(names).take(rng.permutation(DATA.n_rows)).rename(new)
    found = dw.learn(table, threads=1 + seed % 2)
    back = {after: before for before, after in new.items()}
    graph = dw.Dag(DATA.names, [(back[start], back[end]) for start, end in found.graph.edges])
    assert graph.equivalent(EXPECTED.graph)
    assert found.score == EXPECTED.score


def test_never_below_hill_climbing() -> None:
    rng = np.random.default_rng(7)
    for _ in range(10):
        table = DATA.take(rng.integers(0, DATA.n_rows, 300))
        assert dw.learn(table).score >= dw.learn(table, search=dw.HillClimb()).score - 1e-9
