"""How PC and its relatives settle colliders, in plain Python: slow, and only `sink_order` is the core's.

The twin of `_core.settle_colliders`, `_core.accepted_colliders` and `_core.consistent_dag`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.search.independence.colliders import ConflictPolicy, Triplet, reaches
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, Pair, as_pair

Strength = Callable[[Sequence[Pair]], Sequence[float]]


@dataclass(frozen=True, slots=True)
class ColliderConflict:
    """An edge that colliders want to point both ways."""

    edge: Pair
    forward: tuple[Triplet, ...]
    backward: tuple[Triplet, ...]


def collider_conflicts(colliders: Iterable[Triplet]) -> list[ColliderConflict]:
    """Every edge with colliders at both its ends (Jensen & Nielsen 2007, Fig. 7.10)."""
    wanted: dict[Pair, list[Triplet]] = {}
    for triple in colliders:
        a, c, b = triple
        for edge in ((a, c), (b, c)):
            if edge in wanted:
                wanted[edge].append(triple)
            else:
                wanted[edge] = [triple]
    return [
        ColliderConflict((a, b), tuple(wanted[a, b]), tuple(wanted[b, a]))
        for a, b in sorted(wanted)
        if a < b and (b, a) in wanted
    ]


def by_priority(
    colliders: Sequence[Triplet],
    conflicts: Sequence[ColliderConflict],
    policy: ConflictPolicy,
    strength: Callable[[Sequence[Triplet]], Sequence[float]],
) -> list[Triplet]:
    """The colliders in the order in which they may direct edges; those a policy gives up are left out."""
    disputed = {triple for one in conflicts for triple in (*one.forward, *one.backward)}
    if not disputed or policy in ("first", "error"):
        return list(colliders)
    rest = [triple for triple in colliders if triple not in disputed]
    if policy != "strongest":
        return rest
    ranked = sorted(disputed)
    values = dict(zip(ranked, strength(ranked), strict=True))
    return rest + sorted(ranked, key=lambda triple: (-values[triple], triple))


def accepted_colliders(
    ordered: Iterable[Triplet], knowledge: NumberedKnowledge, fixed: set[Pair]
) -> tuple[list[Triplet], set[Pair]]:
    """The colliders that contradict neither knowledge nor one before them, and all arcs that follow.

    Parameters
    ----------
    fixed
        Arcs whose direction knowledge decides.
    """
    arcs = set(fixed)
    children: dict[int, set[int]] = {}
    for tail, head in arcs:
        children.setdefault(tail, set()).add(head)
    kept = []
    for triple in ordered:
        a, c, b = triple
        fresh = [tail for tail in (a, b) if (tail, c) not in arcs]
        if fresh:
            if any((tail, c) in knowledge.forbidden or (c, tail) in arcs for tail in fresh):
                continue
            if reaches(children, c, fresh):
                continue
            for tail in fresh:
                arcs.add((tail, c))
                children.setdefault(tail, set()).add(c)
        kept.append(triple)
    return kept, arcs


class ConsistentDag:
    """A consistent extension if there is one, else a DAG close to one.

    Nodes come last one after another, as `sink_order` of the core finds them. Where it finds none, a node
    without arcs leading out is taken whose edges make the fewest new v-structures. So there is always some
    DAG with the given arcs, unless knowledge stands in the way: then arcs that are not required are turned
    and the weakest edges that are not required are dropped.

    Attributes
    ----------
    parents
        The parents of each node.
    dropped
        Edges that the knowledge excludes.
    """

    def __init__(
        self, edges: Iterable[Pair], arcs: Iterable[Pair], knowledge: NumberedKnowledge, strength: Strength
    ) -> None:
        self._knowledge = knowledge
        self._strength = strength
        self._near: list[set[int]] = [set() for _ in range(knowledge.n)]
        self._out: list[set[int]] = [set() for _ in range(knowledge.n)]
        for a, b in edges:
            self._near[a].add(b)
            self._near[b].add(a)
        for a, b in arcs:
            self._out[a].add(b)
        self.parents: list[frozenset[int]] = [frozenset()] * knowledge.n
        self.dropped: list[Pair] = []
        bounds = _core.Knowledge(knowledge.n)
        for node, most in knowledge.bounds.items():
            bounds.bound_parents(node, most)
        left = set(range(knowledge.n))
        while left:
            for node in _core.sink_order(self._graph_left(), bounds):
                if node in left:
                    self._take(node, left)
            if left:
                fewest = self._with_fewest_new_v_structures(left)
                self._take(self._make_room(left) if fewest is None else fewest, left)

    def _graph_left(self) -> _core.MixedGraph:
        """The edges between nodes that were not taken."""
        arcs = [(a, b) for a, heads in enumerate(self._out) for b in heads]
        directed = {as_pair(*arc) for arc in arcs}
        edges = [
            (a, b) for a, near in enumerate(self._near) for b in near if a < b and (a, b) not in directed
        ]
        return _core.MixedGraph(self._knowledge.n, _as_rows(arcs), _as_rows(edges))

    def _take(self, last: int, left: set[int]) -> None:
        self.parents[last] = frozenset(self._near[last])
        for other in self._near[last]:
            self._near[other].discard(last)
            self._out[other].discard(last)
        self._near[last] = set()
        left.discard(last)

    def _room(self, node: int) -> int:
        return self._knowledge.bounds.get(node, self._knowledge.n)

    def _with_fewest_new_v_structures(self, left: set[int]) -> int | None:
        free = [
            node for node in sorted(left) if not self._out[node] and len(self._near[node]) <= self._room(node)
        ]
        return min(free, key=self._new_v_structures, default=None)

    def _new_v_structures(self, node: int) -> int:
        near = self._near[node]
        return sum(len(near - self._near[other]) - 1 for other in near if node not in self._out[other])

    def _make_room(self, left: set[int]) -> int:
        """Turn and drop what keeps a node from coming last, where that costs least."""
        knowledge = self._knowledge

        def must_leave(node: int) -> list[int]:
            return [other for other in sorted(self._out[node]) if (other, node) in knowledge.forbidden]

        def required(node: int) -> int:
            return sum(as_pair(node, other) in knowledge.required for other in self._near[node])

        able = [
            node
            for node in sorted(left)
            if required(node) <= self._room(node)
            and not any((node, other) in knowledge.required_arcs for other in self._out[node])
        ]

        def cost(node: int) -> tuple[int, int]:
            leaving = len(must_leave(node))
            excess = len(self._near[node]) - leaving - self._room(node)
            return leaving + max(excess, 0), len(self._out[node])

        node = min(able, key=lambda one: (cost(one), one))
        for other in must_leave(node):
            self._drop(node, other)
        self._out[node].clear()
        free = sorted(
            as_pair(node, x) for x in self._near[node] if as_pair(node, x) not in knowledge.required
        )
        excess = len(self._near[node]) - self._room(node)
        if excess > 0:
            ranked = sorted(zip(self._strength(free), free, strict=True))
            for _, (a, b) in ranked[:excess]:
                self._drop(a, b)
        return node

    def _drop(self, a: int, b: int) -> None:
        self._near[a].discard(b)
        self._near[b].discard(a)
        self._out[a].discard(b)
        self._out[b].discard(a)
        self.dropped.append(as_pair(a, b))


def _as_rows(pairs: list[Pair]) -> NDArray[np.uint32]:
    return np.array(pairs, dtype=np.uint32).reshape(-1, 2)


@dataclass(frozen=True, slots=True)
class Settled:
    """What `settle` finds; fields as those of `_core.SettledColliders`."""

    conflicts: list[ColliderConflict]
    strengths: dict[Triplet, float]
    parents: list[frozenset[int]]
    dropped: list[Pair]
    lost: list[Triplet]
    gained: list[Triplet]
    open_made: list[bool]


def settle(
    around: Sequence[set[int]],
    colliders: Sequence[Triplet],
    undecided: Sequence[Triplet],
    knowledge: NumberedKnowledge,
    policy: ConflictPolicy,
    of_triples: Callable[[Sequence[Triplet]], Sequence[float]],
    of_pairs: Strength,
) -> Settled:
    """Ranking, acceptance, repair, and where the DAG says otherwise than the colliders."""
    strengths: dict[Triplet, float] = {}

    def noted(triples: Sequence[Triplet]) -> Sequence[float]:
        values = of_triples(triples)
        strengths.update(zip(triples, values, strict=True))
        return values

    conflicts = collider_conflicts(colliders)
    ordered = by_priority(colliders, conflicts, policy, noted)
    edges = [(x, y) for x, near in enumerate(around) for y in sorted(near) if x < y]
    _, arcs = accepted_colliders(ordered, knowledge, knowledge.one_way(edges))
    dag = ConsistentDag(edges, arcs, knowledge, of_pairs)
    joined = [
        {other for other, theirs in enumerate(dag.parents) if node in theirs} | dag.parents[node]
        for node in range(len(around))
    ]
    made = {
        (a, c, b)
        for c, parents in enumerate(dag.parents)
        for a in parents
        for b in parents
        if a < b and b not in joined[a]
    }
    gained = [
        (a, c, b)
        for a, c, b in sorted(made - set(colliders) - set(undecided))
        if a in around[c] and b in around[c] and b not in around[a]
    ]
    return Settled(
        conflicts,
        strengths,
        dag.parents,
        dag.dropped,
        sorted(set(colliders) - made),
        gained,
        [triple in made for triple in undecided],
    )
