"""Greedy equivalence search: against listing all classes, its economy, knowledge, and what it returns."""

from __future__ import annotations

import pickle
import re
from functools import cache
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright import _core

Arcs = frozenset[tuple[int, int]]
Class = tuple[tuple[Any, ...], tuple[Any, ...]]


def native(arcs: Arcs, n: int) -> _core.MixedGraph:
    edges = np.array(sorted(arcs), dtype=np.uint32).reshape(-1, 2)
    return _core.MixedGraph(n, edges, np.zeros((0, 2), dtype=np.uint32))


def key(graph: _core.MixedGraph) -> Class:
    return tuple(map(tuple, graph.directed().tolist())), tuple(map(tuple, graph.undirected().tolist()))


class Classes:
    """All equivalence classes over n nodes, and which are a single arc of some member apart."""

    def __init__(self, n: int) -> None:
        self.n = n
        pairs = [(a, b) for a in range(n) for b in range(a + 1, n)]
        self.of: dict[Arcs, Class] = {}
        for kinds in product(range(3), repeat=len(pairs)):
            arcs = frozenset(
                (a, b) if kind == 1 else (b, a) for (a, b), kind in zip(pairs, kinds, strict=True) if kind
            )
            if not _core.find_cycle(native(arcs, n)):
                self.of[arcs] = key(_core.essential_graph(native(arcs, n)))
        self.members: dict[Class, list[Arcs]] = {}
        for arcs, here in self.of.items():
            self.members.setdefault(here, []).append(arcs)

    @cache  # noqa: B019
    def neighbors(self, here: Class, move: str) -> frozenset[Class]:
        found = set()
        for member in self.members[here]:
            for arc in permutations(range(self.n), 2):
                if move == "insert" and member | {arc} in self.of and arc not in member:
                    found.add(self.of[member | {arc}])
                if move == "delete" and arc in member:
                    found.add(self.of[member - {arc}])
                if move == "turn" and arc in member and (turned := member - {arc} | {arc[::-1]}) in self.of:
                    found.add(self.of[turned])
        return frozenset(found - {here})


@cache
def classes(n: int) -> Classes:
    return Classes(n)


def random_columns(n: int, seed: int) -> tuple[list[Any], list[int], int]:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(10, 200))
    cards = [int(r) for r in rng.integers(2, 4, n)]
    codes: list[Any] = [np.zeros(rows, dtype=np.uint8)] * n
    order = rng.permutation(n)
    for at, v in enumerate(order):
        parents = [order[k] for k in range(at) if rng.random() < 0.6]
        base = sum((codes[p].astype(int) * (k + 1) for k, p in enumerate(parents)), np.zeros(rows, dtype=int))
        noise = rng.integers(0, cards[v], rows)
        codes[v] = np.where(rng.random(rows) < 0.35, noise, base % cards[v]).astype(np.uint8)
    return codes, cards, rows


@pytest.mark.parametrize("seed", range(60))
def test_each_step_is_to_the_best_neighboring_class(seed: int) -> None:
    n = 2 + seed % 3
    every = classes(n)
    codes, cards, rows = random_columns(n, seed)
    sums = _core.CellSums(_core.Table.from_codes(codes, cards, rows))
    if seed % 2:
        score = _core.CriterionScore(
            _core.CountingMeasure(sums, _core.MeasureKind.multinomial), 0.5 * np.log(rows)
        )
    else:
        score = _core.CriterionScore(_core.CountingMeasure(sums, _core.MeasureKind.dirichlet, 1.0), 0.0)
    nothing, empty = _core.Knowledge(n), [[] for _ in range(n)]
    turning = seed % 4 < 2

    @cache
    def total(here: Class) -> float:
        member = every.members[here][0]
        return float(sum(score.local([(v, sorted(a for a, b in member if b == v)) for v in range(n)])))

    trace = _core.ges(score, nothing, empty, turning=turning).trace
    here = every.of[frozenset()]
    for steps, step in enumerate(trace, start=1):
        move, gain = step.move.name, step.gain
        there = key(_core.ges(score, nothing, empty, turning=turning, max_steps=steps).graph)
        around = every.neighbors(here, move)
        assert there in around
        assert total(there) == pytest.approx(max(map(total, around)), abs=1e-8)
        assert gain == pytest.approx(total(there) - total(here), abs=1e-8)
        here = there
    for move in ("insert", "delete", "turn") if turning else ("delete",):
        assert all(total(there) <= total(here) + 1e-8 for there in every.neighbors(here, move))


def alarm_like(n: int, rows: int, seed: int) -> dw.Table:
    """A sample of a random sparse network, in shuffled columns."""
    rng = np.random.default_rng(seed)
    columns: dict[str, Any] = {}
    for v in range(n):
        parents = rng.choice(v, size=min(v, int(rng.integers(0, 4))), replace=False) if v else []
        code = np.zeros(rows, dtype=int)
        for p in parents:
            code = code * 3 + columns[f"v{p}"]
        chances = rng.dirichlet([0.5] * 3, size=3 ** len(parents)).cumsum(axis=1)
        columns[f"v{v}"] = (rng.random(rows)[:, None] > chances[code]).sum(axis=1).clip(0, 2)
    names = [f"v{v}" for v in rng.permutation(n)]
    return dw.read({name: [int(x) for x in columns[name]] for name in names})


def taken(step: _core.ClassMove) -> tuple[Any, ...]:
    return step.move, step.source, step.target, step.gain


def test_at_most_a_fifth_of_the_operators_along_the_identical_path() -> None:
    bound = dw.BIC().on(alarm_like(37, 1000, 1))
    nothing, empty = _core.Knowledge(37), [[] for _ in range(37)]
    quick = _core.ges(bound.native, nothing, empty)
    naive = _core.ges(bound.native, nothing, empty, reuse=False)
    assert list(map(taken, quick.trace)) == list(map(taken, naive.trace))
    assert key(quick.graph) == key(naive.graph)
    assert quick.operators <= naive.operators / 5


def test_the_answer_is_a_class_with_a_member() -> None:
    data = alarm_like(10, 500, 3)
    found = dw.learn(data, search=dw.GES())
    assert isinstance(found.graph, dw.Pdag)
    assert found.graph.is_cpdag()
    assert found.dag is not None
    assert found.dag.cpdag() == found.graph
    assert found.graph.nodes == found.dag.nodes == data.names
    assert re.search(r"\d edges? of undecided direction, found by GES", str(found))
    assert dw.Learned.from_json(found.to_json()) == found
    assert pickle.loads(pickle.dumps(found)) == found
    # Hill climbing cannot improve the member it is given, except by leaving its class.
    assert dw.learn(data, search=dw.HillClimb(), start=found.dag).score >= found.score - 1e-9


def test_it_begins_at_the_class_of_a_given_graph() -> None:
    data = alarm_like(8, 400, 5)
    found = dw.learn(data, search=dw.GES())
    again = dw.learn(data, search=dw.GES(), start=found.dag)
    assert again.trace == ()
    assert again.graph == found.graph


def test_knowledge_directs_edges_and_the_member_obeys() -> None:
    data = alarm_like(8, 400, 3)
    free = dw.learn(data, search=dw.GES())
    one, other = free.graph.undirected_edges[0]  # type: ignore[union-attr]
    known = dw.Knowledge(forbidden=[(one, other)])
    found = dw.learn(data, search=dw.GES(), knowledge=known)
    assert found.graph.directed_edges  # type: ignore[union-attr]
    assert (other, one) in found.graph.directed_edges  # type: ignore[union-attr]
    assert found.score == pytest.approx(free.score, abs=1e-9)
    assert found.dag is not None
    assert not known.resolve(data.names).check(found.dag)


def test_scores_that_are_not_equivalent_are_warned_of() -> None:
    data = alarm_like(5, 200, 9)
    for score, warned in ((dw.K2Score(), True), (dw.BDeu(), False), (dw.MDL(), False), (dw.QNML(), False)):
        found = dw.learn(data, search=dw.GES(), score=score)
        assert any("equivalent graphs" in warning for warning in found.warnings) is warned
        assert found.dag is not None
        assert found.score == pytest.approx(dw.score(found.dag, data, score).total, abs=1e-8)
    cost = dw.learn(data, search=dw.GES(), structure_prior=dw.ArcCost(1.0))
    assert cost.warnings == ()
    expert = dw.KappaPrior(dw.Dag(["v0", "v1"], [("v0", "v1")]), 0.5)
    pulled = dw.learn(data, search=dw.GES(), structure_prior=expert)
    assert any("equivalent graphs" in warning for warning in pulled.warnings)


@pytest.mark.parametrize("extended", [False, True])
def test_a_limit_of_evaluations_ends_it_at_a_class_on_the_way(extended: bool) -> None:
    table = dw.load("child").sample(500, random_state=1)
    whole = dw.learn(table, score=dw.BIC(), search=dw.GES(extended=extended))
    before = -np.inf
    for most in (1, 500, 1_000, 2_000, 10**6):
        search = dw.GES(extended=extended, evaluations=most)
        found = dw.learn(table, score=dw.BIC(), search=search)
        assert found.score >= before
        assert found.graph == found.dag.cpdag()
        assert any("limit of evaluations" in text for text in found.warnings) == (most < 10**6)
        assert found.evaluations < most + 10_000
        before = found.score
    assert found.graph == whole.graph
    with pytest.raises(dw.OptionError, match="evaluations"):
        dw.GES(evaluations=0)


def test_too_many_ways_to_join_two_variables_is_an_error_that_says_what_to_do() -> None:
    rng = np.random.default_rng(0)
    data = dw.read({f"v{i}": [int(x) for x in rng.integers(0, 2, 30)] for i in range(26)})
    full = dw.Dag(data.names, [(a, b) for i, a in enumerate(data.names) for b in data.names[i + 1 :]])
    with pytest.raises(dw.CapacityError, match="max_parents"):
        dw.learn(data, search=dw.GES(), start=full, score=dw.LogLik())
