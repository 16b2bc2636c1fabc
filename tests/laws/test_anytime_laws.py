"""Stopped after 2k evaluations, the default is no worse than hill climbing, GES and order search after k."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

import dagwright as dw
from dagwright.evidence.protocols import Family
from dagwright.search import auto

STOPS = (100, 300, 1_000, 3_000, 10_000, 30_000)


class Counted:
    """BIC of a table that asks to stop when so many families were scored: a clock that counts work."""

    def __init__(self, table: dw.Table, stop: int) -> None:
        self.bound = dw.BIC().on(table)
        self.left = stop
        self.token = dw.CancelToken()

    def local(self, families: Sequence[Family]) -> list[float]:
        self.left -= len(families)
        if self.left <= 0:
            self.token.cancel()
        return self.bound.local(families)


def score_after(table: dw.Table, search: object, stop: int) -> float:
    score = Counted(table, stop)
    found = dw.learn(table, score=score, search=search, cancel=score.token, threads=1)
    assert found.score is not None
    return found.score


@pytest.mark.parametrize("case", ["asia", "sachs", "child", "random 10", "random 14"])
def test_the_default_is_no_worse_after_twice_the_work(case: str) -> None:
    if case.startswith("random"):
        n = int(case.split()[1])
        rng = np.random.default_rng(n)
        columns = {"v0": rng.integers(0, 2, 400)}
        for at in range(1, n):
            chosen = rng.choice(at, size=min(at, 2), replace=False)
            mixed = sum(columns[f"v{k}"] for k in chosen)
            columns[f"v{at}"] = np.where(rng.random(400) < 0.85, mixed % 2, rng.integers(0, 3, 400))
        table = dw.read(columns)
    else:
        table = dw.load(case).sample(500, random_state=1)
    per_variable = max(2_000, 5 * len(table.names))  # what Auto allows a score that is written in Python
    for stop in STOPS:
        alone = {
            str(search): score_after(table, search, stop)
            for search in (dw.HillClimb(), dw.GES(), dw.OrderSearch(evaluations=per_variable))
        }
        whole = score_after(table, dw.Auto(), 2 * stop)
        assert whole >= max(alone.values()) - 1e-6, (stop, alone)
    assert math.isfinite(whole)


def test_order_search_comes_first_and_is_kept_while_the_proof_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped in a proof that counts as long, the answer is that of order search, with its gap."""
    monkeypatch.setattr(auto, "A_MOMENT", 0.0)
    monkeypatch.setattr(auto, "QUICK_PROOF", 0.0)
    rng = np.random.default_rng(2)
    rows = 3_000
    columns = {f"v{at}": rng.integers(0, 2, rows) for at in range(4)}
    for at in range(4, 16):
        parents = rng.choice(at, size=3, replace=False)
        noise = (rng.random(rows) < 0.15).astype(int)
        columns[f"v{at}"] = (sum(columns[f"v{k}"] for k in parents) + noise) % 2
    table = dw.read(columns)
    token, events = dw.CancelToken(), []

    def stop_in_proof(event: dw.Event) -> None:
        events.append(event)
        if event.phase == "counting all sets of variables":
            token.cancel()

    found = dw.learn(table, score=dw.BIC(), progress=stop_in_proof, cancel=token, threads=1)
    alone = dw.learn(table, score=dw.BIC(), search=dw.OrderSearch(), threads=1)
    assert "order search" in {event.phase for event in events}
    assert found.stopped == "cancelled"
    assert found.score == pytest.approx(alone.score, abs=1e-6)
    assert found.gap is not None
    assert found.gap >= 0
    assert events[-1].phase == "counting all sets of variables"
    assert events[-1].best == pytest.approx(found.score, abs=1e-6)


def test_parent_lists_that_were_cut_off_are_a_warning() -> None:
    table = dw.load("child").sample(300, random_state=1)
    short = dw.learn(table, score=dw.BDeu(1), search=dw.OrderSearch(evaluations=40, perturbations=10))
    assert short.notes["parent lists complete"] is False
    assert any("not all parent sets that can matter were scored" in warning for warning in short.warnings)
    whole = dw.learn(dw.read("sample:asia"), search=dw.OrderSearch(perturbations=10))
    assert whole.notes["parent lists complete"] is True
    assert whole.warnings == ()
