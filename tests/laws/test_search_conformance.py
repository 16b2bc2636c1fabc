"""What is promised of every search, run over the registry and over the variants of those with options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.methods.registry import entries
from dagwright.search.control import Control
from dagwright.search.problem import Found, Problem
from dagwright.testing import (
    check_search_gives_the_same_answer,
    check_search_obeys_knowledge,
    check_search_reports_its_score,
    check_search_stops_when_asked,
)

ASIA = dw.read(dw.sample_path("asia"))
VARIANTS = [
    dw.HillClimb(improvement="first"),
    dw.HillClimb(start="full"),
    dw.HillClimb(start="random"),
    dw.HillClimb(start="tree"),
    dw.HillClimb(restarts=3),
    dw.HillClimb(restarts=3, perturbation=4, max_parents=3),
    dw.Tabu(tenure=4, patience=25),
    dw.Annealing(steps=2000, schedule=lambda part: 50.0 * (1.0 - part)),
    dw.GES(turning=True),
    dw.GES(extended=True),
    dw.GES(max_parents=2),
]
# What is promised does not depend on how many replicates there are.
SHORT: dict[str, dict[str, Any]] = {"Averaged": {"replicates": 5}}
REGISTERED = [entry.method(**SHORT.get(entry.name, {})) for entry in entries("search") if not entry.needs]


@pytest.mark.parametrize("search", [*REGISTERED, *VARIANTS])
def test_the_same_class_whatever_the_order_names_and_threads(search: Any) -> None:
    check_search_gives_the_same_answer(search, ASIA)


# Those that choose their own start take no other.
@pytest.mark.parametrize(
    "search", [s for s in [*REGISTERED, *VARIANTS] if getattr(s, "start", "empty") == "empty"]
)
def test_the_score_is_that_of_the_graph_and_not_below_the_start(search: Any) -> None:
    check_search_reports_its_score(search, ASIA)
    check_search_reports_its_score(search, ASIA, score=dw.BDeu(ess=5))


@pytest.mark.parametrize("search", [*REGISTERED, *VARIANTS])
def test_stops_when_asked(search: Any) -> None:
    check_search_stops_when_asked(search, ASIA)


@pytest.mark.parametrize("search", VARIANTS)
def test_variants_obey_knowledge(search: Any) -> None:
    check_search_obeys_knowledge(search, cases=60)


@dataclass(frozen=True)
class FirstColumnFirst:
    """Joins the first two columns by name: neither names nor scores are what they should be."""

    def run(self, problem: Problem, control: Control) -> Found:  # noqa: ARG002
        first, second = sorted(problem.names)[:2]
        return Found(dw.Dag(problem.names, [(first, second)]), score=1.0)


def test_the_checks_catch_what_they_are_for() -> None:
    with pytest.raises(AssertionError, match="another class"):
        check_search_gives_the_same_answer(FirstColumnFirst(), ASIA)
    with pytest.raises(AssertionError, match=r"says 1\.0"):
        check_search_reports_its_score(FirstColumnFirst(), ASIA)
    with pytest.raises(AssertionError, match="did not say"):
        check_search_stops_when_asked(FirstColumnFirst(), ASIA)


def test_a_trace_leads_from_the_start_to_the_answer() -> None:
    for search in (
        dw.HillClimb(),
        dw.HillClimb(improvement="first"),
        dw.Tabu(tenure=3, patience=30),
        dw.Annealing(),
    ):
        found = dw.learn(ASIA, search=search)
        arcs: set[tuple[str, str]] = set()
        for step in found.trace:
            arc = (step.start, step.end)
            if step.move == "add":
                arcs.add(arc)
            else:
                arcs.remove(arc)
                arcs |= {arc[::-1]} if step.move == "reverse" else set()
        assert arcs == set(found.dag.edges)
        start = dw.score(dw.Dag(ASIA.names), ASIA).total
        assert start + sum(step.gain for step in found.trace) == pytest.approx(found.score, abs=1e-6)


def random_table(seed: int) -> dw.Table:
    rng = np.random.default_rng(seed)
    columns: dict[str, list[int]] = {}
    for at in range(7):
        source = sum(
            (np.asarray(columns[f"x{p}"]) for p in range(at) if rng.random() < 0.4), np.zeros(200, dtype=int)
        )
        noise = rng.integers(0, 3, 200)
        columns[f"x{at}"] = [int(v) for v in np.where(rng.random(200) < 0.6, source % 3, noise)]
    return dw.read(columns)


@pytest.mark.parametrize("seed", range(12))
def test_tabu_and_restarts_are_never_below_hill_climbing(seed: int) -> None:
    data = random_table(seed)
    climbed = dw.learn(data, search=dw.HillClimb()).score
    for search in (dw.Tabu(), dw.HillClimb(restarts=4), dw.HillClimb(restarts=4, perturbation=3)):
        assert dw.learn(data, search=search, random_state=seed).score >= climbed - 1e-9


def test_tabu_really_goes_downhill_and_comes_back_higher() -> None:
    downhill = [
        step
        for seed in range(30)
        for step in dw.learn(random_table(seed), search=dw.Tabu(tenure=5, patience=30)).trace
        if step.gain < -1e-6
    ]
    assert downhill


def test_the_seed_decides_random_searches() -> None:
    data = random_table(3)
    for search in (dw.HillClimb(improvement="first"), dw.Annealing(steps=300), dw.HillClimb(start="random")):
        traces = [dw.learn(data, search=search, random_state=seed).trace for seed in (1, 1, 2)]
        assert traces[0] == traces[1] != traces[2]
