"""Files, by their format."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from dagwright.data.columns import SourceColumn
from dagwright.data.sources import Opening
from dagwright.data.text_file import existing_file, open_text
from dagwright.errors import DataError, OptionError
from dagwright.sentences import Argument, Part

_TEXT_OPTIONS = ("engine", "format", "separator", "decimal", "quote", "encoding", "header")
FORMATS = ("csv", "tsv", "parquet", "arrow", "jsonl", "excel", "stata", "spss", "sas")

_ENDINGS = {
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".xlsx": "excel",
    ".xls": "excel",
    ".xlsb": "excel",
    ".ods": "excel",
    ".dta": "stata",
    ".sav": "spss",
    ".zsav": "spss",
    ".por": "spss",
    ".sas7bdat": "sas",
    ".xpt": "sas",
}
_FOREIGN = {
    ".rds": "R",
    ".rda": "R",
    ".rdata": "R",
    ".mat": "MATLAB",
    ".dbf": "dBase",
    ".h5": "HDF5",
    ".hdf5": "HDF5",
    ".npy": "NumPy",
    ".npz": "NumPy",
    ".pkl": "Python (pickle)",
    ".pickle": "Python (pickle)",
}
"""Files of other programs, which would pass for text without rows."""
_NO_TABLES = {
    ".json": "JSON: a saved network or result is no table, and records are read as JSON lines, with ",
    ".dwproj": "a project of the studio",
    **dict.fromkeys((".bif", ".xdsl", ".net", ".dsc", ".dne", ".xmlbif", ".uai"), "a network"),
    **dict.fromkeys((".svg", ".png", ".pdf", ".html", ".ipynb"), "a picture or page"),
}
"""Files that users have at hand and may name in place of the data."""


def file_columns(source: Any, how: Opening) -> list[SourceColumn]:
    """The columns of a file or file object."""
    form = how.format or format_of(source)
    if form not in FORMATS:
        raise OptionError(
            Argument("format", form),
            f" is not known; choose one of {', '.join(map(repr, FORMATS))}",
        )
    if how.engine == "duckdb":
        how.allow("a file read by DuckDB", "engine", "format")
        from dagwright.data.from_sql import duckdb_file_columns

        return duckdb_file_columns(existing_file(source))
    if form in ("csv", "tsv"):
        how.allow("delimited text", *_TEXT_OPTIONS)
        from dagwright.data.from_csv import csv_columns

        return csv_columns(open_text(source, how.encoding), replace(how, format=form))
    if how.engine == "python":
        raise OptionError(
            Argument("engine", "python"),
            f" reads delimited text only, not {form}",
        )
    if form == "jsonl":
        how.allow("JSON lines", "engine", "format", "encoding")
        return _json_lines(source, how)
    only_excel = ("sheet", "header") if form == "excel" else ()
    how.allow(f"a file of format {form}", "engine", "format", *only_excel)
    return _binary_columns(source, form, how)


def format_of(source: Any) -> str:
    """The format of a file by the end of its name."""
    name = source if isinstance(source, str | os.PathLike) else getattr(source, "name", "")
    endings = [ending.lower() for ending in Path(str(name)).suffixes if ending.lower() not in (".gz", ".zst")]
    ending = endings[-1] if endings else ""
    if ending in _FOREIGN:
        raise DataError(
            f"{Path(str(name)).name} is a file of {_FOREIGN[ending]}, which dagwright does not read; save "
            "the data as CSV or Parquet there, or read the file with another library and give its dataframe"
        )
    if ending in _NO_TABLES:
        records: Part = Argument("format", "jsonl") if ending == ".json" else ", not a table of data"
        raise DataError(f"{Path(str(name)).name} is {_NO_TABLES[ending]}", records)
    return _ENDINGS.get(ending, "csv")


def _binary_columns(source: Any, form: str, how: Opening) -> list[SourceColumn]:
    from dagwright.data.binary_file import binary_columns

    if not isinstance(source, str | os.PathLike):
        return binary_columns(source.read(), "the data", form, how.sheet, how.header)
    path = existing_file(source)
    if path.stat().st_size == 0:
        raise DataError(f"{path.name} is empty")
    return binary_columns(path, path.name, form, how.sheet, how.header)


def _json_lines(source: Any, how: Opening) -> list[SourceColumn]:
    from dagwright.data.from_python import record_columns

    text = open_text(source, how.encoding)
    records = []
    with text.open() as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except RecursionError:
                raise DataError(f"{text.label}, line {number}: nested too deeply") from None
            except ValueError as problem:
                raise DataError(f"{text.label}, line {number}: not JSON ({problem})") from None
            if not isinstance(record, dict):
                raise DataError(
                    f"{text.label}, line {number}: {type(record).__name__} instead of a JSON object"
                )
            records.append(record)
    if not records:
        raise DataError(f"{text.label} is empty")
    return record_columns(records)
