"""Parquet, Arrow, Excel, Stata, SPSS and SAS files. A child process tries them first: readers can crash."""

from __future__ import annotations

import importlib.util
import io
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from dagwright.data.columns import SourceColumn
from dagwright.data.extras import required
from dagwright.data.forks import require_usable_polars
from dagwright.data.from_stats import STATS, StatsFile, stats_columns, stats_file, stats_reader
from dagwright.errors import DataError

SHOWN = 8
"""Sheets of a workbook that an error names."""
REFUSED = 3
"""Exit status of the child where the reader refused the file."""
_CHILD = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from dagwright.data.binary_file import main; main(*json.loads(sys.argv[2]))"
)
Source = Path | bytes


def binary_columns(
    source: Source, label: str, form: str, sheet: str | int | None, header: bool
) -> list[SourceColumn]:
    """The columns of a file of one of these formats, after a child process has read it without harm."""
    if form == "excel":
        required("fastexcel", "excel", "reading Excel files")
    if form in STATS:
        stats_reader()
    else:
        require_usable_polars(f"a file of format {form}")
    _try_in_child(source, label, form, sheet, header)
    try:
        frame = _frame(source, form, sheet, header)
    except Exception as problem:  # polars, pyarrow and fastexcel have no error in common
        raise _refused(label, form, str(problem)) from None
    if isinstance(frame, StatsFile):
        return stats_columns(frame)
    if type(frame).__module__.partition(".")[0] == "pyarrow":
        from dagwright.data.from_arrow import arrow_columns

        return arrow_columns(frame)
    from dagwright.data.from_polars import polars_columns

    columns = polars_columns(frame)
    if form == "excel":
        for at, column in enumerate(columns):
            unnamed = column.name == f"__UNNAMED__{at}"  # by fastexcel
            if unnamed or not header:
                column.name = f"V{at + 1}"
    return columns


def _frame(source: Source, form: str, sheet: str | int | None, header: bool) -> Any:
    if form in STATS:
        return stats_file(source, form)
    import polars as pl

    opened = io.BytesIO(source) if isinstance(source, bytes) else source
    if form == "parquet":
        return pl.read_parquet(opened)
    if form == "excel":
        try:
            if isinstance(sheet, str):
                return pl.read_excel(opened, sheet_name=sheet, has_header=header)
            return pl.read_excel(opened, sheet_id=sheet or 1, has_header=header)
        except ValueError:
            _require_sheet(source, sheet or 1)
            raise
    content = source if isinstance(source, bytes) else source.read_bytes()
    in_file_format = content.startswith(b"ARROW1")
    if importlib.util.find_spec("pyarrow") is not None:
        import pyarrow.ipc

        reader = pyarrow.ipc.open_file(content) if in_file_format else pyarrow.ipc.open_stream(content)
        table = reader.read_all()
        table.validate(full=True)
        return table
    stream = io.BytesIO(content)
    return pl.read_ipc(stream) if in_file_format else pl.read_ipc_stream(stream)


def _require_sheet(source: Source, sheet: str | int) -> None:
    """Refuse a sheet that a workbook does not have."""
    import fastexcel

    sheets = fastexcel.read_excel(source).sheet_names
    if sheet in sheets if isinstance(sheet, str) else 1 <= sheet <= len(sheets):
        return
    more = f" and {len(sheets) - SHOWN} more" if len(sheets) > SHOWN else ""
    raise DataError(f"it has no sheet {sheet!r}; choose among {', '.join(map(repr, sheets[:SHOWN]))}{more}")


def _try_in_child(source: Source, label: str, form: str, sheet: str | int | None, header: bool) -> None:
    """Refuse a file that a child process cannot read, also where the reader crashes or runs out of memory."""
    if not sys.executable or getattr(sys, "frozen", False):  # an embedded Python cannot start another
        return
    path = None if isinstance(source, bytes) else str(source.absolute())
    arguments = [json.dumps([str(one) for one in sys.path]), json.dumps([path, form, sheet, header])]
    try:
        done = subprocess.run(
            [sys.executable, "-c", _CHILD, *arguments],
            input=source if isinstance(source, bytes) else b"",
            capture_output=True,
            check=False,
        )
    except OSError as problem:  # no process could be started
        raise DataError(
            f"{label} cannot be checked in a process of its own: {problem.strerror}; free some memory or "
            "processes and try again"
        ) from None
    if done.returncode == REFUSED:
        raise _refused(label, form, done.stdout.decode(errors="replace"))
    if done.returncode != 0:
        raise _refused(label, form, f"the file is damaged, its reader {_end(done.returncode)}")


def _end(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"crashed ({signal.Signals(-status).name})"
    except ValueError:
        return f"crashed (signal {-status})"


def _refused(label: str, form: str, problem: str) -> DataError:
    return DataError(f"{label} cannot be read as {form}: {problem.strip().partition(chr(10))[0][:300]}")


def main(path: str | None, form: str, sheet: str | int | None, header: bool) -> None:
    """In the child: read the file, and end with `REFUSED` and the reason if that cannot be done."""
    _without_core_dump()
    source = sys.stdin.buffer.read() if path is None else Path(path)
    try:
        _frame(source, form, sheet, header)
    except BaseException as problem:  # a panic of polars is no Exception
        sys.stdout.write(str(problem) or type(problem).__name__)
        sys.stdout.flush()
        sys.exit(REFUSED)


def _without_core_dump() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
