"""Work that cannot fit into the memory that is left is refused in words, before it starts."""

from __future__ import annotations

import numpy as np
import pytest

import dagwright as dw
from dagwright.base import memory

MIB = 2**20


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with 8 MiB left."""
    monkeypatch.setattr(memory, "available_bytes", lambda: 8.0 * MIB)


def coins(columns: int, rows: int = 50) -> dw.Table:
    rng = np.random.default_rng(0)
    return dw.read({f"v{i:02}": rng.integers(0, 2, rows).tolist() for i in range(columns)})


def test_a_budget_never_exceeds_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 100.0)
    assert memory.budget() == 50
    assert memory.budget(70) == 70
    assert memory.budget(1000) == 100
    monkeypatch.setattr(memory, "available_bytes", lambda: float("inf"))
    assert memory.budget() == memory.USUAL_BYTES
    assert memory.budget(10**13) == 10**13


@pytest.mark.usefixtures("left")
def test_exact_search_with_a_score_without_bound() -> None:
    with pytest.raises(dw.CapacityError, match=r"more than 0\.00391 GiB; use max_parents="):
        dw.learn(coins(28), search=dw.Exact(), score=dw.LogLik())


@pytest.mark.usefixtures("left")
def test_ten_million_networks() -> None:
    with pytest.raises(
        dw.CapacityError, match=r"10,000,000 networks would take about .* ask for k=[\d,]+ or"
    ):
        dw.rivals(coins(8), 10**7)


def test_a_large_k_is_harmless_where_there_are_few_networks() -> None:
    assert len(dw.rivals(coins(3), 10**7)) == 25


@pytest.mark.usefixtures("left")
def test_a_credible_set_larger_than_memory() -> None:
    with pytest.raises(dw.CapacityError, match=r"networks are within .* for more with memory="):
        dw.credible_set(coins(6), bayes_factor=1e9, most=10**9, memory=20_000)


@pytest.mark.usefixtures("left")
def test_rivals_of_many_variables() -> None:
    with pytest.raises(dw.CapacityError, match=r"8 \* 2\^n bytes"):
        dw.rivals(coins(21), 2)


@pytest.mark.usefixtures("left")
def test_exact_posterior() -> None:
    with pytest.raises(dw.CapacityError, match=r"memory=0\.00391 GiB; .*PartitionMCMC"):
        dw.posterior(coins(18), method=dw.ExactPosterior())


@pytest.mark.usefixtures("left")
def test_a_fit_with_26_parents() -> None:
    table = coins(27)
    graph = dw.Dag(table.names, [(parent, table.names[0]) for parent in table.names[1:]])
    with pytest.raises(dw.CapacityError, match=r"are left; bound the number of parents"):
        dw.fit(graph, table)
