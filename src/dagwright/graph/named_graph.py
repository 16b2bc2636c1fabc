"""The base of every kind of graph: named nodes over a numbered native graph.

Nodes are numbered by the alphabetical order of their names, so that no result can depend on the order in
which they were given; that order is kept for display only.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagwright._core import MixedGraph
from dagwright.base.numbering import Numbering
from dagwright.base.wording import count_of
from dagwright.errors import GraphError, require_a, shortened, unknown_name
from dagwright.graph import conversion, notation
from dagwright.graph.query import Names, Query, name_set
from dagwright.graph.viewable import Drawable

Edge = tuple[str, str]


class NodeNames:
    """The names of the nodes of a graph in the order given, and their numbering, by default alphabetical."""

    __slots__ = ("given", "numbering")

    def __init__(self, nodes: Iterable[str], numbering: Numbering | None = None) -> None:
        if isinstance(nodes, str):
            raise GraphError(f"nodes must be a list of names, not the text {nodes!r}; use parse() for text")
        if hasattr(nodes, "edges"):
            raise GraphError(
                f"nodes must be a list of names, not a graph: {shortened(nodes)}; from_networkx() reads it"
            )
        require_a(Iterable, nodes, "nodes", "a list of names")
        self.given: tuple[str, ...] = tuple(nodes)
        for name in self.given:
            if not isinstance(name, str):
                raise GraphError(f"node names are strings, but {name!r} is {type(name).__name__}")
        ordered = sorted(self.given)
        for one, other in pairwise(ordered):
            if one == other:
                raise GraphError(f"node {one!r} is given twice; names must differ")
        self.numbering = Numbering(ordered) if numbering is None else numbering

    def number(self, name: str) -> int:
        try:
            return self.numbering.number[name]
        except (KeyError, TypeError):
            raise unknown_name("node", name, self.given) from None

    def numbers_of(self, names: Names) -> list[int]:
        """Ascending numbers of one name or several."""
        return sorted(self.number(name) for name in name_set(names))

    def places(self, order: Iterable[str]) -> NDArray[np.uint32]:
        """The place of each node in an order of the nodes, by number; other names in it do not count."""
        among = self.numbering.number_all(name for name in order if name in self.numbering)
        if sorted(among) != list(range(len(self.given))):
            raise GraphError("the order must name every node of the graph once")
        return np.argsort(np.array(among, dtype=np.intp)).astype(np.uint32)

    def name_all(self, numbers: Iterable[int]) -> tuple[str, ...]:
        return self.numbering.name_all(numbers)

    def pairs(self, edges: Iterable[Sequence[str]]) -> NDArray[np.uint32]:
        """The numbers of the ends of each edge, one row per edge."""
        flat: list[int] = []
        for edge in edges:
            if isinstance(edge, str) or len(edge) != 2:
                raise GraphError(f"an edge is a pair of node names, but {edge!r} is not")
            start, end = self.number(edge[0]), self.number(edge[1])
            if start == end:
                raise GraphError(f"node {edge[0]!r} has an edge to itself")
            flat += (start, end)
        return np.array(flat, dtype=np.uint32).reshape(-1, 2)

    def edges(self, pairs: NDArray[np.uint32]) -> tuple[Edge, ...]:
        names = self.numbering.names
        return tuple((names[start], names[end]) for start, end in pairs.tolist())


class NamedNodes(Drawable, ABC):
    """An immutable value over named nodes."""

    __slots__ = ("_nodes",)
    _nodes: NodeNames

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed; build a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed; build a new one")

    @property
    def nodes(self) -> tuple[str, ...]:
        """The node names, in the order in which they were given."""
        return self._nodes.given

    def __len__(self) -> int:
        return len(self._nodes.given)

    def __contains__(self, node: object) -> bool:
        return node in self._nodes.numbering

    def _numbered(self, queries: Iterable[Query]) -> list[tuple[list[int], list[int], list[int]]]:
        numbers_of = self._nodes.numbers_of
        return [(numbers_of(q.x), numbers_of(q.y), numbers_of(q.given)) for q in queries]

    @abstractmethod
    def to_string(self) -> str:
        """The graph as text."""

    def __str__(self) -> str:
        return self.to_string()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


class NamedGraph(NamedNodes):
    """Base of `Dag`, `Pdag` and `UndirectedGraph`: an immutable value, equal to others of its content."""

    __slots__ = ("_hash", "_native")
    _native: MixedGraph
    _hash: int | None

    def _set(self, nodes: NodeNames, native: MixedGraph) -> None:
        object.__setattr__(self, "_nodes", nodes)
        object.__setattr__(self, "_native", native)
        object.__setattr__(self, "_hash", None)

    @classmethod
    def _of(cls, nodes: NodeNames, native: MixedGraph) -> Self:
        """A graph over known names whose native part is known to be valid."""
        graph = cls.__new__(cls)
        graph._set(nodes, native)
        return graph

    @classmethod
    @abstractmethod
    def _build(cls, nodes: Iterable[str], directed: Iterable[Edge], undirected: Iterable[Edge]) -> Self:
        """The graph of the given edges; refuses kinds of edges that this kind of graph cannot have."""

    def listed(self, nodes: Iterable[str]) -> Self:
        """The same graph with its nodes listed in this order, and numbered by the alphabet."""
        names = NodeNames(nodes)
        if names.numbering == self._nodes.numbering:
            return self._of(names, self._native)
        return self._build(names.given, self._directed, self._undirected)

    def adjacent(self, a: str, b: str) -> bool:
        """Whether an edge of any kind joins the two nodes."""
        return self._native.adjacent(self._nodes.number(a), self._nodes.number(b))

    def _adjacent_to(self, lists: Callable[[int], list[int]], node: str) -> tuple[str, ...]:
        return self._nodes.name_all(lists(self._nodes.number(node)))

    @property
    def _directed(self) -> tuple[Edge, ...]:
        return self._nodes.edges(self._native.directed())

    @property
    def _undirected(self) -> tuple[Edge, ...]:
        return self._nodes.edges(self._native.undirected())

    @classmethod
    def parse(cls, text: str) -> Self:
        """The graph of a text such as ``A -> B; B -- C; "a name" -> A; D``, as `to_string` writes it."""
        parts = notation.read(text)
        return cls._build(parts.nodes, parts.directed, parts.undirected)

    @classmethod
    def from_numpy(cls, matrix: ArrayLike, nodes: Sequence[str] | None = None) -> Self:
        """From an adjacency matrix: entry (i, j) means i -> j, entries both ways mean i -- j.

        Nodes are named X1, X2, ... unless names are given.
        """
        return cls._build(*conversion.matrix_edges(matrix, nodes))

    @classmethod
    def from_networkx(cls, graph: Any) -> Self:
        """From a networkx graph; node names become strings, arcs both ways an undirected edge."""
        return cls._build(*conversion.networkx_edges(graph))

    @classmethod
    def from_frame(cls, frame: Any, nodes: Iterable[str] | None = None) -> Self:
        """From an edge table (pandas, polars, PyArrow, ...) with ``from``, ``to`` and perhaps ``edge``.

        ``nodes`` adds the isolated ones, which an edge table cannot name.
        """
        found, directed, undirected = conversion.table_edges(frame)
        return cls._build(found if nodes is None else nodes, directed, undirected)

    def to_string(self) -> str:
        """The text that `parse` reads back."""
        return notation.write(self.nodes, self._directed, self._undirected)

    def to_numpy(self) -> NDArray[np.int8]:
        """The adjacency matrix, rows in the order of ``nodes``; see `from_numpy`."""
        return conversion.adjacency_matrix(self)

    def to_frame(self, library: Literal["polars", "pandas"] = "polars") -> Any:
        """One row per edge with the columns ``from``, ``edge`` (``->`` or ``--``) and ``to``."""
        return conversion.edge_table(self._directed, self._undirected, library)

    def to_networkx(self) -> Any:
        """A networkx DiGraph with the same nodes; an undirected edge appears in both directions."""
        return conversion.networkx_graph(self, directed=True)

    def __repr__(self) -> str:
        size = len(self._native.directed()) + len(self._native.undirected())
        if size > 30 or len(self) > 30:
            return f"<{type(self).__name__}: {count_of(len(self), 'node')}, {count_of(size, 'edge')}>"
        return f"{type(self).__name__}.parse({self.to_string()!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NamedGraph) or type(self) is not type(other):
            return NotImplemented
        if self._nodes.numbering == other._nodes.numbering:
            return self._native.same_as(other._native)
        (names, mine), (others, its) = self._by_name(), other._by_name()
        return names == others and mine.same_as(its)

    def __hash__(self) -> int:
        """The same in every process, whatever the hash seed."""
        if self._hash is None:
            digest = hashlib.blake2b(type(self).__name__.encode(), digest_size=8)
            names, native = self._by_name()
            for name in names:
                digest.update(name.encode("utf-8", "surrogatepass") + b"\0")
            digest.update(native.directed().tobytes() + b"\0" + native.undirected().tobytes())
            object.__setattr__(self, "_hash", int.from_bytes(digest.digest(), "little", signed=True))
        return hash(self._hash)

    def _by_name(self) -> tuple[Numbering, MixedGraph]:
        """The nodes and edges in the alphabetical numbering."""
        own = self._nodes.numbering
        names = own.alphabetical()
        return names, self._native if names == own else renumbered(self._native, own.places_in(names))

    def __reduce__(self) -> tuple[Any, ...]:
        _, native = self._by_name()
        return _restore, (type(self), self._nodes.given, native.directed(), native.undirected())


def renumbered(graph: MixedGraph, place: NDArray[np.integer]) -> MixedGraph:
    """The same graph with the number ``place[i]`` for node i."""
    places = place.astype(np.uint32)
    return MixedGraph(len(graph), places[graph.directed()], places[graph.undirected()])


def _restore(
    kind: type[NamedGraph],
    nodes: tuple[str, ...],
    directed: NDArray[np.uint32],
    undirected: NDArray[np.uint32],
) -> NamedGraph:
    return kind._of(NodeNames(nodes), MixedGraph(len(nodes), directed, undirected))


NO_EDGES: NDArray[np.uint32] = np.empty((0, 2), dtype=np.uint32)
NO_EDGES.setflags(write=False)
