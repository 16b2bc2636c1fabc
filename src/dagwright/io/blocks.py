"""Blocks of fields, as Hugin NET and Netica DNET files are built: ``kind name { field = value; ... }``."""

from __future__ import annotations

import math
import re

import numpy as np

from dagwright.io.draft import Draft, configurations
from dagwright.io.scanner import Scanner, numbers_in
from dagwright.model.tables.checks import Floats

MAX_DEPTH = 64
Value = str | list["Value"]


def take_value(scanner: Scanner, depth: int = 0) -> Value:
    """A word, a text or a list of values in parentheses, with or without commas between them."""
    if depth > MAX_DEPTH:
        scanner.refuse("parentheses are nested too deeply for a network")
    if not scanner.skip("("):
        return scanner.take("a value")
    values: list[Value] = []
    while not scanner.skip(")"):
        values.append(take_value(scanner, depth + 1))
        scanner.skip(",")
    return values


def flat(value: Value) -> list[str]:
    """The words of a value, whatever the nesting."""
    if isinstance(value, str):
        return [value]
    return [word for each in value for word in flat(each)]


def skip_field(scanner: Scanner) -> None:
    """Go past the semicolon that ends the field."""
    while scanner.kind and not scanner.is_symbol(";"):
        if scanner.is_symbol("}") or scanner.is_symbol("{"):
            scanner.fail("';'")
        scanner.advance()
    scanner.expect(";")


def take_numbers(scanner: Scanner, comment: str) -> tuple[int, str]:
    """Where a field of numbers in nested parentheses begins, and its text without comments.

    ``comment`` is what begins a comment, which goes to the end of its line.
    """
    start = scanner.start
    field = re.compile(rf'(?:{comment}[^\n]*+|[^;{{}}"])*+;').match(scanner.text, start)
    if field is None:
        scanner.fail("numbers that end with ';'")
    scanner.jump(field.end())
    return start, re.sub(rf"{comment}[^\n]*+", " ", field[0][:-1])


def table_of_numbers(scanner: Scanner, field: tuple[int, str], draft: Draft, node: str) -> Floats:
    """One row per configuration from a field of numbers, the states of the node changing fastest."""
    start, text = field
    shape = draft.shape(node)
    q, r = configurations(shape), shape[-1]
    values = numbers_in(text.replace("(", " ").replace(")", " "))
    if values is None:
        scanner.refuse(f"the table of {node!r} holds something that is not a number", start)
    if len(values) != math.prod((q, r)):
        scanner.refuse(
            f"the table of {node!r} needs {q:,} x {r} numbers, but {len(values):,} are given", start
        )
    return np.array(values, dtype=np.float64).reshape(q, r)


def nested(rows: list[str], shape: list[int], between: str = "") -> str:
    """Rows of numbers, each in its parentheses, wrapped once more for every parent.

    >>> nested(["(1 2)", "(3 4)"], [2])
    '((1 2)\\n    (3 4))'
    """
    lines = list(rows)
    size = 1
    for cardinality in reversed(shape):
        size *= cardinality
        for start in range(0, len(lines), size):
            lines[start] = "(" + lines[start]
            lines[start + size - 1] += ")"
    return f"{between}\n    ".join(lines)
