"""Where data come from: one function that opens anything as columns."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from dagwright.data.columns import SourceColumn, without_markers
from dagwright.data.samples import PREFIX, sample_path
from dagwright.errors import DataError, OptionError
from dagwright.sentences import Argument

ENGINES = ("polars", "python", "duckdb", "disk")


@dataclass(frozen=True)
class Opening:
    """How to open a source; every field has a default that finds out by itself."""

    engine: str | None = None
    format: str | None = None
    connection: Any = None
    sheet: str | int | None = None
    separator: str | None = None
    decimal: str | None = None
    quote: str | None = '"'
    encoding: str | None = None
    header: bool = True
    missing_values: Sequence[str] | None = None
    names: Sequence[str] | None = None
    into: str | None = None
    memory_mib: float | None = None

    def __post_init__(self) -> None:
        if self.engine is not None and self.engine not in ENGINES:
            raise OptionError(
                Argument("engine", self.engine),
                f" is not known; choose one of {', '.join(map(repr, ENGINES))}",
            )
        if self.decimal not in (None, ".", ","):
            raise OptionError(
                Argument("decimal", self.decimal),
                " must be '.' or ','",
            )
        for option in ("into", "memory_mib"):
            if getattr(self, option) is not None and self.engine != "disk":
                raise OptionError(Argument(option), " goes with ", Argument("engine", "disk"))
        for option, mark in (("separator", self.separator), ("quote", self.quote)):
            if mark is not None and (len(mark) != 1 or not mark.isascii()):
                raise OptionError(Argument(option, mark), " must be a single ASCII character")

    def allow(self, what: str, *options: str) -> None:
        """Refuse options that mean nothing for this kind of source."""
        for option in fields(self):
            general = option.name in ("missing_values", "names", *options)
            if not general and getattr(self, option.name) != option.default:
                raise OptionError(Argument(option.name), f" has no meaning for {what}")


def open_source(source: Any, how: Opening | None = None) -> list[SourceColumn]:
    """The columns of a file, a query, a frame of any library, or plain Python data."""
    how = how or Opening()
    columns = _open(source, how)
    return as_opened(columns, replace(how, names=None) if isinstance(source, np.ndarray) else how)


def as_opened(columns: list[SourceColumn], how: Opening) -> list[SourceColumn]:
    """The columns with the marks of missing cells and the names that were asked for."""
    if how.missing_values is not None:
        columns = [without_markers(column, frozenset(how.missing_values)) for column in columns]
    if how.names is not None:
        if len(how.names) != len(columns):
            raise DataError(f"{len(how.names)} names for {len(columns)} columns")
        for column, name in zip(columns, how.names, strict=True):
            column.name = name
    if not columns:
        raise DataError("the data have no columns")
    return columns


def _open(source: Any, how: Opening) -> list[SourceColumn]:
    if isinstance(source, str) and source.startswith(PREFIX):
        source = sample_path(source.removeprefix(PREFIX))
    if how.connection is not None or (isinstance(source, str) and is_query(source)):
        from dagwright.data.from_sql import query_columns

        return query_columns(source, how)
    if isinstance(source, str | os.PathLike) or hasattr(source, "read"):
        from dagwright.data.from_file import file_columns

        return file_columns(source, how)
    how.allow("data in memory")
    if isinstance(source, np.ndarray):
        from dagwright.data.from_python import array_columns

        return array_columns(source, how.names)
    if isinstance(source, Mapping):
        from dagwright.data.from_python import mapping_columns

        return mapping_columns(source)
    if (
        isinstance(source, Sequence)
        and not isinstance(source, bytes)
        and source
        and isinstance(source[0], Mapping)
    ):
        from dagwright.data.from_python import record_columns

        return record_columns(source)
    return _frame_columns(source)


def is_query(text: str) -> bool:
    """Whether a text is SQL rather than a path."""
    looks_like_sql = re.match(r"\s*(select|with|from|pragma|values)\s", text, re.IGNORECASE) is not None
    return looks_like_sql and not os.access(text, os.F_OK)


def _frame_columns(source: Any) -> list[SourceColumn]:
    module = type(source).__module__.partition(".")[0]
    if module == "pandas" and hasattr(source, "columns"):
        from dagwright.data.from_pandas import pandas_columns

        return pandas_columns(source)
    if module == "pyarrow":
        from dagwright.data.from_arrow import arrow_columns

        return arrow_columns(source)
    return _any_frame_columns(source)


def _any_frame_columns(source: Any) -> list[SourceColumn]:
    import narwhals as nw
    import polars as pl

    from dagwright.data.from_polars import polars_columns

    if isinstance(source, pl.DataFrame):
        return polars_columns(source)
    frame = nw.from_native(source, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, nw.DataFrame):
        return polars_columns(frame.to_polars())
    if hasattr(source, "__arrow_c_stream__"):
        return polars_columns(pl.DataFrame(source))
    raise DataError(
        f"cannot read data from {type(source).__name__}; give a path, a query with ",
        Argument("connection"),
        ", a dataframe, a dict of lists, a list of dicts or an array with ",
        Argument("names"),
    )


def columns_as_given(source: Any, how: Opening | None = None) -> dict[str, list[Any]]:
    """The columns of a source as they stand in it, None where a cell is missing."""
    return {column.name: column.cells() for column in open_source(source, how)}


def joined_columns(
    given: Mapping[str, list[Any]], predicted: Mapping[str, list[Any]]
) -> dict[str, list[Any]]:
    """Columns with predictions after them; a prediction of a column that is there is named so.

    >>> joined_columns({"a": [1]}, {"a": [2], "b": [3]})
    {'a': [1], 'predicted a': [2], 'b': [3]}
    """
    named = {f"predicted {name}" if name in given else name: cells for name, cells in predicted.items()}
    return {**given, **named}
