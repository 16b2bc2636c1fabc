"""Sources too large for memory, opened chunk after chunk."""

from __future__ import annotations

import glob
import gzip
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from dagwright.data.columns import SourceColumn
from dagwright.data.extras import required
from dagwright.data.from_file import format_of
from dagwright.data.sniff import sniff
from dagwright.data.sources import Opening, as_opened, is_query
from dagwright.data.text_file import TextFile, existing_file
from dagwright.errors import DagwrightError, DataError, OptionError
from dagwright.sentences import Argument

CELLS = 1 << 25
"""Cells of a chunk: so many rows at once that reading one stays far below a gigabyte."""
TEXT_BYTES = 1 << 26
"""Bytes of a chunk of delimited text."""


@dataclass(frozen=True)
class Chunk:
    """Some consecutive rows of a source."""

    label: str
    """The file, or what else they come from."""
    first: int
    """The position of the first row in that file."""
    open: Callable[[], list[SourceColumn]]

    def columns(self) -> list[SourceColumn]:
        """The columns; an error names the file and the first row."""
        with self.named():
            return self.open()

    def named(self) -> _Named:
        """A block whose errors name the file and the first row of the chunk."""
        return _Named(self)


@dataclass(frozen=True)
class _Named:
    chunk: Chunk

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, problem: Any, trace: Any) -> None:
        if isinstance(problem, DagwrightError):
            raise DataError(
                f"{self.chunk.label}, rows counted from row {self.chunk.first:,} of it: ", problem.sentence
            ) from None
        if kind is not None and kind.__module__.partition(".")[0] in (
            "polars",
            "pyarrow",
            "duckdb",
            "_duckdb",
        ):
            first_line = str(problem).partition("\n")[0]
            raise DataError(
                f"{self.chunk.label} cannot be read beyond row {self.chunk.first:,}: {first_line}"
            ) from None


@dataclass(frozen=True)
class Chunks:
    """A source in chunks; it can be walked through more than once."""

    identity: Sequence[Any]
    """What must be the same for a half-finished conversion to go on."""
    walk: Callable[[], Iterator[Chunk]]

    def __iter__(self) -> Iterator[Chunk]:
        return self.walk()


def chunked(source: Any, how: Opening) -> Chunks:
    """A file, a pattern of files, a query, a DuckDB relation or an Arrow dataset, in chunks."""
    if isinstance(source, str) and (how.connection is not None or is_query(source)):
        return _query(source, how)
    if isinstance(source, str | os.PathLike) or (
        isinstance(source, list | tuple)
        and source
        and all(isinstance(one, str | os.PathLike) for one in source)
    ):
        return _files(source, how)
    module = type(source).__module__.partition(".")[0]
    if module in ("duckdb", "_duckdb"):
        return _relation(lambda: source, "the relation", [str(source.columns), str(source.types)], how)
    if module == "pyarrow" and hasattr(source, "to_batches") and hasattr(source, "files"):
        return _dataset(source, how)
    raise OptionError(
        Argument("engine", "disk"),
        f" reads files, patterns of files, queries, DuckDB relations and Arrow datasets, not "
        f"{type(source).__name__}",
    )


def files_of(source: Any) -> list[Path]:
    """The files that a path, a pattern, a folder or a list of them names, in order."""
    found: list[Path] = []
    for one in source if isinstance(source, list | tuple) else [source]:
        text = os.fspath(one)
        if Path(text).is_dir():
            inside = sorted(
                path for path in Path(text).iterdir() if path.is_file() and path.name[0] not in "._"
            )
            if not inside:
                raise DataError(f"the folder {text!r} has no files")
            found += inside
        elif glob.has_magic(text) and not Path(text).exists():
            matching = sorted(glob.glob(text, recursive=True))  # noqa: PTH207  patterns with folders
            if not matching:
                raise DataError(f"no file matches {text!r} (the working folder is {str(Path.cwd())!r})")
            found += map(Path, matching)
        else:
            found.append(existing_file(text))
    return found


def _files(source: Any, how: Opening) -> Chunks:
    files = files_of(source)
    how.allow(
        "files read to disk",
        "engine",
        "into",
        "memory_mib",
        "format",
        "separator",
        "decimal",
        "quote",
        "header",
    )

    def walk() -> Iterator[Chunk]:
        for path in files:
            form = how.format or format_of(path)
            if form in ("parquet", "arrow"):
                yield from _polars_chunks(path, form, how)
            elif form in ("csv", "tsv"):
                yield from _text_chunks(path, replace(how, format=form))
            else:
                raise OptionError(
                    Argument("engine", "disk"), f" reads CSV, TSV, Parquet and Arrow files, not {form}"
                )

    facts = [[str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns] for path in files]
    return Chunks(facts, walk)


def _polars_chunks(path: Path, form: str, how: Opening) -> Iterator[Chunk]:
    import polars as pl

    from dagwright.data.from_polars import polars_columns

    def scan() -> pl.LazyFrame:
        return pl.scan_parquet(path) if form == "parquet" else pl.scan_ipc(path)

    with Chunk(path.name, 0, list).named():
        width = len(scan().collect_schema().names())
        rows = int(scan().select(pl.len()).collect().item())
    step = max(1, CELLS // max(width, 1))
    for first in range(0, rows, step):

        def columns(first: int = first) -> list[SourceColumn]:
            return as_opened(polars_columns(scan().slice(first, step).collect()), how)

        yield Chunk(path.name, first, columns)


def _text_chunks(path: Path, how: Opening) -> Iterator[Chunk]:
    from dagwright.data.from_csv import csv_columns

    def opened() -> IO[bytes]:
        return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]

    with opened() as stream:
        start = stream.read(1 << 20)
    if start.startswith((b"\xff\xfe", b"\xfe\xff", b"\x28\xb5\x2f\xfd")):
        raise DataError(f"{path.name} is not plain UTF-8 text; unpack it or save it as UTF-8 first")
    cut = start if len(start) < 1 << 20 else start[: start.rfind(b"\n") + 1]
    look = sniff(TextFile(path.name, None, cut), how)
    decimal = how.decimal or ("," if any(one.decimal == "," for one in look.columns) else None)
    settled = replace(how, separator=look.separator, decimal=decimal)
    quote = None if how.quote is None else how.quote.encode()
    with opened() as stream:
        header = _record(stream, quote) if how.header else b""
        first, rest = 0, b""
        while True:
            block = stream.read(TEXT_BYTES)
            text = rest + block
            end = len(text) if not block else _last_line_end(text, quote)
            text, rest = text[:end], text[end:]
            if text.strip():
                made: list[list[SourceColumn]] = []

                def columns(text: bytes = text, made: list[list[SourceColumn]] = made) -> list[SourceColumn]:
                    if not made:
                        made.append(
                            as_opened(csv_columns(TextFile(path.name, None, header + text), settled), settled)
                        )
                    return made[0]

                yield Chunk(path.name, first, columns)
                first += columns()[0].n_rows
            if not block:
                return


def _record(stream: IO[bytes], quote: bytes | None) -> bytes:
    """The first record that is not blank; a quoted field may hold line ends."""
    record = b""
    while line := stream.readline():
        record += line
        if quote is not None and record.count(quote) % 2:
            continue
        if record.strip():
            return record if record.endswith(b"\n") else record + b"\n"
        record = b""
    return record


def _last_line_end(text: bytes, quote: bytes | None) -> int:
    """Where the last record of a block ends; 0 if none does."""
    end = text.rfind(b"\n") + 1
    while quote is not None and end and text.count(quote, 0, end) % 2:
        end = text.rfind(b"\n", 0, end - 1) + 1
    return end


def _query(query: str, how: Opening) -> Chunks:
    how.allow("a query read to disk", "engine", "into", "memory_mib", "connection")
    duckdb = required("duckdb", "sql", "this query")
    given = how.connection
    if given is None:
        connection = duckdb.connect()
    elif isinstance(given, str | os.PathLike):
        connection = duckdb.connect(str(existing_file(given)), read_only=True)
    else:
        connection = given
    if type(connection).__module__.partition(".")[0] not in ("duckdb", "_duckdb"):
        raise OptionError(Argument("engine", "disk"), " takes queries of DuckDB; give its connection or file")

    def relation() -> Any:
        with Chunk("the query", 0, list).named():
            found = connection.sql(query)
        if found is None:
            raise DataError("the query returns no rows; use a SELECT")
        return found

    return _relation(relation, "the query", [query, str(given or "")], how)


def _relation(relation: Callable[[], Any], label: str, identity: Sequence[Any], how: Opening) -> Chunks:
    from dagwright.data.from_arrow import arrow_columns

    def walk() -> Iterator[Chunk]:
        result = relation()
        step = max(1, CELLS // max(len(result.columns), 1))
        # The name of the method changed between versions.
        reader = (getattr(result, "to_arrow_reader", None) or result.fetch_record_batch)(step)
        yield from _batches(reader, label, lambda batch: as_opened(arrow_columns(batch), how))

    # A query has no size or date by which one could tell that its answer is still the same.
    return Chunks([*identity, os.getpid(), id(relation)], walk)


def _dataset(dataset: Any, how: Opening) -> Chunks:
    from dagwright.data.from_arrow import arrow_columns

    def walk() -> Iterator[Chunk]:
        step = max(1, CELLS // max(len(dataset.schema.names), 1))
        batches = iter(dataset.to_batches(batch_size=step))
        yield from _batches(batches, "the dataset", lambda batch: as_opened(arrow_columns(batch), how))

    facts = [[name, os.stat(name).st_size, os.stat(name).st_mtime_ns] for name in dataset.files]  # noqa: PTH116
    return Chunks(facts, walk)


def _batches(batches: Any, label: str, opened: Callable[[Any], list[SourceColumn]]) -> Iterator[Chunk]:
    first = 0
    while True:
        with Chunk(label, first, list).named():
            batch = next(batches, None)
        if batch is None:
            return
        if batch.num_rows:
            yield Chunk(label, first, lambda batch=batch: opened(batch))  # type: ignore[misc]
            first += batch.num_rows
