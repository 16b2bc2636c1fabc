"""BIF, the interchange format (Cozman 1998, version 0.15) in the dialects that are in use.

The files of the Bayesian network repository name each configuration (``(yes, no) 0.1, 0.9;``); JavaBayes
quotes names and gives one ``table`` per node, in which the states of the node change slowest and those of its
last parent fastest; ``default`` fills the configurations that are not named. Comments, properties, commas and
bars are optional as in the specification.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import numpy as np

from dagwright.errors import unknown_name
from dagwright.io.content import decoded, encoded
from dagwright.io.draft import Draft, NodeDraft, child_last, configurations, finished
from dagwright.io.losses import Loss
from dagwright.io.quoting import quoted, unquoted
from dagwright.io.scanner import Scanner, numbers_in
from dagwright.io.spelling import (
    Spelling,
    as_is,
    carried_by_network,
    carried_by_node,
    spell,
    with_carried,
)
from dagwright.model import BayesianNetwork
from dagwright.model.checks import Floats

TOKENS = re.compile(
    r"\s*+(?:(?://[^\n]*+|/\*.*?\*/)\s*+)*+"
    r'(?:"(?P<string>[^"]*+)"|(?P<word>(?:[^\s{}\[\]()|,;"/]|/(?![/*]))++)|(?P<symbol>[{}\[\]()|,;]))?',
    re.DOTALL,
)
ROW = re.compile(r'\s*+\(([^()";/]*+)\)([^;()"/]*+);')
PROPERTY = re.compile(r'\s*+((?:"[^"]*+"|[^";{}])*+);')
BARE = re.compile("[A-Za-z0-9_<>=+.*%:/-]+")
KEYWORDS = {"network", "variable", "probability", "property", "type", "discrete", "default", "table"}
UNNAMED = "unknown"
"""What the repository's files call a network without a name."""


def read_bytes(content: bytes) -> BayesianNetwork:
    text = decoded(content)
    draft = Draft(len(text))
    bodies: dict[str, int] = {}
    scanner = Scanner(text, TOKENS)
    while scanner.kind:
        match scanner.expect_word("network", "variable", "probability"):
            case "network":
                name = _name(scanner, "the name of the network")
                draft.name = "" if name == UNNAMED else name
                scanner.expect("{")
                _take_properties(scanner, draft.properties)
                scanner.expect("}")
            case "variable":
                _take_variable(scanner, draft)
            case _:
                _take_family(scanner, draft, bodies)
    for node in draft.nodes:
        if node not in bodies:
            scanner.fail(f"the probabilities of {node!r}")
    draft.require_plausible()
    for node, position in bodies.items():
        draft.nodes[node].table = _table(scanner, draft, node, position)
    return finished(draft)


def _name(scanner: Scanner, what: str) -> str:
    is_string = scanner.kind == "string"
    name = scanner.take(what)
    return unquoted(name) if is_string else name


def _take_properties(scanner: Scanner, properties: dict[str, str]) -> None:
    while scanner.is_word("property"):
        match = PROPERTY.match(scanner.text, scanner.position)
        if match is None:
            scanner.fail("a property that ends with ';'", scanner.position)
        whole = match[1].strip()
        if re.fullmatch('"[^"]*"', whole):
            whole = unquoted(whole[1:-1])
        key, equals, value = whole.partition("=")
        value = value.strip()
        if re.fullmatch('"[^"]*"', value):
            value = unquoted(value[1:-1])
        properties[key.strip() if equals else whole] = value
        scanner.jump(match.end())


def _take_variable(scanner: Scanner, draft: Draft) -> None:
    at = scanner.start
    name = _name(scanner, "the name of a variable")
    if name in draft.nodes:
        scanner.refuse(f"the variable {name!r} is declared twice", at)
    node = NodeDraft(name, [])
    scanner.expect("{")
    _take_properties(scanner, node.properties)
    scanner.expect_word("type")
    scanner.expect_word("discrete")
    scanner.expect("[")
    count = scanner.take_count("the number of states")
    scanner.expect("]")
    scanner.expect("{")
    at = scanner.start
    while not scanner.skip("}"):
        node.states.append(_name(scanner, "the name of a state or '}'"))
        scanner.skip(",")
    if len(node.states) != count:
        scanner.refuse(f"the variable {name!r} has {count} states but {len(node.states)} are named", at)
    scanner.skip(";")
    _take_properties(scanner, node.properties)
    scanner.expect("}")
    draft.nodes[name] = node


def _take_family(scanner: Scanner, draft: Draft, bodies: dict[str, int]) -> None:
    """The head of a probability block; its body is only measured, since its variables may come later."""
    scanner.expect("(")
    at = scanner.start
    child = _name(scanner, "the name of a variable")
    if child not in draft.nodes:
        scanner.refuse(str(unknown_name("variable", child, draft.nodes)), at)
    if child in bodies:
        scanner.refuse(f"the probabilities of {child!r} are given twice", at)
    scanner.skip("|")
    scanner.skip(",")
    parents = draft.nodes[child].parents
    while not scanner.skip(")"):
        parents.append(_name(scanner, "the name of a parent or ')'"))
        scanner.skip(",")
    if not scanner.is_symbol("{"):
        scanner.fail("'{'")
    bodies[child] = scanner.position
    text = scanner.text
    end = text.find("}", scanner.position)
    if end >= 0 and text.find('"', scanner.position, end) < 0 and text.find("/", scanner.position, end) < 0:
        scanner.jump(end + 1)
        return
    scanner.advance()
    while scanner.kind and not scanner.is_symbol("}"):
        scanner.advance()
    scanner.expect("}")


def _table(scanner: Scanner, draft: Draft, node: str, position: int) -> Floats:
    table = _table_of_rows(scanner.text, draft, node, position)
    return _table_token_by_token(scanner, draft, node, position) if table is None else table


def _strides(shape: list[int]) -> list[int]:
    strides = [1] * (len(shape) - 1)
    for axis in range(len(strides) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * shape[axis + 1]
    return strides


def _table_of_rows(text: str, draft: Draft, node: str, position: int) -> Floats | None:
    """A body of nothing but unquoted rows, all configurations there once; None sends it the careful way."""
    shape = draft.shape(node)
    q, r = configurations(shape), shape[-1]
    if q > len(text):
        return None
    offsets = [
        {state: code * stride for code, state in enumerate(draft.nodes[parent].states)}
        for parent, stride in zip(draft.nodes[node].parents, _strides(shape), strict=True)
    ]
    rows: list[int] = []
    values: list[float] = []
    while (match := ROW.match(text, position)) is not None:
        names, numbers = match.groups()
        found = [offset.get(name.strip()) for offset, name in zip(offsets, names.split(","), strict=False)]
        row = numbers_in(numbers)
        if row is None or len(row) != r or None in found or names.count(",") != len(offsets) - 1:
            return None
        rows.append(sum(found))  # type: ignore[arg-type]
        values += row
        position = match.end()
    if len(rows) != q or len(set(rows)) != q or not text.startswith("}", position + _blanks(text, position)):
        return None
    table = np.empty((q, r))
    table[rows] = np.array(values).reshape(q, r)
    return table


def _blanks(text: str, position: int) -> int:
    match = re.compile(r"\s*").match(text, position)
    return match.end() - position if match else 0


def _table_token_by_token(scanner: Scanner, draft: Draft, node: str, position: int) -> Floats:
    shape = draft.shape(node)
    q, r = configurations(shape), shape[-1]
    scanner.jump(position)
    table = np.full((q, r), np.nan)
    named: set[int] = set()
    while not scanner.skip("}"):
        if scanner.is_word("property"):
            _take_properties(scanner, draft.nodes[node].properties)
            continue
        at = scanner.start
        if scanner.is_symbol("("):
            row = _configuration(scanner, draft, node, shape)
            if row in named:
                scanner.refuse(f"node {node!r}: this configuration is given twice", at)
            named.add(row)
            table[row] = _row(scanner, r)
        elif scanner.expect_word("table", "default", "property") == "default":
            rest = np.array([i for i in range(q) if i not in named], dtype=np.intp)
            table[rest] = _row(scanner, r)
        else:
            values = _row(scanner, q * r)
            table[:] = child_last(values, q, r)
    if np.isnan(table).any():
        row = int(np.argmax(np.isnan(table).any(axis=1)))
        codes = np.unravel_index(row, shape[:-1]) if q > 1 else ()
        parents = draft.nodes[node].parents
        shown = ", ".join(
            f"{p}={draft.nodes[p].states[int(c)]}" for p, c in zip(parents, codes, strict=False)
        )
        scanner.refuse(f"node {node!r} lacks probabilities{f' for {shown}' if shown else ''}", position)
    return table


def _configuration(scanner: Scanner, draft: Draft, node: str, shape: list[int]) -> int:
    scanner.expect("(")
    row = 0
    for parent, stride in zip(draft.nodes[node].parents, _strides(shape), strict=True):
        at = scanner.start
        state = _name(scanner, f"a state of {parent!r}")
        states = draft.nodes[parent].states
        if state not in states:
            scanner.refuse(str(unknown_name(f"state of {parent!r}", state, states)), at)
        row += states.index(state) * stride
        scanner.skip(",")
    scanner.expect(")")
    return row


def _row(scanner: Scanner, count: int) -> Floats:
    at = scanner.start
    values = scanner.take_numbers()
    if len(values) != count:
        scanner.refuse(f"expected {count} numbers, found {len(values)}", at)
    scanner.expect(";")
    return values


def write_bytes(network: BayesianNetwork, report: list[Loss] | None = None) -> bytes:
    losses: list[Loss] = [] if report is None else report
    spelling = spell(network, as_is, as_is)
    head = network.name or UNNAMED
    carried = carried_by_network(network, "" if head == UNNAMED else head)
    lines = [f"network {_word(head)} {{", *_properties(dict(network.metadata.properties), carried), "}"]
    for node in network.nodes:
        lines += _variable(network, node, spelling, carried_by_node(network, node, spelling, losses))
    for node in network.nodes:
        lines += _probability(network, node, spelling)
    return encoded("\n".join(lines) + "\n")


def _word(text: str) -> str:
    """A name without quotes where the repository's files have none either."""
    bare = BARE.fullmatch(text) and text not in KEYWORDS and "//" not in text and "/*" not in text
    return text if bare else quoted(text)


def _properties(properties: dict[str, str], carried: str) -> Iterator[str]:
    for key, text in with_carried(properties, carried).items():
        yield f"  property {key} = {quoted(text)} ;"


def _variable(network: BayesianNetwork, node: str, spelling: Spelling, carried: str) -> Iterator[str]:
    states = ", ".join(map(_word, spelling.states[node]))
    yield f"variable {_word(node)} {{"
    yield f"  type discrete [ {network.cardinality(node)} ] {{ {states} }};"
    yield from _properties(dict(network.metadata.node_properties.get(node, {})), carried)
    yield "}"


def _probability(network: BayesianNetwork, node: str, spelling: Spelling) -> Iterator[str]:
    parents = network.parents(node)
    rows = network.table(node).reshape(-1, network.cardinality(node)).tolist()
    if not parents:
        yield f"probability ( {_word(node)} ) {{"
        yield f"  table {', '.join(map(repr, rows[0]))};"
    else:
        yield f"probability ( {_word(node)} | {', '.join(map(_word, parents))} ) {{"
        words = [[_word(state) for state in spelling.states[parent]] for parent in parents]
        for configuration, row in zip(itertools.product(*words), rows, strict=True):
            yield f"  ({', '.join(configuration)}) {', '.join(map(repr, row))};"
    yield "}"
