"""DOT, the language of Graphviz (Gansner, Koutsofios & North 2006, Drawing graphs with dot).

Undirected edges of a partially directed graph have ``dir=none``. Names with backslashes or control
characters, which DOT cannot quote, stand in the attribute ``dagwright`` of their node.
"""

from __future__ import annotations

import itertools
import re

from dagwright.io.content import decoded, encoded
from dagwright.io.graph_parts import Graph, GraphParts, known_kind, parts_of
from dagwright.io.losses import FormatLoss
from dagwright.io.quoting import quoted, unquoted
from dagwright.io.scanner import Scanner
from dagwright.io.spelling import RESERVED, distinct

TOKENS = re.compile(
    r"\s*+(?:(?://[^\n]*+|(?<![^\n])\#[^\n]*+|/\*.*?\*/)\s*+)*+"
    r'(?:"(?P<string>(?:[^"\\]|\\.)*+)"|(?P<symbol>->|--|[{}\[\];,=:+<>])'
    r"|(?P<word>-?(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?)(?![A-Za-z_])|[^\W\d][\w]*+|[^\s{}\[\];,=:+<>\"/-]++))?",
    re.DOTALL,
)
UNQUOTABLE = re.compile(r"[\\\x00-\x1f\x7f-\x9f\u2028\u2029]")
MAX_DEPTH = 32
MAX_EDGES = 1_000_000


def read_bytes(content: bytes) -> Graph:
    scanner = Scanner(decoded(content), TOKENS)
    if _keyword(scanner) == "strict":
        scanner.advance()
    kind = _keyword(scanner)
    if kind not in ("graph", "digraph"):
        scanner.fail("'graph' or 'digraph'")
    scanner.advance()
    if not scanner.is_symbol("{"):
        scanner.take("a name or '{'")
    reader = _Reader(scanner, directed=kind == "digraph")
    scanner.expect("{")
    reader.take_statements({}, 0)
    if scanner.kind:
        scanner.fail("the end of the graph")
    reader.parts.kind = reader.parts.kind or ("undirected" if kind == "graph" else "")
    if kind == "digraph" and reader.parts.undirected and not reader.parts.directed:
        reader.parts.kind = reader.parts.kind or "pdag"
    return reader.parts.renamed(reader.names).graph()


def _keyword(scanner: Scanner) -> str:
    return scanner.token.lower() if scanner.kind == "word" else ""


class _Reader:
    """The statements of a DOT graph as they come."""

    def __init__(self, scanner: Scanner, *, directed: bool) -> None:
        self.scanner = scanner
        self.arrow = "->" if directed else "--"
        self.directed = directed
        self.parts = GraphParts()
        self.names: dict[str, str] = {}
        self.joined = 0

    def take_statements(self, defaults: dict[str, str], depth: int) -> list[str]:
        """Statements up to the closing brace; the nodes that they name."""
        scanner = self.scanner
        if depth > MAX_DEPTH:
            scanner.refuse("subgraphs are nested too deeply")
        defaults, found = dict(defaults), dict[str, None]()
        while not scanner.skip("}"):
            if scanner.skip(";"):
                continue
            if _keyword(scanner) in ("graph", "node", "edge"):
                about = _keyword(scanner)
                scanner.advance()
                attributes = self.take_attributes()
                if about == "edge":
                    defaults |= attributes
                continue
            found |= dict.fromkeys(self.take_chain(defaults, depth))
        return list(found)

    def take_chain(self, defaults: dict[str, str], depth: int) -> list[str]:
        """A node, an assignment, or ends joined by arrows, each a node or a subgraph."""
        scanner = self.scanner
        ends = [self.take_end(defaults, depth)]
        if scanner.skip("="):
            value = self.take_name("a value")
            if ends[0] == [RESERVED]:
                self.parts.kind = known_kind(value)
            return []
        while scanner.is_symbol("->") or scanner.is_symbol("--"):
            scanner.expect(self.arrow)
            ends.append(self.take_end(defaults, depth))
        for node in (node for end in ends for node in end):
            self.parts.nodes.setdefault(node)
        attributes = self.take_attributes()
        if len(ends) == 1:
            if RESERVED in attributes and len(ends[0]) == 1:
                self.names[ends[0][0]] = unquoted(attributes[RESERVED])
            return ends[0]
        self.joined += sum(len(one) * len(two) for one, two in itertools.pairwise(ends))
        if self.joined > MAX_EDGES:
            scanner.refuse(f"subgraphs that are joined by more than {MAX_EDGES:,} edges")
        for start, end in ((a, b) for one, two in itertools.pairwise(ends) for a in one for b in two):
            self.add_edge(start, end, (defaults | attributes).get("dir", "forward"))
        return [node for end in ends for node in end]

    def add_edge(self, start: str, end: str, direction: str) -> None:
        if not self.directed or direction == "none":
            self.parts.undirected.append((min(start, end), max(start, end)))
        elif direction in ("forward", "back"):
            self.parts.directed.append((start, end) if direction == "forward" else (end, start))
        else:
            self.scanner.refuse(f"the edge {start!r}, {end!r} has dir={direction}, which no graph here has")

    def take_end(self, defaults: dict[str, str], depth: int) -> list[str]:
        scanner = self.scanner
        if _keyword(scanner) == "subgraph":
            scanner.advance()
            if not scanner.is_symbol("{"):
                self.take_name("a name or '{'")
        if scanner.skip("{"):
            return self.take_statements(defaults, depth + 1)
        node = self.take_name("a node, an edge or '}'")
        while scanner.skip(":"):  # a port
            self.take_name("a port")
        return [node]

    def take_name(self, what: str) -> str:
        scanner = self.scanner
        if scanner.is_symbol("<"):
            scanner.refuse("a name in HTML, which dagwright does not read")
        is_text = scanner.kind == "string"
        name = scanner.take(what)
        return name.replace('\\"', '"') if is_text else name

    def take_attributes(self) -> dict[str, str]:
        attributes: dict[str, str] = {}
        while self.scanner.skip("["):
            while not self.scanner.skip("]"):
                key = self.take_name("an attribute or ']'")
                attributes[key] = self.take_name("a value") if self.scanner.skip("=") else "true"
                if not self.scanner.skip(","):
                    self.scanner.skip(";")
        return attributes


def write_bytes(graph: Graph, report: list[FormatLoss] | None = None) -> bytes:  # noqa: ARG001  nothing is lost
    parts = parts_of(graph)
    spelled = dict(zip(parts.nodes, distinct(UNQUOTABLE.sub("_", node) for node in parts.nodes), strict=True))

    def name(node: str) -> str:
        return '"' + spelled[node].replace('"', '\\"') + '"'

    lines = ["graph {" if parts.kind == "undirected" else "digraph {"]
    if parts.kind == "pdag":
        lines.append(f"  {RESERVED}=pdag;")
    for node in parts.nodes:
        true_name = f" [{RESERVED}={quoted(node)}]" if spelled[node] != node else ""
        lines.append(f"  {name(node)}{true_name};")
    arrow, plain = ("--", "") if parts.kind == "undirected" else ("->", " [dir=none]")
    lines += [f"  {name(start)} -> {name(end)};" for start, end in parts.directed]
    lines += [f"  {name(start)} {arrow} {name(end)}{plain};" for start, end in parts.undirected]
    return encoded("\n".join([*lines, "}"]) + "\n")
