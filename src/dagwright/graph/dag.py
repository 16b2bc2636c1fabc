"""Directed acyclic graphs as immutable values with named nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

from dagwright import _core
from dagwright.base.numbering import Numbering
from dagwright.errors import CycleError, GraphError
from dagwright.graph.named_graph import NO_EDGES, Edge, NamedGraph, NodeNames, renumbered
from dagwright.graph.query import Names, Query
from dagwright.graph.undirected import UndirectedGraph

if TYPE_CHECKING:
    from dagwright.graph.mag import Mag
    from dagwright.graph.pdag import Pdag


class Dag(NamedGraph):
    """A directed acyclic graph; equal graphs have equal nodes and edges, whatever order they were given in.

    Parameters
    ----------
    nodes
        The names. Their order is kept for display and never changes a result.
    edges
        Arcs as pairs (parent, child).

    >>> dag = Dag(["Rain", "Sprinkler", "Wet"], [("Rain", "Wet"), ("Sprinkler", "Wet")])
    >>> dag.parents("Wet")
    ('Rain', 'Sprinkler')
    >>> dag.d_separated("Rain", "Sprinkler"), dag.d_separated("Rain", "Sprinkler", given="Wet")
    (True, False)
    """

    __slots__ = ()

    def __init__(self, nodes: Iterable[str], edges: Iterable[Edge] = ()) -> None:
        names = NodeNames(nodes)
        native = _core.MixedGraph(len(names.given), names.pairs(edges), NO_EDGES)
        refuse_cycle(names, native)
        self._set(names, native)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The arcs (parent, child), sorted by name."""
        return self._directed

    def parents(self, node: str) -> tuple[str, ...]:
        return self._adjacent_to(self._native.parents, node)

    def children(self, node: str) -> tuple[str, ...]:
        return self._adjacent_to(self._native.children, node)

    def ancestors(self, nodes: Names) -> tuple[str, ...]:
        """Every node with a directed path to one of ``nodes``, themselves left out."""
        return self._others(_core.ancestors, nodes)

    def descendants(self, nodes: Names) -> tuple[str, ...]:
        """Every node with a directed path from one of ``nodes``, themselves left out."""
        return self._others(_core.descendants, nodes)

    def _others(self, reach: Any, nodes: Names) -> tuple[str, ...]:
        starts = self._nodes.numbers_of(nodes)
        return self._nodes.name_all(sorted(set(reach(self._native, starts)).difference(starts)))

    def markov_blanket(self, node: str) -> tuple[str, ...]:
        """Parents, children and the other parents of the children: what shields a node from all others."""
        children = self.children(node)
        members = {
            *self.parents(node),
            *children,
            *(name for child in children for name in self.parents(child)),
        }
        return tuple(sorted(members - {node}))

    def topological_order(self) -> tuple[str, ...]:
        """Parents before children; among nodes that are ready the first name goes first."""
        return self._nodes.name_all(_core.smallest_topological_order(self._native))

    def d_separated(self, x: Names, y: Names, given: Names = ()) -> bool:
        """Whether ``given`` blocks every trail between ``x`` and ``y``, each a node or a set of nodes.

        For many questions at once use `dagwright.graph.separation.separated_all`.
        """
        return _core.d_separated(self._native, self._numbered([Query(x, y, given)]))[0]

    def minimal_separators(self, x: str, y: str) -> Iterator[frozenset[str]]:
        """All sets that d-separate ``x`` from ``y`` and lose that with any of their nodes."""
        from dagwright.graph.separation import minimal_separators

        return minimal_separators(self, x, y)

    def skeleton(self) -> UndirectedGraph:
        """The same edges without directions."""
        return UndirectedGraph._of(self._nodes, self._native.skeleton())

    def moral(self) -> UndirectedGraph:
        """The moral graph: parents of a common child are joined, then directions are dropped."""
        return UndirectedGraph._of(self._nodes, _core.moral_graph(self._native, list(range(len(self)))))

    def ancestral(self, nodes: Names) -> Dag:
        """The subgraph of ``nodes`` and their ancestors."""
        return self.subgraph(
            self._nodes.name_all(_core.ancestors(self._native, self._nodes.numbers_of(nodes)))
        )

    def subgraph(self, nodes: Iterable[str]) -> Dag:
        """The nodes named and the arcs between them."""
        kept = set(self._nodes.name_all(self._nodes.numbers_of(nodes)))
        edges = (edge for edge in self.edges if kept.issuperset(edge))
        part = Dag((node for node in self.nodes if node in kept), edges)
        return part.numbered(Numbering(node for node in self._nodes.numbering if node in kept))

    def v_structures(self) -> tuple[tuple[str, str, str], ...]:
        """Every (a, c, b) with a -> c <- b where a and b are not adjacent, a before b by name."""
        return tuple((a, c, b) for a, c, b in map(self._nodes.name_all, _core.v_structures(self._native)))

    def cpdag(self, targets: Iterable[Names] = ()) -> Pdag:
        """The essential graph: arcs that every equivalent DAG has stay directed, the others do not.

        Parameters
        ----------
        targets
            The sets of nodes that experiments set together. The answer is then the interventional essential
            graph (Hauser & Buehlmann 2012): an arc with one end in a target and the other outside is directed
            too, with all that follows.

        >>> print(Dag.parse("A -> B -> C; D -> C").cpdag())
        A -- B; B -> C; D -> C
        >>> print(Dag.parse("A -> B -> C").cpdag(targets=["A"]))
        A -> B; B -> C
        """
        from dagwright.graph.pdag import Pdag

        return Pdag._of(self._nodes, self._essential(targets))

    def _essential(self, targets: Iterable[Names]) -> _core.MixedGraph:
        return _core.essential_graph(self._native, list(map(self._nodes.numbers_of, targets)))

    def latent_projection(self, hidden: Names = (), selection: Names = ()) -> Mag:
        """The graph that remains when some nodes are hidden and rows are selected by others.

        >>> print(Dag.parse("A <- H -> B -> C").latent_projection(hidden="H"))
        A <-> B; B -> C
        """
        from dagwright.graph.mag import latent_projection

        return latent_projection(self, hidden, selection)

    def equivalent(self, other: Dag, targets: Iterable[Names] = ()) -> bool:
        """Whether both graphs have the same nodes, skeleton and v-structures, so the same independences.

        With ``targets``, the sets of nodes that experiments set together, also whether the experiments cannot
        tell the two apart.
        """
        if self._nodes.numbering != other._nodes.numbering:
            return set(self.nodes) == set(other.nodes) and self.equivalent(
                other.numbered(self._nodes.numbering), targets
            )
        together = list(targets)
        return self._essential(together).same_as(other._essential(together))

    def renamed(self, names: Mapping[str, str]) -> Dag:
        """The same graph with other node names; names that are not mentioned stay."""
        for name in names:
            self._nodes.number(name)
        new = {name: names.get(name, name) for name in self.nodes}
        return Dag(new.values(), ((new[start], new[end]) for start, end in self.edges))

    def numbered(self, numbering: Numbering) -> Dag:
        """The same graph over another numbering of its nodes.

        Parents, arcs and the axes of tables are then listed by these numbers, and not by name.
        """
        if numbering == self._nodes.numbering:
            return self
        native = renumbered(self._native, self._nodes.numbering.places_in(numbering))
        return Dag._of(NodeNames(self.nodes, numbering), native)

    def with_edges(self, add: Iterable[Edge] = (), remove: Iterable[Edge] = ()) -> Dag:
        """A new graph with some arcs added and some removed."""
        kept = dict.fromkeys(self.edges)
        for edge in remove:
            if tuple(edge) not in kept:
                raise GraphError(f"there is no edge {edge[0]!r} -> {edge[1]!r} to remove")
            del kept[edge]
        return Dag(self.nodes, [*kept, *add])

    @classmethod
    def from_edges(cls, edges: Iterable[Edge]) -> Self:
        """From arcs alone; the nodes are those that they name."""
        arcs = list(edges)
        return cls(dict.fromkeys(name for arc in arcs for name in arc), arcs)

    @classmethod
    def from_parents(cls, parents: Mapping[str, Iterable[str]]) -> Self:
        """From the parents of each node; a parent without an entry of its own is a root."""
        families = {child: tuple(of_child) for child, of_child in parents.items()}
        nodes = dict.fromkeys([*families, *(name for family in families.values() for name in family)])
        return cls(nodes, ((parent, child) for child, family in families.items() for parent in family))

    @classmethod
    def _build(cls, nodes: Iterable[str], directed: Iterable[Edge], undirected: Iterable[Edge]) -> Self:
        for start, end in undirected:
            raise GraphError(
                f"{start!r} -- {end!r} is undirected; a Dag has only directed edges, a Pdag has both"
            )
        return cls(nodes, directed)

    def as_text(self) -> str:
        """The graph as text: parents above children, each arc running down beside the names.

        A line that starts at a parent enters the children where it meets their arrow with a corner or a
        cross; where the arrow is broken by ``│`` it only passes.

        >>> print(Dag.parse("A -> B -> C; A -> C").as_text())
        A ──┐
        B ◀─┼─┐
        C ◀─┴─┘
        """
        from dagwright.graph.drawing import draw_graph

        return draw_graph(self, self)


def refuse_cycle(names: NodeNames, native: _core.MixedGraph) -> None:
    """Raise the error that spells a directed cycle, if there is one."""
    cycle = names.name_all(_core.find_cycle(native))
    if cycle:
        raise CycleError(f"the edges form a directed cycle: {' -> '.join((*cycle, cycle[0]))}")
