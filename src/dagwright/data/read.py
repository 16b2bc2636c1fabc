"""From any source to a Table."""

from __future__ import annotations

import os
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy.typing as npt

from dagwright.base.events import Progress, telling
from dagwright.data.dates import Dates
from dagwright.data.discretize import Rule
from dagwright.data.layout import note_on_identifier
from dagwright.data.on_disk import is_folder_of_columns, read_to_disk
from dagwright.data.plan import MAX_NUMBER_STATES, Coding, coded_table, planned, split_options
from dagwright.data.sources import Opening
from dagwright.data.table import Table
from dagwright.errors import OptionError

Format = Literal["csv", "tsv", "parquet", "arrow", "jsonl", "excel", "stata", "spss", "sas"]


def read(
    source: Any,
    *,
    engine: Literal["polars", "python", "duckdb", "disk"] | None = None,
    into: str | os.PathLike[str] | None = None,
    memory_mib: float | None = None,
    format: Format | None = None,  # noqa: A002
    connection: Any = None,
    sheet: str | int | None = None,
    separator: str | None = None,
    decimal: Literal[".", ","] | None = None,
    quote: str | None = '"',
    encoding: str | None = None,
    header: bool = True,
    missing_values: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    weights: str | npt.ArrayLike | None = None,
    kinds: Mapping[str, str] | None = None,
    states: Mapping[str, Sequence[Hashable]] | None = None,
    discretize: Rule | Mapping[str, Rule] | None = None,
    rare: float | Mapping[str, float] | None = None,
    max_number_states: int = MAX_NUMBER_STATES,
    ordered: Collection[str] = (),
    dates: Dates | None = None,
    progress: Progress | None = None,
) -> Table:
    """Read a table from a file, a query, a frame or plain Python data.

    Parameters
    ----------
    source
        Path of a CSV or TSV (also .gz, .zst), Parquet, Arrow, Feather, JSON lines, Excel, Stata, SPSS or SAS
        file; the name of a sample, such as ``"sample:asia"``; an open file; an SQL query; a pandas, polars or
        pyarrow table or any frame that narwhals knows; a dict of columns; a list of dicts; a NumPy array of
        rows by columns with ``names``.
    engine
        Reader of files: polars (default), the standard library (delimited text), or DuckDB. ``"disk"`` is for
        data larger than memory: CSV, Parquet and Arrow files, also many (``"big/*.parquet"``), DuckDB queries
        and relations, and Arrow datasets are coded once into a folder of column files, chunk by chunk, and
        counted from there.
    into
        The folder of the engine "disk"; without it a temporary folder that is removed at exit. Reading again
        into a finished folder opens it at once, and an interrupted conversion goes on where it was.
    memory_mib
        The memory that the engine "disk" may take for counting and for copies of rows, in MiB; half of the
        memory of the machine by default. `Table.decode`, `Table.to_dict` and other conversions do not check
        it.
    connection
        For queries: an open connection, or the path of an SQLite or DuckDB file.
    separator, decimal, encoding
        Read from the file where not given; the encoding is UTF-8 unless a byte-order mark says otherwise.
    header
        Whether the first line holds names; without it columns are called V1, V2 and so on.
    missing_values
        More texts that mark a missing cell, in any source. In text files the empty cell, ``?``, ``NA``,
        ``N/A``, ``NaN`` and ``NULL`` mark one too. Where one of these is a state, read the file with pandas
        or polars and hand over the dataframe: there no text marks a missing cell unless you name it.
    columns, exclude
        The columns to keep, respectively to leave out.
    weights
        Frequency weights, or the name of the column that holds them.
    kinds
        ``"category"`` or ``"continuous"`` for columns where the rule of :func:`decide_kind` is not wanted;
        naming a column in ``states``, ``rare`` or ``discretize`` decides it too.
    states
        Declared states in order; other values are refused.
    discretize
        Rule that cuts columns of numbers into intervals, one for all or by name. By default numbers stay
        numbers, and what needs intervals cuts them by :class:`EqualFrequency`; see :meth:`Table.discretized`.
    rare
        Group the values in fewer rows than this as one state: a share below 1, or a number of rows.
    max_number_states
        A column of numbers with more distinct values is continuous.
    ordered
        Categories whose states have an order: that of ``states``, of a pandas categorical, or of numbers.
        Ordered categoricals of pandas are marked without being named. Pictures and exports keep the order.
    dates
        Parts to take from columns of dates, for instance ``{"day": "month"}`` or ``{"day": ["year",
        "weekday"]}``: ``"year"``, ``"quarter"``, ``"month"``, ``"weekday"``, ``"day"`` or ``"hour"``. Each
        part becomes a column such as ``day_month`` in place of the dates. Other dates are treated like
        numbers. Text is a date where every value is an ISO date or date-time.
    progress
        A function that is called with an :class:`Event` after each chunk that the engine "disk" reads.

    >>> read({"rain": ["no", "yes", "yes"], "drops": [0, 3, 2]})
    Table: 3 rows, 2 columns
      rain   2 states: no, yes
      drops  3 states: 0, 2, 3
      rain  drops
      no    0
      yes   3
      yes   2
    """
    chosen = None if columns is None else tuple(columns)
    coding = Coding(
        chosen,
        exclude,
        weights,
        kinds or {},
        states or {},
        discretize,
        rare,
        max_number_states,
        tuple(ordered),
        dates or {},
    )
    if isinstance(source, Table):
        return _reselected(source, coding)
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
        missing_values=missing_values,
        names=names,
        into=None if into is None else os.fspath(into),
        memory_mib=memory_mib,
    )
    if is_folder_of_columns(source):
        return _reselected(read_to_disk(source, how, coding), coding)
    if how.engine == "disk":
        with telling(progress):
            return _cut(read_to_disk(source, how, coding.before_cutting()), coding)
    return coded_table(planned(source, how, coding), coding)


def read_to_learn(source: Any, named: Collection[str] = (), **options: Any) -> Table:
    """Like :func:`read`, but without the columns that look like identifiers.

    Parameters
    ----------
    named
        Columns that knowledge, a starting graph or a target names. These, and the columns that ``columns=``
        or another option names, are kept.
    options
        Those of :func:`read`.
    """
    how, coding = split_options(options, "read()")
    named_columns = {*named, *(coding.columns or ())}
    if is_folder_of_columns(source):
        source = read_to_disk(source, how, coding)
    elif how.engine == "disk" and not isinstance(source, Table):
        converted = read_to_disk(source, how, coding.before_cutting(), named_columns)
        source, coding = _cut(converted, coding), Coding()
    if isinstance(source, Table):
        table = _reselected(source, coding)
        found = {name: origin.identifier for name, origin in table.origins.items() if origin.identifier}
    else:
        plan = planned(source, how, coding)
        found = plan.identifiers
    left_out = {name: why for name, why in found.items() if name not in named_columns}
    notes = [note_on_identifier(name, why) for name, why in left_out.items()]
    if isinstance(source, Table):
        kept = [name for name in table.names if name not in left_out]
        return table.select(kept).with_notes(*notes) if left_out and kept else table
    rest = plan.without(left_out)
    return coded_table(rest, coding).with_notes(*notes) if rest.columns else coded_table(plan, coding)


def reading_of_other(source: Any, reading: Mapping[str, Any]) -> dict[str, Any]:
    """The options with which data were read, as far as they hold for another source.

    A folder of columns is coded already.
    """
    kept = {"engine", "memory_mib"} if is_folder_of_columns(source) else {*reading} - {"into"}
    return {name: value for name, value in reading.items() if name in kept}


def _cut(table: Table, coding: Coding) -> Table:
    return table if coding.discretize is None else table.discretized(coding.discretize)


def _reselected(table: Table, coding: Coding) -> Table:
    recoding = coding.kinds or coding.states or coding.ordered or coding.dates or coding.rare is not None
    if recoding or (coding.discretize is not None and not table.schema.continuous):
        raise OptionError("a Table is coded already; give the original data to code them in another way")
    if isinstance(coding.weights, str):
        raise OptionError("the weights of a Table are numbers, not a column; use with_weights()")
    wanted = table.names if coding.columns is None else coding.columns
    left_out = set(coding.exclude)
    for name in left_out:
        table.column_index(name)
    kept = tuple(name for name in wanted if name not in left_out)
    result = table if kept == table.names else table.select(kept)
    weighed = result if coding.weights is None else result.with_weights(coding.weights)
    return _cut(weighed, coding)
