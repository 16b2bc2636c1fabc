"""Polytrees: a tree as skeleton, directed by marginal independences (Rebane & Pearl 1987)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dagwright import _core
from dagwright.defaults import Kind, usual_test
from dagwright.errors import OptionError
from dagwright.methods.method_like import read_methods
from dagwright.methods.traits import GraphKind
from dagwright.search.branching import NOWHERE, Matrix
from dagwright.search.control import Control, Watch
from dagwright.search.costs import Usual
from dagwright.search.independence.account import Account, separations
from dagwright.search.independence.colliders import decide_colliders
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, PairQuestion, as_pair
from dagwright.search.independence.separation_table import Separated
from dagwright.search.independence.skeleton import Skeleton
from dagwright.search.independence.tester import PairTester
from dagwright.search.pc import with_knowledge
from dagwright.search.problem import Found, Problem
from dagwright.search.traits import Decides, SearchTraits

# Questions that are asked in one batch.
BATCH = 20_000
# Probability that chance alone makes a pair look dependent though the polytree separates it.
FALSE_ALARM = 0.01


@dataclass(frozen=True, slots=True)
class Polytree(SearchTraits):
    """Recover a graph that becomes a tree when its directions are dropped.

    The skeleton is the maximum spanning tree of mutual information. Two neighbors of a variable that are
    independent of each other are both its causes; what follows from these colliders is directed too, and
    the rest stays undirected. If the data come from a polytree the answer approaches its essential graph as
    rows are added. Where answers contradict each other, or variables depend on each other although the tree
    separates them, the result says so in ``warnings`` and ``notes``.

    Parameters
    ----------
    test
        Any test or score; `GSquare` at level 0.01 by default. It needs data: an oracle knows no weights.
    forest
        Leave out edges between variables that the test calls independent.

    >>> from dagwright import BayesianNetwork, learn
    >>> from dagwright import Table
    >>> import numpy as np
    >>> a, b, c, d = np.ix_(*[[0, 1]] * 4)
    >>> p = 0.25 * np.where(c == (a | b), 0.9, 0.1) * np.where(d == c, 0.8, 0.2)
    >>> print(learn(Table.from_distribution(p, list("ABCD"), sample_size=1000), search=Polytree()).graph)
    A -> C; B -> C; C -> D
    """

    summary: ClassVar[str] = "a tree directed by independences"
    citation: ClassVar[str] = "Rebane & Pearl 1987"
    gives: ClassVar[GraphKind] = "cpdag"
    usual: ClassVar[Usual] = Usual(0.55, 8e-6)

    decides_by: ClassVar[Decides] = "test"

    test: Any = None
    forest: bool = True

    def __post_init__(self) -> None:
        read_methods(self, test=("test", "score"))

    def usual_test(self, kind: Kind = "discrete") -> Any:
        """The test that decides, for columns of a kind."""
        return usual_test(kind=kind) if self.test is None else self.test

    def run(self, problem: Problem, control: Control) -> Found:
        knowledge = NumberedKnowledge(problem.knowledge)
        tester = PairTester(problem.score, control.cancel)
        skeleton = self._skeleton(tester, knowledge, control)
        account = Account(problem.names)
        decided = decide_colliders(tester, knowledge, control, skeleton, "standard", 0)
        settled = _core.settle_colliders(
            skeleton.pairs(),
            decided.colliders,
            decided.open,
            knowledge.native,
            _core.ConflictPolicy.strongest,
            of_triples=lambda triples: [-strength(skeleton.separated[as_pair(a, b)]) for a, _, b in triples],
            of_pairs=tester.effects,
        )
        account.conflicts(settled.conflicts, marked=False)
        dag = problem.named_dag(settled.dag)
        account.overruled(decided.open, settled.overruled, settled.dropped)
        parents = [frozenset(settled.dag.parents(node)) for node in range(knowledge.n)]
        account.unexplained(dependent_though_separated(tester, parents, control))
        return Found(
            graph=with_knowledge(dag, problem, knowledge),
            dag=dag,
            evaluations=tester.tests.total(),
            stopped=skeleton.stopped,
            warnings=account.warnings(),
            notes=account.notes,
            separations=tuple(one for one in separations(problem.names, skeleton) if not one.given),
        )

    def _skeleton(self, tester: PairTester, knowledge: NumberedKnowledge, control: Control) -> Skeleton:
        """A spanning tree of mutual information; (a, b) with a - c - b is separated by c or by nothing."""
        found = Skeleton([set() for _ in range(knowledge.n)])
        for x, y in knowledge.required:
            found.edge(x, y)
        with control.watch() as watch:
            weights = self._weights(tester, knowledge, control, watch)
        found.stopped = watch.stopped
        if watch.stopped is not None:
            return found
        most = float(weights[np.isfinite(weights)].max(initial=0.0))
        for x, y in knowledge.required:
            weights[x, y] = weights[y, x] = 2.0 * most + 1.0
        for x, y in _core.maximum_spanning_forest(weights):
            found.edge(x, y)
        triples = list(found.unshielded())
        for (a, c, b), verdict in zip(triples, tester.ask([(a, b, ()) for a, _, b in triples]), strict=True):
            given = frozenset() if verdict.independent else frozenset([c])
            found.separate(a, b, Separated(given, verdict))
        return found

    def _weights(
        self, tester: PairTester, knowledge: NumberedKnowledge, control: Control, watch: Watch
    ) -> Matrix:
        """Mutual information of the pairs that may be linked, minus infinity elsewhere."""
        pairs = [
            (x, y) for x in range(knowledge.n) for y in range(x + 1, knowledge.n) if knowledge.may_link(x, y)
        ]
        weights = np.full((knowledge.n, knowledge.n), NOWHERE)
        for first in range(0, len(pairs), BATCH):
            if watch.over():
                break
            some = pairs[first : first + BATCH]
            for (x, y), verdict in zip(some, tester.ask([(x, y, ()) for x, y in some]), strict=True):
                if verdict.effect is None and verdict.gain is None:
                    raise OptionError(
                        "Polytree needs the strength of each dependence, which an oracle does not give; pass "
                        "data, or a distribution as Table.from_distribution(...)"
                    )
                if not (self.forest and verdict.independent):
                    effect = verdict.gain if verdict.effect is None else verdict.effect
                    weights[x, y] = weights[y, x] = effect or 0.0
            control.report("weighing edges", min(first + BATCH, len(pairs)), "pairs", total=len(pairs))
        return weights


def dependent_though_separated(
    tester: PairTester, parents: Sequence[Iterable[int]], control: Control
) -> list[PairQuestion]:
    """The pairs that the polytree separates but the test finds dependent, with their separating sets.

    A path with a collider is blocked given nothing, any other by its first variable. A p-value counts
    where it is at most `FALSE_ALARM` divided by the number of questions, so that chance alone seldom does.
    """
    questions = _separated_pairs([set(members) for members in parents])
    found = []
    with control.watch() as watch:
        for first in range(0, len(questions), BATCH):
            if watch.over():
                break
            some = questions[first : first + BATCH]
            for question, verdict in zip(some, tester.ask(some), strict=True):
                if not verdict.independent and (verdict.p_value or 0.0) * len(questions) <= FALSE_ALARM:
                    found.append(question)
    return found


def _separated_pairs(parents: Sequence[set[int]]) -> list[PairQuestion]:
    """The pairs x < y on one tree that are not adjacent, each with a smallest set that separates it."""
    around = [set(members) for members in parents]
    for child, members in enumerate(parents):
        for parent in members:
            around[parent].add(child)
    pairs: list[PairQuestion] = []
    for x in range(len(parents)):
        # The end of a path from x, the variable before it, the first after x, whether a collider closes it.
        ends = [(near, x, near, False) for near in sorted(around[x])]
        seen = {x, *around[x]}  # required edges can close a circle: then the shortest path counts
        for end, before, first, closed in ends:
            for y in sorted(around[end] - seen):
                seen.add(y)
                shut = closed or (before in parents[end] and y in parents[end])
                ends.append((y, end, first, shut))
                if x < y:
                    pairs.append((x, y, () if shut else (first,)))
    return pairs


def strength(separated: Separated) -> float:
    """How strongly the two depend on each other all the same."""
    return separated.verdict.effect or separated.verdict.gain or 0.0
