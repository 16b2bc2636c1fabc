"""Stopped after 2k evaluations, the default is no worse than hill climbing, GES and order search after k."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import pytest

import dagwright as dw
from dagwright.evidence.protocols import Family, Named, SetFit
from dagwright.search import auto

STOPS = (100, 300, 1_000, 3_000, 10_000, 30_000)


class CountedFamilies:
    """BIC of a table that asks to stop when so many families were scored: a clock that counts work."""

    def __init__(self, table: dw.Table, stop: int) -> None:
        self.bound = dw.BIC().on(table)
        self.left = stop
        self.token = dw.CancelToken()
        self.score = self

    def local(self, families: Sequence[Family]) -> list[float]:
        self.left -= len(families)
        if self.left <= 0:
            self.token.cancel()
        return self.bound.local(families)


class CountedSets:
    """The same for a measure, which is asked for each set once: the searches of the default share a memo."""

    known: ClassVar[dict[tuple[dw.Table, frozenset[str]], SetFit]] = {}

    def __init__(self, table: dw.Table, stop: int) -> None:
        self.table, self.names, self.N = table, table.names, float(table.n_rows)
        self.left = stop
        self.token = dw.CancelToken()
        self.score = dw.BIC(measure=self)

    def on(self, data: Named) -> CountedSets:
        """With the columns in the order of ``data``."""
        self.names = data.names
        return self

    @property
    def cardinalities(self) -> list[int]:
        return [len(self.table.states_of(name)) for name in self.names]

    def evidence(self, sets: Sequence[frozenset[int]], rows: object = None) -> list[SetFit]:
        assert rows is None
        self.left -= len(sets)
        if self.left <= 0:
            self.token.cancel()
        return [self.fit(frozenset(self.names[at] for at in members)) for members in sets]

    def fit(self, members: frozenset[str]) -> SetFit:
        key = self.table, members
        if key not in self.known:
            cells = np.zeros(self.table.n_rows, dtype=np.int64)
            for name in sorted(members):
                numbered = cells * len(self.table.states_of(name)) + self.table.codes(name)
                cells = np.unique(numbered, return_inverse=True)[1]
            n = np.bincount(cells)
            dim = math.prod(len(self.table.states_of(name)) for name in members)
            self.known[key] = SetFit(float((n * np.log(n)).sum()), float(dim))
        return self.known[key]


Clock = type[CountedFamilies] | type[CountedSets]


def score_after(clock: Clock, table: dw.Table, search: object, stop: int) -> float:
    counted = clock(table, stop)
    found = dw.learn(table, score=counted.score, search=search, cancel=counted.token, threads=1)
    assert found.score is not None
    return found.score


def drawn(n: int) -> dw.Table:
    rng = np.random.default_rng(n)
    columns = {"v0": rng.integers(0, 2, 400)}
    for at in range(1, n):
        chosen = rng.choice(at, size=min(at, 2), replace=False)
        mixed = sum(columns[f"v{k}"] for k in chosen)
        columns[f"v{at}"] = np.where(rng.random(400) < 0.85, mixed % 2, rng.integers(0, 3, 400))
    return dw.read(columns)


@pytest.mark.parametrize("clock", [CountedFamilies, CountedSets])
@pytest.mark.parametrize(
    "case", ["asia 500", "sachs 500", "child 5000", "insurance 500", "random 10", "random 14"]
)
def test_the_default_is_no_worse_after_twice_the_work(case: str, clock: Clock) -> None:
    network, number = case.split()
    table = (
        drawn(int(number)) if network == "random" else dw.load(network).sample(int(number), random_state=1)
    )
    per_variable = max(2_000, 5 * len(table.names))  # what Auto allows a score that is written in Python
    for stop in STOPS:
        alone = {
            str(search): score_after(clock, table, search, stop)
            for search in (dw.HillClimb(), dw.GES(), dw.OrderSearch(evaluations=per_variable))
        }
        whole = score_after(clock, table, dw.Auto(), 2 * stop)
        assert whole >= max(alone.values()) - 1e-6, (stop, alone)
    assert math.isfinite(whole)


def test_watchers_and_an_interrupted_run_see_the_best_network_so_far() -> None:
    """Every event names the best score of all searches so far, and the answer has it."""

    class Watcher:
        def __init__(self, stop: str) -> None:
            self.stop, self.token = stop, dw.CancelToken()
            self.best, self.shown, self.phases = -math.inf, -math.inf, set[str]()

        def __call__(self, event: dw.Event) -> None:
            assert event.best is None or event.best >= self.best - 1e-6, event
            assert event.best is not None or self.best == -math.inf, event
            self.best = self.best if event.best is None else event.best
            self.phases.add(event.phase)
            if event.phase == self.stop:
                self.token.cancel()

        def best_graph(self, dag: dw.Dag, score: float) -> None:
            assert score > self.shown
            assert score == pytest.approx(dw.score(dag, table, score=dw.BIC()).total, abs=1e-6)
            self.shown = score

    table = dw.load("child").sample(20_000, random_state=1)
    ges = dw.learn(table, score=dw.BIC(), search=dw.GES(), threads=1).score
    for stop in ("order search", "scoring parent sets", "walking through parent sets"):
        watcher = Watcher(stop)
        found = dw.learn(table, score=dw.BIC(), progress=watcher, cancel=watcher.token, threads=1)
        assert found.stopped == "cancelled", watcher.phases
        assert found.score == pytest.approx(watcher.best, abs=1e-6)
        assert found.score >= ges - 1e-6
    # Exact search keeps and shows its first network too, before any parent set was scored.
    watcher = Watcher("walking through parent sets")
    found = dw.learn(
        table, score=dw.BIC(), search=dw.Exact(), progress=watcher, cancel=watcher.token, threads=1
    )
    assert found.score == pytest.approx(watcher.best, abs=1e-6)
    assert "network found" in watcher.phases


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
