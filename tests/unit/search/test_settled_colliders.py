"""How the core settles colliders and knowledge that contradict each other, compared with its plain twin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import get_args

import numpy as np
import pytest
from tests import plain_settling

import dagwright as dw
from dagwright import _core
from dagwright.evidence.bound import NativeTest
from dagwright.graph.query import Verdict
from dagwright.search.control import Control
from dagwright.search.independence.colliders import ConflictPolicy, Decided, Triplet, decide_colliders
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, Pair
from dagwright.search.independence.separation_table import Separated
from dagwright.search.independence.settling import dependence_through, settle_colliders
from dagwright.search.independence.skeleton import Skeleton, native_skeleton
from dagwright.search.independence.tester import PairTester
from dagwright.testing import knowledge_cases, random_knowledge

POLICIES = get_args(ConflictPolicy)
YES = Verdict(independent=True)
NAMES = [f"x{at}" for at in range(8)]


class Case:
    """Random edges, colliders and strengths with ties; knowledge in two of three cases."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng([17, seed])
        known = random_knowledge(NAMES, rng) if seed % 3 else dw.Knowledge()
        self.knowledge = NumberedKnowledge(known.resolve(NAMES))
        if seed % 2:
            self.knowledge = self.knowledge.unbounded()
        n, density = len(NAMES), rng.uniform(0.2, 0.7)
        self.skeleton = Skeleton([set() for _ in range(n)])
        for x, y in combinations(range(n), 2):
            if (x, y) in self.knowledge.required or (
                self.knowledge.may_link(x, y) and rng.random() < density
            ):
                self.skeleton.edge(x, y)
            else:
                self.skeleton.separate(x, y, Separated(frozenset(), YES))
        triples = list(self.skeleton.unshielded())
        kinds = rng.integers(0, 4, size=len(triples))
        self.colliders = [one for one, kind in zip(triples, kinds, strict=True) if kind < 2]
        self.open = [one for one, kind in zip(triples, kinds, strict=True) if kind == 2]
        self.weights = rng.integers(0, 4, size=(n, n, n)) / 2.0
        self.asked: Counter[str] = Counter()

    def of_triples(self, triples: Sequence[Triplet]) -> list[float]:
        self.asked["triples"] += len(triples)
        return [float(self.weights[one]) for one in triples]

    def of_pairs(self, pairs: Sequence[Pair]) -> list[float]:
        self.asked["pairs"] += len(pairs)
        return [float(self.weights[0][one]) for one in pairs]

    def plain(self, policy: ConflictPolicy) -> plain_settling.Settled:
        return plain_settling.settle(
            self.skeleton.around,
            self.colliders,
            self.open,
            self.knowledge,
            policy,
            self.of_triples,
            self.of_pairs,
        )

    def core(self, policy: ConflictPolicy) -> _core.SettledColliders:
        return _core.settle_colliders(
            self.skeleton.pairs(),
            self.colliders,
            self.open,
            self.knowledge.native,
            getattr(_core.ConflictPolicy, policy),
            of_triples=self.of_triples,
            of_pairs=self.of_pairs,
        )


def parents_of(dag: _core.MixedGraph) -> list[frozenset[int]]:
    return [frozenset(dag.parents(node)) for node in range(len(dag))]


def require_same(found: _core.SettledColliders, expected: plain_settling.Settled) -> None:
    assert [(one.edge, tuple(one.forward), tuple(one.backward)) for one in found.conflicts] == [
        (one.edge, one.forward, one.backward) for one in expected.conflicts
    ]
    assert dict(zip(found.disputed, found.strengths, strict=True)) == expected.strengths
    assert parents_of(found.dag) == expected.parents
    assert found.dropped == expected.dropped
    overruled = found.overruled
    assert (overruled.lost, overruled.gained, overruled.open_made) == (
        expected.lost,
        expected.gained,
        expected.open_made,
    )


@pytest.mark.parametrize("policy", POLICIES)
def test_the_core_settles_as_the_plain_twin(policy: ConflictPolicy) -> None:
    seen: Counter[str] = Counter()
    for seed in range(400):
        case = Case(seed)
        expected = case.plain(policy)
        asked, case.asked = case.asked, Counter()
        found = case.core(policy)
        if policy == "error" and expected.conflicts:
            assert [one.edge for one in found.conflicts] == [one.edge for one in expected.conflicts]
            assert len(found.dag) == 0
            seen["refused"] += 1
            continue
        require_same(found, expected)
        assert case.asked == asked, seed
        seen["conflicts"] += len(expected.conflicts)
        seen["dropped"] += len(expected.dropped)
        seen["lost"] += len(expected.lost)
        seen["gained"] += len(expected.gained)
        seen["made"] += sum(expected.open_made)
    if policy == "error":
        assert seen["refused"] > 100
    else:
        assert min(seen[what] for what in ("conflicts", "dropped", "lost", "gained", "made")) > 20, seen


def test_colliders_are_accepted_one_after_the_other_as_in_the_plain_twin() -> None:
    refused = 0
    for seed in range(300):
        case = Case(seed)
        fixed = case.knowledge.one_way(case.skeleton.edges())
        kept, arcs = plain_settling.accepted_colliders(case.colliders, case.knowledge, fixed)
        found = _core.accepted_colliders(case.colliders, case.skeleton.pairs(), case.knowledge.native)
        assert (found.kept, found.arcs) == (kept, sorted(arcs)), seed
        refused += len(case.colliders) - len(kept)
    assert refused > 100


def test_any_arcs_are_repaired_as_in_the_plain_twin() -> None:
    """Arcs may close cycles and contradict the knowledge, as those of a marked graph do."""
    dropped = 0
    for seed in range(400):
        case, rng = Case(seed), np.random.default_rng([3, seed])
        edges = case.skeleton.edges()
        arcs = [arc for edge in edges for arc in (edge, edge[::-1]) if rng.random() < 0.4]
        arcs += sorted(case.knowledge.one_way(edges))
        expected = plain_settling.ConsistentDag(edges, arcs, case.knowledge, case.of_pairs)
        found = _core.consistent_dag(edges, arcs, case.knowledge.native, case.of_pairs)
        assert parents_of(found.dag) == expected.parents, seed
        assert found.dropped == expected.dropped
        dropped += len(found.dropped)
    assert dropped > 50


@pytest.mark.parametrize("rule", ["standard", "majority"])
def test_a_test_of_the_core_gives_the_strengths_that_it_gives_in_python(rule: str) -> None:
    disputed = 0
    tests = (dw.GSquare(0.2), dw.ChiSquare(0.2), dw.BIC(), dw.BayesFactor(), dw.Threshold(0.01))
    for at, (data, known) in enumerate(knowledge_cases(50, variables=7, rows=90, seed=6)):
        table = dw.read(data)
        knowledge = NumberedKnowledge((known if at % 3 == 0 else dw.Knowledge()).resolve(table.names))
        bound = tests[at % len(tests)].on(table)
        assert isinstance(bound, NativeTest)
        core, plain, control = PairTester(bound), PairTester(bound), Control()
        found = native_skeleton(core, knowledge, control, None)
        decided = decide_colliders(core, knowledge, control, found, rule, None)  # type: ignore[arg-type]
        plain.tests.update(core.tests)
        settled = settle_colliders(core, knowledge, control, found, decided, "strongest")
        expected = plain_settling.settle(
            found.around,
            decided.colliders,
            decided.open,
            knowledge,
            "strongest",
            lambda triples, tester=plain, seen=found: dependence_through(tester, seen, triples),  # type: ignore[misc]
            plain.effects,
        )
        require_same(settled, expected)
        assert core.tests == plain.tests
        disputed += len(settled.disputed)
    assert disputed > 5


def test_after_an_interrupt_all_strengths_are_equal() -> None:
    case = next(one for one in map(Case, range(1, 99)) if one.core("strongest").disputed)
    rng = np.random.default_rng(1)
    table = dw.read({name: rng.integers(0, 2, 50).tolist() for name in NAMES})
    decided = Decided(case.colliders, case.open)
    for stopped in (False, True):
        control = Control()
        case.skeleton.stopped = "cancelled" if stopped else None
        if not stopped:
            control.cancel.cancel()
        tester = PairTester(dw.GSquare(0.1).on(table))
        found = settle_colliders(tester, case.knowledge, control, case.skeleton, decided, "strongest")
        assert set(found.strengths) == {0.0}
        assert case.skeleton.stopped == "cancelled"


def test_what_comes_from_python_is_checked() -> None:
    pairs = Skeleton([{1}, {0, 2}, {1}]).pairs()
    known = _core.Knowledge(3)
    first = _core.ConflictPolicy.first

    def settle(colliders: list[Triplet], known: _core.Knowledge) -> None:
        _core.settle_colliders(pairs, colliders, [], known, first, of_triples=list, of_pairs=list)

    for wrong in [(0, 1, 9), (2, 1, 0), (0, 2, 1)]:
        with pytest.raises(ValueError, match="a triple must be"):
            settle([wrong], known)
    with pytest.raises(ValueError, match="different numbers of variables"):
        settle([(0, 1, 2)], _core.Knowledge(4))
    with pytest.raises(IndexError, match="with itself or with none"):
        _core.consistent_dag([(0, 3)], [], known, list)
    with pytest.raises(ValueError, match="not among the edges"):
        _core.consistent_dag([(0, 1)], [(1, 2)], known, list)
