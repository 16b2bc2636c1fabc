"""Undirected graphs: Markov networks, skeletons and moral graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

from dagwright import _core
from dagwright.errors import GraphError
from dagwright.graph import conversion
from dagwright.graph.named_graph import NO_EDGES, Edge, NamedGraph, NodeNames
from dagwright.graph.query import Names, Query

if TYPE_CHECKING:
    from dagwright.graph.dag import Dag


class UndirectedGraph(NamedGraph):
    """An undirected graph; in a Markov network separation means independence.

    >>> square = UndirectedGraph.parse("A -- B -- C -- D -- A")
    >>> square.separated("A", "C", given=["B", "D"])
    True
    """

    __slots__ = ()

    def __init__(self, nodes: Iterable[str], edges: Iterable[Edge] = ()) -> None:
        names = NodeNames(nodes)
        self._set(names, _core.MixedGraph(len(names.given), NO_EDGES, names.pairs(edges)))

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The edges, each once with its names in alphabetical order, sorted."""
        return self._undirected

    def neighbors(self, node: str) -> tuple[str, ...]:
        return self._adjacent_to(self._native.neighbors, node)

    def separated(self, x: Names, y: Names, given: Names = ()) -> bool:
        """Whether every path between ``x`` and ``y`` passes through ``given``."""
        return _core.undirected_separated(self._native, self._numbered([Query(x, y, given)]))[0]

    def is_chordal(self) -> bool:
        """Whether every cycle of four or more nodes has a chord."""
        return _core.is_chordal(self._native)

    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """The maximal cliques of a chordal graph, in an order with the running intersection property.

        >>> UndirectedGraph.parse("A -- B -- C -- A; C -- D").cliques()
        (('A', 'B', 'C'), ('C', 'D'))
        """
        from dagwright.graph.chordal import clique_sequence

        return clique_sequence(self).cliques

    def directed(self, order: Sequence[str] | None = None) -> Dag:
        """A DAG with the same independences; there is one exactly for chordal graphs.

        Which of several DAGs it is depends on an order of the nodes, by default that of their names.
        """
        from dagwright.graph.chordal import equivalent_dag

        return equivalent_dag(self, order)

    def components(self) -> list[tuple[str, ...]]:
        """The connected components, in order of their first name."""
        return [self._nodes.name_all(part) for part in _core.components(self._native)]

    def minimal_separators(self, x: str, y: str) -> Iterator[frozenset[str]]:
        """All sets that separate ``x`` from ``y`` and lose that with any of their nodes."""
        from dagwright.graph.separation import minimal_separators

        return minimal_separators(self, x, y)

    @classmethod
    def _build(cls, nodes: Iterable[str], directed: Iterable[Edge], undirected: Iterable[Edge]) -> Self:
        for start, end in directed:
            raise GraphError(
                f"{start!r} -> {end!r} is directed; an undirected graph has only undirected edges"
            )
        return cls(nodes, undirected)

    def to_networkx(self) -> Any:
        """A networkx Graph with the same nodes."""
        return conversion.networkx_graph(self, directed=False)
