"""From colliders to a DAG: the core ranks and accepts them and repairs what contradicts.

It asks for the strengths of disputed colliders, and of edges where knowledge leaves no room for all of them.
A test of the core answers there; an oracle or a test written in Python answers here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from dagwright import _core
from dagwright.evidence.bound import NativeTest
from dagwright.search.control import Control, stopped_by
from dagwright.search.independence.colliders import ConflictPolicy, Decided, Triplet
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge
from dagwright.search.independence.skeleton import Skeleton
from dagwright.search.independence.tester import PairTester

Item = TypeVar("Item")


def settle_colliders(
    tester: PairTester,
    knowledge: NumberedKnowledge,
    control: Control,
    found: Skeleton,
    decided: Decided,
    policy: ConflictPolicy,
) -> _core.SettledColliders:
    """The DAG that follows from colliders and knowledge; with the policy "error" only if nothing conflicts.

    Strengths only rank what was found already: after Ctrl-C all are taken as equal.
    """
    chosen = getattr(_core.ConflictPolicy, policy)
    test = tester.test
    if not isinstance(test, NativeTest):

        def through(triples: Sequence[Triplet]) -> list[float]:
            return dependence_through(tester, found, triples)

        return _core.settle_colliders(
            found.pairs(),
            decided.colliders,
            decided.open,
            knowledge.native,
            chosen,
            of_triples=until_interrupted(through, found, control),
            of_pairs=until_interrupted(tester.effects, found, control),
        )
    settled = _core.settle_tested_colliders(
        test.native_test,
        found.pairs(),
        decided.colliders,
        decided.open,
        knowledge.native,
        policy=chosen,
        stopped=found.stopped == "cancelled",
        threads=test.threads,
        cancel=control.cancel,
    )
    tester.tests.update({size: count for size, count in enumerate(settled.asked) if count})
    found.stopped = stopped_by(settled.stopped) or found.stopped
    return settled


def dependence_through(tester: PairTester, found: Skeleton, triples: Sequence[Triplet]) -> list[float]:
    """How clearly a and b depend on each other once c is known too."""
    return tester.clearness([(a, b, [*found.given((a, b)), c]) for a, c, b in triples])


def until_interrupted(
    strength: Callable[[Sequence[Item]], list[float]], found: Skeleton, control: Control
) -> Callable[[Sequence[Item]], list[float]]:
    """Strengths that only rank what was found already: after Ctrl-C all are taken as equal."""

    def ask(items: Sequence[Item]) -> list[float]:
        if found.stopped != "cancelled":
            try:
                return strength(items)
            except KeyboardInterrupt:
                found.stopped = control.interrupted()
        return [0.0] * len(items)

    return ask
