"""NET, the language of Hugin (Hugin Expert, API Reference Manual, chapter "The NET language").

States are texts in quotes, node names are identifiers, and any field with a text is an attribute that Hugin
keeps; so true names and properties travel as attributes. In ``data`` the states of the node change fastest
and those of its first parent slowest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from dagwright.errors import unknown_name
from dagwright.io.blocks import flat, nested, skip_field, table_of_numbers, take_numbers, take_value
from dagwright.io.content import decoded, encoded
from dagwright.io.draft import Draft, NodeDraft, Speaking, configurations, finished
from dagwright.io.losses import FormatLoss
from dagwright.io.quoting import quoted, unquoted
from dagwright.io.scanner import Scanner
from dagwright.io.spelling import (
    as_is,
    carried_by_network,
    carried_by_node,
    identifier,
    shown_label,
    spell,
    with_carried,
)
from dagwright.model import BayesianNetwork

TOKENS = re.compile(
    r"\s*+(?:%[^\n]*+\s*+)*+"
    r'(?:"(?P<string>[^"]*+)"|(?P<word>[^\s{}()|,;="%]++)|(?P<symbol>[{}()|,;=]))?',
)
OTHER_KINDS = ("continuous", "decision", "utility", "function")
BLOCKS = ("net", "class", "node", "discrete", "potential", *OTHER_KINDS)
POINT = re.compile(r"\([0-9.-]+ [0-9.-]+\)")
POINTS = ("position", "node_size")
"""Fields that Hugin wants as pairs of numbers."""
TAKEN_BY_NODES = ("states", "subtype", "state_values")


def read_bytes(content: bytes) -> BayesianNetwork:
    text = decoded(content)
    draft = Draft(len(text))
    tables: dict[str, tuple[int, str] | None] = {}
    scanner = Scanner(text, TOKENS)
    is_class = False
    while scanner.kind:
        if is_class and scanner.skip("}"):
            is_class = False
            continue
        word = scanner.expect_word(*BLOCKS)
        if word == "net":
            scanner.expect("{")
            _take_fields(scanner, draft.properties)
            scanner.expect("}")
            draft.name = draft.properties.pop("name", draft.name)
        elif word == "class":
            draft.name = scanner.take("the name of the class")
            scanner.expect("{")
            is_class = True
            _take_fields(scanner, draft.properties, BLOCKS)
        elif word in OTHER_KINDS:
            scanner.refuse(f"a {word} node; dagwright reads networks of discrete chance nodes")
        elif word == "potential":
            _take_potential(scanner, draft, tables)
        else:
            if word == "discrete":
                scanner.expect_word("node")
            _take_node(scanner, draft)
    if is_class:
        scanner.fail("'}'")
    draft.require_plausible()
    for node, each in draft.nodes.items():
        if node not in tables:
            scanner.fail(f"the potential of {node!r}")
        field = tables[node]
        if field is None:  # Hugin's rule for a potential without data
            shape = draft.shape(node)
            each.table = np.full((configurations(shape), shape[-1]), 1 / shape[-1])
        else:
            each.table = table_of_numbers(scanner, field, draft, node)
    return finished(draft, Speaking(of_node=identifier, label="label"))


def _take_fields(scanner: Scanner, attributes: dict[str, str], stop: tuple[str, ...] = ()) -> None:
    """Fields up to the end of the block or a word that begins another; their values become texts."""
    while scanner.kind == "word" and scanner.token not in stop:
        key = scanner.take("a field")
        scanner.expect("=")
        start, is_text, value = scanner.start, scanner.kind == "string", scanner.token
        end = scanner.position
        skip_field(scanner)
        if is_text and re.compile(r"\s*;").match(scanner.text, end):
            attributes[key] = unquoted(value)
        else:
            attributes[key] = " ".join(scanner.text[start : scanner.text.find(";", end)].split())


def _take_node(scanner: Scanner, draft: Draft) -> None:
    at = scanner.start
    name = scanner.take("the name of a node")
    if name in draft.nodes:
        scanner.refuse(f"the node {name!r} is declared twice", at)
    node = NodeDraft(name, [], where=scanner.place_of(at))
    scanner.expect("{")
    while not scanner.skip("}"):
        if scanner.is_word("states"):
            scanner.advance()
            scanner.expect("=")
            node.states = [unquoted(state) for state in flat(take_value(scanner))]
            scanner.expect(";")
        elif scanner.kind == "word":
            _take_fields(scanner, node.properties, ("states",))
        else:
            scanner.fail("a field or '}'")
    draft.nodes[name] = node


def _take_potential(scanner: Scanner, draft: Draft, tables: dict[str, tuple[int, str] | None]) -> None:
    scanner.expect("(")
    at = scanner.start
    child = scanner.take("the name of a node")
    if child not in draft.nodes:
        scanner.refuse(str(unknown_name("node", child, draft.nodes)), at)
    if child in tables:
        scanner.refuse(f"the potential of {child!r} is given twice", at)
    draft.nodes[child].where = scanner.place_of(at)
    scanner.skip("|")
    while not scanner.skip(")"):
        draft.nodes[child].parents.append(scanner.take("the name of a parent or ')'"))
        scanner.skip(",")
    scanner.expect("{")
    tables[child] = None
    while not scanner.skip("}"):
        at = scanner.start
        key = scanner.take("a field or '}'", ("word",))
        if key in ("model_nodes", "model_data", "samples_per_interval"):
            scanner.refuse("a table that is a formula; save the network with its numbers", at)
        scanner.expect("=")
        if key == "data":
            tables[child] = take_numbers(scanner, "%")
        else:
            skip_field(scanner)


def write_bytes(network: BayesianNetwork, report: list[FormatLoss] | None = None) -> bytes:
    losses: list[FormatLoss] = [] if report is None else report
    spelling = spell(network, identifier, as_is)
    about = network.metadata
    lines = ["net", "{", *([f"  name = {quoted(network.name)};"] if network.name else [])]
    carried = carried_by_network(network, network.name, taken=("name",))
    lines += _attributes(with_carried(about.properties, carried, ("name",)))
    lines.append("}")
    for node in network.nodes:
        properties, label = shown_label(network, node, spelling, "label")
        taken = (*TAKEN_BY_NODES, *label)
        carried = carried_by_node(network, node, spelling, losses, taken)
        states = " ".join(quoted(str(state)) for state in spelling.states[node])
        lines += [f"node {spelling.nodes[node]}", "{", f"  states = ({states});"]
        lines += _attributes(with_carried(properties, carried, taken))
        lines.append("}")
    for node in network.nodes:
        table, parents = network.table(node), network.parents(node)
        rows = [f"({' '.join(map(repr, row))})" for row in table.reshape(-1, table.shape[-1]).tolist()]
        given = f" | {' '.join(spelling.nodes[parent] for parent in parents)}" if parents else ""
        lines += [f"potential ({spelling.nodes[node]}{given})", "{"]
        lines += [f"  data = {nested(rows, list(table.shape[:-1]))};", "}"]
    return encoded("\n".join(lines) + "\n")


def _attributes(properties: dict[str, str]) -> Iterator[str]:
    for key, text in properties.items():
        yield f"  {key} = {text if key in POINTS and POINT.fullmatch(text) else quoted(text)};"
