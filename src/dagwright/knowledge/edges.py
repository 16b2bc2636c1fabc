"""Arcs and undirected edges as people write them: "A -> B", ("A", "B"), "lab_* -- outcome"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dagwright.errors import FormatError, KnowledgeError
from dagwright.graph.dag import Dag
from dagwright.graph.notation import quote, read
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph

_JOIN = re.compile(r"\s*(<-|->|--)\s*")
_ARROWS = {"->", "<-", "--"}


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """An arc `tail -> head`, or an undirected edge `tail -- head`; ends are names, patterns or groups."""

    tail: str
    head: str
    directed: bool = True

    def __str__(self) -> str:
        return f"{self.tail} {'->' if self.directed else '--'} {self.head}"

    def plain(self) -> str:
        """Text that reads back as this edge; names that would be misread are quoted."""
        arrow = "->" if self.directed else "--"
        try:
            if parse_edges(str(self)) == [self]:
                return str(self)
        except KnowledgeError:
            pass
        return f"{quote(self.tail)} {arrow} {quote(self.head)}"


def make_edge(tail: object, arrow: str, head: object) -> Edge:
    for end in (tail, head):
        if not isinstance(end, str) or not end:
            raise KnowledgeError(f"an edge joins two named variables, but one end is {end!r}")
    assert isinstance(tail, str)
    assert isinstance(head, str)
    if arrow == "<-":
        return Edge(head, tail)
    if arrow == "->":
        return Edge(tail, head)
    return Edge(min(tail, head), max(tail, head), directed=False)


def _parse_text(text: str) -> list[Edge]:
    if '"' in text:
        return _parse_quoted(text)
    edges = []
    for part in re.split(r"[;\n]", text):
        if not part.strip():
            continue
        pieces = _JOIN.split(part.strip())
        if len(pieces) < 3 or not all(piece.strip() for piece in pieces):
            raise KnowledgeError(f"cannot read {part.strip()!r} as an edge; write 'A -> B' or 'A -- B'")
        steps = zip(pieces[::2], pieces[1::2], pieces[2::2], strict=False)
        edges += [make_edge(tail, arrow, head) for tail, arrow, head in steps]
    return edges


def _parse_quoted(text: str) -> list[Edge]:
    try:
        said = read(text)
    except FormatError as error:
        raise KnowledgeError(str(error)) from error
    edges = [make_edge(tail, "->", head) for tail, head in said.directed]
    edges += [make_edge(one, "--", other) for one, other in said.undirected]
    joined = {end for edge in edges for end in (edge.tail, edge.head)}
    for alone in said.nodes:
        if alone not in joined:
            raise KnowledgeError(
                f"{alone!r} in {text!r} is not joined to anything; write 'A -> B' or 'A -- B'"
            )
    return edges


def _parse_one(item: object) -> list[Edge]:
    if isinstance(item, Edge):
        return [item]
    if isinstance(item, str):
        return _parse_text(item)
    if isinstance(item, (frozenset, set)) and len(item) == 2:
        first, second = item
        return [make_edge(first, "--", second)]
    if isinstance(item, (tuple, list)):
        if len(item) == 2:
            return [make_edge(item[0], "->", item[1])]
        if len(item) == 3 and isinstance(item[1], str) and item[1] in _ARROWS:
            return [make_edge(item[0], item[1], item[2])]
    raise KnowledgeError(f"cannot read {item!r} as an edge; give 'A -> B', 'A -- B' or a pair ('A', 'B')")


def parse_edges(value: Any) -> list[Edge]:
    """All edges of a text, a pair, a graph, or a sequence of texts and pairs.

    >>> [str(edge) for edge in parse_edges("A -> B -- C; D <- C")]
    ['A -> B', 'B -- C', 'C -> D']
    """
    if value is None:
        return []
    if isinstance(value, (str, Edge)):
        return _parse_one(value)
    if isinstance(value, Dag):
        return [Edge(tail, head) for tail, head in value.edges]
    if isinstance(value, Pdag):
        links = [make_edge(one, "--", other) for one, other in value.undirected_edges]
        return [Edge(tail, head) for tail, head in value.directed_edges] + links
    if isinstance(value, UndirectedGraph):
        return [make_edge(one, "--", other) for one, other in value.edges]
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise KnowledgeError(f"cannot read {value!r} as edges; give a list such as ['A -> B', ('B', 'C')]")
    if isinstance(value, tuple) and len(value) == 2 and all(_is_bare_name(end) for end in value):
        return _parse_one(value)
    return [edge for item in value for edge in _parse_one(item)]


def _is_bare_name(item: object) -> bool:
    return isinstance(item, str) and _JOIN.search(item) is None
