"""Contradictions between statements, each as an irreducible set of them, found without looking at data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb

import numpy as np

from dagwright.errors import KnowledgeError
from dagwright.knowledge.orientation import Arc, Orientation
from dagwright.knowledge.rules import Bound, Mask, Requirement, Rules, Sequencing, shortest_path

_MOST_ORDER_CONFLICTS = 100
_MOST_SUBSETS_TRIED = 4000


@dataclass(frozen=True, slots=True)
class Conflict:
    """A summary and the statements that cannot all hold; without any one of them the rest could."""

    summary: str
    statements: tuple[str, ...]

    def __str__(self) -> str:
        return self.summary + (f" [{'] ['.join(self.statements)}]" if self.statements else "")


def refuse(conflicts: Sequence[Conflict]) -> KnowledgeError:
    """The error that lists every conflict."""
    if len(conflicts) == 1:
        return KnowledgeError(f"the knowledge cannot be used: {conflicts[0]}", conflicts=conflicts)
    lines = [f"  {at}. {conflict}" for at, conflict in enumerate(conflicts, start=1)]
    return KnowledgeError(
        "\n".join([f"the knowledge cannot be used, for {len(lines)} reasons:", *lines]), conflicts=conflicts
    )


def find_conflicts(rules: Rules, forbidden: Mask) -> list[Conflict]:
    """Every contradiction: unknown names, orders, required against forbidden, bounds, cycles."""
    conflicts = [Conflict(problem, ()) for problem in rules.problems]
    conflicts += _order_conflicts(rules)
    open_requirements: list[Requirement] = []
    for requirement in dict.fromkeys(rules.requirements):
        found = _against_prohibitions(rules, forbidden, requirement)
        conflicts += found
        if not found:
            open_requirements.append(requirement)
    demands = [_demand(rules, forbidden, requirement) for requirement in open_requirements]
    found, kept = _over_bounds(rules, demands)
    return conflicts + found + _no_orientation(rules, kept)


@dataclass(frozen=True)
class _Turned:
    """One way of a required edge is forbidden, so that the edge is an arc the other way."""

    words: str


@dataclass(frozen=True)
class _Demand:
    """A requirement the prohibitions leave possible; an edge that is `turned` is an arc from tail to head."""

    words: str
    tail: int
    head: int
    directed: bool
    turned: _Turned | None = None


def _demand(rules: Rules, forbidden: Mask, one: Requirement) -> _Demand:
    tail, head = one.tail, one.head
    if not one.directed and forbidden[tail, head]:
        tail, head = head, tail
    if one.directed or not forbidden[head, tail]:
        return _Demand(one.words, tail, head, one.directed)
    return _Demand(one.words, tail, head, False, _Turned(rules.reasons(head, tail)[0]))


def _unique(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def _order_conflicts(rules: Rules) -> list[Conflict]:
    """Variables that the orders, tiers and partial orders put before themselves."""
    if not rules.sequences:
        return []
    masks = [sequence.before() for sequence in rules.sequences]
    remaining = np.logical_or.reduce(masks)
    conflicts: list[Conflict] = []
    cycle = _shortest_order_cycle(remaining, rules.names)
    while cycle and len(conflicts) < _MOST_ORDER_CONFLICTS:
        steps = list(zip(cycle, cycle[1:] + cycle[:1], strict=True))
        said = _unique([_who_says(rules.sequences, masks, first, second) for first, second in steps])
        shown = " < ".join(rules.names[at] for at in [*cycle, cycle[0]])
        conflicts.append(Conflict(f"the orders contradict each other: {shown}", said))
        for first, second in steps:
            remaining[first, second] = False
        cycle = _shortest_order_cycle(remaining, rules.names)
    if cycle:
        conflicts.append(
            Conflict(f"the orders contradict each other in more than {len(conflicts)} places", ())
        )
    return conflicts


def _who_says(sequences: Sequence[Sequencing], masks: Sequence[Mask], first: int, second: int) -> str:
    speaker = next(at for at, mask in enumerate(masks) if mask[first, second])
    return sequences[speaker].says(first, second)


def _shortest_order_cycle(before: Mask, names: Sequence[str]) -> list[int]:
    """The nodes of a shortest cycle of `before` (ties by name), [] when it is acyclic."""
    earlier = before.sum(axis=0)
    ready = np.flatnonzero(earlier == 0).tolist()
    left = set(range(len(names)))
    while ready:
        first = ready.pop()
        left.discard(first)
        later = np.flatnonzero(before[first])
        earlier[later] -= 1
        ready.extend(later[earlier[later] == 0].tolist())
    rank = sorted(left, key=lambda at: names[at])
    if not rank:
        return []
    core = before[np.ix_(rank, rank)]
    both = np.argwhere(core & core.T)
    if len(both):
        return [rank[both[0][0]], rank[both[0][1]]]
    steps = frozenset((int(a), int(b)) for a, b in np.argwhere(core))
    paths = [path for path in (shortest_path(steps, at, at) for at in range(len(rank))) if path]
    return [rank[at] for at in min(paths, key=len)[:-1]] if paths else []


def _against_prohibitions(rules: Rules, forbidden: Mask, requirement: Requirement) -> list[Conflict]:
    tail, head = requirement.tail, requirement.head
    edge = f"{rules.names[tail]} {'->' if requirement.directed else '--'} {rules.names[head]}"
    if requirement.directed:
        if not forbidden[tail, head]:
            return []
        summary = f"{edge} is both required and forbidden"
        return [Conflict(summary, (requirement.words, why)) for why in rules.reasons(tail, head)]
    if not (forbidden[tail, head] and forbidden[head, tail]):
        return []
    summary = f"{edge} is required, but forbidden in both directions"
    forward, backward = rules.reasons(tail, head), rules.reasons(head, tail)
    alone = [why for why in forward if why in backward]
    if alone:
        return [Conflict(summary, (requirement.words, why)) for why in alone]
    return [Conflict(summary, (requirement.words, forward[0], backward[0]))]


def _over_bounds(rules: Rules, demands: list[_Demand]) -> tuple[list[Conflict], list[_Demand]]:
    """Children with more required parents than their bound, and the demands that fit."""
    tightest = rules.tightest_bounds()
    into: dict[int, dict[int, _Demand]] = {}
    for demand in sorted(demands, key=lambda demand: (not demand.directed, rules.names[demand.tail])):
        if demand.directed or demand.turned:
            into.setdefault(demand.head, {}).setdefault(demand.tail, demand)
    conflicts = []
    dropped: set[tuple[int, int]] = set()
    for child in sorted(into, key=lambda at: rules.names[at]):
        bound = tightest.get(child)
        parents = list(into[child])
        if bound is None or len(parents) <= bound.most:
            continue
        shown = [bound.words]
        for parent in parents[: bound.most + 1]:
            demand = into[child][parent]
            shown += [demand.words, demand.turned.words] if demand.turned else [demand.words]
        summary = f"{rules.names[child]} has {len(parents)} required parents but may have {bound.most}"
        conflicts.append(Conflict(summary, _unique(shown)))
        dropped |= {(parent, child) for parent in parents[bound.most :]}
    return conflicts, [one for one in demands if (one.tail, one.head) not in dropped]


_Item = _Demand | Bound | _Turned


def _no_orientation(rules: Rules, demands: list[_Demand]) -> list[Conflict]:
    """Demands that no acyclic graph within the bounds can meet, one irreducible set after the other."""
    left = list(demands)
    bounds = list(rules.tightest_bounds().values())
    conflicts = []
    while stuck := _orient(rules, _items(left, bounds)).stuck:
        inside = [one for one in left if rules.names[one.tail] in stuck and rules.names[one.head] in stuck]
        core = _smallest(
            rules, _items(inside, [bound for bound in bounds if rules.names[bound.child] in stuck])
        )
        edges = [item for item in core if isinstance(item, _Demand)]
        nodes = sorted({rules.names[end] for edge in edges for end in (edge.tail, edge.head)})
        bounded = any(isinstance(item, Bound) for item in core)
        way = "without a cycle and within the parent bounds" if bounded else "without a directed cycle"
        summary = f"the edges required between {', '.join(nodes)} cannot be oriented {way}"
        conflicts.append(Conflict(summary, _unique([item.words for item in core])))
        left.remove(max(edges, key=lambda edge: (edge.words, edge.tail, edge.head)))
    return conflicts


def _items(demands: Sequence[_Demand], bounds: Sequence[Bound]) -> list[_Item]:
    turned = [one.turned for one in demands if one.turned]
    return [*demands, *dict.fromkeys(turned), *bounds]


def _orient(rules: Rules, items: Sequence[_Item]) -> Orientation:
    turned = {item for item in items if isinstance(item, _Turned)}
    arcs: list[Arc] = []
    links: list[Arc] = []
    for item in items:
        if isinstance(item, _Demand):
            edge = (rules.names[item.tail], rules.names[item.head])
            (arcs if item.directed or item.turned in turned else links).append(edge)
    bounds = {rules.names[item.child]: item.most for item in items if isinstance(item, Bound)}
    return Orientation(arcs, links, bounds)


def _smallest(rules: Rules, items: list[_Item]) -> list[_Item]:
    """An irreducible subset of items that admits no orientation.

    A shortest directed cycle where the arcs alone close one; else items are left out while the rest still
    conflicts, and, while there are few enough of them to try, every smaller subset is tried too.
    """
    arcs = {
        (item.tail, item.head): item
        for item in items
        if isinstance(item, _Demand) and (item.directed or item.turned)
    }
    steps = frozenset(arcs)
    cycles = [shortest_path(steps, start, start) for start in sorted({tail for tail, _ in steps})]
    closed = [cycle for cycle in cycles if cycle]
    if closed:
        cycle = min(closed, key=len)
        on_cycle = [arcs[step] for step in pairwise(cycle)]
        return [part for arc in on_cycle for part in ((arc, arc.turned) if arc.turned else (arc,))]
    core = list(items)
    for item in items:
        without = [other for other in core if other is not item]
        if _orient(rules, without).stuck:
            core = without
    tried = 0
    for size in range(1, len(core)):
        tried += comb(len(items), size)
        if tried > _MOST_SUBSETS_TRIED:
            break
        for subset in combinations(items, size):
            if _orient(rules, subset).stuck:
                return list(subset)
    return core
