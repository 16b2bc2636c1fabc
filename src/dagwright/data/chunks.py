"""Sources too large for memory, opened chunk after chunk."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dagwright.data.chunk_sizes import Sizes
from dagwright.data.columns import SourceColumn
from dagwright.data.extras import required
from dagwright.data.from_file import format_of
from dagwright.data.from_sql import is_duckdb, opened_duckdb
from dagwright.data.listing import Listed, listed
from dagwright.data.plan import Coding, kept_positions
from dagwright.data.row_groups import largest_row_group, parquet_batches
from dagwright.data.sniff import sniff
from dagwright.data.sources import Opening, as_opened, is_query
from dagwright.data.text_chunks import Dialect, head_of, text_parts
from dagwright.data.text_file import TextFile, existing_file
from dagwright.data.watched import row_hashes
from dagwright.errors import DagwrightError, DataError, OptionError
from dagwright.sentences import Argument

if TYPE_CHECKING:
    import polars as pl


LEAST_OF_DUCKDB = 512
"""Memory in MiB with which DuckDB can read most files."""


@dataclass
class Chunk:
    """Some consecutive rows of a source."""

    label: str
    """The file, or what else they come from."""
    first: int
    """The position of the first row in that file."""
    open: Callable[[], list[SourceColumn]]
    hashes: Callable[[], npt.NDArray[np.uint64]] | None = None
    """A hash of each row, for sources without a size or a date that tell whether they changed."""
    rows: int | None = None
    """How many rows these are, once that is known."""

    def columns(self) -> list[SourceColumn]:
        """The columns; an error names the file and the row or line."""
        with self.named():
            columns = self.open()
            for column in columns:
                column.first_row = self.first
            self.rows = columns[0].n_rows
            return columns

    def named(self) -> _Named:
        """A block whose errors name the file; rows and lines in them are those of the file."""
        return _Named(self)


@dataclass(frozen=True)
class _Named:
    chunk: Chunk

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, problem: Any, trace: Any) -> None:
        label = self.chunk.label
        if isinstance(problem, DagwrightError):
            if str(problem).startswith((f"{label}, ", f"{label}: ", f"{label} ")):
                return
            raise DataError(f"{label}: ", problem.sentence) from None
        if kind is not None and kind.__module__.partition(".")[0] in (
            "polars",
            "pyarrow",
            "duckdb",
            "_duckdb",
        ):
            first_line = str(problem).partition("\n")[0]
            raise DataError(f"{label} cannot be read beyond row {self.chunk.first:,}: {first_line}") from None


@dataclass(frozen=True)
class Chunks:
    """A source in chunks; it can be walked through more than once."""

    identity: Sequence[Any]
    """What must be the same for a half-finished conversion to go on."""
    walk: Callable[[], Iterator[Chunk]]
    hashed: bool = False
    """Whether only the rows themselves tell if the source is still the same."""
    changed: Callable[[], str] = str
    """The name of a file that is not as it was; "" if all are."""

    def __iter__(self) -> Iterator[Chunk]:
        return self.walk()


@dataclass(frozen=True)
class Wanted:
    """The columns to read and how; the others are not read."""

    how: Opening
    coding: Coding
    sizes: Sizes

    def opened(self, positions: Sequence[int], columns: list[SourceColumn]) -> list[SourceColumn]:
        """The columns at these positions of the source, with markers and names as asked for."""
        if self.how.names is None:
            return as_opened(columns, self.how)
        own = [self.how.names[at] for at in positions]
        return as_opened(columns, replace(self.how, names=own))

    def positions(self, names: Sequence[str]) -> list[int]:
        """The positions of the columns to read."""
        return kept_positions(names, self.how, self.coding)

    def picked(self, columns: list[SourceColumn]) -> list[SourceColumn]:
        """The columns to read, of all columns of a source."""
        names = [column.name for column in columns]
        positions = self.positions(names)
        return self.opened(positions, [columns[at] for at in positions])


def chunked(source: Any, how: Opening, coding: Coding | None = None, sizes: Sizes | None = None) -> Chunks:
    """A file, a pattern of files, a query, a relation, a dataset or a frame, in chunks."""
    wanted = Wanted(how, coding or Coding(), sizes or Sizes.of(None))
    if isinstance(source, str) and (how.connection is not None or is_query(source)):
        return _query(source, wanted)
    if isinstance(source, str | os.PathLike | Listed) or (
        isinstance(source, list | tuple)
        and source
        and all(isinstance(one, str | os.PathLike) for one in source)
    ):
        return _files(source, wanted)
    module = type(source).__module__.partition(".")[0]
    if module in ("duckdb", "_duckdb") and hasattr(source, "project"):
        return _relation(lambda: source, "the relation", [str(source.columns), str(source.types)], wanted)
    if module in ("pyarrow", "polars") and (found := _frame(source, wanted)) is not None:
        return found
    if hasattr(source, "read"):
        raise OptionError(
            Argument("engine", "disk"),
            " reads its source twice, and standard input or an open file can be read only once; name a file",
        )
    once = hasattr(source, "read_next_batch")
    raise OptionError(
        Argument("engine", "disk"),
        " reads files, patterns of files, queries, DuckDB relations, Arrow datasets and tables, and frames "
        f"of polars, not {type(source).__name__}{'' if module == 'builtins' else f' of {module}'}",
        ", whose rows can be read only once; write them to a Parquet file"
        if once
        else "; data in memory are read without it",
    )


def _files(source: Any, wanted: Wanted) -> Chunks:
    files, how = listed(source), wanted.how
    how.allow(
        "files read to disk",
        "engine",
        "into",
        "memory_mib",
        "format",
        "separator",
        "decimal",
        "quote",
        "encoding",
        "header",
    )

    def walk() -> Iterator[Chunk]:
        for one in files:
            form = how.format or format_of(one.path)
            if form in ("parquet", "arrow"):
                yield from _polars_chunks(one, form, wanted)
            elif form in ("csv", "tsv"):
                yield from _text_chunks(one, replace(wanted, how=replace(how, format=form)))
            else:
                raise OptionError(
                    Argument("engine", "disk"),
                    f" reads CSV, TSV, Parquet and Arrow files, not {form} ({one.path.name}); save the data "
                    "as Parquet",
                )

    facts = [_facts(one) for one in files]

    def changed() -> str:
        for one, known in zip(files, facts, strict=True):
            try:
                same = _facts(one) == known
            except OSError:
                same = False
            if not same:
                return one.path.name
        return ""

    return Chunks(facts, walk, changed=changed)


def _facts(one: Listed) -> list[Any]:
    """What tells whether a file is still the same."""
    about = one.path.stat()
    return [
        str(one.path.resolve()),
        about.st_size,
        about.st_mtime_ns,
        [list(pair) for pair in one.partitions],
    ]


def _polars_chunks(one: Listed, form: str, wanted: Wanted) -> Iterator[Chunk]:
    import polars as pl

    path = one.path
    with Chunk(path.name, 0, list).named():
        scan = pl.scan_parquet(path, hive_partitioning=False) if form == "parquet" else pl.scan_ipc(path)
        names = scan.collect_schema().names()
        rows = int(scan.select(pl.len()).collect().item())
        width = len(wanted.positions(_with_partitions(names, one)))
    step = wanted.sizes.rows(width)
    if form == "parquet" and largest_row_group(path) > 2 * step:
        yield from _within_row_groups(one, names, rows, step, wanted)
        return
    for first in range(0, rows, step):
        yield part_of_file(one, form, first, min(step, rows - first), wanted)


def _within_row_groups(
    one: Listed, names: list[str], rows: int, step: int, wanted: Wanted
) -> Iterator[Chunk]:
    """The rows of a file with large row groups, which polars would unpack as a whole for each chunk."""
    from dagwright.data.from_polars import polars_columns

    every = _with_partitions(names, one)
    positions = wanted.positions(every)
    inside = [names[at] for at in positions if at < len(names)]
    outside = [every[at] for at in positions if at >= len(names)]
    first = 0
    batches = parquet_batches(one.path, inside, step) if inside else None
    while first < rows:
        with Chunk(one.path.name, first, list).named():
            frame = None if batches is None else next(batches, None)
        if frame is None:  # types that are not the same when pyarrow reads them
            yield part_of_file(one, "parquet", first, min(step, rows - first), wanted)
            first += min(step, rows - first)
            continue

        def columns(frame: pl.DataFrame = frame) -> list[SourceColumn]:
            return wanted.opened(positions, polars_columns(frame) + one.columns(outside, frame.height))

        yield Chunk(one.path.name, first, columns)
        first += frame.height


def part_of_file(one: Listed, form: str, first: int, rows: int, wanted: Wanted) -> Chunk:
    """Some rows of a Parquet or Arrow file."""
    import polars as pl

    from dagwright.data.from_polars import polars_columns

    def columns() -> list[SourceColumn]:
        path = one.path
        scan = pl.scan_parquet(path, hive_partitioning=False) if form == "parquet" else pl.scan_ipc(path)
        names = scan.collect_schema().names()
        every = _with_partitions(names, one)
        positions = wanted.positions(every)
        inside = [names[at] for at in positions if at < len(names)]
        outside = [every[at] for at in positions if at >= len(names)]
        read = polars_columns(scan.select(inside).slice(first, rows).collect()) if inside else []
        return wanted.opened(positions, read + one.columns(outside, rows))

    return Chunk(one.path.name, first, columns)


def _with_partitions(names: Sequence[str], one: Listed) -> list[str]:
    return [*names, *(name for name, _ in one.partitions if name not in names)]


def _text_chunks(one: Listed, wanted: Wanted) -> Iterator[Chunk]:
    from dagwright.data.from_csv import csv_columns

    path, how = one.path, wanted.how
    look = sniff(TextFile(path.name, None, head_of(path, how.encoding)), how)
    first = 0
    dialect = Dialect(path.name, look.separator, how.quote, how.encoding, len(look.names))
    for text in text_parts(path, dialect, how.header, wanted.sizes.text):
        made: list[list[SourceColumn]] = []

        def columns(text: TextFile = text, made: list[list[SourceColumn]] = made) -> list[SourceColumn]:
            if not made:
                found = csv_columns(text, how, look)
                names = _with_partitions([column.name for column in found], one)
                outside = one.columns(names[len(found) :], found[0].n_rows)
                made.append(wanted.picked(found + outside))
            return made[0]

        chunk = Chunk(path.name, first, columns)
        yield chunk
        first += chunk.columns()[0].n_rows if chunk.rows is None else chunk.rows


def _query(query: str, wanted: Wanted) -> Chunks:
    how = wanted.how
    how.allow("a query read to disk", "engine", "into", "memory_mib", "connection")
    duckdb = required("duckdb", "sql", "this query")
    given = how.connection
    refusal = OptionError(Argument("engine", "disk"), " takes queries of DuckDB; give its connection or file")
    if given is None:
        connection = duckdb.connect()
    elif isinstance(given, str | os.PathLike):
        if not is_duckdb(path := existing_file(given)):
            raise refusal
        connection = opened_duckdb(path)
    else:
        connection = given
    if type(connection).__module__.partition(".")[0] not in ("duckdb", "_duckdb"):
        raise refusal
    if connection is not given:
        for name, value in _duckdb_limits(wanted.sizes).items():
            connection.execute(f"SET {name} = '{value}'")

    def relation() -> Any:
        with Chunk("the query", 0, list).named():
            found = connection.sql(query)
        if found is None:
            raise DataError("the query returns no rows; use a SELECT")
        return found

    place = str(given) if isinstance(given, str | os.PathLike) else ""
    return _relation(relation, "the query", [query, place], wanted)


def _duckdb_limits(sizes: Sizes) -> dict[str, Any]:
    """Half of the memory for DuckDB, and one thread where it is little: each thread holds row groups."""
    if sizes.memory_mib is None:
        return {}
    memory = {"memory_limit": f"{max(LEAST_OF_DUCKDB, int(min(sizes.memory_mib, 2.0**40) / 2))}MiB"}
    return memory | ({"threads": 1} if sizes.memory_mib < 4 * LEAST_OF_DUCKDB else {})


def _relation(relation: Callable[[], Any], label: str, identity: Sequence[Any], wanted: Wanted) -> Chunks:
    def walk() -> Iterator[Chunk]:
        result = relation()
        names = list(result.columns)
        positions = wanted.positions(names)
        if len(positions) < len(names):
            result = result.project(", ".join('"' + names[at].replace('"', '""') + '"' for at in positions))
        step = wanted.sizes.rows(len(positions))
        # The name of the method changed between versions.
        reader = getattr(result, "to_arrow_reader", None) or result.fetch_record_batch
        return _batches(lambda: reader(step), label, names, wanted)

    return Chunks(identity, walk, hashed=True)


def _frame(source: Any, wanted: Wanted) -> Chunks | None:
    """A dataset or a table of Arrow, or a frame of polars; None for anything else."""
    wanted.how.allow("data read to disk", "engine", "into", "memory_mib")
    sizes = wanted.sizes
    if hasattr(source, "collect_schema") and hasattr(source, "lazy"):  # a frame of polars
        lazy = source.lazy()
        names = lazy.collect_schema().names()
        whole = hasattr(source, "iter_slices")
        if not whole and not hasattr(source, "collect_batches"):
            raise OptionError(
                Argument("engine", "disk"),
                " reads lazy frames with a newer polars; write the rows with sink_parquet() and read the "
                "file",
            )

        def pieces() -> Iterator[Any]:
            kept = [names[at] for at in wanted.positions(names)]
            step = sizes.rows(len(kept))
            if whole:
                return source.select(kept).iter_slices(step)  # type: ignore[no-any-return]
            return source.select(kept).collect_batches(chunk_size=step, maintain_order=True)  # type: ignore[no-any-return]

        return Chunks(["frame", names], lambda: _batches(pieces, "the frame", names, wanted), hashed=True)
    if not hasattr(source, "to_batches") or not hasattr(source, "schema"):
        return None
    names = list(source.schema.names)

    def kept() -> list[str]:
        return [names[at] for at in wanted.positions(names)]

    if hasattr(source, "scanner"):
        label = "the dataset"

        def batches() -> Iterator[Any]:
            return iter(source.to_batches(columns=kept(), batch_size=sizes.rows(len(kept()))))
    else:
        label = "the table"

        def batches() -> Iterator[Any]:
            return iter(source.select(kept()).to_batches(max_chunksize=sizes.rows(len(kept()))))

    # The files of a dataset say nothing about its filter, or about rows on another machine.
    return Chunks([label, names], lambda: _batches(batches, label, names, wanted), hashed=True)


def _batches(opened: Callable[[], Any], label: str, names: Sequence[str], wanted: Wanted) -> Iterator[Chunk]:
    positions = wanted.positions(names)
    first = 0
    with Chunk(label, 0, list).named():
        batches = iter(opened())
    while True:
        with Chunk(label, first, list).named():
            batch = next(batches, None)
        if batch is None:
            return
        rows = len(batch) if hasattr(batch, "height") else batch.num_rows
        if rows:

            def columns(batch: Any = batch) -> list[SourceColumn]:
                return wanted.opened(positions, _columns_of(batch))

            yield Chunk(label, first, columns, lambda batch=batch: row_hashes(batch))  # type: ignore[misc]
            first += rows


def _columns_of(batch: Any) -> list[SourceColumn]:
    if hasattr(batch, "height"):
        from dagwright.data.from_polars import polars_columns

        return polars_columns(batch)
    from dagwright.data.from_arrow import arrow_columns

    return arrow_columns(batch)
