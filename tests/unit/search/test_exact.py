from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from ctrl_c import InterruptedScore
from dagwright.errors import CapacityError, OptionError, UnknownNameError
from dagwright.methods.registry import entries
from dagwright.testing import knowledge_cases


def random_table(seed: int, n: int, rows: int = 60) -> dw.Table:
    rng = np.random.default_rng(seed)
    columns: dict[str, list[int]] = {}
    for at in range(n):
        source = sum(
            (np.asarray(columns[f"x{p}"]) for p in range(at) if rng.random() < 0.4), np.zeros(rows, int)
        )
        states = int(rng.integers(2, 4))
        noise = rng.integers(0, states, rows)
        columns[f"x{at}"] = [int(v) for v in np.where(rng.random(rows) < 0.7, source % states, noise)]
    return dw.read(columns)


SCORES = [entry.method() for entry in entries("score") if not entry.needs and entry.name != "Euclidean"] + [
    dw.BDeu(20),
    dw.DirichletScore(0.5),
    dw.Penalized(math.sqrt),
]


@pytest.mark.parametrize("spec", SCORES, ids=repr)
def test_every_method_finds_the_best_of_all_networks(spec: Any) -> None:
    for seed in range(3):
        table = random_table(seed, 5)
        best = dw.search.enumerate_networks(table, score=spec)
        assert best.count == 29_281
        for method in ("auto", "dp", "astar", "exhaustive"):
            found = dw.learn(table, score=spec, search=dw.Exact(method=method))
            assert found.optimal
            assert found.gap == 0.0
            assert found.score == pytest.approx(best.score, abs=1e-9)
            assert dw.score(found.dag, table, spec).total == pytest.approx(best.score, abs=1e-9)


@pytest.mark.parametrize("n", [7, 13, 15])
def test_dynamic_programming_and_astar_agree(n: int) -> None:
    for seed in range(3):
        table = random_table(seed, n, rows=40)
        by_dp = dw.learn(table, score=dw.AIC(), search=dw.Exact(method="dp"))
        by_astar = dw.learn(table, score=dw.AIC(), search=dw.Exact(method="astar"))
        assert by_dp.optimal
        assert by_astar.optimal
        assert by_dp.score == pytest.approx(by_astar.score, abs=1e-9)
        climbed = dw.learn(table, score=dw.AIC(), search=dw.HillClimb(restarts=3))
        assert climbed.score <= by_dp.score + 1e-9


def test_exact_under_knowledge_is_the_best_of_what_obeys() -> None:
    for data, known in knowledge_cases(40, variables=5):
        best = dw.search.enumerate_networks(data, knowledge=known)
        assert best.count == known.resolve(list(data)).count_dags()
        assert not known.check(best.best)
        for method in ("dp", "astar", "auto"):
            found = dw.learn(data, knowledge=known, search=dw.Exact(method=method), threads=1)
            assert found.score == pytest.approx(best.score, abs=1e-9)
            assert found.optimal


def test_structure_priors_count() -> None:
    table = random_table(3, 5)
    for prior in (dw.ArcCost(4.0), dw.KappaPrior(dw.Dag(table.names, [("x0", "x1"), ("x1", "x2")]), 0.01)):
        best = dw.search.enumerate_networks(table, structure_prior=prior)
        found = dw.learn(table, structure_prior=prior, search=dw.Exact())
        assert found.score == pytest.approx(best.score, abs=1e-9)


def test_a_parent_bound_is_kept_and_the_best_within_it_found() -> None:
    table = random_table(1, 5)
    for most in range(4):
        best = dw.search.enumerate_networks(table, max_parents=most, score=dw.AIC())
        found = dw.learn(table, score=dw.AIC(), search=dw.Exact(max_parents=most))
        assert found.score == pytest.approx(best.score, abs=1e-9)
        assert max(len(found.dag.parents(x)) for x in table.names) <= most


def test_the_best_for_every_number_of_arcs() -> None:
    table = random_table(2, 4)
    found = dw.search.enumerate_networks(table)
    assert found.count == 543
    assert sorted(found.by_arcs) == list(range(7))
    for arcs, best in found.by_arcs.items():
        assert len(best.dag.edges) == arcs
        assert dw.score(best.dag, table).total == pytest.approx(best.score, abs=1e-9)
        assert best.score <= found.score + 1e-9
    assert found.best in found.ties
    assert len({dag.edges for dag in found.ties}) == len(found.ties)
    assert dw.learn(table, search=dw.Exact(method="exhaustive")).notes["networks"] == 543


def test_six_variables_on_request_only() -> None:
    table = random_table(0, 6)
    with pytest.raises(CapacityError, match=r"3,781,503 networks over 6 variables"):
        dw.search.enumerate_networks(table)
    assert dw.search.enumerate_networks(table, largest=6, max_parents=1).count > 0
    with pytest.raises(OptionError, match="largest must be from 1 to 6"):
        dw.search.enumerate_networks(table, largest=7)


def test_too_large_is_refused_with_formula_number_and_alternatives() -> None:
    table = random_table(4, 14)
    with pytest.raises(CapacityError, match=r"8 \* 2\^n bytes.*more memory.*method='astar'"):
        dw.learn(table, search=dw.Exact(method="dp", memory=100_000), score=dw.AIC())
    with pytest.raises(UnknownNameError, match="unknown method 'magic'"):
        dw.Exact(method="magic")  # type: ignore[arg-type]


def test_stopped_it_gives_the_best_known_and_what_is_proven() -> None:
    table = random_table(5, 12)
    stopped = dw.learn(table, search=dw.Exact(), time_limit=0.0)
    assert stopped.stopped == "deadline"
    assert not stopped.optimal
    assert stopped.gap > 0
    assert stopped.score + stopped.gap >= dw.learn(table, search=dw.Exact()).score - 1e-9
    for score in (dw.BDeu(1), dw.K2Score()):
        proven = dw.learn(table, search=dw.Exact(), score=score)
        full = dw.learn(table, search=dw.Exact(memory=20_000), score=score)
        assert "do not fit" in full.notes["memory"]
        assert not full.optimal
        assert proven.score - 1e-9 <= full.score + full.gap < math.inf
    limited = dw.learn(table, search=dw.Exact(method="astar", memory=100_000), score=dw.AIC())
    best = dw.learn(table, search=dw.Exact(method="dp"), score=dw.AIC())
    assert limited.score <= best.score + 1e-9
    assert limited.optimal or limited.score + limited.gap >= best.score - 1e-9


def test_the_textbook_optima_with_a_parent_bound() -> None:
    """Jensen & Nielsen 2007, Table 7.4; the best networks by BIC with 0, 1 and 2 parents at most."""
    counts = {(1, 1, 1): 11, (1, 2, 2): 3, (2, 1, 1): 12, (2, 1, 2): 6}
    rows = [cell for cell, count in counts.items() for _ in range(count)]
    table = dw.read({name: [row[at] for row in rows] for at, name in enumerate("ABC")})
    for most, expected in ((0, -56.096952168220255), (1, -52.653167425542165), (2, -51.33942306844068)):
        for method in ("dp", "astar", "exhaustive"):
            search = dw.Exact(method=method, max_parents=most)
            found = dw.learn(table, search=search, score=dw.BIC())
            assert found.score == pytest.approx(expected, abs=1e-8)
    assert set(found.dag.edges) == {("A", "B"), ("C", "B")}
    optima = {
        dw.AIC(): {("A", "B"), ("C", "B")},
        dw.K2Score(): {("B", "A"), ("B", "C"), ("C", "A")},
        dw.BDeu(1): {("A", "B"), ("C", "B")},
        dw.BDeu(10): {("A", "B"), ("C", "B")},
    }
    for spec, arcs in optima.items():
        assert [set(dag.edges) for dag in dw.search.enumerate_networks(table, score=spec).ties] == [arcs]


def test_rivals_are_all_networks_within_the_factor() -> None:
    for seed in range(4):
        table = random_table(seed, 4, rows=30)
        for spec in (dw.BIC(), dw.BDeu(1), dw.K2Score()):
            everything = dw.rivals(table, 10_000, score=spec)
            assert len(everything) == 543
            assert list(everything.scores) == sorted(everything.scores, reverse=True)
            assert len({dag.edges for dag in everything.networks}) == 543
            for dag, score in list(zip(everything.networks, everything.scores, strict=True))[::50]:
                assert dw.score(dag, table, spec).total == pytest.approx(score, abs=1e-9)
            for factor in (1.0, 3.0, 20.0):
                near = dw.credible_set(table, bayes_factor=factor, score=spec)
                least = everything.best - math.log(factor) - 1e-9
                assert len(near) == sum(score >= least for score in everything.scores)
                assert {dag.edges for dag in near.networks} == {
                    dag.edges for dag in everything.networks[: len(near)]
                }
            some = dw.rivals(table, 7, score=spec)
            assert some.scores == pytest.approx(everything.scores[:7], abs=1e-9)


def test_rivals_under_knowledge_and_their_classes() -> None:
    for data, known in knowledge_cases(10, variables=4):
        resolved = known.resolve(list(data))
        found = dw.rivals(data, 10_000, knowledge=known)
        assert len(found) == resolved.count_dags()
        assert all(not known.check(dag) for dag in found.networks)
    table = random_table(0, 5)
    found = dw.credible_set(table, bayes_factor=20.0)
    classes = found.classes()
    assert sum(len(one.members) for one in classes) == len(found)
    assert all(len(one.members) == one.graph.count() for one in classes)  # BIC: whole classes
    assert sum(found.posterior()) == pytest.approx(1.0)
    assert set(found.optima) == set(dw.search.enumerate_networks(table).ties)


def test_too_many_rivals_are_refused() -> None:
    table = random_table(0, 5)
    with pytest.raises(CapacityError, match="more than 3 networks are within a Bayes factor"):
        dw.credible_set(table, bayes_factor=1e6, most=3)
    with pytest.raises(CapacityError, match=r"8 \* 2\^n bytes"):
        dw.credible_set(table, memory=100)
    with pytest.raises(OptionError, match="bayes_factor"):
        dw.credible_set(table, bayes_factor=0.5)


@pytest.mark.parametrize("rivals", [dw.credible_set, dw.rivals])
def test_rivals_stopped_while_scoring_end_at_once_and_promise_nothing(rivals: Any) -> None:
    table = random_table(3, 7, rows=400)
    phases: list[str] = []
    stopped = rivals(table, score=InterruptedScore(2), progress=lambda event: phases.append(event.phase))
    assert stopped.stopped == "cancelled"
    assert set(phases) <= {"scoring parent sets"}
    late = rivals(table, time_limit=0.0)
    assert late.stopped == "deadline"
    for found in (stopped, late):
        assert found.networks == ()
        assert found.best == -math.inf
        assert found.within is None


def test_the_listing_of_networks_tells_its_progress() -> None:
    phases = []
    dw.search.enumerate_networks(
        random_table(0, 6), largest=6, progress=lambda event: phases.append(event.phase)
    )
    assert "listing networks" in phases


def test_a_score_file_has_the_same_optimum(tmp_path: Any) -> None:
    from dagwright.search.candidates import CandidateSets

    table = random_table(7, 9)
    sets = dw.candidates(table)
    sets.save(tmp_path / "scores.jkl")
    learned = dw.learn(table, search=dw.Exact())
    solved = dw.solve(CandidateSets.load(tmp_path / "scores.jkl"))
    assert solved.optimal
    assert solved.score == pytest.approx(learned.score, abs=1e-9)
    assert dw.score(solved.graph, table).total == pytest.approx(learned.score, abs=1e-9)


def test_forecasts_say_what_a_search_will_cost() -> None:
    table = random_table(0, 8)
    exact = dw.forecast(table, search=dw.Exact(method="dp"), score=dw.AIC())
    learned = dw.learn(table, search=dw.Exact(method="dp"), score=dw.AIC())
    assert exact.upper
    assert exact.evaluations <= 8 * 2**7 + 5 * 8 * 8
    assert exact.memory >= 8 * 2**8
    assert exact.seconds > 0
    assert learned.evaluations <= exact.evaluations
    assert dw.forecast(table).search == "Exact()"

    class Own:
        def run(self, problem: Any, control: Any) -> Any:  # noqa: ARG002
            raise AssertionError

        def cost(self, problem: Any) -> dw.search.Cost:
            return dw.search.Cost(10.0 * len(problem.names), memory=5.0, basis="by its author")

    assert dw.forecast(table, search=Own()).evaluations == 80


ARGUMENTS = {"order": [f"x{at}" for at in range(9)], "target": "x0", "by": dw.MMPC()}


@pytest.mark.parametrize("name", [entry.name for entry in entries("search")])
def test_every_search_is_forecast(name: str) -> None:
    """Within a factor of ten of what it then asks, and never more than what is said to be the most."""
    table = random_table(5, 9, rows=300)
    method = next(entry for entry in entries("search") if entry.name == name)
    search = method.method(**{need: ARGUMENTS[need] for need in method.needs})
    cost = dw.forecast(table, search=search)
    assert "nothing is known" not in cost.basis
    assert cost.seconds > 0
    learned = dw.learn(table, search=search)
    assert learned.evaluations < 10 * cost.evaluations
    assert cost.evaluations < 30 * learned.evaluations
    if cost.upper:
        assert learned.evaluations <= cost.evaluations


@pytest.mark.parametrize("spec", [dw.BIC(), dw.AIC(), dw.BDeu(1), dw.QNML()], ids=repr)
@pytest.mark.parametrize("n", [5, 11, 13])
def test_what_exact_search_takes_at_most_it_does_not_exceed(spec: Any, n: int) -> None:
    table = random_table(n, n, rows=200)
    cost = dw.forecast(table, search=dw.Exact(), score=spec)
    assert cost.upper
    assert dw.learn(table, search=dw.Exact(), score=spec).evaluations <= cost.evaluations


def test_what_will_be_refused_is_forecast_so() -> None:
    table = random_table(0, 40, rows=50)
    for search in (dw.Exact(method="exhaustive"), dw.EnumeratedPosterior(), dw.Exact(method="dp")):
        cost = dw.forecast(table, search=search)
        assert "refused" in cost.basis
        assert "refused" in str(cost)
    with pytest.raises(CapacityError, match="more than 2\\^780 networks"):
        dw.search.enumerate_networks(table)


def test_gaps_in_the_data_do_not_hinder_a_forecast() -> None:
    data = {"a": [0, 1, None] * 9, "b": [0, 1, 1] * 9, "c": [1, 0] * 13 + [1]}
    assert dw.forecast(data, search=dw.StructuralEM(), missing="em").evaluations > 0
    assert dw.forecast(data, search=dw.PC(), missing="available").evaluations > 0


def test_of_networks_that_score_the_same_the_sparsest_is_best() -> None:
    """Constant columns make arcs that cost nothing."""
    data = {"k": [1] * 40, "a": [0, 1] * 20, "b": [0, 1] * 20, "c": [0, 0, 1, 1] * 10}
    found = dw.search.enumerate_networks(data)
    assert len(found.ties) > 2
    assert found.best.edges == dw.learn(data, search=dw.Exact(method="dp")).graph.edges
    assert dw.learn(data, search=dw.Exact(method="exhaustive")).graph.edges == found.best.edges


def test_sets_that_are_not_all_are_refused_and_a_stopped_enumeration_has_a_gap() -> None:
    table = random_table(3, 8)
    with pytest.raises(CapacityError) as full:
        dw.candidates(table, score=dw.AIC(), memory=88 * 12)
    with pytest.raises(OptionError, match="candidate scoring was interrupted"):
        dw.solve(full.value.sets)  # type: ignore[attr-defined]
    five = random_table(1, 5)
    stopped = dw.learn(five, search=dw.Exact(method="exhaustive"), time_limit=0.0)
    best = dw.learn(five, search=dw.Exact(method="exhaustive"))
    assert stopped.stopped == "deadline"
    assert not stopped.optimal
    assert stopped.gap is not None
    assert stopped.score is not None
    assert best.score is not None
    assert best.optimal
    assert best.gap == 0.0
    assert stopped.score + stopped.gap >= best.score - 1e-9
