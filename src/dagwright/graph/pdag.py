"""Partially directed graphs: essential graphs (CPDAGs), patterns, and maximally oriented graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Self

import numpy as np

from dagwright import _core
from dagwright.base.seeds import RandomState
from dagwright.errors import GraphError, NoExtensionError
from dagwright.graph.dag import Dag, refuse_cycle
from dagwright.graph.named_graph import Edge, NamedGraph, NodeNames, renumbered
from dagwright.graph.notation import quote
from dagwright.graph.query import Names
from dagwright.graph.undirected import UndirectedGraph


class Pdag(NamedGraph):
    """A graph with directed and undirected edges and no directed cycle.

    Its *members* are its consistent extensions: the DAGs with the same skeleton and the same v-structures
    that keep its arcs. The members of an essential graph (CPDAG) are one Markov equivalence class.

    >>> pdag = Pdag(["A", "B", "C"], directed=[], undirected=[("A", "B"), ("B", "C")])
    >>> pdag.count()
    3
    >>> [str(dag) for dag in pdag.members()]
    ['A -> B; B -> C', 'B -> A; B -> C', 'B -> A; C -> B']
    """

    __slots__ = ()

    def __init__(
        self, nodes: Iterable[str], directed: Iterable[Edge] = (), undirected: Iterable[Edge] = ()
    ) -> None:
        names = NodeNames(nodes)
        arcs, edges = names.pairs(directed), names.pairs(undirected)
        native = _core.MixedGraph(len(names.given), arcs, edges)
        _refuse_double_edges(names, native)
        refuse_cycle(names, native)
        self._set(names, native)

    @classmethod
    def _build(cls, nodes: Iterable[str], directed: Iterable[Edge], undirected: Iterable[Edge]) -> Self:
        return cls(nodes, directed, undirected)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Every edge once as a pair, sorted: a directed one as (parent, child), an undirected one by name.

        `directed_edges` and `undirected_edges` tell the two kinds apart, which this does not. In JSON
        documents `edges` are the directed ones alone, beside `undirected`.

        >>> Pdag.parse("C -> B; A -- C").edges
        (('A', 'C'), ('C', 'B'))
        """
        return tuple(sorted((*self._directed, *self._undirected)))

    @property
    def directed_edges(self) -> tuple[Edge, ...]:
        """The arcs (parent, child), sorted by name."""
        return self._directed

    @property
    def undirected_edges(self) -> tuple[Edge, ...]:
        """The undirected edges, each once with its names in alphabetical order, sorted."""
        return self._undirected

    def parents(self, node: str) -> tuple[str, ...]:
        return self._adjacent_to(self._native.parents, node)

    def children(self, node: str) -> tuple[str, ...]:
        return self._adjacent_to(self._native.children, node)

    def neighbors(self, node: str) -> tuple[str, ...]:
        """The nodes joined to ``node`` by an undirected edge."""
        return self._adjacent_to(self._native.neighbors, node)

    def skeleton(self) -> UndirectedGraph:
        """The same edges without directions."""
        return UndirectedGraph._of(self._nodes, self._native.skeleton())

    def v_structures(self) -> tuple[tuple[str, str, str], ...]:
        """Every (a, c, b) with a -> c <- b where a and b are not adjacent, a before b by name."""
        return tuple((a, c, b) for a, c, b in map(self._nodes.name_all, _core.v_structures(self._native)))

    def chain_components(self) -> list[tuple[str, ...]]:
        """The sets of nodes joined by undirected edges, in order of their first name."""
        return [self._nodes.name_all(part) for part in _core.components(self._native)]

    def extension(self, order: Sequence[str] | None = None) -> Dag:
        """A member: the undirected edges get directions that make neither a cycle nor a new v-structure.

        Which of several members it is depends on an order of the nodes, by default that of their names.
        Raises `NoExtensionError`, which names the conflict, if there is none (Dor & Tarsi 1992).

        >>> Pdag.parse("A -- B").extension(), Pdag.parse("A -- B").extension(["B", "A"])
        (Dag.parse('A -> B'), Dag.parse('B -> A'))
        """
        place = None if order is None else self._nodes.places(order)
        numbered = self._native if place is None else renumbered(self._native, place)
        native = _core.consistent_extension(numbered)
        if native is None:
            from dagwright.graph.conflict import explain_no_extension

            raise NoExtensionError(explain_no_extension(self))
        return Dag._of(self._nodes, native if place is None else renumbered(native, np.argsort(place)))

    def has_extension(self) -> bool:
        return _core.consistent_extension(self._native) is not None

    def closed(self) -> Pdag:
        """The graph after Meek's (1995) four orientation rules, applied until none applies.

        For a graph with a consistent extension this directs exactly the edges that all its members agree on.
        For another one (see `has_extension`) the rules may make new v-structures, and if they close a cycle,
        `NoExtensionError` names the conflict.
        """
        native = _core.meek_closure(self._native)
        if _core.find_cycle(native):
            from dagwright.graph.conflict import explain_no_extension

            raise NoExtensionError(explain_no_extension(self))
        return Pdag._of(self._nodes, native)

    def cpdag(self, targets: Iterable[Names] = ()) -> Pdag:
        """The essential graph of the equivalence class that the members belong to.

        Parameters
        ----------
        targets
            As in `Dag.cpdag`: the sets of nodes that experiments set together.
        """
        return self.extension().cpdag(targets)

    def is_cpdag(self) -> bool:
        """Whether this is the essential graph of some DAG."""
        native = _core.consistent_extension(self._native)
        return native is not None and _core.essential_graph(native).same_as(self._native)

    def as_text(self) -> str:
        """The graph as text, like `Dag.as_text`; undirected edges run along double lines.

        >>> print(Pdag.parse("A -> C; B -> C; C -> D; A -- E").as_text())
        A ──┬─╖
        E ──│─╜
        B ──│─┐
        C ◀─┴─┴─┐
        D ◀─────┘
        """
        from dagwright.graph.drawing import draw_graph

        native = _core.consistent_extension(self._native)
        order = Dag(self.nodes, self.directed_edges) if native is None else Dag._of(self._nodes, native)
        return draw_graph(self, order)

    def members(self) -> Iterator[Dag]:
        """Every member once, one at a time, in an order that depends on the names only."""
        from dagwright.graph.members import list_members

        return list_members(self)

    def count(self) -> int:
        """The number of members, without listing them when this is an essential graph."""
        from dagwright.graph.members import count_members

        return count_members(self)

    def sample(self, random_state: RandomState = None) -> Dag:
        """A member drawn uniformly at random."""
        from dagwright.graph.members import sample_member

        return sample_member(self, random_state)


def _refuse_double_edges(names: NodeNames, native: _core.MixedGraph) -> None:
    if len(native.skeleton().undirected()) == len(native.directed()) + len(native.undirected()):
        return
    seen: dict[Edge, str] = {}
    for edges, arrow in ((native.directed(), "->"), (native.undirected(), "--")):
        for start, end in names.edges(edges):
            text = f"{quote(start)} {arrow} {quote(end)}"
            pair = min(start, end), max(start, end)
            other = seen.setdefault(pair, text)
            if other is not text:
                raise GraphError(f"{pair[0]!r} and {pair[1]!r} are joined twice, by {other} and by {text}")
