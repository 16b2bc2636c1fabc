"""DSC, the text format of Microsoft's belief networks (MSBN), also found in the Bayesian network repository.

Rows name the states of the parents by their numbers: ``(0, 1) : 0.1, 0.9;``. Node names are identifiers,
states are texts. What has no place travels as JSON in a comment that begins with ``//~dagwright``.
"""

from __future__ import annotations

import itertools
import re

from dagwright.io.content import decoded, encoded
from dagwright.io.draft import Draft, NodeDraft, Speaking, finished
from dagwright.io.losses import FormatLoss
from dagwright.io.quoting import quoted, unquoted
from dagwright.io.rows import table_of_rows, take_family, take_name, take_states
from dagwright.io.scanner import Scanner
from dagwright.io.spelling import (
    NO_PLACE,
    RESERVED,
    as_is,
    carried_by_network,
    carried_by_node,
    identifier,
    spell,
)
from dagwright.model import BayesianNetwork

NOTE = f"//~{RESERVED} "
TOKENS = re.compile(
    rf"\s*+(?:(?://(?!~{RESERVED} )[^\n]*+|/\*.*?\*/)\s*+)*+"
    rf'(?:{NOTE}(?P<note>[^\n]*+)|"(?P<string>[^"]*+)"'
    r'|(?P<word>(?:[^\s{}\[\]()|,;:="/]|/(?![/*]))++)|(?P<symbol>[{}\[\]()|,;:=]))?',
    re.DOTALL,
)


def read_bytes(content: bytes) -> BayesianNetwork:
    text = decoded(content)
    draft = Draft(len(text))
    bodies: dict[str, int] = {}
    scanner = Scanner(text, TOKENS)
    scanner.expect_word("belief")
    scanner.expect_word("network")
    if scanner.kind == "string":
        draft.name = take_name(scanner, "the name of the network")
    while scanner.kind:
        if scanner.kind == "note":
            draft.properties[RESERVED] = scanner.take("a note", ("note",))
            continue
        match scanner.expect_word("node", "probability", "properties"):
            case "node":
                _take_node(scanner, draft)
            case "probability":
                take_family(scanner, draft, bodies)
            case _:
                _skip_braces(scanner)
    for node in draft.nodes:
        if node not in bodies:
            scanner.fail(f"the probabilities of {node!r}")
    draft.require_plausible()
    labels = {node: {str(code): code for code in range(len(d.states))} for node, d in draft.nodes.items()}
    for node, position in bodies.items():
        draft.nodes[node].table = table_of_rows(scanner, draft, node, position, labels)
    return finished(draft, Speaking(of_node=identifier))


def _skip_braces(scanner: Scanner) -> None:
    scanner.expect("{")
    while not scanner.skip("}"):
        if not scanner.kind:
            scanner.fail("'}'")
        scanner.advance()


def _take_node(scanner: Scanner, draft: Draft) -> None:
    at = scanner.start
    name = take_name(scanner, "the name of a node")
    if name in draft.nodes:
        scanner.refuse(f"the node {name!r} is declared twice", at)
    node = NodeDraft(name, [], where=scanner.place_of(at))
    scanner.expect("{")
    while not scanner.skip("}"):
        if scanner.kind == "note":
            node.properties[RESERVED] = scanner.take("a note", ("note",))
            continue
        at = scanner.start
        key = scanner.take("a field or '}'", ("word",))
        if not scanner.skip(":") and not scanner.skip("="):
            scanner.fail("':' or '='")
        if key == "type":
            _take_type(scanner, node)
        else:
            node.properties[key] = _value(scanner)
        scanner.expect(";")
    draft.nodes[name] = node


def _value(scanner: Scanner) -> str:
    """The value of a field as text."""
    start, is_text, value = scanner.start, scanner.kind == "string", scanner.token
    words = 0
    while scanner.kind and not scanner.is_symbol(";"):
        if scanner.is_symbol("}"):
            scanner.fail("';'")
        words += 1
        scanner.advance()
    return unquoted(value) if is_text and words == 1 else scanner.text[start : scanner.start].strip()


def _take_type(scanner: Scanner, node: NodeDraft) -> None:
    scanner.expect_word("discrete")
    scanner.expect("[")
    count = scanner.take_count("the number of states")
    scanner.expect("]")
    scanner.expect("=")
    node.states = take_states(scanner, node.name, count)


def write_bytes(network: BayesianNetwork, report: list[FormatLoss] | None = None) -> bytes:
    losses: list[FormatLoss] = [] if report is None else report
    spelling = spell(network, identifier, as_is)
    lines = [f"belief network {quoted(network.name)}"]
    if about := carried_by_network(network, network.name, taken=NO_PLACE):
        lines.append(f"{NOTE}{about}")
    for node in network.nodes:
        states = ", ".join(quoted(str(state)) for state in spelling.states[node])
        lines.append(f"node {spelling.nodes[node]} {{")
        lines.append(f"  type : discrete [ {network.cardinality(node)} ] = {{ {states} }};")
        if carried := carried_by_node(network, node, spelling, losses, NO_PLACE):
            lines.append(f"  {NOTE}{carried}")
        lines.append("}")
    for node in network.nodes:
        parents = network.parents(node)
        given = f" | {', '.join(spelling.nodes[parent] for parent in parents)}" if parents else ""
        lines.append(f"probability ( {spelling.nodes[node]}{given} ) {{")
        codes = itertools.product(*(range(network.cardinality(parent)) for parent in parents))
        rows = network.table(node).reshape(-1, network.cardinality(node)).tolist()
        for configuration, row in zip(codes, rows, strict=True):
            place = f"({', '.join(map(str, configuration))}) : " if parents else ""
            lines.append(f"  {place}{', '.join(map(repr, row))};")
        lines.append("}")
    return encoded("\n".join(lines) + "\n")
