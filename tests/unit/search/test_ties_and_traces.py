"""Ties broken at random by the seed, and the way of searches that do not walk by single arcs."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import dagwright as dw
from dagwright.show.charts import trace_chart

TIED = {"a": [0, 1] * 20, "b": [0, 1] * 20, "c": [0, 1] * 20}
"""Three copies of one column: every tree over them scores the same."""
SEARCHES = [dw.HillClimb, dw.Tabu, dw.GES]


def edges(found: dw.Learned) -> frozenset[frozenset[str]]:
    assert found.dag is not None
    return frozenset(frozenset(arc) for arc in found.dag.edges)


@pytest.mark.parametrize("search", SEARCHES)
def test_random_ties_reach_what_the_canonical_choice_does_not(search: Any) -> None:
    fixed = {edges(dw.learn(TIED, score=dw.BIC(), search=search(), random_state=seed)) for seed in range(12)}
    assert len(fixed) == 1
    runs = [
        dw.learn(TIED, score=dw.BIC(), search=search(ties="random"), random_state=seed) for seed in range(40)
    ]
    assert {edges(found) for found in runs} == {
        frozenset(map(frozenset, pair))
        for pair in itertools.combinations([("a", "b"), ("a", "c"), ("b", "c")], 2)
    }
    assert max(abs(found.score - runs[0].score) for found in runs) < 1e-9
    again = [
        dw.learn(TIED, score=dw.BIC(), search=search(ties="random"), random_state=seed) for seed in range(40)
    ]
    assert [found.dag for found in again] == [found.dag for found in runs]


@pytest.mark.parametrize("search", SEARCHES)
def test_every_tied_outcome_is_about_as_frequent(search: Any) -> None:
    runs = [
        edges(dw.learn(TIED, score=dw.BIC(), search=search(ties="random"), random_state=seed))
        for seed in range(300)
    ]
    assert min(runs.count(one) for one in set(runs)) > 60  # 100 expected of each of three


@pytest.mark.parametrize("search", SEARCHES)
def test_without_ties_chance_changes_nothing(search: Any) -> None:
    data = dw.read("sample:asia").take(range(500)).select(["smoke", "lung", "bronc", "dysp"])
    chance = dw.learn(data, search=search(ties="random"), random_state=3)
    assert chance.score == pytest.approx(dw.learn(data, search=search()).score)


@pytest.mark.parametrize("search", SEARCHES)
def test_other_ways_to_break_ties_are_refused(search: Any) -> None:
    with pytest.raises(dw.UnknownNameError, match="did you mean 'random'"):
        search(ties="randon")


@pytest.mark.parametrize("search", [dw.BOSS(), dw.BOSS(restarts=2), dw.OrderSearch(), dw.MdlSearch()])
def test_running_scores_end_at_the_score(search: Any) -> None:
    found = dw.learn("sample:asia", search=search)
    running = found.notes["running scores"]
    assert len(running) > 1
    best = max(step["score"] for step in running)
    assert found.score == pytest.approx(best, abs=1e-6)
    if not isinstance(search, dw.BOSS):
        scores = [step["score"] for step in running]
        assert scores == sorted(scores)
    assert trace_chart(found).scene.label


def test_boss_names_what_it_moves_and_every_move_gains() -> None:
    found = dw.learn("sample:asia", search=dw.BOSS())
    running = found.notes["running scores"]
    assert running[0]["phase"] == "start"
    moves = [step for step in running if step["phase"] == "best order"]
    assert len(moves) == found.notes["moves of variables"]
    assert all(step["variable"] in found.graph.nodes and 0 <= step["position"] < 8 for step in moves)
    scores = [step["score"] for step in running]
    assert all(after > before for before, after in itertools.pairwise(scores))
    deleted = [step for step in running if step["phase"] == "deleting"]
    assert len(deleted) == found.notes["arcs deleted at the end"]


def test_running_scores_are_the_same_for_any_number_of_threads(tmp_path: Any) -> None:
    for search in (dw.BOSS(), dw.OrderSearch(perturbations=50), dw.MdlSearch()):
        one, two = (dw.learn("sample:asia", search=search, threads=threads) for threads in (1, 2))
        assert one.notes["running scores"] == two.notes["running scores"]
        one.save(tmp_path / "found.json")
        assert dw.load(tmp_path / "found.json").notes["running scores"] == one.notes["running scores"]
