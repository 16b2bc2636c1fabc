"""Differences between two graphs, in numbers and in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

from dagwright import _core
from dagwright.errors import CapacityError, GraphError
from dagwright.graph.accuracy import Accuracies, Accuracy, difference_lines
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import AnyGraph, GraphLike, as_graph
from dagwright.graph.holders import targets_among
from dagwright.graph.mag import Mag
from dagwright.graph.mark_comparison import MarkComparison, as_pag
from dagwright.graph.marked_graph import dot_name
from dagwright.graph.members import list_members
from dagwright.graph.named_graph import Edge
from dagwright.graph.notation import quote
from dagwright.graph.pag import Pag
from dagwright.graph.pdag import Pdag
from dagwright.graph.query import Names, name_set
from dagwright.graph.undirected import UndirectedGraph

# Members of one undirected component that may be looked at one by one for the intervention distance of a
# class.
MOST_MEMBERS = 20_000

Marks = dict[Edge, str]


@dataclass(frozen=True)
class Comparison(Accuracies):
    """Changes from the reference ``a`` to ``b``, with ``b`` seen as an estimate of ``a``.

    A pair of nodes counts once: as missing (adjacent in ``a`` only), extra (adjacent in ``b`` only) or
    reversed (adjacent in both, but pointing otherwise, or directed in one only). The structural Hamming
    distance is the number of such pairs:

    * ``shd`` between the essential graphs, as Tsamardinos, Brown & Aliferis (2006) define it and as
    ``shd()`` of the R
      package bnlearn computes it;
    * ``dag_shd`` between the graphs as they are given.

    With ``targets``, the sets of nodes that experiments set together, the essential graphs are interventional
    ones (Hauser & Buehlmann 2012). Where one of the graphs is undirected, the skeletons are compared: both
    are `UndirectedGraph`s then, and directions do not count.
    """

    a: Dag | Pdag | UndirectedGraph
    b: Dag | Pdag | UndirectedGraph
    targets: tuple[frozenset[str], ...] = ()

    @cached_property
    def _given(self) -> tuple[Marks, Marks]:
        return _marks(self.a), _marks(self.b)

    @cached_property
    def _essential(self) -> tuple[Marks, Marks]:
        if isinstance(self.a, UndirectedGraph) or isinstance(self.b, UndirectedGraph):
            return self._given
        return _marks(self.a.cpdag(self.targets)), _marks(self.b.cpdag(self.targets))

    @property
    def missing(self) -> tuple[Edge, ...]:
        """Edges of ``a`` between nodes that are not adjacent in ``b``, as they are in ``a``."""
        a, b = self._given
        return tuple(sorted(_edge(pair, mark) for pair, mark in a.items() if pair not in b))

    @property
    def extra(self) -> tuple[Edge, ...]:
        """Edges of ``b`` between nodes that are not adjacent in ``a``, as they are in ``b``."""
        a, b = self._given
        return tuple(sorted(_edge(pair, mark) for pair, mark in b.items() if pair not in a))

    @property
    def reversed(self) -> tuple[Edge, ...]:
        """Edges of both graphs with another direction, or none, in ``b``; as they are in ``a``."""
        a, b = self._given
        return tuple(sorted(_edge(pair, mark) for pair, mark in a.items() if b.get(pair, mark) != mark))

    @property
    def dag_shd(self) -> int:
        """Structural Hamming distance between the graphs as given."""
        return _differing(*self._given)

    @property
    def shd(self) -> int:
        """Structural Hamming distance between the essential graphs."""
        return _differing(*self._essential)

    @property
    def equivalent(self) -> bool:
        return self.shd == 0

    @property
    def skeleton(self) -> Accuracy:
        """Adjacent pairs of ``b`` compared with ``a``."""
        a, b = self._given
        return Accuracy(len(a.keys() & b.keys()), len(b), len(a))

    @property
    def arrowheads(self) -> Accuracy:
        """Arcs of the essential graph of ``b`` compared with ``a``; undirected edges do not count."""
        a, b = ({item for item in marks.items() if item[1] != "--"} for marks in self._essential)
        return Accuracy(len(a & b), len(b), len(a))

    @property
    def sid(self) -> int:
        """Structural intervention distance (Peters & Bühlmann 2015) of the DAG ``b`` from the true DAG ``a``.

        The number of ordered pairs (i, j) for which adjusting for the parents of i in ``b`` gives a wrong
        effect of i on j. It is not symmetric.
        """
        low, high = self.sid_bounds
        if low != high:
            raise GraphError(f"the members of the class have distances from {low} to {high}; see sid_bounds")
        return low

    @cached_property
    def sid_bounds(self) -> tuple[int, int]:
        """The smallest and the largest intervention distance of a member of ``b`` from the true DAG ``a``."""
        if not isinstance(self.a, Dag):
            raise GraphError(
                "the structural intervention distance needs a Dag as the first graph, the true one"
            )
        # b may list its nodes in another order, but numbers follow the alphabet in both.
        truth = self.a._native
        if isinstance(self.b, Dag):
            distance = _core.structural_intervention_distance(truth, self.b._native)
            return distance, distance
        if isinstance(self.b, UndirectedGraph):
            raise GraphError("the structural intervention distance needs directions, not skeletons")
        return _sid_of_class(self.a, self.b)

    @property
    def known_sid_bounds(self) -> tuple[int, int] | None:
        """`sid_bounds`; None where ``a`` is not a DAG or the class of ``b`` has too many members."""
        try:
            return self.sid_bounds
        except (GraphError, CapacityError):
            return None

    @property
    def diff(self) -> str:
        """One line per difference: ``-`` missing, ``+`` extra, ``~`` pointing otherwise in ``b``."""
        a, b = self._given
        return difference_lines(a, b, _text)

    @property
    def in_words(self) -> str:
        """Edges that ``b`` lacks, adds and directs otherwise, in a line; empty if the graphs are the same.

        >>> compare(Dag.parse("A -> B -> C"), Dag.parse("B -> A; A -> C")).in_words
        'without B – C; with A – C; other direction of A – B'
        """
        kinds = (("without", self.missing), ("with", self.extra), ("other direction of", self.reversed))
        return "; ".join(f"{word} {edges_in_words(edges)}" for word, edges in kinds if edges)

    def to_dot(self) -> str:
        """Both graphs as Graphviz text: gray shared, red dashed missing, green extra, orange reversed."""
        a, b = self._given
        lines = ["digraph comparison {"]
        lines += [f"  {dot_name(node)};" for node in self.a.nodes]
        for pair in sorted(a.keys() | b.keys()):
            mark = b.get(pair, a.get(pair, "--"))
            if pair not in b:
                style = "color=red, style=dashed"
            elif pair not in a:
                style = "color=green"
            else:
                style = "color=gray" if a[pair] == mark else "color=orange"
            start, end = _edge(pair, mark)
            head = ", dir=none" if mark == "--" else ""
            lines.append(f"  {dot_name(start)} -> {dot_name(end)} [{style}{head}];")
        return "\n".join([*lines, "}"])

    def __str__(self) -> str:
        between = (
            "skeletons"
            if isinstance(self.a, UndirectedGraph)
            else f"{'interventional ' if self.targets else ''}essential graphs, {self.dag_shd} as given"
        )
        summary = (
            f"structural Hamming distance {self.shd} between {between}; "
            f"{len(self.missing)} missing, {len(self.extra)} extra, {len(self.reversed)} reversed; "
            f"skeleton F1 {self.skeleton_f1:.3f}, arrowhead F1 {self.arrowhead_f1:.3f}"
        )
        return f"{summary}\n{self.diff}" if self.diff else summary


@overload
def compare(
    a: Dag | Pdag | UndirectedGraph,
    b: Dag | Pdag | UndirectedGraph,
    *,
    targets: Iterable[Names] | None = None,
) -> Comparison: ...
@overload
def compare(
    a: GraphLike, b: GraphLike, *, targets: Iterable[Names] | None = None
) -> Comparison | MarkComparison: ...
def compare(
    a: GraphLike, b: GraphLike, *, targets: Iterable[Names] | None = None
) -> Comparison | MarkComparison:
    """Compare an estimate ``b`` with the reference ``a``.

    Parameters
    ----------
    a, b
        Graphs, learned results, networks, text such as "A -> B; C", or the names of built-in networks or
        files. Nodes that only one of them mentions have no edges in the other; but if each has nodes that the
        other lacks, they are about different variables, and refused. If one is a `Mag` or a `Pag`, classes of
        ancestral graphs are compared, mark by mark; if one is undirected, the skeletons.
    targets
        The sets of nodes that experiments set together: the structural Hamming distance is then between
        interventional essential graphs. By default those of a learned result, if one is given.

    >>> found = compare("A -> B -> C", "B -> A; B -> C; A -> C")
    >>> found.shd, found.dag_shd, found.extra, found.reversed
    (1, 2, (('A', 'C'),), (('A', 'B'),))
    >>> print(found.diff)
    ~ A -> B  is  B -> A
    + A -> C
    """
    first, second = as_graph(a, "reference"), as_graph(b, "estimate")
    only = [sorted(set(one.nodes) - set(other.nodes)) for one, other in ((first, second), (second, first))]
    if only[0] and only[1]:
        raise GraphError(
            f"graphs over different nodes cannot be compared: only the first has {only[0][0]!r}, only the "
            f"second {only[1][0]!r}"
        )
    first, second = _with_nodes(first, only[1]), _with_nodes(second, only[0])
    if isinstance(first, Mag | Pag) or isinstance(second, Mag | Pag):
        return MarkComparison(as_pag(first), as_pag(second))
    if isinstance(first, UndirectedGraph) or isinstance(second, UndirectedGraph):
        return Comparison(_skeleton(first), _skeleton(second))
    if targets is None:
        targets = targets_among(a, b)
    return Comparison(first, second, tuple(frozenset(name_set(target)) for target in targets))


def _with_nodes(graph: AnyGraph, more: Sequence[str]) -> AnyGraph:
    nodes = [*graph.nodes, *more]
    if not more:
        return graph
    if isinstance(graph, Mag | Pag):
        return type(graph)(nodes, graph.edges)
    return type(graph)._build(nodes, graph._directed, graph._undirected)


def _skeleton(graph: Dag | Pdag | UndirectedGraph) -> UndirectedGraph:
    return graph if isinstance(graph, UndirectedGraph) else graph.skeleton()


def edges_in_words(edges: Iterable[Edge]) -> str:
    """Edges without their directions."""
    return ", ".join(f"{a} – {b}" for a, b in edges)


def _marks(graph: Dag | Pdag | UndirectedGraph) -> Marks:
    """For each adjacent pair, names in alphabetical order: ``->``, ``<-`` or ``--``."""
    directed = {(min(e), max(e)): "->" if e[0] < e[1] else "<-" for e in graph._directed}
    return directed | dict.fromkeys(graph._undirected, "--")


def _edge(pair: Edge, mark: str) -> Edge:
    return pair[::-1] if mark == "<-" else pair


def _text(pair: Edge, mark: str) -> str:
    start, end = _edge(pair, mark)
    return f"{quote(start)} {'--' if mark == '--' else '->'} {quote(end)}"


def _differing(a: Marks, b: Marks) -> int:
    return sum(a.get(pair) != b.get(pair) for pair in a.keys() | b.keys())


def _sid_of_class(truth: Dag, graph: Pdag) -> tuple[int, int]:
    """Components are oriented independently of each other, so each is minimized and maximized on its own."""
    closed = graph.closed()
    numbers = truth._nodes.numbering.number
    low = high = 0
    for component in closed.chain_components():
        inside = set(component)
        part = Pdag(
            component,
            (edge for edge in closed.directed_edges if inside.issuperset(edge)),
            (edge for edge in closed.undirected_edges if inside.issuperset(edge)),
        )
        members = part.count()
        if members > MOST_MEMBERS:
            raise CapacityError(
                f"the undirected component of {component[0]!r} has {members} members, too many for the "
                "structural intervention distance; compare with one of them, graph.extension()"
            )
        smallest: float = math.inf
        largest = 0
        outside = {node: [numbers[p] for p in closed.parents(node) if p not in inside] for node in component}
        known: dict[tuple[int, ...], int] = {}
        for member in list_members(part):
            total = 0
            for node in component:
                parents = sorted(outside[node] + [numbers[p] for p in member.parents(node)])
                key = (numbers[node], *parents)
                if key not in known:
                    known[key] = len(_core.wrong_effects(truth._native, numbers[node], parents))
                total += known[key]
            smallest, largest = min(smallest, total), max(largest, total)
        low, high = low + int(smallest), high + largest
    return low, high
