"""Branch and cut against all orders of the variables, on both solvers; what it says when it is stopped."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright import _core
from dagwright.errors import KnowledgeError, OptionError
from dagwright.search.branch_and_cut import prove
from dagwright.search.candidates import CandidateSets
from dagwright.search.control import Control
from dagwright.search.integer_program.cluster_program import ClusterProgram
from dagwright.search.integer_program.incumbent import PROOF, Incumbent
from dagwright.testing import knowledge_cases

pytest.importorskip("highspy")
pytest.importorskip("pyscipopt")
SOLVERS = ["highs", "scip"]


def random_sets(n: int, seed: int, edges: tuple[tuple[int, int], ...] = ()) -> CandidateSets:
    """All parent sets of up to three members, with scores that make many sets fight for few orders."""
    rng = np.random.default_rng(seed)
    offsets, scores, starts, members = [0], [], [0], []
    for child in range(n):
        others = [v for v in range(n) if v != child]
        sets = [chosen for size in range(4) for chosen in itertools.combinations(others, size)]
        values = [10.0 * len(chosen) ** 0.5 + rng.normal() * 3.0 for chosen in sets]
        for at in np.argsort(values)[::-1]:
            scores.append(values[at])
            members.extend(sets[at])
            starts.append(len(members))
        offsets.append(len(scores))
    return CandidateSets.from_arrays(
        [f"x{v}" for v in range(n)], np.array(offsets), np.array(scores), np.array(starts), np.array(members),
        required_edges=edges,
    )  # fmt: skip


def lines_sets(n: int, lines: list[tuple[int, ...]], seed: int) -> CandidateSets:
    """Each variable wants the other two of a line it is on: so even that cutting planes leave a gap."""
    rng = np.random.default_rng(seed)
    offsets, scores, starts, members = [0], [], [0], []
    for child in range(n):
        sets = [tuple(v for v in line if v != child) for line in lines if child in line]
        values = [10.0 + rng.random() for _ in sets]
        for at in np.argsort(values)[::-1]:
            scores.append(values[at])
            members.extend(sets[at])
            starts.append(len(members))
        scores.append(0.0)
        starts.append(len(members))
        offsets.append(len(scores))
    return CandidateSets.from_arrays(
        [f"x{v}" for v in range(n)], np.array(offsets), np.array(scores), np.array(starts), np.array(members)
    )


def fano(seed: int) -> CandidateSets:
    """The plane with seven points and seven lines."""
    lines = [(0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5)]
    return lines_sets(7, lines, seed)


def affine(seed: int) -> CandidateSets:
    """The plane with nine points and twelve lines."""
    lines = [
        line
        for line in itertools.combinations(range(9), 3)
        if sum(v // 3 for v in line) % 3 == 0 and sum(v % 3 for v in line) % 3 == 0
    ]
    return lines_sets(9, lines, seed)


def best_over_orders(sets: CandidateSets) -> float:
    """The best score over all orders, by sets of variables that come first."""
    n = len(sets.nodes)
    best = {frozenset[int](): 0.0}
    for size in range(n):
        for first in map(frozenset, itertools.combinations(range(n), size)):
            for child in set(range(n)) - first:
                entry = sets.best_in(child, first)
                total = best[first] + (-math.inf if entry < 0 else float(sets.scores[entry]))
                both = first | {child}
                best[both] = max(best.get(both, -math.inf), total)
    return best[frozenset(range(n))]


def started(sets: CandidateSets, tolerance: float = PROOF) -> tuple[ClusterProgram, Incumbent]:
    """A program and the network of an order taken as it comes, which is far from the best."""
    program = ClusterProgram(sets)
    best = Incumbent(program, tolerance)
    best.offer(np.array([sets.best_in(child, frozenset(range(child))) for child in range(program.n)]))
    return program, best


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(5))
def test_equals_the_best_order(solver: str, seed: int) -> None:
    sets = random_sets(6, seed, edges=((0, 1), (2, 3)) if seed % 2 else ())
    program, best = started(sets)
    assert prove(solver, program, best, Control(threads=2)) is None
    assert best.optimal
    assert best.chosen is not None
    assert program.score_of(best.loss) == pytest.approx(best_over_orders(sets), abs=1e-8)
    graph = sets.dag(best.chosen.tolist())  # raises if there is a cycle
    joined = {frozenset(edge) for edge in graph.edges}
    assert all(frozenset((f"x{one}", f"x{other}")) in joined for one, other in sets.required_edges)


@pytest.mark.parametrize("solver", SOLVERS)
def test_branching_closes_what_cutting_leaves(solver: str) -> None:
    sets = fano(0)
    program, best = started(sets)
    notes: dict[str, Any] = {}
    assert prove(solver, program, best, Control(threads=2), notes=notes) is None
    assert notes["nats left to branching"] > 1.0
    assert best.optimal
    assert program.score_of(best.loss) == pytest.approx(best_over_orders(sets), abs=1e-8)


@pytest.mark.parametrize("solver", SOLVERS)
def test_equals_the_best_order_under_knowledge(solver: str) -> None:
    for data, known in knowledge_cases(8, variables=5):
        found = dw.learn(data, search=dw.BranchAndCut(solver=solver), knowledge=known)
        sets = dw.candidates(data, knowledge=known)
        assert found.optimal
        assert found.gap == 0.0
        assert found.score == pytest.approx(best_over_orders(sets), abs=1e-8)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_node_limit_leaves_a_gap_that_holds(solver: str) -> None:
    sets = affine(0)
    truth = best_over_orders(sets)
    notes: dict[str, Any] = {}
    program, best = started(sets)
    assert prove(solver, program, best, Control(), nodes=1, notes=notes) is None
    assert notes["nats left to branching"] > 0
    assert not best.optimal
    assert best.gap > PROOF
    assert program.score_of(best.loss) <= truth + 1e-8
    assert program.score_of(best.loss) + best.gap >= truth - 1e-8


def test_a_wide_gap_ends_sooner() -> None:
    sets = affine(0)
    program, best = started(sets, tolerance=30.0)
    notes: dict[str, Any] = {}
    assert prove("highs", program, best, Control(), notes=notes) is None
    assert best.proven()
    assert not best.optimal
    assert best.gap <= 30.0 + 1e-9
    assert program.score_of(best.loss) + best.gap >= best_over_orders(sets) - 1e-8


def test_any_multipliers_give_a_bound() -> None:
    sets = random_sets(5, 1)
    program = ClusterProgram(sets)
    least = program.score_of(0.0) - best_over_orders(sets)
    rng = np.random.default_rng(0)
    clusters = [c for size in (2, 3, 4) for c in itertools.combinations(range(5), size)]
    rows = [program.cluster_row(c, order) for c in clusters for order in (1, 2) if order < len(c)]
    everything = np.ones(len(program), dtype=bool)
    bounds = [
        program.least_loss(*program.lagrangian(rows, rng.normal(size=len(rows)) * scale), everything)[0]
        for scale in (0.1, 1.0, 5.0)
        for _ in range(50)
    ]
    assert max(bounds) <= least + 1e-9
    assert max(bounds) > 0.0


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("phase", ["climbing orders", "cutting planes"])
def test_ctrl_c_keeps_the_best_and_the_gap(solver: str, phase: str) -> None:
    def press(event: dw.Event) -> None:
        if event.phase == phase:
            raise KeyboardInterrupt

    data = dw.read(dw.sample_path("asia"))
    found = dw.learn(data, search=dw.BranchAndCut(solver=solver), progress=press)
    assert found.stopped == "cancelled"
    assert not found.optimal
    assert found.gap is not None
    best = dw.learn(data, search=dw.BranchAndCut(solver=solver))
    assert best.score is not None
    assert found.score is not None
    assert found.score <= best.score + 1e-9
    assert found.score + found.gap >= best.score - 1e-6


@pytest.mark.parametrize("solver", SOLVERS)
def test_ctrl_c_while_branching(solver: str) -> None:
    def press(event: dw.Event) -> None:
        if event.phase == "branching":
            raise KeyboardInterrupt

    sets = affine(0)
    program, best = started(sets)
    try:
        stopped = prove(solver, program, best, Control(progress=press))
    except KeyboardInterrupt:  # `BranchAndCut` turns it into the same
        stopped = "cancelled"
    assert stopped == "cancelled"
    assert program.score_of(best.loss) + best.gap >= best_over_orders(sets) - 1e-8


def test_a_deadline_gives_the_best_and_the_gap() -> None:
    sets = affine(0)
    program, best = started(sets)
    assert prove("highs", program, best, Control(time_limit=0.0)) == "deadline"
    assert program.score_of(best.loss) + best.gap >= best_over_orders(sets) - 1e-8


def test_a_parent_bound_of_nothing_leaves_no_arcs() -> None:
    data = {"a": [0, 0, 1, 1] * 20, "b": [0, 0, 1, 1] * 20, "c": [0, 1] * 40}
    found = dw.learn(data, search=dw.BranchAndCut(max_parents=0))
    assert found.optimal
    assert not found.graph.edges


def test_options_are_checked_and_a_missing_solver_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for options in ({"solver": "cplex"}, {"gap": -1.0}, {"gap": math.nan}, {"nodes": 0}, {"max_parents": -1}):
        with pytest.raises((OptionError, dw.UnknownNameError)):
            dw.BranchAndCut(**options)  # type: ignore[arg-type]
    monkeypatch.setattr("dagwright.search.branch_and_cut.find_spec", lambda _: None)
    with pytest.raises(OptionError, match=r"dagwright\[ilp\]"):
        dw.learn({"a": [0, 1] * 5, "b": [0, 1] * 5}, search=dw.BranchAndCut())


def test_clusters_of_a_cycle_are_found_and_rows_hold_for_networks() -> None:
    sets = random_sets(4, 0)
    families = _core.Families(sets.native)
    assert len(families) == len(sets)
    weights = np.zeros(len(sets))
    weights[sets.offsets[:-1]] = 1.0  # the best sets: three parents each, a clique of cycles
    found = _core.violated_clusters(families, weights, least=0.5, most=10, largest_order=1, steps=1000)
    assert found.complete
    assert found.clusters[0].violation == pytest.approx(1.0)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_prior_without_any_possible_network_is_refused(solver: str) -> None:
    prior = dw.FamilyPrior(lambda child, _: -math.inf if child == "a" else 0.0)
    data = {"a": [0, 1] * 9, "b": [0, 1] * 9, "c": [0, 1, 1] * 6}
    with pytest.raises(KnowledgeError, match="no graph"):
        dw.learn(data, search=dw.BranchAndCut(solver=solver), structure_prior=prior)  # type: ignore[arg-type]
