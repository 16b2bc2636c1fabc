"""Columns as JSON entries: the schema of a saved result, without the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dagwright.data.schema import Schema
from dagwright.data.table import Table
from dagwright.errors import FormatError


def variable_entries(table: Table) -> list[dict[str, Any]] | None:
    """One entry for each column; None if a state is nothing that JSON can hold."""
    try:
        return table.schema.entries()
    except FormatError:
        return None


def template_of(entries: Sequence[Mapping[str, Any]], reading: Mapping[str, Any]) -> Table:
    """A table without rows that has the columns of the entries."""
    return Table.from_schema(Schema.of_entries(entries), reading=reading)
