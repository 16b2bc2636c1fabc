"""The graph whose pairs are each in their most probable state, made acyclic at least cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dagwright.graph.pdag import Pdag
from dagwright.graph.viewable import Viewable
from dagwright.knowledge import Knowledge, ResolvedKnowledge, as_knowledge

if TYPE_CHECKING:
    from dagwright.confidence.confidence import Confidence

LARGEST_EXACT = 14
"""Up to this many variables in one cycle, all orders are tried."""

NONE, UNDIRECTED, FORTH, BACK = range(4)
"""The states of a pair (i, j): not joined, joined without a direction, i -> j, j -> i."""

SAME = 1e-12
"""Probabilities that differ by less are the same."""


@dataclass(frozen=True)
class AveragedGraph(Viewable):
    """A graph made of the most probable state of each pair of variables.

    Attributes
    ----------
    graph
        Its directed edges have no cycle.
    agreement
        How many pairs are expected to be right: the sum over pairs of the probability of their state.
    gap
        By how much another graph without a directed cycle can agree more at most; 0 where this one is proven
        best.
    """

    graph: Pdag
    agreement: float
    gap: float

    def __str__(self) -> str:
        proven = "proven most" if self.gap == 0 else f"at most {self.gap:.4g} below the most"
        return f"{self.agreement:.4g} pairs expected right, {proven}\n{self.graph}"


def averaged(confidence: Confidence, knowledge: Knowledge | None) -> AveragedGraph:
    """The graph that obeys the knowledge and agrees most with the probabilities, pair by pair."""
    return averaged_under(confidence, as_knowledge(knowledge).resolve(confidence.nodes))


def averaged_under(
    confidence: Confidence, resolved: ResolvedKnowledge, max_parents: int | None = None
) -> AveragedGraph:
    """The same under knowledge over the nodes of the confidence, with a bound on the parents of each."""
    worth = _Worth(confidence, resolved)
    n = len(confidence.nodes)
    states = worth.best_states()
    bound = worth.total(states)
    proven = True
    for cycle in _cycles(states):
        exact = len(cycle) <= LARGEST_EXACT
        order = _best_order(worth, cycle) if exact else _good_order(worth, cycle)
        worth.direct(states, order)
        proven = proven and exact
    proven = worth.keep_parent_bounds(states, resolved, max_parents) and proven
    names = confidence.nodes
    arcs = [(names[i], names[j]) for i in range(n) for j in range(n) if _is_arc(states, i, j)]
    edges = [(names[i], names[j]) for i in range(n) for j in range(i + 1, n) if states[i, j] == UNDIRECTED]
    graph = Pdag(names, arcs, edges)
    resolved.require(graph)
    agreement = worth.total(states)
    return AveragedGraph(graph, agreement, 0.0 if proven else max(0.0, bound - agreement))


def _is_arc(states: NDArray[np.int8], i: int, j: int) -> bool:
    return bool(states[i, j] == FORTH if i < j else i > j and states[j, i] == BACK)


class _Worth:
    """The probability of each state of each pair; minus infinity for what knowledge forbids."""

    def __init__(self, confidence: Confidence, resolved: ResolvedKnowledge) -> None:
        names = confidence.nodes
        n = len(names)
        self.of = np.full((n, n, 4), -math.inf)
        undirected = confidence.undirected
        required = {frozenset(pair) for pair in (*resolved.required_arcs, *resolved.required_links)}
        arcs = set(resolved.required_arcs)
        for i in range(n):
            for j in range(i + 1, n):
                forth, back = (names[i], names[j]), (names[j], names[i])
                either = 0.0 if undirected is None else float(undirected[i, j])
                worth = self.of[i, j]
                if frozenset(forth) not in required:
                    worth[NONE] = 1.0 - float(confidence.arcs[i, j] + confidence.arcs[j, i]) - either
                if resolved.allows_arc(*forth) and back not in arcs:
                    worth[FORTH] = float(confidence.arcs[i, j])
                if resolved.allows_arc(*back) and forth not in arcs:
                    worth[BACK] = float(confidence.arcs[j, i])
                if not math.isfinite(worth[FORTH] + worth[BACK]):
                    continue
                if undirected is not None:
                    worth[UNDIRECTED] = either
                if abs(worth[FORTH] - worth[BACK]) <= SAME:  # no reason for either direction
                    worth[UNDIRECTED] = max(either, worth[FORTH])

    def best_states(self) -> NDArray[np.int8]:
        """The most probable state of each pair; of equal ones none before undirected before directed."""
        states: NDArray[np.int8] = np.argmax(self.of, axis=2).astype(np.int8)
        return states

    def total(self, states: NDArray[np.int8]) -> float:
        rows, columns = np.triu_indices(len(states), 1)
        return math.fsum(self.of[rows, columns, states[rows, columns]].tolist())

    def in_order(self, first: int, second: int) -> float:
        """The most that a pair is worth when no arc leads from the second to the first."""
        return float(
            np.delete(self.of[min(first, second), max(first, second)], self._against(first, second)).max()
        )

    def direct(self, states: NDArray[np.int8], order: Sequence[int]) -> None:
        """Put each pair of the order into its best state that has no arc against it."""
        for at, first in enumerate(order):
            for second in order[at + 1 :]:
                i, j = min(first, second), max(first, second)
                worth = self.of[i, j].copy()
                worth[self._against(first, second)] = -math.inf
                states[i, j] = np.argmax(worth)

    @staticmethod
    def _against(first: int, second: int) -> int:
        return BACK if first < second else FORTH

    def keep_parent_bounds(
        self, states: NDArray[np.int8], resolved: ResolvedKnowledge, max_parents: int | None
    ) -> bool:
        """Take the least probable edges from variables that could get too many parents; whether none had."""
        kept = True
        for child, name in enumerate(resolved.names):
            known = resolved.max_parents_of(name)
            most = max_parents if known is None else known if max_parents is None else min(known, max_parents)
            into = [p for p in range(len(states)) if _may_lead(states, p, child)]
            while most is not None and len(into) > most:
                kept = False
                pairs = [(min(p, child), max(p, child)) for p in into]
                losses = [self.of[i, j, states[i, j]] - self.of[i, j, NONE] for i, j in pairs]
                least = losses.index(min(losses))
                states[pairs[least]] = NONE
                into.pop(least)
        return kept


def _may_lead(states: NDArray[np.int8], i: int, j: int) -> bool:
    return _is_arc(states, i, j) or (i != j and bool(states[min(i, j), max(i, j)] == UNDIRECTED))


def _cycles(states: NDArray[np.int8]) -> list[list[int]]:
    """The sets of variables that directed cycles hold together."""
    n = len(states)
    forth = np.triu(states == FORTH, 1)
    reach = forth | np.triu(states == BACK, 1).T
    for k in range(n):
        reach |= np.outer(reach[:, k], reach[k])
    both = reach & reach.T
    left, found = set(range(n)), []
    for v in range(n):
        if v in left:
            group = [w for w in range(n) if w == v or both[v, w]]
            left -= set(group)
            if len(group) > 1:
                found.append(group)
    return found


def _best_order(worth: _Worth, members: Sequence[int]) -> list[int]:
    """The order in which the pairs are worth most, by dynamic programming over subsets."""
    k = len(members)
    before = [[0.0 if a == b else worth.in_order(a, b) for b in members] for a in members]
    best, last = np.full(1 << k, -math.inf), np.zeros(1 << k, dtype=np.int8)
    best[0] = 0.0
    for subset in range(1, 1 << k):
        for b in range(k):
            if subset >> b & 1:
                rest = subset & ~(1 << b)
                value = best[rest] + math.fsum(before[a][b] for a in range(k) if rest >> a & 1)
                if value > best[subset]:
                    best[subset], last[subset] = value, b
    order, subset = [], (1 << k) - 1
    while subset:
        order.append(members[last[subset]])
        subset &= ~(1 << int(last[subset]))
    return order[::-1]


def _good_order(worth: _Worth, members: Sequence[int]) -> list[int]:
    """A good order where there are too many to try: each variable at its best place, until none gains.

    The first order has the arcs that knowledge requires, and no place is better that breaks one: this costs
    more than all pairs together are worth.
    """
    most = float(len(members) ** 2)
    gain = {
        (a, b): max(-most, min(worth.in_order(a, b) - worth.in_order(b, a), most))
        for a in members
        for b in members
        if a != b
    }
    left = sorted(members, key=lambda v: (-sum(gain[v, w] for w in members if w != v), v))
    order: list[int] = []
    while left:
        first = next(v for v in left if all(gain[w, v] < most for w in left if w != v))
        left.remove(first)
        order.append(first)
    moved = True
    while moved:
        moved = False
        for v in order:
            at = order.index(v)
            rest = order[:at] + order[at + 1 :]
            # What all places but the first gain over it.
            values = [0.0]
            for w in rest:
                values.append(values[-1] + gain[w, v])
            place = max(range(len(values)), key=lambda p: values[p])
            if values[place] > values[at] + 1e-12:
                order = [*rest[:place], v, *rest[place:]]
                moved = True
    return order
