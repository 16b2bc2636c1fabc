"""From any source to a Table."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy.typing as npt

from dagwright.data.bins import Bins
from dagwright.data.coding import Coded, Decision, code_category, decide_kind
from dagwright.data.columns import Floats, SourceColumn
from dagwright.data.discretise import EqualFrequency, Hartemink, Rule, cut_column
from dagwright.data.sources import Opening, open_source
from dagwright.data.states import MISSING_MARKERS, Codes
from dagwright.data.table import Table, checked_names, checked_weights
from dagwright.errors import DataError, OptionError, unknown_name

MAX_NUMBER_STATES = 20


def read(
    source: Any,
    *,
    engine: Literal["polars", "python", "duckdb"] | None = None,
    format: Literal["csv", "tsv", "parquet", "arrow", "jsonl", "excel"] | None = None,  # noqa: A002
    connection: Any = None,
    sheet: str | int | None = None,
    separator: str | None = None,
    decimal: Literal[".", ","] | None = None,
    quote: str | None = '"',
    encoding: str | None = None,
    header: bool = True,
    missing_values: Sequence[str] = MISSING_MARKERS,
    names: Sequence[str] | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    weights: str | npt.ArrayLike | None = None,
    kinds: Mapping[str, str] | None = None,
    states: Mapping[str, Sequence[Hashable]] | None = None,
    discretise: Rule | Mapping[str, Rule] | None = None,
    rare: float | Mapping[str, float] | None = None,
    max_number_states: int = MAX_NUMBER_STATES,
) -> Table:
    """Read a table from a file, a query, a frame or plain Python data.

    Parameters
    ----------
    source
        Path of a CSV or TSV (also .gz, .zst), Parquet, Arrow, Feather, JSON lines or Excel file; an open
        file; an SQL query; a pandas, polars or pyarrow table or any frame that narwhals knows; a dict of
        columns; a list of dicts; a NumPy array of rows by columns with ``names``.
    engine
        Reader of files: polars (default), the standard library (delimited text), or DuckDB.
    connection
        For queries: an open connection, or the path of an SQLite or DuckDB file.
    separator, decimal, encoding
        Found out from the file where not given; the encoding is UTF-8 unless a byte-order mark says other.
    header
        Whether the first line holds names; without it columns are called V1, V2 and so on.
    missing_values
        Texts that mark a missing cell in text files.
    columns, exclude
        The columns to keep, respectively to leave out.
    weights
        Frequency weights, or the name of the column that holds them.
    kinds
        ``"category"`` or ``"continuous"`` for columns where the rule of :func:`decide_kind` is not wanted.
    states
        Declared states in order; other values are refused.
    discretise
        Rule for continuous columns, one for all or by name; :class:`EqualFrequency` by default.
    rare
        Group the values in fewer rows than this as one state: a share below 1, or a number of rows.
    max_number_states
        A column of numbers with more distinct values is continuous.

    >>> read({"rain": ["no", "yes", "yes"], "drops": [0, 3, 2]})
    Table: 3 rows, 2 columns
      rain   2 states: no, yes
      drops  3 states: 0, 2, 3
    """
    if isinstance(source, Table):
        if kinds or states or discretise is not None or rare is not None:
            raise OptionError("a Table is coded already; give the original data to code them in another way")
        return _reselected(source, columns, exclude, weights)
    how = Opening(
        engine=engine,
        format=format,
        connection=connection,
        sheet=sheet,
        separator=separator,
        decimal=decimal,
        quote=quote,
        encoding=encoding,
        header=header,
        missing_values=tuple(missing_values),
        names=names,
    )
    chosen, row_weights = choose_columns(open_source(source, how), columns, exclude, weights)
    known = [column.name for column in chosen]
    for option in (kinds, states, discretise, rare):
        if isinstance(option, Mapping):
            for name in option:
                if name not in known:
                    raise unknown_name("column", name, known)
    decisions = [
        decide_kind(
            column,
            "category" if column.name in (states or {}) else (kinds or {}).get(column.name),
            max_number_states,
        )
        for column in chosen
    ]
    return _coded_table(chosen, decisions, row_weights, states or {}, discretise, rare)


def _reselected(table: Table, columns: Iterable[str] | None, exclude: Iterable[str], weights: Any) -> Table:
    if isinstance(weights, str):
        raise OptionError("the weights of a Table are numbers, not a column; use with_weights()")
    left_out = set(exclude)
    for name in left_out:
        table.column_index(name)
    kept = [name for name in (table.names if columns is None else columns) if name not in left_out]
    result = table if tuple(kept) == table.names else table.select(kept)
    return result if weights is None else result.with_weights(weights)


def choose_columns(
    columns: list[SourceColumn], keep: Iterable[str] | None, exclude: Iterable[str], weights: Any
) -> tuple[list[SourceColumn], Floats | None]:
    """The columns to code, and the weights of the rows."""
    by_name = dict(zip(checked_names([column.name for column in columns]), columns, strict=True))
    wanted = list(by_name) if keep is None else list(keep)
    left_out = set(exclude)
    for name in (*wanted, *left_out, *((weights,) if isinstance(weights, str) else ())):
        if name not in by_name:
            raise unknown_name("column", name, by_name)
    n_rows = columns[0].n_rows
    row_weights = None
    if isinstance(weights, str):
        left_out.add(weights)
        row_weights = checked_weights(by_name[weights].numbers, n_rows)
    elif weights is not None:
        row_weights = checked_weights(weights, n_rows)
    chosen = [by_name[name] for name in wanted if name not in left_out]
    if not chosen:
        raise DataError("no column is left to read; check columns=, exclude= and weights=")
    return chosen, row_weights


def rule_for(name: str, discretise: Rule | Mapping[str, Rule] | None) -> Rule:
    """The rule that applies to a column."""
    if isinstance(discretise, Mapping):
        return discretise.get(name, EqualFrequency())
    return EqualFrequency() if discretise is None else discretise


def _coded_table(
    columns: list[SourceColumn],
    decisions: list[Decision],
    weights: Floats | None,
    states: Mapping[str, Sequence[Hashable]],
    discretise: Rule | Mapping[str, Rule] | None,
    rare: float | Mapping[str, float] | None,
) -> Table:
    coded: dict[str, Coded] = {}
    bins: dict[str, Bins] = {}
    rules: dict[str, Rule] = {}
    for column, decision in zip(columns, decisions, strict=True):
        name = column.name
        if decision.kind == "continuous":
            rules[name] = rule_for(name, discretise)
            bins[name] = cut_column(name, column.numbers, weights, rules[name], column.scale)
        else:
            level = rare.get(name) if isinstance(rare, Mapping) else rare
            coded[name] = code_category(column, states.get(name), level)
    numbers = {column.name: column.numbers for column in columns if column.name in bins}
    codes: dict[str, Codes] = {name: done.codes for name, done in coded.items()}
    codes |= {name: bins[name].code(numbers[name]) for name in bins}
    if any(isinstance(rule, Hartemink) for rule in rules.values()):
        from dagwright.data.hartemink import merged_bins

        bins |= merged_bins(codes, bins, rules, weights)
        codes |= {name: bins[name].code(numbers[name]) for name in bins}
    for array in codes.values():
        array.flags.writeable = False
    notes = [note for done in coded.values() for note in done.notes]
    for column, decision in zip(columns, decisions, strict=True):
        if column.name in bins:
            found = len(bins[column.name].labels)
            notes.append(
                f"column {column.name!r} is continuous ({decision.why}) and was cut into {found} "
                f"interval{'s' if found > 1 else ''} by {rules[column.name]}"
            )
    order = [column.name for column in columns]
    return Table(
        order,
        [codes[name] for name in order],
        [bins[name].labels if name in bins else coded[name].states for name in order],
        weights=weights,
        bins=bins,
        notes=notes,
    )
