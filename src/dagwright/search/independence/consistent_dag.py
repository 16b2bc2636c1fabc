"""A DAG from edges and directions that need not agree: as much as possible is kept, the rest is listed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, Pair, as_pair

Strength = Callable[[Sequence[Pair]], Sequence[float]]


class ConsistentDag:
    """Every edge gets a direction, one last node at a time, as in Dor & Tarsi (1992).

    A node without arcs leading out may come last. One whose edges make no new v-structure is preferred; if
    there is none, one with the fewest is taken. So a consistent extension is found whenever there is one,
    and some DAG with the given arcs always, unless knowledge stands in the way: then arcs that are not
    required are turned and the weakest edges that are not required are dropped.

    Attributes
    ----------
    parents
        The parents of each node.
    dropped
        Edges that knowledge leaves no room for.
    """

    def __init__(
        self, links: Iterable[Pair], arcs: Iterable[Pair], knowledge: NumberedKnowledge, strength: Strength
    ) -> None:
        self._knowledge = knowledge
        self._strength = strength
        self._near: list[set[int]] = [set() for _ in range(knowledge.n)]
        self._out: list[set[int]] = [set() for _ in range(knowledge.n)]
        for a, b in links:
            self._near[a].add(b)
            self._near[b].add(a)
        for a, b in arcs:
            self._out[a].add(b)
        self.parents: list[frozenset[int]] = [frozenset()] * knowledge.n
        self.dropped: list[Pair] = []
        left = set(range(knowledge.n))
        while left:
            last = self._next_last(left)
            if last is None:
                last = self._make_room(left)
            self.parents[last] = frozenset(self._near[last])
            for other in self._near[last]:
                self._near[other].discard(last)
                self._out[other].discard(last)
            left.discard(last)

    def _room(self, node: int) -> int:
        return self._knowledge.bounds.get(node, self._knowledge.n)

    def _next_last(self, left: set[int]) -> int | None:
        best, least = None, -1
        for node in sorted(left):
            if self._out[node] or len(self._near[node]) > self._room(node):
                continue
            made = self._new_v_structures(node)
            if best is None or made < least:
                best, least = node, made
            if made == 0:
                break
        return best

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
