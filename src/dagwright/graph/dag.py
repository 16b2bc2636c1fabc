"""Directed acyclic graphs as immutable values with named nodes."""

from __future__ import annotations

from collections.abc import Iterable

from dagwright.errors import CycleError, GraphError, unknown_name


class Dag:
    """A directed acyclic graph; equal graphs have equal nodes and edges, whatever order they were given in.

    >>> dag = Dag(["A", "B", "C"], [("A", "B"), ("B", "C")])
    >>> dag.parents("C")
    ('B',)
    """

    __slots__ = ("_children", "_nodes", "_parents")

    def __init__(self, nodes: Iterable[str], edges: Iterable[tuple[str, str]] = ()) -> None:
        self._nodes = tuple(nodes)
        self._parents: dict[str, set[str]] = {node: set() for node in self._nodes}
        self._children: dict[str, set[str]] = {node: set() for node in self._nodes}
        if len(self._parents) != len(self._nodes):
            raise GraphError("node names must differ")
        for start, end in edges:
            for name in (start, end):
                if name not in self._parents:
                    raise unknown_name("node", name, self._nodes)
            self._parents[end].add(start)
            self._children[start].add(end)
        self._refuse_cycle()

    def _refuse_cycle(self) -> None:
        waiting = {node: len(parents) for node, parents in self._parents.items()}
        ready = [node for node, count in waiting.items() if count == 0]
        while ready:
            node = ready.pop()
            del waiting[node]
            for child in self._children[node]:
                waiting[child] -= 1
                if waiting[child] == 0:
                    ready.append(child)
        if waiting:
            raise CycleError(f"the arcs between {', '.join(sorted(waiting))} close a directed cycle")

    @property
    def nodes(self) -> tuple[str, ...]:
        return self._nodes

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The arcs (parent, child), sorted by name."""
        return tuple(sorted((start, end) for start, ends in self._children.items() for end in ends))

    def parents(self, node: str) -> tuple[str, ...]:
        if node not in self._parents:
            raise unknown_name("node", node, self._nodes)
        return tuple(sorted(self._parents[node]))

    def children(self, node: str) -> tuple[str, ...]:
        if node not in self._children:
            raise unknown_name("node", node, self._nodes)
        return tuple(sorted(self._children[node]))

    def __eq__(self, other: object) -> bool:
        return self._children == other._children if isinstance(other, Dag) else NotImplemented

    def __hash__(self) -> int:
        return hash((frozenset(self._nodes), self.edges))

    def __repr__(self) -> str:
        return f"Dag({list(self._nodes)!r}, {list(self.edges)!r})"
