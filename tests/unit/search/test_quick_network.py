"""The network that the default search begins with, and keeps unless a longer search finds a better one."""

from __future__ import annotations

from dataclasses import replace

import pytest

import dagwright as dw
from dagwright.search import quick_network
from dagwright.search.control import Control
from dagwright.search.pipeline import problem_of
from dagwright.search.problem import Problem
from dagwright.search.quick_network import QuickNetwork
from dagwright.search.study import requested


@pytest.fixture(scope="module")
def problem() -> Problem:
    table = dw.load("child").sample(5_000, random_state=1)
    return problem_of(requested(None, score=dw.BIC()), table, Control())[0]


def test_it_is_the_better_of_hill_climbing_and_ges(problem: Problem) -> None:
    climbed = dw.HillClimb().run(problem, Control())
    ges = dw.GES().run(problem, Control())
    quick = QuickNetwork.of(problem, Control(), 10**6, None)
    assert quick.climbed == climbed.graph
    assert ges.score > climbed.score
    assert quick.score == pytest.approx(ges.score, abs=1e-9)
    assert problem.score.total(quick.dag) == pytest.approx(quick.score, abs=1e-6)
    assert quick.evaluations == climbed.evaluations + ges.evaluations


@pytest.mark.parametrize("families", [0, 400])
def test_without_the_families_that_ges_needs_it_is_hill_climbing(problem: Problem, families: int) -> None:
    quick = QuickNetwork.of(problem, Control(), families, None)
    assert quick.dag == quick.climbed
    assert isinstance(quick.search, dw.HillClimb)


def test_classes_that_are_too_dense_for_ges_leave_hill_climbing(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise dw.CapacityError("too many ways")

    monkeypatch.setattr(quick_network.GES, "run", refuse)
    assert isinstance(QuickNetwork.of(problem, Control(), 10**6, None).search, dw.HillClimb)


def test_a_longer_search_keeps_its_answer_unless_this_one_scores_more(problem: Problem) -> None:
    quick = QuickNetwork.of(problem, Control(), 10**6, None)
    longer = dw.HillClimb().run(problem, Control())
    kept = quick.or_better(replace(longer, gap=100.0), 1e-6)
    assert kept.graph == quick.dag
    assert kept.score == quick.score
    assert kept.gap == pytest.approx(100.0 - (quick.score - longer.score))
    assert str(kept.notes["best network from"]).startswith("GES(")
    assert kept.evaluations == quick.evaluations + longer.evaluations
    better = replace(longer, score=quick.score + 1.0)
    assert quick.or_better(better, 1e-6).graph == longer.graph
    proven = replace(longer, optimal=True)
    assert quick.or_better(proven, 1e-6).graph == longer.graph
