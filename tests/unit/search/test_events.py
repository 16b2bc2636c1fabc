"""Events: what is shown as a score is one, and a total is the end of its phase."""

from __future__ import annotations

import io
import re
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import dagwright as dw
from dagwright.cli import output
from dagwright.methods.registry import entries
from dagwright.search import control

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


UNITS = {
    "A*": "sets of variables",
    "annealing": "proposals",
    "best order": "moves",
    "best-first by number of arcs": "expansions",
    "branching": "nodes",
    "choosing candidates": "variables",
    "choosing parent sets": "variables",
    "climbing orders": "orders",
    "counting all sets of variables": "sets",
    "cutting planes": "rounds",
    "decomposable": "steps",
    "deleting": "steps",
    "dynamic programming": "sets of variables",
    "earlier steps": "tests",
    "explaining edges": "tests",
    "extended search": "steps",
    "features of networks": "networks",
    "greedy parents": "arcs",
    "hill climbing": "steps",
    "inserting": "steps",
    "edges put back": "pairs",
    "listing networks": "networks",
    "local discovery": "variables",
    "local tests": "tests",
    "measuring all sets of variables": "sets",
    "network found": "networks",
    "order search": "rounds",
    "possible d-sep": "pairs",
    "resampling": "replicates",
    "scoring families": "families",
    "scoring moves": "pairs",
    "scoring parent sets": "variables",
    "scoring pairs": "variables",
    "ranking parents": "variables",
    "skeleton": "pairs",
    "skeleton in order": "tests",
    "solving pieces": "pieces",
    "structural EM": "rounds",
    "summing over networks": "steps",
    "tabu search": "steps",
    "testing edges": "tests",
    "thickening and thinning": "variables",
    "triangles": "pairs",
    "turning": "steps",
    "walking through parent sets": "parent sets",
    "weighing edges": "pairs",
}
"""What each phase counts."""
OPTIONS = {
    "order": sorted(ASIA.names),
    "target": "dysp",
    "by": dw.MMPC(),
}
SHORT: dict[str, dict[str, Any]] = {"Averaged": {"replicates": 3}}
SEARCHES = [
    entry.method(**SHORT.get(entry.name, {}), **{name: OPTIONS[name] for name in entry.needs})
    for entry in entries("search")
]
SEARCHES += [
    dw.HillClimb(restarts=3),
    dw.GES(extended=True),
    dw.GES(turning=True),
    dw.Exact(method="astar"),
    dw.Exact(method="dp"),
    dw.Exact(method="ilp"),
    dw.PC(order=sorted(ASIA.names)),
]


@pytest.mark.parametrize("search", SEARCHES, ids=repr)
def test_every_search_tells_how_far_it_is(search: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each phase counts what it should, up to its total and never back, and only scores are scores."""
    monkeypatch.setattr(control, "INTERVAL", 0.0)
    told: list[dw.Event] = []
    found = dw.learn(ASIA, search=search, progress=told.append, threads=1)
    assert told
    # An average has a lower score than the best network that was seen on the way.
    whole = dw.learn(ASIA, search=search.search) if isinstance(search, dw.Averaged) else found
    check_events(told, whole, dw.score(dw.Dag(ASIA.names), ASIA).total)


def check_events(told: list[dw.Event], found: dw.Learned, empty: float) -> None:
    for event in told:
        phase = event.phase.split(": ")[-1].split(", sets of ")[0]
        assert event.unit == UNITS[phase], event
        assert event.done >= 0
        assert event.total is None or event.done <= event.total, event
        if event.best is not None:
            most = 0.0 if found.score is None else found.score + 1e-6
            assert 2 * empty < event.best <= most, event
    for before, after in pairwise(told):
        assert before.phase != after.phase or before.done <= after.done, (before, after)


def test_structural_em_shows_the_score_of_the_observed_cells_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "INTERVAL", 0.0)
    gaps = {"a": [0, 0, 1, 1, None] * 40, "b": [0, 0, 1, None, 1] * 40, "c": [0, 1] * 100}
    told: list[dw.Event] = []
    found = dw.learn(gaps, search=dw.StructuralEM(), progress=told.append, threads=1)
    assert any(event.phase == "completed rows: inserting" for event in told)
    assert all(event.best is None for event in told if event.phase.startswith("completed rows"))
    check_events(told, found, -1000.0)


def test_every_phase_of_the_core_is_known() -> None:
    """The table above has each phase that the core names."""
    core = ROOT / "core" / "src"
    texts = [path.read_text(encoding="utf-8") for path in core.rglob("*.cpp")]
    named = {phase for text in texts for phase in re.findall(r'\.phase = "([^"]+)"', text)}
    assert len(named) > 15
    assert named <= set(UNITS)


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
        (dw.Event("testing edges", 1200, unit="tests"), "testing edges: 1,200 tests"),
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
