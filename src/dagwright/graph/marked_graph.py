"""The base of `Mag` and `Pag`: named nodes, and edges with a tail, an arrowhead or a circle at either end."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any, Self

from dagwright.base.documents import parsed_json
from dagwright.base.wording import count_of
from dagwright.errors import FormatError, GraphError, unknown_name
from dagwright.graph import mark_notation
from dagwright.graph.edge_marks import ARROW, CIRCLE, TAIL, EdgeMarks, EndMarks
from dagwright.graph.mark_notation import ARROWS, MARKS, MarkedEdge
from dagwright.graph.named_graph import NamedNodes, NodeNames
from dagwright.graph.undirected import UndirectedGraph

MARK_NAMES = {ARROW: "arrow", TAIL: "tail", CIRCLE: "circle"}
DOT_SHAPES = {ARROW: "normal", CIRCLE: "odot", TAIL: "none"}


class MarkedGraph(NamedNodes):
    """An immutable graph of edges (a, arrow, b), the arrow one of -> <-> -- o-> o-o o- or reversed."""

    __slots__ = ("_ends", "_known")
    _ends: EndMarks
    _known: EdgeMarks

    def __init__(self, nodes: Iterable[str], edges: Iterable[MarkedEdge] = ()) -> None:
        names = NodeNames(nodes)
        marks = EdgeMarks(len(names.given))
        for edge in edges:
            if isinstance(edge, str) or len(edge) != 3:
                raise GraphError(f"an edge is a triple such as ('A', 'o->', 'B'), but {edge!r} is not")
            start, arrow, end = edge
            if arrow not in MARKS:
                raise unknown_name("arrow", arrow, sorted(MARKS))
            a, b = names.number(start), names.number(end)
            if a == b:
                raise GraphError(f"node {start!r} has an edge to itself")
            if marks.joined(a, b):
                raise GraphError(f"{start!r} and {end!r} are joined twice")
            marks.join(a, b, *MARKS[arrow])
        self._set_marks(names, marks)

    def _set_marks(self, nodes: NodeNames, marks: EdgeMarks) -> None:
        self._refuse(nodes, marks)
        object.__setattr__(self, "_nodes", nodes)
        object.__setattr__(self, "_ends", marks.ends())
        object.__setattr__(self, "_known", marks)

    def _refuse(self, nodes: NodeNames, marks: EdgeMarks) -> None:
        """Raise `GraphError` if this kind of graph cannot have these marks; by default all are welcome."""

    @classmethod
    def _of_marks(cls, nodes: NodeNames, marks: EdgeMarks) -> Self:
        graph = cls.__new__(cls)
        graph._set_marks(nodes, marks.copy())
        return graph

    def _marks(self) -> EdgeMarks:
        """The marks by node number, to be worked on."""
        return self._known.copy()

    @property
    def edges(self) -> tuple[MarkedEdge, ...]:
        """Every edge once as (a, arrow, b), sorted; the arrow is never one that points only to the left.

        Other kinds of graph have pairs here; `skeleton` gives pairs without marks.
        """
        found = []
        for a, at_a, at_b, b in self._ends:
            start, end = self._nodes.name_all((a, b))
            if (at_a, at_b) in ((ARROW, TAIL), (ARROW, CIRCLE), (TAIL, CIRCLE)):
                start, end, at_a, at_b = end, start, at_b, at_a
            found.append((start, ARROWS[at_a, at_b], end))
        return tuple(sorted(found))

    def mark(self, a: str, b: str) -> str | None:
        """The mark at ``b`` of the edge between the two: "arrow", "tail", "circle", or None without one."""
        mark = self._known.at[self._nodes.number(a)].get(self._nodes.number(b))
        return None if mark is None else MARK_NAMES[mark]

    def adjacent(self, a: str, b: str) -> bool:
        """Whether an edge of any kind joins the two nodes."""
        return self.mark(a, b) is not None

    def neighbors(self, node: str) -> tuple[str, ...]:
        """The nodes joined to ``node`` by an edge of any kind."""
        return self._nodes.name_all(self._known.near(self._nodes.number(node)))

    @property
    def directed_edges(self) -> tuple[tuple[str, str], ...]:
        """The edges a -> b, as pairs."""
        return self._pairs("->")

    @property
    def bidirected_edges(self) -> tuple[tuple[str, str], ...]:
        """The edges a <-> b, as pairs: neither is a cause of the other."""
        return self._pairs("<->")

    @property
    def undirected_edges(self) -> tuple[tuple[str, str], ...]:
        """The edges a -- b, as pairs: both have an influence on what selected the rows."""
        return self._pairs("--")

    def _pairs(self, wanted: str) -> tuple[tuple[str, str], ...]:
        return tuple((start, end) for start, arrow, end in self.edges if arrow == wanted)

    def skeleton(self) -> UndirectedGraph:
        """The same edges without marks."""
        return UndirectedGraph(self.nodes, [(start, end) for start, _, end in self.edges])

    @classmethod
    def parse(cls, text: str) -> Self:
        """The graph of a text such as ``A o-> B; B <-> C; D``, as `to_string` writes it."""
        return cls(*mark_notation.read(text))

    def to_string(self) -> str:
        """The text that `parse` reads back."""
        return mark_notation.write(self.nodes, self.edges)

    def to_dot(self) -> str:
        """The graph as Graphviz text: circles are hollow dots."""
        lines = [f"digraph {type(self).__name__.lower()} {{", "  edge [dir=both];"]
        lines += [f"  {dot_name(node)};" for node in self.nodes]
        for start, arrow, end in self.edges:
            left, right = (DOT_SHAPES[mark] for mark in MARKS[arrow])
            lines.append(f"  {dot_name(start)} -> {dot_name(end)} [arrowtail={left}, arrowhead={right}];")
        return "\n".join([*lines, "}"])

    def to_json(self) -> str:
        """The graph as JSON text; `from_json` gives it back."""
        return json.dumps({"nodes": list(self.nodes), "marked": [list(edge) for edge in self.edges]})

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote."""
        try:
            document = parsed_json(text)
            nodes, edges = document["nodes"], [(a, arrow, b) for a, arrow, b in document["marked"]]
        except (ValueError, KeyError, TypeError) as problem:
            raise FormatError(f"not the JSON of a marked graph: {problem}") from None
        return cls(nodes, edges)

    def __repr__(self) -> str:
        if len(self._ends) > 30 or len(self) > 30:
            return (
                f"<{type(self).__name__}: {count_of(len(self), 'node')}, {count_of(len(self._ends), 'edge')}>"
            )
        return f"{type(self).__name__}.parse({self.to_string()!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MarkedGraph) or type(self) is not type(other):
            return NotImplemented
        return self._nodes.numbering == other._nodes.numbering and self._ends == other._ends

    def __hash__(self) -> int:
        """The same in every process, whatever the hash seed."""
        digest = hashlib.blake2b(type(self).__name__.encode(), digest_size=8)
        for name in self._nodes.numbering:
            digest.update(name.encode("utf-8", "surrogatepass") + b"\0")
        digest.update(repr(self._ends).encode())
        return hash(int.from_bytes(digest.digest(), "little", signed=True))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.nodes, self.edges)


def dot_name(name: str) -> str:
    """A node name between the quotes of Graphviz."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
