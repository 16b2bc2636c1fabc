"""Tables whose rows are with a source: where their columns are there, and the table that stands for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dagwright.base.documents import parsed_json
from dagwright.data.column_folder import MANIFEST, WEIGHTS
from dagwright.data.schema import Schema
from dagwright.data.source import Source
from dagwright.data.table import Table


def counted_by(table: Table, source: Source, places: Sequence[int], schema: Schema | None = None) -> Table:
    """The table with its rows at a source, where column i is column ``places[i]``.

    Parameters
    ----------
    schema
        The columns, where they are not those of ``table``.
    """
    own = table.schema if schema is None else schema
    return table._with(
        schema=own,
        columns=tuple(np.empty(0, np.uint8 if variable.is_discrete else np.float64) for variable in own),
        weights=None,
        source=source,
        places=tuple(places),
        blocks=None,
        draw=None,
    )


def places_of(table: Table) -> tuple[int, ...]:
    """The positions of the columns of a table in its source."""
    return table._places


def folder_of(table: Table) -> tuple[Path, list[int]] | None:
    """The converted folder whose mapped files hold the rows of a table, and the places of its columns there.

    None for rows in memory, and where something was changed that is not in the folder, such as the weights.
    """
    changed = table._draw is not None or table.interventions or table.windows is not None
    if table.blocks is None or changed:
        return None
    files = [_file(column) for column in table._columns]
    weights = None if table._weights is None else _file(table._weights)
    if None in files or (table._weights is not None and weights is None):
        return None
    folder = files[0].parent  # type: ignore[union-attr]
    if not (folder / MANIFEST).is_file() or any(file.parent != folder for file in files if file):
        return None
    if (weights is None) == (folder / WEIGHTS).exists():
        return None
    names = list(parsed_json((folder / MANIFEST).read_text(encoding="utf-8"))["files"])
    return folder, [names.index(file.name) for file in files if file is not None]


def _file(column: Any) -> Path | None:
    """The file that a whole column is mapped from."""
    base = column
    while isinstance(base, np.ndarray) and not isinstance(base, np.memmap):
        base = base.base
    if not isinstance(base, np.memmap) or base.filename is None or base.size != column.size:
        return None
    return Path(str(base.filename)).resolve()
