"""Partial ancestral graphs: what all graphs with the same independences share when causes may be hidden."""

from __future__ import annotations

from dagwright.errors import GraphError, NoExtensionError
from dagwright.graph.edge_marks import ARROW, CIRCLE, TAIL, EdgeMarks
from dagwright.graph.mag import Mag, class_marks
from dagwright.graph.marked_graph import MarkedGraph
from dagwright.graph.pdag import Pdag


class Pag(MarkedGraph):
    """A class of maximal ancestral graphs: a mark that they do not share is a circle.

    * ``a -> b``: a is a cause of b, perhaps through others.
    * ``a <-> b``: neither is a cause of the other; they have a hidden common cause.
    * ``a o-> b``: b is not a cause of a.
    * ``a o-o b``: nothing more is known.
    * ``a -- b``: both have an influence on what selected the rows.

    >>> pag = Pag.parse("A o-> B; B <-> C; D o-> C")
    >>> pag.bidirected_edges, pag.mark("B", "A")
    ((('B', 'C'),), 'circle')
    >>> print(pag.mag())
    A -> B; B <-> C; D -> C
    """

    __slots__ = ()

    def mag(self) -> Mag:
        """One maximal ancestral graph of the class.

        o-> and o- become ->; what is joined by o-o is directed without new colliders (Zhang 2008, Theorem 2).
        Raises `GraphError` if there is none.
        """
        marks = self._marks()
        circles = [(a, b) for a, at_a, at_b, b in self._ends if at_a == at_b == CIRCLE]
        name = self._nodes.numbering.names
        try:
            part = Pdag(name, (), [(name[a], name[b]) for a, b in circles]).extension()
        except NoExtensionError as problem:
            raise GraphError(f"no ancestral graph has these marks: {problem}") from None
        for start, end in part.edges:
            a, b = self._nodes.number(start), self._nodes.number(end)
            marks.join(a, b, TAIL, ARROW)
        return Mag._of_marks(self._nodes, with_tails(marks))

    def is_valid(self) -> bool:
        """Whether this is exactly what the maximal ancestral graphs of some class share."""
        try:
            member = self.mag()
        except GraphError:
            return False
        return member.is_maximal() and class_marks(member._marks()) == self._marks()


def with_tails(marks: EdgeMarks) -> EdgeMarks:
    """Edges with one circle are directed: o-> and o- become -> ."""
    for a, at_a, at_b, b in marks.ends():
        if at_a == CIRCLE and at_b != CIRCLE:
            marks.put(b, a, TAIL if at_b == ARROW else ARROW)
        elif at_b == CIRCLE and at_a != CIRCLE:
            marks.put(a, b, TAIL if at_a == ARROW else ARROW)
    return marks
