"""DNET-1, the text format of Netica, in files ``.dne`` and ``.dnet`` (Norsys, DNET-1 File Format, 1998).

Names of nodes and states are identifiers of at most 30 characters; the true names of nodes stand in their
``title``. In ``probs`` the states of the node change fastest and those of its first parent slowest. The rest
travels as JSON in a comment that begins with ``//~dagwright``.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from dagwright.io.blocks import (
    Value,
    flat,
    nested,
    skip_field,
    table_of_numbers,
    take_numbers,
    take_value,
)
from dagwright.io.content import decoded, encoded
from dagwright.io.draft import Draft, NodeDraft, Speaking, finished
from dagwright.io.losses import FormatLoss
from dagwright.io.scanner import Scanner
from dagwright.io.spelling import (
    RESERVED,
    AllBut,
    carried_by_network,
    carried_by_node,
    identifier,
    shown_label,
    spell,
    with_carried,
)
from dagwright.model import BayesianNetwork
from dagwright.model.tables.checks import Floats

NOTE = f"//~{RESERVED} "
TOKENS = re.compile(
    rf"\s*+(?:(?://(?!~{RESERVED} )[^\n]*+|/\*.*?\*/)\s*+)*+"
    rf'(?:{NOTE}(?P<note>[^\n]*+)|"(?P<string>(?:[^"\\]|\\.)*+)"'
    r'|(?P<word>(?:[^\s{}()|,;="/]|/(?![/*]))++)|(?P<symbol>[{}()|,;=]))?',
    re.DOTALL,
)
HEAD = "// ~->[DNET-1]->~\n"
LONGEST = 30
TEXTS = ("title", "comment")
PLACES = AllBut(TEXTS)
ESCAPE = re.compile(r"\\(\r?\n|.)", re.DOTALL)
NODE_FIELDS = ("kind", "discrete", "chance", "states", "numstates", "levels", "parents", "functable")


def read_bytes(content: bytes) -> BayesianNetwork:
    text = decoded(content)
    draft = Draft(len(text))
    scanner = Scanner(text, TOKENS)
    scanner.expect_word("bnet", "dnet")
    draft.name = scanner.take("the name of the network")
    scanner.expect("{")
    probabilities: dict[str, tuple[int, str]] = {}
    outcomes: dict[str, tuple[int, list[str]]] = {}
    while not scanner.skip("}"):
        if _took_note(scanner, draft.properties) or scanner.skip(";"):
            continue
        word = scanner.take("a field, a node or '}'", ("word",))
        if word == "node":
            _take_node(scanner, draft, probabilities, outcomes)
        elif scanner.skip("="):
            if word in TEXTS:
                draft.properties[word] = _text(scanner)
            else:
                skip_field(scanner)
        else:
            _skip_block(scanner)
    scanner.skip(";")
    if scanner.kind:
        scanner.fail("the end of the network")
    draft.require_plausible()
    for node, each in draft.nodes.items():
        if node in probabilities:
            each.table = table_of_numbers(scanner, probabilities[node], draft, node)
        elif node in outcomes:
            each.table = _determined(scanner, *outcomes[node], draft, node)
        else:
            scanner.refuse(f"node {node!r} has neither probs nor functable")
    return finished(draft, Speaking(identifier, identifier, LONGEST, "title"))


def _took_note(scanner: Scanner, properties: dict[str, str]) -> bool:
    if scanner.kind != "note":
        return False
    properties[RESERVED] = scanner.take("a note", ("note",))
    return True


def _text(scanner: Scanner) -> str:
    """The text of a field: quoted, backslashes protect, one before a line break joins the lines."""
    text = ESCAPE.sub(
        lambda found: {"n": "\n", "t": "\t", "\n": "", "\r\n": ""}.get(found[1], found[1]),
        scanner.take("a text", ("string",)),
    )
    scanner.expect(";")
    return text


def _skip_block(scanner: Scanner) -> None:
    """Go past ``name { ... }``, whatever is in it."""
    scanner.take("a name or '='", ("word",))
    scanner.expect("{")
    depth = 1
    while depth:
        if not scanner.kind:
            scanner.fail("'}'")
        depth += scanner.is_symbol("{") - scanner.is_symbol("}")
        scanner.advance()


def _take_node(
    scanner: Scanner,
    draft: Draft,
    probabilities: dict[str, tuple[int, str]],
    outcomes: dict[str, tuple[int, list[str]]],
) -> None:
    at = scanner.start
    name = scanner.take("the name of a node", ("word",))
    if name in draft.nodes:
        scanner.refuse(f"the node {name!r} is declared twice", at)
    scanner.expect("{")
    node = NodeDraft(name, [], where=scanner.place_of(at))
    fields: dict[str, list[str]] = {}
    while not scanner.skip("}"):
        if _took_note(scanner, node.properties) or scanner.skip(";"):
            continue
        at = scanner.start
        key = scanner.take("a field or '}'", ("word",))
        if not scanner.skip("="):
            _skip_block(scanner)
        elif key == "probs":
            probabilities[name] = take_numbers(scanner, "//")
        elif key in TEXTS:
            node.properties[key] = _text(scanner)
        elif key in NODE_FIELDS:
            value: Value = take_value(scanner)
            scanner.expect(";")
            fields[key] = flat(value)
            if key == "functable":
                outcomes[name] = at, fields[key]
            elif key == "kind" and fields[key] != ["NATURE"]:
                scanner.refuse(f"node {name!r} is of kind {' '.join(fields[key])}, not NATURE", at)
        else:
            skip_field(scanner)
    node.states = _states(scanner, draft, fields)
    node.parents = fields.get("parents", [])
    draft.nodes[name] = node


def _states(scanner: Scanner, draft: Draft, fields: dict[str, list[str]]) -> list[str]:
    """The names of the states; nodes without names have numbers, or the levels that bound them."""
    levels = fields.get("levels", [])
    if fields.get("states"):
        return fields["states"]
    if levels and fields.get("discrete") == ["FALSE"]:
        return [f"{low} to {high}" for low, high in itertools.pairwise(levels)]
    if levels:
        return levels
    count = fields.get("numstates", ["0"])[0]
    if not re.fullmatch("[0-9]{1,5}", count):
        scanner.refuse(f"{count!r} is not a number of states")
    draft.claim_states(int(count))
    return [f"state{i}" for i in range(int(count))]


def _determined(scanner: Scanner, at: int, found: list[str], draft: Draft, node: str) -> Floats:
    """The table of a function: the state of each configuration, by name or ``#`` and number, is certain."""
    states = draft.nodes[node].states
    codes = {state: code for code, state in enumerate(states)} | {f"#{i}": i for i in range(len(states))}
    table = draft.certain_table(node, found, codes)
    if table is None:
        scanner.refuse(f"node {node!r} needs one of its states for each configuration of its parents", at)
    return table


def write_bytes(network: BayesianNetwork, report: list[FormatLoss] | None = None) -> bytes:
    losses: list[FormatLoss] = [] if report is None else report
    spelling = spell(network, identifier, identifier, LONGEST)
    order = network.graph.topological_order()  # Netica wants parents before children
    name = identifier(network.name)[:LONGEST] if network.name else "network"
    about = carried_by_network(network, name, order=order, taken=PLACES)
    lines = [HEAD, f"bnet {name} {{", *_texts(with_carried(network.metadata.properties, about, PLACES), "")]
    for node in order:
        properties, label = shown_label(network, node, spelling, "title")
        taken = AllBut(("comment",)) if label else PLACES
        carried = carried_by_node(network, node, spelling, losses, taken)
        lines += ["", f"node {spelling.nodes[node]} {{", "\tkind = NATURE;", "\tdiscrete = TRUE;"]
        lines += ["\tchance = CHANCE;", f"\tstates = ({', '.join(map(str, spelling.states[node]))});"]
        lines.append(
            f"\tparents = ({', '.join(spelling.nodes[parent] for parent in network.parents(node))});"
        )
        table = network.table(node)
        rows = [f"({', '.join(map(repr, row))})" for row in table.reshape(-1, table.shape[-1]).tolist()]
        shape = list(table.shape[:-1])
        lines.append(f"\tprobs =\n    {nested(rows, shape, between=',')};")
        lines += [*_texts(with_carried(properties, carried, taken), "\t"), "\t};"]
    return encoded("\n".join([*lines, "};"]) + "\n")


def _texts(properties: dict[str, str], indent: str) -> Iterator[str]:
    for key, text in properties.items():
        if key == RESERVED:
            yield f"{indent}{NOTE}{text}"
        else:
            escaped = text.replace("\\", "\\\\").replace('"', '\\"')
            yield f'{indent}{key} = "{escaped}";'
