"""New rows in the states and bins of a table that is already there."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time
from typing import Any

import numpy as np

from dagwright.data.bins import Scale
from dagwright.data.coding import recode
from dagwright.data.column_folder import is_read_to_disk
from dagwright.data.columns import Factor, Floats, SourceColumn, array_column, typed_values
from dagwright.data.dates import date_part, recognized
from dagwright.data.discretize import CutPoints
from dagwright.data.plan import chosen_columns, split_options
from dagwright.data.schema import Continuous, Variable
from dagwright.data.sources import open_source
from dagwright.data.states import code_dtype, missing_code, state_key
from dagwright.data.stored_rows import Column
from dagwright.data.table import Table
from dagwright.errors import DataError, OptionError
from dagwright.sentences import Argument, Sentence, ways

MISSPELLED = 0.8
"""How alike an unknown and an absent column must be, at least, for one to be the other misspelled."""
SHOWN = 6


def encode(
    table: Table, data: Any, *, absent: str = "error", unknown_states: str = "error", **reading: Any
) -> Table:
    """The rows of ``data`` under the names, states and bins of ``table``."""
    if absent not in ("error", "missing", "leave out"):
        raise OptionError(
            Argument("absent", absent),
            "; choose 'error', 'missing' or 'leave out'",
        )
    if unknown_states not in ("error", "ignore"):
        raise OptionError(
            Argument("unknown_states", unknown_states),
            "; choose 'error' or 'ignore'",
        )
    if is_read_to_disk(data, reading):
        from dagwright.data.read import read

        data, reading = read(data, **reading), {}
    if isinstance(data, Table) and data.blocks is not None:
        if (kept := _as_it_is(table, data, absent)) is not None:
            return kept
        data.blocks.require_memory("these rows in other states", data.n_rows, data._columns)
    columns, weights = _columns_and_weights(table, data, reading)
    given = with_date_parts(table, {column.name: column for column in columns})
    n_rows = columns[0].n_rows if columns else 0
    if absent != "error":
        _require_known_columns(table.names, list(given))
    cells: list[Column] = []
    if absent == "leave out":
        table = table.select(name for name in table.names if name in given)
    for variable in table.schema:
        column = given.get(variable.name)
        if column is not None:
            cells.append(encoded_cells(variable, column, unknown_states))
        elif absent == "error":
            raise DataError(
                f"there is no column {variable.name!r} in the new data; ",
                ways(
                    "", "add it", Sentence("pass ", Argument("absent", "missing"), " to leave it unobserved")
                ),
            )
        else:
            cells.append(_no_cells(variable, n_rows))
    known = data.interventions if isinstance(data, Table) else {}
    set_rows = {name: mask for name, mask in known.items() if name in table.names}
    coded = table.with_codes(cells, table.states, weights, set_rows)
    return coded.with_windows(data.windows if isinstance(data, Table) else None)


def _as_it_is(table: Table, data: Table, absent: str) -> Table | None:
    """Rows on disk under the schema of the table, numbers cut where that has intervals.

    None where columns are absent or coded in another way.
    """
    names = [name for name in table.names if name in data.names]
    if not names or (len(names) < len(table.names) and absent != "leave out"):
        return None
    table, data = table.select(names), data.select(names)
    cuts = {
        own.name: CutPoints(own.bins.cuts)
        for own, given in zip(table.schema, data.schema, strict=True)
        if own.bins is not None and own.bins.cuts and not given.is_discrete
    }
    data = data.discretized(cuts) if cuts else data
    for own, given in zip(table.schema, data.schema, strict=True):
        states = [list(map(state_key, one.states)) for one in (own, given)]
        kinds = [(one.is_discrete, one.bins, one.origin.scale) for one in (own, given)]
        if states[0] != states[1] or kinds[0] != kinds[1]:
            return None
    return data._with(schema=table.schema, notes=table.notes)


def with_date_parts(
    table: Table, given: dict[str, SourceColumn], among_others: bool = False
) -> dict[str, SourceColumn]:
    """The columns by name, and from their dates the parts that the table holds.

    ``among_others`` says that the rows are some of those from which the table was made.
    """
    result = dict(given)
    for variable in table.schema:
        column, part = variable.origin.part_of or ("", "")
        if part and variable.name not in given and column in given:
            dated = given[column]
            if _is_empty(dated):
                result[variable.name] = _without_values(variable.name, dated)
            else:
                result[variable.name] = date_part(dated, part, variable.origin.utc, among_others)
    return result


def _is_empty(column: SourceColumn) -> bool:
    """Whether all cells are missing; then the texts of a file do not tell that the column holds dates."""
    return column.missing == column.n_rows


def _without_values(name: str, like: SourceColumn) -> SourceColumn:
    """A column of missing cells, with the rows of another."""
    factor = Factor(np.zeros(like.n_rows, dtype=np.uint32), [])
    return SourceColumn(name, "declared", like.n_rows, lambda: factor)


def _require_known_columns(names: Sequence[str], given: list[str]) -> None:
    """Refuse data without a single column of the table, and columns that look like a misspelled one."""
    absent = {_plain(name): name for name in names if name not in given}
    further = [name for name in given if name not in names]
    for name in further:
        near = difflib.get_close_matches(_plain(name), absent, n=1, cutoff=MISSPELLED)
        if near:
            raise DataError(
                f"the new data have no column {absent[near[0]]!r}, but {name!r}, which is unknown; rename "
                "it, or leave it out if it is another variable"
            )
    if names and len(absent) == len(names):
        shown = ", ".join(map(repr, further[:SHOWN])) + (", ..." if len(further) > SHOWN else "")
        wanted = ", ".join(map(repr, names[:SHOWN])) + (", ..." if len(names) > SHOWN else "")
        raise DataError(
            f"the new data share no column with the known ones: they have {shown or 'none'}, "
            f"and one of {wanted} is needed"
        )


def _plain(name: str) -> str:
    return "".join(each for each in name.casefold() if each.isalnum()) or name


def _columns_and_weights(table: Table, data: Any, reading: dict[str, Any]) -> tuple[list[SourceColumn], Any]:
    if isinstance(data, Table):
        if reading:
            raise OptionError("a Table is coded already; give the original data to use options of reading")
        return [_table_column(data, name) for name in data.names], data.weights
    marks = {mark for variable in table.schema for mark in variable.origin.missing_values}
    if marks and "missing_values" not in reading:
        reading = {**reading, "missing_values": sorted(marks)}
    how, coding = split_options(reading, "encode()")
    for option in ("kinds", "states", "discretize", "rare", "dates"):
        if getattr(coding, option):
            raise OptionError(
                Argument(option), " has no meaning here: new rows get the states and cut points known"
            )
    return chosen_columns(open_source(data, how), coding)


def _table_column(table: Table, name: str) -> SourceColumn:
    variable = table.schema[name]
    if isinstance(variable, Continuous):
        numbers = array_column(name, table.reals(name))
        return SourceColumn(
            name, "float", table.n_rows, lambda: numbers.factor, lambda: numbers.numbers, variable.scale
        )
    codes, states = table.codes(name), variable.states
    factor = Factor(np.where(codes == missing_code(codes), len(states), codes.astype(np.uint32)), states)
    return SourceColumn(name, "declared", len(codes), lambda: factor)


def encoded_cells(variable: Variable, column: SourceColumn, unknown_states: str) -> Column:
    """The cells of a source column as the variable has them: codes or numbers."""
    if isinstance(variable, Continuous):
        column = recognized(column, variable.origin.utc) if variable.scale != "number" else column
        return _on_scale(column, variable.scale)
    origin, states, bins = variable.origin, variable.states, variable.bins
    if any(isinstance(state, date) for state in states) or (bins is not None and bins.scale != "number"):
        column = recognized(column, origin.utc)
    if bins is None or column.content in ("text", "declared", "mixed"):
        # Rows of a discretized column may also come with the names of its intervals.
        factor = column.factor
        if column.content == "date" and any(isinstance(state, datetime) for state in states):
            # Dates among times are the midnights at which they begin.
            factor = replace(factor, values=[datetime.combine(day, time()) for day in factor.values])
        values = typed_values(factor)
        return recode(variable.name, factor, values, states, origin.other, unknown_states, column.first_row)
    return bins.code(_on_scale(column, bins.scale)).astype(code_dtype(len(states)))


def _no_cells(variable: Variable, n_rows: int) -> Column:
    """A column of missing cells."""
    if isinstance(variable, Continuous):
        return np.full(n_rows, np.nan)
    dtype = code_dtype(len(variable.states))
    return np.full(n_rows, np.iinfo(dtype).max, dtype=dtype)


def _on_scale(column: SourceColumn, scale: Scale) -> Floats:
    """The numbers of a column on the scale of the cut points; a date is the midnight at which it begins."""
    if column.scale == scale:
        return column.numbers
    if _is_empty(column):
        return np.full(column.n_rows, np.nan)
    if {column.scale, scale} == {"date", "datetime"}:
        return column.numbers * 86400 if scale == "datetime" else np.floor(column.numbers / 86400)
    raise DataError(
        f"column {column.name!r} holds values of kind {column.scale}; the table has {scale} there"
    )
