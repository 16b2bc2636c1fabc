from __future__ import annotations

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import UnknownNameError
from dagwright.search import best_of_sets


def some_sets(n: int = 12) -> dw.CandidateSets:
    rng = np.random.default_rng(4)
    columns: dict[str, np.ndarray] = {}
    for at in range(n):
        source = sum((columns[f"x{p}"] for p in range(at) if rng.random() < 0.4), np.zeros(150, int))
        columns[f"x{at}"] = np.where(rng.random(150) < 0.75, source % 2, rng.integers(0, 2, 150))
    return dw.candidates(dw.read(columns), score=dw.AIC())


def test_all_methods_find_the_same_score_and_say_how() -> None:
    sets = some_sets()
    found = {method: dw.solve(sets, method=method) for method in ("auto", "dp", "astar", "ilp")}
    assert all(one.optimal for one in found.values())
    assert all(one.gap == 0.0 for one in found.values())
    best = found["dp"].score
    assert all(one.score == pytest.approx(best, abs=1e-6) for one in found.values())
    assert found["ilp"].method.startswith("branch and cut")
    assert "cutting planes" in found["ilp"].notes
    assert found["dp"].notes["sets of variables visited"] > 0
    for one in found.values():
        assert one.score == pytest.approx(float(np.sum(sets.scores[list(one.chosen)])))
        assert one.graph == sets.dag(one.chosen)


def test_what_a_star_leaves_open_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = some_sets()
    monkeypatch.setattr("dagwright.search.solving.QUICK_SUBSETS", 3)
    found = dw.solve(sets, memory=128)  # two sets of variables
    assert found.optimal
    assert found.method.startswith("branch and cut")
    monkeypatch.setattr(best_of_sets, "_branch_and_cut", lambda memory: None)  # noqa: ARG005
    alone = dw.solve(sets, memory=128)
    assert alone.out_of_memory
    assert alone.bound >= found.score - 1e-6
    assert "memory" in alone.notes


def test_stopped_at_once_there_is_a_network_with_a_gap() -> None:
    sets = some_sets()
    best = dw.solve(sets)
    for method in ("dp", "astar", "ilp"):
        found = dw.solve(sets, method=method, time_limit=0.0)
        assert found.stopped == "deadline"
        assert not found.optimal
        assert found.score + found.gap >= best.score - 1e-6


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown method 'magic'; known: 'auto', 'dp', 'astar', 'ilp'"):
        dw.solve(some_sets(), method="magic")  # type: ignore[arg-type]
