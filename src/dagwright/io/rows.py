"""Families and rows of probabilities as BIF and DSC write them: ``probability ( x | y, z ) { (...) ...; }``.

The usual body, nothing but rows, is read in bulk; anything else goes token by token, which gives the exact
place of what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from dagwright.errors import unknown_name
from dagwright.io.draft import Draft, child_last, configurations
from dagwright.io.quoting import unquoted
from dagwright.io.scanner import BLANKS, NUMBER, Scanner, numbers_in
from dagwright.model.tables.checks import Floats

ROW = re.compile(r'\s*+\(([^()";/]*+)\)\s*+:?+([^;()"/:]*+);')
PROPERTY = re.compile(r'\s*+((?:"[^"]*+"|[^";{}])*+);')
Labels = Mapping[str, Mapping[str, int]]
"""For each node the code of each state by what stands for it in a row."""


def take_name(scanner: Scanner, what: str) -> str:
    is_string = scanner.kind == "string"
    name = scanner.take(what)
    return unquoted(name) if is_string else name


def take_properties(scanner: Scanner, properties: dict[str, str]) -> None:
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


def take_states(scanner: Scanner, name: str, count: int) -> list[str]:
    """The names of the states in braces, as many as were announced."""
    scanner.expect("{")
    at = scanner.start
    states = []
    while not scanner.skip("}"):
        states.append(take_name(scanner, "the name of a state or '}'"))
        scanner.skip(",")
    if len(states) != count:
        scanner.refuse(f"the variable {name!r} has {count} states but {len(states)} are named", at)
    return states


def take_family(scanner: Scanner, draft: Draft, bodies: dict[str, int]) -> None:
    """The head of a probability block; its body is only measured, since its variables may come later."""
    scanner.expect("(")
    at = scanner.start
    child = take_name(scanner, "the name of a variable")
    if child not in draft.nodes:
        scanner.refuse(str(unknown_name("variable", child, draft.nodes)), at)
    if child in bodies:
        scanner.refuse(f"the probabilities of {child!r} are given twice", at)
    scanner.skip("|")
    scanner.skip(",")
    draft.nodes[child].where = scanner.place_of(at)
    parents = draft.nodes[child].parents
    while not scanner.skip(")"):
        parents.append(take_name(scanner, "the name of a parent or ')'"))
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


def table_of_rows(scanner: Scanner, draft: Draft, node: str, position: int, labels: Labels) -> Floats:
    """The table of a node from the body of its probability block, one row per configuration."""
    table = _in_bulk(scanner.text, draft, node, position, labels)
    return _token_by_token(scanner, draft, node, position, labels) if table is None else table


def _strides(shape: list[int]) -> list[int]:
    strides = [1] * (len(shape) - 1)
    for axis in range(len(strides) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * shape[axis + 1]
    return strides


def _in_bulk(text: str, draft: Draft, node: str, position: int, labels: Labels) -> Floats | None:
    """A body of nothing but unquoted rows, all configurations there once; None sends it the careful way."""
    shape = draft.shape(node)
    q, r = configurations(shape), shape[-1]
    if q > len(text):
        return None
    offsets = [
        {label: code * stride for label, code in labels[parent].items()}
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
    if len(rows) != q or len(set(rows)) != q:
        return None
    if (blanks := BLANKS.match(text, position)) is None or not text.startswith("}", blanks.end()):
        return None
    table = np.empty((q, r))
    table[rows] = np.array(values).reshape(q, r)
    return table


def _token_by_token(scanner: Scanner, draft: Draft, node: str, position: int, labels: Labels) -> Floats:
    shape = draft.shape(node)
    q, r = configurations(shape), shape[-1]
    scanner.jump(position)
    table = np.full((q, r), np.nan)
    named: set[int] = set()
    defaulted = False
    while not scanner.skip("}"):
        if scanner.is_word("property"):
            take_properties(scanner, draft.nodes[node].properties)
            continue
        at = scanner.start
        if scanner.is_symbol("("):
            row = _configuration(scanner, draft, node, shape, labels)
            if row in named:
                scanner.refuse(f"node {node!r}: this configuration is given twice", at)
            named.add(row)
            table[row] = _row(scanner, r)
        elif q == 1 and scanner.kind == "word" and NUMBER.fullmatch(scanner.token):
            table[0] = _row(scanner, r)
        elif scanner.expect_word("table", "default", "property") == "default":
            if defaulted:
                scanner.refuse(f"node {node!r}: the default is given twice", at)
            defaulted = True
            rest = np.ones(q, dtype=np.bool_)
            rest[list(named)] = False
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


def _configuration(scanner: Scanner, draft: Draft, node: str, shape: list[int], labels: Labels) -> int:
    scanner.expect("(")
    row = 0
    for parent, stride in zip(draft.nodes[node].parents, _strides(shape), strict=True):
        at = scanner.start
        state = take_name(scanner, f"a state of {parent!r}")
        if state not in labels[parent]:
            scanner.refuse(str(unknown_name(f"state of {parent!r}", state, labels[parent])), at)
        row += labels[parent][state] * stride
        scanner.skip(",")
    scanner.expect(")")
    return row


def _row(scanner: Scanner, count: int) -> Floats:
    scanner.skip(":")
    at = scanner.start
    values = scanner.take_numbers()
    if len(values) != count:
        scanner.refuse(f"expected {count} numbers, found {len(values)}", at)
    scanner.expect(";")
    return values
