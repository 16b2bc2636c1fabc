"""Searches that go on where greedy ones end: tabu search on few variables, extended GES."""

from __future__ import annotations

import numpy as np
import pytest

import dagwright as dw
from dagwright.search.tabu import usual_tenure


def tangled(seed: int, n: int = 6, rows: int = 150) -> dw.Table:
    """Few rows of variables that depend on two others by parity: full of local maxima."""
    rng = np.random.default_rng(seed)
    columns = {f"v{at}": rng.integers(0, 2, rows) for at in range(2)}
    for at in range(2, n):
        one, other = rng.choice(at, size=2, replace=False)
        mixed = columns[f"v{one}"] ^ columns[f"v{other}"] if at % 2 else columns[f"v{one}"]
        columns[f"v{at}"] = np.where(rng.random(rows) < 0.8, mixed, rng.integers(0, 2, rows))
    return dw.read(columns)


def score_of(table: dw.Table, search: object) -> float:
    found = dw.learn(table, score=dw.AIC(), search=search)
    assert found.score is not None
    return found.score


def test_tabu_leaves_moves_on_few_variables() -> None:
    """With a tenure of 15 every pair of five variables is barred, and nothing is gained over climbing."""
    gained = {"usual": 0, "15": 0}
    for seed in range(30):
        table = tangled(seed, n=5)
        climbed = score_of(table, dw.HillClimb())
        for name, search in (("usual", dw.Tabu()), ("15", dw.Tabu(tenure=15))):
            score = score_of(table, search)
            assert score >= climbed - 1e-9
            gained[name] += score > climbed + 1e-6
    assert gained["usual"] > gained["15"]


@pytest.mark.parametrize("n", range(2, 30))
def test_the_usual_tenure_leaves_two_thirds_of_the_pairs(n: int) -> None:
    assert 0 <= usual_tenure(n) <= 15
    assert 3 * usual_tenure(n) <= n * (n - 1) // 2
    assert dw.Tabu(tenure=usual_tenure(n)) != dw.Tabu()


def test_the_extended_search_over_classes_escapes_where_the_phases_stop() -> None:
    phases = [score_of(tangled(seed), dw.GES(turning=True)) for seed in range(12)]
    extended = [score_of(tangled(seed), dw.GES(extended=True)) for seed in range(12)]
    best = [score_of(tangled(seed), dw.Exact()) for seed in range(12)]
    assert sum(extended) > sum(phases) + 1.0
    assert all(some <= most + 1e-9 for some, most in zip(extended, best, strict=True))


def test_the_extended_search_repeats_with_random_ties() -> None:
    table = tangled(3)
    search = dw.GES(extended=True, ties="random")
    first, again = (dw.learn(table, search=search, random_state=7) for _ in range(2))
    assert first.graph == again.graph
    assert first.trace == again.trace
    assert first.score == pytest.approx(dw.score(first).total, abs=1e-9)
