"""Mermaid flowcharts, which Markdown draws: ``n0["name"]``, ``n0 --> n1`` and, undirected, ``n0 --- n1``.

Characters with a meaning in Mermaid are written as its entity codes, ``#34;`` for a quote.
"""

from __future__ import annotations

import re

from dagwright.io.content import decoded, encoded
from dagwright.io.graph_parts import Graph, GraphParts, known_kind, parts_of
from dagwright.io.losses import FormatLoss
from dagwright.io.scanner import Scanner
from dagwright.io.spelling import RESERVED

TOKENS = re.compile(
    r"[ \t\r]*+(?:%%[^\n]*+)?+"
    r'(?:"(?P<string>[^"\n]*+)"|(?P<symbol>-->|---|\n|[\[\](){}|;&])'
    r'|(?P<word>(?:[^\s\[\](){}|;&"-]|-(?!--|->))++))?'
)
KIND = re.compile(rf"%%[ ]*{RESERVED} (\w+)")
ENTITY = re.compile("#(?:([0-9]{1,7})|quot);")
PLAIN = re.compile("[^A-Za-z0-9 _.,:+*/=-]")
CLOSING = {"[": "]", "(": ")", "{": "}"}


def read_bytes(content: bytes) -> Graph:
    text = decoded(content)
    scanner = Scanner(text, TOKENS)
    parts = GraphParts()
    if (kind := KIND.search(text)) is not None:
        parts.kind = known_kind(kind[1])
    labels: dict[str, str] = {}
    _skip_breaks(scanner)
    scanner.expect_word("flowchart", "graph")
    scanner.expect_word("TD", "TB", "BT", "LR", "RL")
    while scanner.kind:
        if scanner.is_symbol("\n") or scanner.is_symbol(";"):
            scanner.advance()
            continue
        start = _take_node(scanner, parts, labels)
        while scanner.is_symbol("-->") or scanner.is_symbol("---"):
            edges = parts.directed if scanner.token == "-->" else parts.undirected
            scanner.advance()
            if scanner.skip("|"):
                scanner.take("a text")
                scanner.expect("|")
            end = _take_node(scanner, parts, labels)
            edges.append((start, end))
            start = end
        if scanner.kind and not scanner.is_symbol("\n") and not scanner.is_symbol(";"):
            scanner.fail("'-->', '---' or the end of the line")
    return parts.renamed(labels).graph()


def _skip_breaks(scanner: Scanner) -> None:
    while scanner.skip("\n"):
        pass


def _take_node(scanner: Scanner, parts: GraphParts, labels: dict[str, str]) -> str:
    identity = scanner.take("a node", ("word",))
    parts.nodes.setdefault(identity)
    depth = 0
    closing = ""
    while scanner.kind == "symbol" and scanner.token in CLOSING and depth < 3:
        closing = CLOSING[scanner.token] + closing
        depth += 1
        scanner.advance()
    if closing:
        if scanner.kind == "string":
            label = scanner.take("a text")
        else:
            start = scanner.start
            while scanner.kind == "word":
                scanner.advance()
            label = scanner.text[start : scanner.start].strip()
        for symbol in closing:
            scanner.expect(symbol)
        labels[identity] = ENTITY.sub(_letter, label)
    return identity


def _letter(entity: re.Match[str]) -> str:
    code = int(entity[1]) if entity[1] else 34
    return chr(code) if code < 0x110000 else entity[0]


def write_bytes(graph: Graph, report: list[FormatLoss] | None = None) -> bytes:  # noqa: ARG001  nothing is lost
    parts = parts_of(graph)
    number = {node: f"n{i}" for i, node in enumerate(parts.nodes)}
    lines = ["flowchart TD", f"%% {RESERVED} {parts.kind}"]
    for node, identity in number.items():
        label = PLAIN.sub(lambda found: found[0] if _is_letter(found[0]) else f"#{ord(found[0])};", node)
        lines.append(f'  {identity}["{label}"]')
    lines += [f"  {number[start]} --> {number[end]}" for start, end in parts.directed]
    lines += [f"  {number[start]} --- {number[end]}" for start, end in parts.undirected]
    return encoded("\n".join(lines) + "\n")


def _is_letter(letter: str) -> bool:
    return letter.isalnum() and letter.isprintable()
