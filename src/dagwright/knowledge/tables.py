"""From/to tables, as bnlearn's whitelists and blacklists are: dataframes, CSV text, lists of pairs."""

from __future__ import annotations

import csv
import io
from typing import Any

from dagwright.errors import FormatError
from dagwright.knowledge.edges import Edge, parse_edges
from dagwright.knowledge.knowledge import Knowledge


def edges_of_lists(value: Any, *, links: bool) -> list[Edge]:
    """The edges of a list or a from/to table; with `links`, an arc given both ways is one undirected edge."""
    edges = _edges_of_frame(value) if hasattr(value, "columns") else parse_edges(value)
    if not links:
        return edges
    arcs = set(edges)
    joined = []
    for edge in edges:
        if edge.directed and Edge(edge.head, edge.tail) in arcs:
            joined.append(Edge(min(edge.tail, edge.head), max(edge.tail, edge.head), directed=False))
        else:
            joined.append(edge)
    return list(dict.fromkeys(joined))


def _edges_of_frame(frame: Any) -> list[Edge]:
    columns = [str(column) for column in frame.columns]
    if not {"from", "to"} <= set(columns):
        raise FormatError(f"a table of edges needs the columns 'from' and 'to'; it has {', '.join(columns)}")
    return [edge for pair in zip(frame["from"], frame["to"], strict=True) for edge in parse_edges([pair])]


def from_csv(text: str) -> Knowledge:
    """Knowledge from CSV text with the columns from, to and, optionally, kind (required or forbidden).

    Without the column kind the rows are required arcs, as in a whitelist.
    """
    rows = csv.DictReader(io.StringIO(text))
    columns = rows.fieldnames or []
    if not {"from", "to"} <= set(columns) <= {"from", "to", "kind"}:
        raise FormatError(
            "a knowledge CSV has the columns from, to and, optionally, kind (required or forbidden)"
        )
    found: dict[str, list[tuple[str, str]]] = {"required": [], "forbidden": []}
    for row in rows:
        kind = row.get("kind", "required")
        if kind not in found or not row["from"] or not row["to"]:
            raise FormatError(f"line {rows.line_num}: expected from, to and a kind of required or forbidden")
        found[kind].append((row["from"], row["to"]))
    return Knowledge.from_lists(whitelist=found["required"], blacklist=found["forbidden"])
