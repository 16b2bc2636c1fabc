"""Events: what is shown as a score is one, and a total is the end of its phase."""

from __future__ import annotations

import io
import math
import re
import time
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import dagwright as dw
from dagwright.cli import output
from dagwright.methods.registry import entries
from dagwright.search.events import UNITS, native_event

ROOT = Path(__file__).parents[3]
ASIA = dw.read("sample:asia").take(range(500))


class AskedInPython:
    """G2 behind a door of Python, so that searches ask it batch by batch and report each."""

    def on(self, table: dw.Table) -> AskedInPython:
        self.bound = dw.GSquare().on(table)
        return self

    def test(self, queries: Any) -> Any:
        return self.bound.test(queries)


TESTED = [entry.name for entry in entries("search") if entry.method.decides_by == "test"]


@pytest.mark.parametrize("name", TESTED)
def test_searches_by_tests_count_tests_or_variables_and_have_no_score(name: str) -> None:
    told: list[dw.Event] = []
    search = getattr(dw, name)
    dw.learn(ASIA, search=search(test=AskedInPython()), progress=told.append, threads=1)
    assert told
    for event in told:
        assert event.best is None
        assert event.unit in ("tests", "pairs", "variables")
        assert event.total is None or 0 <= event.done <= event.total
    if name in ("IAMB", "MMPC"):
        assert told[-1].total == len(ASIA.names)


def test_resampling_tells_of_replicates_and_their_error() -> None:
    told: list[dw.Event] = []
    dw.bootstrap(ASIA, search=dw.HillClimb(), replicates=5, progress=told.append, threads=1)
    assert [(event.done, event.total, event.unit) for event in told] == [
        (done, 5, "replicates") for done in range(1, 6)
    ]
    assert all(event.best is None and event.error is not None for event in told)


def test_events_are_values() -> None:
    event = dw.Event("scoring", 3, total=8, unit="variables", best=-10.0)
    assert (event.phase, event.done, event.total, event.unit, event.best) == (
        "scoring",
        3,
        8,
        "variables",
        -10.0,
    )
    assert event.bound is None
    with pytest.raises(AttributeError):
        event.done = 4  # type: ignore[misc]


def test_every_phase_of_the_core_says_what_it_counts() -> None:
    """The table of units has the phases of the core, and no others."""
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "core" / "src").rglob("*.cpp")]
    phases = {phase for text in sources for phase in re.findall(r'report\(\s*"([^"]+)"', text)}
    assert set(UNITS) - {"features of networks"} <= phases
    assert phases - set(UNITS) == {"tabu search", "annealing", "hill climbing"}  # which count steps


def test_the_core_gives_scores_or_nothing() -> None:
    assert native_event("skeleton", 5, math.nan) == dw.Event("skeleton", 5, unit="tests")
    assert native_event("hill climbing", 5, -3.0).best == -3.0
    assert native_event("listing networks", 0, -math.inf).best is None


def test_scoring_for_proofs_has_totals_and_bounds() -> None:
    class Slow:
        def on(self, table: dw.Table) -> Slow:
            self.bound = dw.BIC().on(table)
            return self

        def local(self, families: Any) -> list[float]:
            time.sleep(0.06)
            return self.bound.local(families)

    told: list[dw.Event] = []
    small = ASIA.select(["smoke", "lung", "bronc", "dysp"])
    found = dw.learn(small, score=Slow(), search=dw.Exact(), progress=told.append, threads=1)
    scoring = [event for event in told if event.phase == "scoring parent sets"]
    assert scoring
    assert all(event.total == 4 and event.best <= found.score + 1e-9 for event in scoring)
    assert all(event.bound is None or event.bound >= found.score - 1e-9 for event in scoring)


def test_the_command_line_shows_a_bar_with_its_total(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()

    def terminal(**_: Any) -> Console:
        return Console(file=screen, force_terminal=True, width=120, no_color=True)

    monkeypatch.setattr(output, "Console", terminal)
    with output.progress_line(True) as show:
        assert show is not None
        show(dw.Event("local discovery", 4, total=8, unit="variables"))
        show(dw.Event("local discovery", 8, total=8, unit="variables", best=-12.5))
    shown = screen.getvalue()
    assert "local discovery: 8 of 8 variables, score -12.500" in shown
    assert "━━━━" in shown


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (dw.Event("skeleton", 1200, unit="tests"), "skeleton: 1,200 tests"),
        (
            dw.Event("scoring parent sets", 3, total=8, unit="variables", best=-10.0, bound=-9.5),
            "scoring parent sets: 3 of 8 variables, score -10.000, gap at most 0.5",
        ),
        (
            dw.Event("resampling", 5, total=200, unit="replicates", error=0.05),
            "resampling: 5 of 200 replicates, largest standard error 0.05",
        ),
    ],
)
def test_events_in_words(event: dw.Event, words: str) -> None:
    assert output.event_in_words(event) == words
