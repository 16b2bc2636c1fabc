"""Which unshielded triples are colliders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Literal

from dagwright.graph.query import Verdict
from dagwright.search.control import Control
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, Pair
from dagwright.search.independence.separation_table import Separated
from dagwright.search.independence.skeleton import LARGEST_BATCH, Skeleton, either_side
from dagwright.search.independence.tester import PairTester

ColliderRule = Literal["standard", "conservative", "majority", "max-p"]
ConflictPolicy = Literal["first", "strongest", "undirected", "bidirected", "error"]

Triplet = tuple[int, int, int]
"""(a, c, b): a and b are neighbors of c and not of each other, a before b."""


@dataclass(slots=True)
class Decided:
    """Colliders, and triples that stay open."""

    colliders: list[Triplet] = field(default_factory=list)
    open: list[Triplet] = field(default_factory=list)


def decide_colliders(
    tester: PairTester,
    knowledge: NumberedKnowledge,
    control: Control,
    found: Skeleton,
    rule: ColliderRule,
    max_size: int | None,
) -> Decided:
    """Rule 1 by the stored separating set, or by all sets of neighbors that separate.

    "conservative" (Ramsey et al. 2006) wants c in none of them, "majority" (Colombo & Maathuis 2014) in less
    than half, "max-p" (Ramsey 2016) looks at the one with the largest p-value. What no rule decides stays
    open and is no collider. When the time is up the stored sets decide.
    """
    if rule == "standard":
        by_stored_sets = found.pairs().colliders()
        return Decided(by_stored_sets.colliders, by_stored_sets.open)
    decided = Decided()
    witnesses: dict[Pair, list[Separated]] = {}
    _ask_for_all_separating(tester, knowledge, control, found, max_size, witnesses)
    for a, c, b in found.unshielded():
        if (a, b) not in found.separated:
            decided.open.append((a, c, b))
            continue
        sets = witnesses.get((a, b))
        if sets is None:
            share = float(c in found.given((a, b)))
        else:
            inside = [c in one.given for one in _those_that_count(sets, rule)]
            share = sum(inside) / len(inside)
        if share == 0.0 or (rule == "majority" and share < 0.5):
            decided.colliders.append((a, c, b))
        elif share < 1.0 and (rule == "conservative" or share == 0.5):
            decided.open.append((a, c, b))
    return decided


def _ask_for_all_separating(
    tester: PairTester,
    knowledge: NumberedKnowledge,
    control: Control,
    found: Skeleton,
    max_size: int | None,
    witnesses: dict[Pair, list[Separated]],
) -> None:
    """Every set that separates the ends of an unshielded triple, as far as time allows."""
    try:
        for a, _, b in found.unshielded():
            stored = found.separated.get((a, b))
            if stored is None or (a, b) in witnesses:
                continue
            found.stopped = found.stopped or control.stopped()
            if found.stopped is not None:
                return
            witnesses[a, b] = [stored]
            for one in _all_separating(tester, knowledge, control, found, (a, b), max_size):
                if one.given != stored.given:
                    witnesses[a, b].append(one)
    except KeyboardInterrupt:
        found.stopped = control.interrupted()


def _those_that_count(sets: Sequence[Separated], rule: ColliderRule) -> Sequence[Separated]:
    if rule != "max-p":
        return sets
    return [max(sets, key=lambda one: (_p(one.verdict), -len(one.given), sorted(one.given, reverse=True)))]


def _p(verdict: Verdict) -> float:
    return 1.0 if verdict.p_value is None else verdict.p_value


def _all_separating(
    tester: PairTester,
    knowledge: NumberedKnowledge,
    control: Control,
    found: Skeleton,
    pair: Pair,
    max_size: int | None,
) -> Iterator[Separated]:
    """Every set of neighbors of either end that separates the two, until time is up."""
    sides = [knowledge.candidates(found.around[at], *pair) for at in pair]
    largest = max(map(len, sides))
    sizes = range(min(largest, largest if max_size is None else max_size) + 1)
    sets = chain.from_iterable(either_side(sides, size) for size in sizes)
    while batch := list(islice(sets, LARGEST_BATCH)):
        if (reason := control.stopped()) is not None:
            found.stopped = reason
            return
        verdicts = tester.ask([(*pair, given) for given in batch])
        for given, verdict in zip(batch, verdicts, strict=True):
            if verdict.independent:
                yield Separated(frozenset(given), verdict)


def reaches(children: dict[int, set[int]], start: int, goals: Sequence[int]) -> bool:
    """Whether arcs lead from a node to one of the others."""
    seen, front = {start}, [start]
    while front:
        fresh = children.get(front.pop(), set()) - seen
        if not fresh.isdisjoint(goals):
            return True
        seen |= fresh
        front.extend(fresh)
    return False
