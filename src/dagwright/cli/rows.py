"""Rows of answers into a file or onto stdout."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from dagwright.base.whole_file import whole_file
from dagwright.cli import output
from dagwright.data.export import frame_of
from dagwright.errors import FormatError, OptionError


def write(columns: Mapping[str, Sequence[Any]], out: Path | None, *, json: bool) -> None:
    """Columns as CSV, TSV or Parquet by the file's ending; without a file CSV or JSON on stdout."""
    if json:
        if out is not None and not output.is_stdout(out):
            raise OptionError("--json writes to standard output; leave out --output or --json")
        output.write_json({name: list(values) for name, values in columns.items()})
        return

    frame = frame_of(columns)
    if out is None or output.is_stdout(out):
        text = io.StringIO()
        frame.write_csv(text)
        sys.stdout.write(text.getvalue())
        return
    writers: dict[str, Callable[[IO[bytes]], Any]] = {
        ".csv": frame.write_csv,
        ".tsv": lambda file: frame.write_csv(file, separator="\t"),
        ".parquet": frame.write_parquet,
    }
    if out.suffix.lower() not in writers:
        raise FormatError(
            f"{out}: rows are written as {', '.join(writers)}, not as {out.suffix or 'no ending'}"
        )
    with whole_file(out) as file:
        writers[out.suffix.lower()](file)
