"""Columns as JSON entries: names, states and cut points, without the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dagwright.data.origin import CATEGORY, origin_entry, origin_of
from dagwright.data.state_values import state_from_json, state_to_json
from dagwright.data.table import Table
from dagwright.errors import FormatError


def variable_entries(table: Table) -> list[dict[str, Any]] | None:
    """One entry for each column; None if a state is nothing that JSON can hold."""
    try:
        return [
            {"name": name, "states": [state_to_json(state) for state in states]}
            | origin_entry(table.origins[name])
            for name, states in zip(table.names, table.states, strict=True)
        ]
    except FormatError:
        return None


def template_of(entries: Sequence[Mapping[str, Any]], reading: Mapping[str, Any]) -> Table:
    """A table without rows that has the columns of the entries."""
    return Table(
        [entry["name"] for entry in entries],
        [np.empty(0, dtype=np.uint8)] * len(entries),
        [[state_from_json(state) for state in entry["states"]] for entry in entries],
        origins={entry["name"]: origin_of(dict(entry)) or CATEGORY for entry in entries},
        reading=reading,
    )
