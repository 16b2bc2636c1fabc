"""Options and behavior of the searches that walk from DAG to DAG, and what tie outcomes refuse."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from ctrl_c import InterruptedScore
from dagwright import _core

ASIA = dw.read(dw.sample_path("asia"))


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        (dw.HillClimb, {"improvement": "worst"}, "improvement 'worst'"),
        (dw.HillClimb, {"start": "middle"}, "start 'middle'"),
        (dw.HillClimb, {"restarts": -1}, "restarts must be a whole number of at least 0"),
        (dw.HillClimb, {"perturbation": 3}, "give restarts too"),
        (dw.HillClimb, {"max_parents": 1.5}, "takes a whole number or None as max_parents, not 1.5"),
        (dw.Tabu, {"tenure": -1}, "tenure must be"),
        (dw.Tabu, {"patience": True}, "takes a whole number as patience, not True"),
        (dw.Annealing, {"steps": 0}, "steps must be"),
        (dw.Annealing, {"schedule": (1.0, 2.0)}, "hottest >= coldest > 0"),
        (dw.Annealing, {"schedule": (1.0,)}, "hottest >= coldest > 0"),
        (dw.GES, {"max_parents": -1}, "max_parents must be"),
    ],
)
def test_bad_options_are_named(method: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises((dw.OptionError, dw.UnknownNameError), match=message):
        method(**options)


def test_a_schedule_below_zero_is_refused() -> None:
    with pytest.raises(dw.OptionError, match="at step 9"):
        dw.learn(ASIA, search=dw.Annealing(steps=10, schedule=lambda part: 1.0 - 1.1 * part))


def test_one_start_at_a_time() -> None:
    with pytest.raises(dw.OptionError, match="both given"):
        dw.learn(ASIA, search=dw.HillClimb(start="tree"), start=dw.Dag(ASIA.names))


@pytest.mark.parametrize(
    "search",
    [
        dw.HillClimb(max_parents=1),
        dw.HillClimb(start="full", max_parents=1),
        dw.HillClimb(start="random", max_parents=1),
        dw.HillClimb(improvement="first", max_parents=1),
        dw.Tabu(max_parents=1),
        dw.Annealing(steps=500, max_parents=1),
        dw.GES(max_parents=1),
        dw.GES(turning=True, max_parents=1),
        dw.GES(extended=True, max_parents=1),
    ],
)
def test_max_parents_is_kept(search: Any) -> None:
    found = dw.learn(ASIA, search=search, score=dw.AIC())
    assert found.dag is not None
    assert max(len(found.dag.parents(node)) for node in ASIA.names) == 1


def test_a_tree_is_the_best_tree() -> None:
    found = dw.learn(ASIA, search=dw.HillClimb(start="tree", max_parents=1))
    grown = dw.learn(ASIA, search=dw.Annealing(max_parents=1))
    assert found.score >= grown.score - 1e-9


def test_annealing_at_temperature_zero_never_goes_down() -> None:
    found = dw.learn(ASIA, search=dw.Annealing(steps=3000, schedule=lambda part: 0.0))  # noqa: ARG005
    assert all(step.gain >= 0.0 for step in found.trace)
    hot = dw.learn(ASIA, search=dw.Annealing(steps=3000, schedule=lambda part: math.exp(9 * (1 - part))))
    assert any(step.gain < -1.0 for step in hot.trace)


@pytest.mark.parametrize(
    "search",
    [
        dw.HillClimb(),
        dw.HillClimb(improvement="first"),
        dw.HillClimb(restarts=2),
        dw.Tabu(),
        dw.Annealing(),
        dw.GES(),
        dw.GES(turning=True),
        dw.GES(extended=True),
        dw.OrderSearch(),
        dw.BOSS(),
        dw.K2(ASIA.names),
        dw.ThickThin(ASIA.names),
    ],
)
def test_an_interrupt_returns_the_best_graph_so_far(search: Any) -> None:
    found = dw.learn(ASIA, search=search, score=InterruptedScore(3))
    assert found.stopped == "cancelled"
    assert found.dag is not None
    assert found.score == pytest.approx(dw.score(found.dag, ASIA, dw.BIC()).total, abs=1e-8)
    assert any("interrupt" in warning for warning in found.warnings)


class SlowScore:
    """BIC through Python; each batch takes its time, so that progress is reported."""

    def on(self, table: dw.Table) -> SlowScore:
        self.bound = dw.BIC().on(table)
        return self

    def local(self, families: Any) -> list[float]:
        time.sleep(0.06)
        return self.bound.local(families)


def test_progress_is_told_the_best_score() -> None:
    told: list[dw.Event] = []
    found = dw.learn(ASIA, search=dw.GES(), score=SlowScore(), progress=told.append)
    assert {event.phase for event in told} <= {"scoring moves", "inserting", "deleting"}
    walked = [event for event in told if event.phase != "scoring moves"]
    assert walked[-1].best <= found.score + 1e-6
    assert [event.done for event in walked] == sorted(event.done for event in walked)


def test_tie_outcomes_obey_knowledge_and_have_a_limit() -> None:
    rows = {"a": [0, 0, 1, 1] * 10, "b": [0, 0, 1, 1] * 10}
    known = dw.Knowledge(forbidden=["a -> b"])
    assert [o.graph.edges for o in dw.search.greedy_tie_outcomes(rows, knowledge=known)] == [(("b", "a"),)]
    with pytest.raises(dw.CapacityError, match="exceed max_graphs; use fewer columns"):
        dw.search.greedy_tie_outcomes(rows, max_graphs=2)


def test_the_spanning_forest_of_a_matrix() -> None:
    weights = np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 2.0], [1.0, 2.0, 0.0]])
    assert _core.maximum_spanning_forest(weights) == [(0, 1), (1, 2)]
    assert _core.maximum_spanning_forest(weights, 2.5) == [(0, 1)]
    with pytest.raises(ValueError, match="square"):
        _core.maximum_spanning_forest(np.zeros((2, 3)))


def test_tie_outcomes_with_missing_values() -> None:
    gaps = {"a": [0, 0, 1, 1] * 10 + [None], "b": [0, 0, 1, 1] * 10 + [0]}
    whole = {name: column[:-1] for name, column in gaps.items()}
    assert dw.search.greedy_tie_outcomes(gaps, missing="drop") == dw.search.greedy_tie_outcomes(whole)
    gaps["a"] = [None] * 5 + gaps["a"][5:]
    with pytest.raises(dw.MissingValuesError, match="missing='drop'"):
        dw.search.greedy_tie_outcomes(gaps)
