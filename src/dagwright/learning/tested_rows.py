"""The rows and the test with which the independences of a graph are checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dagwright.data import Table
from dagwright.data.missing import OF_QUESTIONS, apply_policy
from dagwright.defaults import usual_test
from dagwright.errors import unknown_name
from dagwright.evidence.counting import as_rows, countable
from dagwright.evidence.numbers import on_kind, takes_numbers


def tested_rows(nodes: Iterable[str], data: Any, test: Any, missing: str | None) -> tuple[Any, Table]:
    """The test for the kind of the columns, and a table with a column for each node."""
    rows = as_rows(data)
    spec = on_kind(usual_test(kind=rows.schema.kind) if test is None else test, rows.schema.kind)
    table = apply_policy(rows if takes_numbers(spec) else countable(rows), missing, offers=OF_QUESTIONS)
    for node in nodes:
        if node not in table.names:
            raise unknown_name("node of the graph", node, table.names)
    return spec, table
