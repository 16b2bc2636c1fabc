"""Rows of answers into a file or onto stdout."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from dagwright.base.whole_file import whole_file
from dagwright.cli import output
from dagwright.data import Table
from dagwright.data.export import frame_of
from dagwright.errors import FormatError, OptionError

if TYPE_CHECKING:
    import polars as pl

SEPARATORS = {".csv": ",", ".tsv": "\t"}


def decoded(table: Table) -> Iterator[dict[str, list[Any]]]:
    """The columns of a table, of one on disk batch by batch."""
    for part in [table] if table.blocks is None else table.batches():
        yield {name: part.decode(name) for name in part.names}


def write(batches: Iterable[Mapping[str, Sequence[Any]]], out: Path | None, *, json: bool) -> None:
    """Columns as CSV, TSV or Parquet by the file's ending; without a file CSV or JSON on stdout.

    Text is written batch by batch.
    """
    if json:
        if out is not None and not output.is_stdout(out):
            raise OptionError("--json writes to standard output; leave out --output or --json")
        whole: dict[str, list[Any]] = {}
        for batch in batches:
            for name, values in batch.items():
                whole.setdefault(name, []).extend(values)
        output.write_json(whole)
        return

    frames = map(frame_of, batches)
    if out is None or output.is_stdout(out):
        for at, frame in enumerate(frames):
            sys.stdout.write(frame.write_csv(include_header=not at))
        return
    ending = out.suffix.lower()
    if ending not in (*SEPARATORS, ".parquet"):
        raise FormatError(
            f"{out}: rows are written as .csv, .tsv, .parquet, not as {out.suffix or 'no ending'}"
        )
    with whole_file(out) as file:
        if ending in SEPARATORS:
            for at, frame in enumerate(frames):
                frame.write_csv(file, separator=SEPARATORS[ending], include_header=not at)
        else:
            _write_parquet(frames, file)


def _write_parquet(frames: Iterator[pl.DataFrame], file: IO[bytes]) -> None:
    import polars as pl

    # A column may be empty in one batch, and mixed in another.
    pl.concat(frames, how="vertical_relaxed").write_parquet(file)
