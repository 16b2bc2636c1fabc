"""Frames, containers, binary files and queries."""

from __future__ import annotations

import datetime
import decimal
import io
import sqlite3
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from dagwright.data import EqualFrequency, Table, from_polars, read
from dagwright.errors import DataError, OptionError

COLUMNS: dict[str, list[Any]] = {"a": ["x", None, "y"], "n": [10, 9, 9], "f": [True, False, None]}
EXPECTED = {"a": ("x", "y"), "n": (9, 10), "f": (False, True)}


def assert_expected(table: Table) -> None:
    assert dict(zip(table.names, table.states, strict=True)) == EXPECTED
    assert table.to_dict() == COLUMNS


def records() -> list[dict[str, Any]]:
    return [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]


@pytest.mark.parametrize(
    "source",
    [
        COLUMNS,
        records(),
        [{k: v for k, v in record.items() if v is not None} for record in records()],
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).convert_dtypes(),
        pd.DataFrame(COLUMNS).convert_dtypes(dtype_backend="pyarrow"),
        pd.DataFrame(COLUMNS).astype(object),
        pl.DataFrame(COLUMNS),
        pl.LazyFrame(COLUMNS),
        pl.DataFrame(COLUMNS).with_columns(pl.col("a").cast(pl.Categorical)),
        pa.table(COLUMNS),
        pa.table(COLUMNS).to_batches()[0],
        pa.table(COLUMNS).to_reader(),
        {
            "a": np.array(["x", None, "y"], dtype=object),
            "n": pd.Series([10, 9, 9]),
            "f": pl.Series([True, False, None]),
        },
        np.array(
            [("x", 10, True), (None, 9, False), ("y", 9, None)],
            dtype=[("a", object), ("n", int), ("f", object)],
        ),
    ],
    ids=lambda source: type(source).__module__.partition(".")[0] + "." + type(source).__name__,
)
def test_every_container_gives_the_same_table(source: Any) -> None:
    assert_expected(read(source))


def test_numpy_matrix() -> None:
    table = read(np.array([[0, 1], [2, 1]]), names=["p", "q"])
    assert table.to_dict() == {"p": [0, 2], "q": [1, 1]}
    assert read(np.array([["a"], ["b"]])).names == ("V1",)
    with pytest.raises(DataError, match="1 names for 2 columns"):
        read(np.zeros((3, 2)), names=["p"])
    with pytest.raises(DataError, match="two dimensions"):
        read(np.zeros(3))


def test_numpy_times() -> None:
    stamps = np.array(["2024-01-02", "NaT", "2024-01-01"], dtype="datetime64[ns]")
    table = read({"at": stamps, "span": stamps - stamps[2]})
    assert table.decode("at") == [datetime.datetime(2024, 1, 2), None, datetime.datetime(2024, 1, 1)]
    assert table.decode("span") == [datetime.timedelta(days=1), None, datetime.timedelta(0)]


def test_zero_has_no_sign() -> None:
    for zeros in ([0.0, -0.0, 1.0], [-0.0, 0.0, 1.0]):
        columns = {"z": zeros}
        for source in (columns, {"z": np.array(zeros)}, pl.DataFrame(columns), pd.DataFrame(columns)):
            assert repr(read(source).states) == "((0.0, 1.0),)"
    assert read(io.StringIO("z\n0.0\n-0.0\n")).states == (("-0.0", "0.0"),)


def test_declared_categories_keep_order_and_unseen_states() -> None:
    order = ["low", "mid", "high"]
    frame = pd.DataFrame({"a": pd.Categorical(["high", None], categories=order)})
    ordered = pa.DictionaryArray.from_arrays(pa.array([2, None]), pa.array(order), ordered=True)
    for source in (
        frame,
        pl.DataFrame({"a": pl.Series(["high", None], dtype=pl.Enum(order))}),
        pa.table({"a": ordered}),
    ):
        table = read(source)
        assert table.states == (tuple(order),)
        assert table.decode("a") == ["high", None]
    unordered = pa.DictionaryArray.from_arrays(pa.array([2, 0]), pa.array(order))
    assert read(pa.table({"a": unordered})).states == (("high", "low", "mid"),)
    assert read(frame.iloc[:0]).N == 0


def test_wide_categories_with_gaps() -> None:
    # One category more than a signed byte holds, so that marking gaps must not overflow.
    names = [f"s{i:03}" for i in range(128)]
    frame = pd.DataFrame({"a": pd.Categorical([names[127], None], categories=names)})
    assert read(frame).decode("a") == ["s127", None]
    assert read(pa.Table.from_pandas(frame)).decode("a") == ["s127", None]
    many = [f"s{i:03}" for i in range(256)]
    assert read(pl.DataFrame({"a": pl.Series([many[255], None], dtype=pl.Enum(many))})).decode("a") == [
        "s255",
        None,
    ]


def test_types_survive_side_by_side() -> None:
    values = [
        1,
        1.0,
        True,
        "1",
        "1.0",
        "",
        " ",
        "NA",
        (1, 2),
        b"x",
        decimal.Decimal("1.10"),
        datetime.date(2020, 1, 1),
    ]
    for source in (
        {"v": values},
        pd.DataFrame({"v": pd.Series(values, dtype=object)}),
        [{"v": value} for value in values],
    ):
        table = read(source)
        assert [(type(v), v) for v in table.decode("v")] == [(type(v), v) for v in values]


def test_markers_in_frames_are_states_unless_named() -> None:
    values = ["x", "?", " NA ", "y"]
    declared = pd.DataFrame({"v": pd.Categorical(values, categories=["y", "x", "?", " NA "])})
    for source in ({"v": values}, pd.DataFrame({"v": values}), pl.DataFrame({"v": values}), declared):
        assert read(source).decode("v") == values
        assert read(source, missing_values=["?", "NA"]).decode("v") == ["x", None, None, "y"]
    assert read(declared, missing_values=["?"]).states_of("v") == ("y", "x", " NA ")
    numbers = read({"v": [*range(30), "?"]}, missing_values=["?"])
    assert numbers.kinds == {"v": "continuous"}
    assert numbers.missing == {"v": 1}


def test_options_without_meaning_are_refused(tmp_path: Path) -> None:
    pl.DataFrame(COLUMNS).write_parquet(tmp_path / "d.parquet")
    for source, option, message in [
        ({"a": [1]}, {"separator": ";"}, "separator= has no meaning for data in memory"),
        (pd.DataFrame({"a": [1]}), {"engine": "duckdb"}, "engine= has no meaning for data in memory"),
        (tmp_path / "d.parquet", {"header": False}, "header= has no meaning for a file of format parquet"),
        (
            tmp_path / "d.parquet",
            {"engine": "duckdb", "quote": "'"},
            "quote= has no meaning for a file read by DuckDB",
        ),
        (tmp_path / "d.parquet", {"engine": "python"}, "delimited text only"),
        ("SELECT 1", {"engine": "duckdb", "decimal": ","}, "decimal= has no meaning for a query"),
        (io.StringIO("{}"), {"format": "jsonl", "sheet": 1}, "sheet= has no meaning for JSON lines"),
    ]:
        with pytest.raises(OptionError, match=message):
            read(source, **option)  # type: ignore[arg-type]


def test_integers_stay_exact() -> None:
    large = [2**62, 2**62 + 1, -(2**62)]
    for source in ({"v": large}, pd.DataFrame({"v": large}), pl.DataFrame({"v": large})):
        assert read(source).states == ((-(2**62), 2**62, 2**62 + 1),)
    huge = {"v": [-(10**400), *range(30), 10**400]}
    assert read(huge, discretize=EqualFrequency()).kinds == {"v": "continuous"}
    with pytest.raises(
        DataError, match=r"column 'v', row 0 .*: -inf is not a finite number; make it missing"
    ):
        read(huge)
    assert read(pl.DataFrame({"v": pl.Series([2**64 - 1, 0], dtype=pl.UInt64)})).states == ((0, 2**64 - 1),)


def test_integers_with_gaps_in_pandas() -> None:
    gaps = read(pd.DataFrame({"n": [1.0, np.nan, 2.0]}))
    assert gaps.states == ((1.0, 2.0),)
    assert gaps.encode(pd.DataFrame({"n": [2, 1]})).decode("n") == [2.0, 1.0]
    assert read(pd.DataFrame({"n": pd.array([1, None, 2], dtype="Int64")})).decode("n") == [1, None, 2]


def test_other_polars_types() -> None:
    frame = pl.DataFrame(
        {
            "day": [datetime.date(2020, 1, 2), None, datetime.date(2020, 1, 1)],
            "time": [datetime.time(1), datetime.time(2), None],
            "span": [datetime.timedelta(1), None, datetime.timedelta(2)],
            "money": [decimal.Decimal("1.10"), None, decimal.Decimal("0.50")],
            "bytes": [b"b", None, b"a"],
        }
    )
    table = read(frame)
    expected = frame.to_dict(as_series=False) | {"money": [1.1, None, 0.5]}
    assert table.to_dict() == expected
    assert table.states_of("day")[0] == datetime.date(2020, 1, 1)
    with pytest.raises(DataError, match="column 'v' holds nested values"):
        read(pl.DataFrame({"v": [[1], [2]]}))
    with pytest.raises(DataError, match="column 'v' has no values"):
        read(pl.DataFrame({"v": [None, None]}))


def test_pandas_dates_with_zone() -> None:
    stamps = pd.to_datetime(["2024-01-01", None, "2024-01-03"]).tz_localize("UTC")
    table = read(pd.DataFrame({"at": stamps}))
    assert table.missing == {"at": 1}
    assert table.cardinalities == (2,)


def test_frames_with_numbered_columns() -> None:
    assert read(pd.DataFrame(np.array([[0, 1], [1, 0]]))).names == ("0", "1")
    with pytest.raises(DataError, match="names must be text"):
        read(pd.DataFrame({("a", "b"): [1]}))
    with pytest.raises(DataError, match="'a' appears twice"):
        read(pd.DataFrame([[1, 2]], columns=["a", "a"]))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({}, "no columns"),
        ({"a": [1, 2], "b": [1]}, "column 'b' has 1 values, 'a' has 2"),
        ({"a": "text"}, "column 'a' is str, not a list"),
        ({"a": [["nested"]]}, "row 0 .* a list cannot be a state"),
        ({"a": np.zeros((2, 2))}, "array with 2 dimensions"),
        ([{"a": 1}, 3], r"row 1 \(counted from 0\) is int"),
        (object(), "cannot read data from object"),
        (3, "cannot read data from int"),
        ([], "cannot read data from list"),
        ({"a": []}, "column 'a' has no rows and declares no states"),
        (pa.array([1]), "give a Table"),
    ],
)
def test_unusable_data_are_refused(source: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(source)


def test_binary_files(tmp_path: Path) -> None:
    frame = pl.DataFrame(COLUMNS)
    frame.write_parquet(tmp_path / "d.parquet")
    frame.write_ipc(tmp_path / "d.arrow")
    frame.write_ipc_stream(tmp_path / "d.feather")
    frame.write_ndjson(tmp_path / "d.jsonl")
    pd.DataFrame(COLUMNS).to_excel(tmp_path / "d.xlsx", index=False, sheet_name="one")
    for name in ("d.parquet", "d.arrow", "d.feather", "d.jsonl"):
        assert_expected(read(tmp_path / name))
    assert_expected(read(tmp_path / "d.xlsx", sheet="one"))
    assert_expected(read(io.BytesIO((tmp_path / "d.parquet").read_bytes()), format="parquet"))
    for name in ("d.arrow", "d.xlsx"):  # each is read in a process of its own, which takes a second
        (tmp_path / name).write_bytes(b"rubbish that is no such file")
        with pytest.raises(DataError, match=f"{name} cannot be read as"):
            read(tmp_path / name)
    (tmp_path / "d.parquet").write_bytes(b"")
    with pytest.raises(DataError, match=r"d.parquet is empty"):
        read(tmp_path / "d.parquet")


def test_arrow_file_keeps_declared_states(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": pd.Categorical(["hi"], categories=["lo", "hi"], ordered=True)})
    frame.to_feather(tmp_path / "d.feather")
    assert read(tmp_path / "d.feather").states == (("lo", "hi"),)


def test_json_lines_keep_types() -> None:
    lines = '{"v": 1}\n\n{"v": "1"}\n{"v": 1.0}\n{"v": true}\n{"w": "x"}\n'
    assert read(io.StringIO(lines), format="jsonl").to_dict() == {
        "v": [1, "1", 1.0, True, None],
        "w": [None, None, None, None, "x"],
    }
    for content, message in [
        ("{", "line 1: not JSON"),
        ("[1]", "line 1: list instead"),
        ("\n\n", "is empty"),
    ]:
        with pytest.raises(DataError, match=message):
            read(io.StringIO(content), format="jsonl")


def test_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "d.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (a TEXT, n INTEGER)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", [("x", 10), (None, 9), ("y", 9)])
    connection.commit()
    query = "SELECT a, n FROM t"
    expected = {name: COLUMNS[name] for name in ("a", "n")}
    assert read(query, connection=connection).to_dict() == expected
    assert read(query, connection=str(path)).to_dict() == expected
    for bad, message in [
        ("SELECT zip FROM t", "the query failed: no such column"),
        ("SELECT a, a FROM t", "column 'a' twice"),
        ("CREATE TABLE u (x TEXT)", "returns no rows"),
    ]:
        with pytest.raises(DataError, match=message):
            read(bad, connection=connection)
    with pytest.raises(DataError, match="has no rows"):
        read("SELECT a FROM t WHERE n > 99", connection=connection)
    connection.close()
    with pytest.raises(OptionError, match="a query needs connection="):
        read(query)
    with pytest.raises(OptionError, match="connection= goes with an SQL query"):
        read({"a": [1]}, connection=path)
    with pytest.raises(DataError, match="there is no file"):
        read(query, connection=tmp_path / "no.sqlite")


def test_a_frame_that_only_narwhals_knows() -> None:
    query = "SELECT * FROM (VALUES ('x', 10, true), (NULL, 9, false), ('y', 9, NULL)) t(a, n, f)"
    with duckdb.connect() as connection:
        assert_expected(read(connection.sql(query)))


def test_duckdb(tmp_path: Path) -> None:
    pl.DataFrame(COLUMNS).write_parquet(tmp_path / "d.parquet")
    assert_expected(read(tmp_path / "d.parquet", engine="duckdb"))
    assert_expected(read(f"SELECT * FROM '{tmp_path}/d.parquet'", engine="duckdb"))
    path = tmp_path / "d.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE TABLE t AS SELECT * FROM '{tmp_path}/d.parquet'")
        assert_expected(read("FROM t", connection=connection))
    assert_expected(read("SELECT * FROM t", connection=path))
    with pytest.raises(DataError, match="the query failed"):
        read("SELECT * FROM nothing", engine="duckdb")
    with duckdb.connect() as connection, pytest.raises(DataError, match=r"(returns|has) no rows"):
        read("SET threads = 1", connection=connection)
    (tmp_path / "d.parquet").write_bytes(b"rubbish")
    with pytest.raises(DataError, match=r"d.parquet cannot be read by DuckDB"):
        read(tmp_path / "d.parquet", engine="duckdb")


class _ArrowCursor:
    """The part of an ADBC cursor that matters here."""

    description = (("a",),)

    def execute(self, query: str) -> None:
        self.query = query

    def fetch_arrow_table(self) -> pa.Table:
        return pa.table(COLUMNS)

    def close(self) -> None: ...


class _ArrowConnection:
    def cursor(self) -> _ArrowCursor:
        return _ArrowCursor()


def test_connections_that_answer_in_arrow() -> None:
    assert_expected(read("SELECT 1", connection=_ArrowConnection()))


@pytest.mark.parametrize(
    ("module", "source", "extra"),
    [("fastexcel", "d.xlsx", "excel"), ("duckdb", "SELECT 1", "sql"), ("zstandard", "d.csv.zst", "zstd")],
)
def test_absent_extras_are_named(
    module: str, source: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "d.xlsx").write_bytes(b"PK")
    (tmp_path / "d.csv.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DataError, match=rf"pip install 'dagwright\[{extra}\]'"):
        read(source, engine="duckdb" if extra == "sql" else None)


@pytest.mark.parametrize("kind", [pl.String, pl.Categorical])
def test_short_and_long_columns_of_text_are_told_apart_alike(
    kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [None if at % 7 == 0 else f"s{at * at % 11}" for at in range(300)]
    frame = pl.DataFrame({"a": pl.Series(texts, dtype=pl.String).cast(kind), "b": ["x", "y"] * 150})
    short = read(frame)
    monkeypatch.setattr(from_polars, "SHORT", 0)
    long = read(frame)
    assert short == long
    assert short.states == long.states
    assert [*short.codes("a")] == [*long.codes("a")]


def test_a_polars_frame_holds_what_decoding_gives() -> None:
    texts = [None if at % 13 == 0 else f"s{at % 300}" for at in range(1300)]  # more states than a byte holds
    table = read({"many": texts, "few": ["x", "y", None, "x"] * 325})
    frame = table.to_polars()
    assert all(frame[name].to_list() == table.decode(name) for name in table.names)
    assert frame["few"].dtype == pl.Enum(["x", "y"])
