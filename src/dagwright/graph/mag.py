"""Maximal ancestral graphs: what a DAG says about the variables that are seen (Richardson & Spirtes 2002)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from dagwright import _core
from dagwright.errors import GraphError
from dagwright.graph.edge_marks import ARROW, CIRCLE, TAIL, EdgeMarks
from dagwright.graph.marked_graph import MarkedGraph
from dagwright.graph.named_graph import NO_EDGES, NodeNames
from dagwright.graph.query import Names, Query, name_set
from dagwright.graph.undirected import UndirectedGraph
from dagwright.graph.zhang_rules import close

if TYPE_CHECKING:
    from dagwright.graph.dag import Dag
    from dagwright.graph.pag import Pag


class Mag(MarkedGraph):
    """An ancestral graph: -> for ancestors, <-> for hidden common causes, -- for selection.

    A tail at a means that a is an ancestor of the other end or of what selected the rows, an arrowhead that
    it is not. It is maximal if any two nodes that are not adjacent are separated by some set; see
    `is_maximal`. As an oracle it answers by m-separation.

    >>> from dagwright.graph.dag import Dag
    >>> mag = Dag.parse("A -> B <- H -> C <- D").latent_projection(hidden="H")
    >>> print(mag)
    A -> B; B <-> C; D -> C
    >>> mag.m_separated("A", "C"), mag.m_separated("A", "C", given="B")
    (True, False)
    """

    __slots__ = ()

    def _refuse(self, nodes: NodeNames, marks: EdgeMarks) -> None:
        above = [marks.ancestors(node) for node in range(len(marks))]
        for a, at_a, at_b, b in marks.ends():
            start, end = nodes.name_all((a, b))
            if CIRCLE in (at_a, at_b):
                raise GraphError(
                    f"the edge between {start!r} and {end!r} has a circle, which a MAG cannot have; use Pag()"
                )
            if at_a == at_b == TAIL:
                for node, name in ((a, start), (b, end)):
                    if any(marks.is_arrow(other, node) for other in marks.near(node)):
                        raise GraphError(
                            f"{name!r} has an undirected edge and an arrowhead: the graph is not ancestral"
                        )
            for tail, head in ((a, b), (b, a)):
                if marks.is_arrow(tail, head) and head in above[tail]:
                    tail_name, head_name = nodes.name_all((tail, head))
                    raise GraphError(
                        f"there is an arrowhead at {head_name!r}, an ancestor of {tail_name!r}, "
                        "on the edge between them: the graph is not ancestral"
                    )

    def m_separated(self, x: Names, y: Names, given: Names = ()) -> bool:
        """Whether ``given`` blocks every path between ``x`` and ``y``, each a node or a set of nodes.

        A path is open if its colliders are ancestors of ``given`` and its other nodes are not in ``given``.
        """
        return self.m_separated_all([Query(x, y, given)])[0]

    def m_separated_all(self, queries: Sequence[Query]) -> list[bool]:
        """Answer many questions in one native call."""
        return self._separated(self._numbered(queries))

    def _separated(self, questions: Iterable[tuple[list[int], list[int], list[int]]]) -> list[bool]:
        """By d-separation in the DAG in which a hidden parent stands for each <-> and a selected child for
        each -- (the canonical DAG of Richardson & Spirtes 2002, section 6).
        """
        n, arcs, selected = len(self), [], []
        total = n
        for a, at_a, at_b, b in self._ends:
            if at_a == at_b:
                arcs += [(total, a), (total, b)] if at_a == ARROW else [(a, total), (b, total)]
                selected += [] if at_a == ARROW else [total]
                total += 1
            else:
                arcs.append((a, b) if at_b == ARROW else (b, a))
        pairs = np.array(arcs, dtype=np.uint32).reshape(-1, 2)
        canonical = _core.MixedGraph(total, pairs, NO_EDGES)
        return _core.d_separated(canonical, [(x, y, [*given, *selected]) for x, y, given in questions])

    def is_maximal(self) -> bool:
        """Whether every two nodes that are not adjacent are separated by some set of others."""
        return not self.inseparable()

    def inseparable(self) -> list[tuple[str, str]]:
        """The pairs that are neither adjacent nor separated by any set; [] for a maximal graph."""
        marks = self._marks()
        before = [_anterior(marks, node) for node in range(len(self))]
        districts = _districts_around(marks)
        apart = [
            (a, b)
            for a, b in combinations(range(len(self)), 2)
            if not marks.joined(a, b) and not districts[a].isdisjoint(districts[b])
        ]
        answers = self._separated(([a], [b], list((before[a] | before[b]) - {a, b})) for a, b in apart)
        name = self._nodes.numbering.names
        return [(name[a], name[b]) for (a, b), apart in zip(apart, answers, strict=True) if not apart]

    def augmented(self, nodes: Names) -> UndirectedGraph:
        """The undirected graph of ``nodes`` and what is anterior to them, whose separation is m-separation.

        Nodes are joined that are adjacent or that a path of colliders connects (Richardson & Spirtes 2002).

        >>> Mag.parse("A -> B <-> C <- D").augmented(["B", "C"]).edges
        (('A', 'B'), ('A', 'C'), ('A', 'D'), ('B', 'C'), ('B', 'D'), ('C', 'D'))
        """
        marks = self._marks()
        kept = set().union(*(_anterior(marks, node) for node in self._nodes.numbers_of(nodes)))
        around: dict[int, set[int]] = {}
        for node, district in enumerate(_districts(marks, kept)):
            if node in kept:
                parents = {other for other in marks.near(node) if marks.is_parent(other, node)}
                around.setdefault(district, set()).update({node} | parents)
        pairs = {pair for part in around.values() for pair in combinations(sorted(part), 2)}
        pairs |= {(a, b) for a, b in marks.edges() if a in kept and b in kept}
        name = self._nodes.numbering.names
        return UndirectedGraph(
            [name[node] for node in sorted(kept)], [(name[a], name[b]) for a, b in sorted(pairs)]
        )

    def without_edges(self, pairs: Iterable[tuple[str, str]]) -> Mag:
        """The same graph without the edges between these pairs."""
        removed = {frozenset(pair) for pair in pairs}
        return Mag(self.nodes, [edge for edge in self.edges if frozenset((edge[0], edge[2])) not in removed])

    def pag(self) -> Pag:
        """The class of all maximal ancestral graphs with the same separations: circles where they differ.

        From its unshielded colliders and discriminating paths, by the rules of Zhang (2008). The graph must
        be maximal.
        """
        from dagwright.graph.pag import Pag

        found = class_marks(self._marks())
        return Pag._of_marks(self._nodes, found)


def class_marks(mag: EdgeMarks) -> EdgeMarks:
    """The marks that all graphs of the class of a maximal ancestral graph share, circles elsewhere."""
    marks = EdgeMarks(len(mag), mag.edges())
    marks.put_colliders(mag.colliders())
    close(marks, lambda path: mag.is_collider(*path[-3:]))
    return marks


def _districts_around(marks: EdgeMarks) -> list[set[int]]:
    """For each node the districts, parts joined by <->, that it is in or has an arrowhead into.

    Two nodes that nothing separates have an inducing path, whose inner nodes are joined by <-> (Richardson &
    Spirtes 2002, section 4.2), so they are around the same district.
    """
    district = _districts(marks, set(range(len(marks))))
    return [
        {district[node], *(district[v] for v in marks.at[node] if marks.is_arrow(node, v))}
        for node in range(len(marks))
    ]


def _districts(marks: EdgeMarks, within: set[int]) -> list[int]:
    """For each node ``within`` the smallest number in its district there; -1 for the others."""
    district = [-1] * len(marks)
    for start in sorted(within):
        front = [start] if district[start] < 0 else []
        while front:
            here = front.pop()
            district[here] = start
            front += [
                v for v in marks.at[here] if v in within and district[v] < 0 and marks.is_confounded(here, v)
            ]
    return district


def _anterior(marks: EdgeMarks, node: int) -> set[int]:
    """The nodes from which ``node`` is reached along -> and --, itself included."""
    seen, front = {node}, [node]
    while front:
        here = front.pop()
        for other in marks.near(here):
            if other not in seen and marks.is_tail(here, other):
                seen.add(other)
                front.append(other)
    return seen


def latent_projection(dag: Dag, hidden: Names = (), selection: Names = ()) -> Mag:
    """The maximal ancestral graph of what is seen when some nodes are hidden and others selected upon.

    Two nodes are adjacent if no set of seen nodes separates them given the selection nodes, which is so if
    their seen ancestors and those of the selection nodes do not (Richardson & Spirtes 2002, Theorem 4.2).
    """
    hid, chosen = name_set(hidden), name_set(selection)
    for name in sorted(hid | chosen):
        dag._nodes.number(name)
    if hid & chosen:
        raise GraphError(f"{min(hid & chosen)!r} is both hidden and a selection node")
    seen = [node for node in dag.nodes if node not in hid | chosen]
    above = {node: {node, *dag.ancestors(node)} for node in dag.nodes}
    selected_above = set().union(*(above[node] for node in chosen))
    pairs = list(combinations(seen, 2))
    queries = [
        Query(a, b, (((above[a] | above[b] | selected_above) & set(seen)) - {a, b}) | chosen)
        for a, b in pairs
    ]
    separated = _core.d_separated(dag._native, dag._numbered(queries))

    def arrow(a: str, b: str) -> str:
        before_b, before_a = a in above[b] | selected_above, b in above[a] | selected_above
        return {(True, True): "--", (True, False): "->", (False, True): "<-"}.get((before_b, before_a), "<->")

    edges = [(a, arrow(a, b), b) for (a, b), apart in zip(pairs, separated, strict=True) if not apart]
    return Mag(seen, edges)
