"""Answers of SQL queries: SQLite, DuckDB, and any DB-API or ADBC connection."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dagwright.data.columns import SourceColumn
from dagwright.data.extras import required
from dagwright.data.from_arrow import arrow_columns
from dagwright.data.from_python import mapping_columns
from dagwright.data.sources import Opening
from dagwright.data.text_file import existing_file
from dagwright.errors import DataError, OptionError
from dagwright.sentences import Argument


def query_columns(query: Any, how: Opening) -> list[SourceColumn]:
    """The columns of the answer to a query."""
    if not isinstance(query, str):
        raise OptionError(
            Argument("connection"),
            " goes with an SQL query as text",
        )
    how.allow("a query", "engine", "connection")
    if how.connection is None and how.engine != "duckdb":
        raise OptionError(
            "a query needs ",
            Argument("connection"),
            " (an open connection or the path of an SQLite or DuckDB file), or ",
            Argument("engine", "duckdb"),
            " to query files",
        )
    with _connection(how.connection) as connection:
        try:
            return _answer(connection, query)
        except DataError:
            raise
        except Exception as problem:  # drivers have no common base class of their own
            raise DataError(f"the query failed: {problem}") from None


def duckdb_file_columns(path: Path) -> list[SourceColumn]:
    """A file read by DuckDB."""
    quoted = str(path).replace("'", "''")
    with _connection(None) as connection:
        try:
            return _answer(connection, f"SELECT * FROM '{quoted}'")
        except Exception as problem:  # duckdb is imported only where it is used
            raise DataError(
                f"{path.name} cannot be read by DuckDB: {str(problem).partition(chr(10))[0]}"
            ) from None


@contextlib.contextmanager
def _connection(given: Any) -> Iterator[Any]:
    if given is not None and not isinstance(given, str | os.PathLike):
        yield given
        return
    opened: Any
    if given is None:
        opened = required("duckdb", "sql", "this query").connect()
    elif is_duckdb(existing_file(given)):
        opened = opened_duckdb(Path(given))
    else:
        import sqlite3

        opened = sqlite3.connect(f"{Path(given).absolute().as_uri()}?mode=ro", uri=True)
    try:
        yield opened
    finally:
        opened.close()


def is_duckdb(path: Path) -> bool:
    """Whether a file is a database of DuckDB."""
    with path.open("rb") as stream:
        start = stream.read(16)
    return start[8:12] == b"DUCK"


def opened_duckdb(path: Path) -> Any:
    """A connection to a file of DuckDB, to read from it."""
    duckdb = required("duckdb", "sql", "this query")
    try:
        return duckdb.connect(str(path), read_only=True)
    except duckdb.Error as problem:  # damaged, or in use by another process
        raise DataError(
            f"{path.name} cannot be opened by DuckDB: {str(problem).partition(chr(10))[0]}"
        ) from None


def _answer(connection: Any, query: str) -> list[SourceColumn]:
    if type(connection).__module__.partition(".")[0] in ("duckdb", "_duckdb"):
        relation = connection.sql(query)
        if relation is None:
            raise _no_answer()
        return arrow_columns(relation.to_arrow_table())
    cursor = connection.cursor()
    try:
        cursor.execute(query)
        if cursor.description is None:
            raise _no_answer()
        if hasattr(cursor, "fetch_arrow_table"):
            return arrow_columns(cursor.fetch_arrow_table())
        names = [str(field[0]) for field in cursor.description]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise DataError(f"the query returns the column {twice!r} twice; rename one of them with AS")
        rows = cursor.fetchall()
        columns = zip(*rows, strict=True) if rows else ([] for _ in names)
        return mapping_columns(dict(zip(names, map(list, columns), strict=True)))
    finally:
        cursor.close()


def _no_answer() -> DataError:
    return DataError("the query returns no rows; use a SELECT")
