"""What can be read to disk: folders, partitions, files that differ, and objects of other libraries."""

from __future__ import annotations

import gzip
import io
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import dagwright as dw
from dagwright.data import chunk_sizes
from dagwright.data.read import read_to_learn
from dagwright.errors import DataError, OptionError, UnknownNameError


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_sizes, "CELLS", 300)
    monkeypatch.setattr(chunk_sizes, "TEXT_BYTES", 500)


def frame(rows: int = 400, seed: int = 0) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    return pl.DataFrame({"letter": random.choice(["x", "y", "z"], rows), "size": random.normal(size=rows)})


# Folders


def test_hive_partitions_are_columns(tmp_path: Path) -> None:
    root, wanted = tmp_path / "data", []
    for year, town in ((2020, "Rome"), (2021, "São Paulo"), (2021, None)):
        part = frame(50, year)
        folder = root / f"year={year}" / f"town={'__HIVE_DEFAULT_PARTITION__' if town is None else town}"
        folder.mkdir(parents=True)
        part.write_parquet(folder / "part-0.parquet")
        (folder / "_SUCCESS").write_text("")
        wanted.append(part.with_columns(year=pl.lit(year), town=pl.lit(town, pl.String)))
    (root / "_delta_log").mkdir()
    expected = dw.read(pl.concat(wanted))
    assert expected.states_of("year") == (2020, 2021)
    assert expected.missing["town"] == 50
    for source in (root, str(root / "**" / "*.parquet"), str(root / "year=*" / "*" / "*")):
        found = dw.read(source, engine="disk", into=tmp_path / f"out{len(str(source))}")
        assert found == expected, source
    assert dw.read(root, engine="disk", columns=["town", "size"]).names == ("town", "size")
    only = dw.read(root, engine="disk", columns=["town"])  # no file is read for it
    assert only.n_rows == 150 and only.states_of("town") == ("Rome", "São Paulo")


def test_partitions_of_text_and_escaped_names(tmp_path: Path) -> None:
    for value, rows in (("a%2Fb", 3), ("7", 4)):
        folder = tmp_path / "data" / f"key={value}"
        folder.mkdir(parents=True)
        (folder / "rows.csv").write_text("n\n" + "1\n2\n" * rows)
    found = dw.read(tmp_path / "data", engine="disk")
    assert found.names == ("n", "key")
    assert found.states_of("key") == ("7", "a/b")
    assert found.n_rows == 14


def test_columns_are_matched_by_name(tmp_path: Path) -> None:
    data = frame()
    data[:200].write_csv(tmp_path / "0.csv")
    data[200:].select("size", "letter").write_csv(tmp_path / "1.csv", separator=";")
    assert dw.read(str(tmp_path / "*.csv"), engine="disk") == dw.read(data)
    data[:200].rename({"size": "height"}).write_csv(tmp_path / "2.csv")
    message = r"2\.csv: its columns differ from those before it: 'size' is not there; 'height' is new"
    with pytest.raises(DataError, match=message):
        dw.read(str(tmp_path / "*.csv"), engine="disk")


def test_files_whose_types_differ_are_named(tmp_path: Path) -> None:
    pl.DataFrame({"v": [1, 2]}).write_parquet(tmp_path / "0.parquet")
    pl.DataFrame({"v": ["1", "x"]}).write_parquet(tmp_path / "1.parquet")
    message = r"column 'v' holds integer in 0\.parquet and text in 1\.parquet; write it with one type"
    with pytest.raises(DataError, match=message):
        dw.read(str(tmp_path / "*.parquet"), engine="disk")
    pl.DataFrame({"v": [1.0, 2.0, None]}).write_parquet(tmp_path / "1.parquet")
    found = dw.read(str(tmp_path / "*.parquet"), engine="disk")
    assert found.to_dict() == {"v": [1.0, 2.0, 1.0, 2.0, None]}


def test_empty_files_among_others(tmp_path: Path) -> None:
    (tmp_path / "0.csv").write_text("a,b\n")
    (tmp_path / "1.csv").write_text("a,b\n1,x\n2,y\n")
    frame(0).write_parquet(tmp_path / "0.parquet")
    frame(9).write_parquet(tmp_path / "1.parquet")
    assert dw.read(str(tmp_path / "*.csv"), engine="disk").n_rows == 2
    assert dw.read(str(tmp_path / "*.parquet"), engine="disk") == dw.read(frame(9))
    for only in ("0.csv", "0.parquet"):
        with pytest.raises(DataError, match="the source has no rows"):
            dw.read(tmp_path / only, engine="disk")
    (tmp_path / "none").mkdir()
    with pytest.raises(DataError, match="none' has no files"):
        dw.read(tmp_path / "none", engine="disk")


# States


def test_dictionaries_that_differ_per_row_group(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parts = [["b", "a", "b"], ["c", None, "c"], ["a", "d", "a"]]
    batches = [arrow.record_batch([arrow.array(part).dictionary_encode()], names=["v"]) for part in parts]
    table = arrow.Table.from_batches(batches)
    with parquet.ParquetWriter(tmp_path / "rows.parquet", table.schema) as writer:
        for batch in batches:
            writer.write_batch(batch, row_group_size=3)
    expected = [cell for part in parts for cell in part]
    for source in (tmp_path / "rows.parquet", table):
        found = dw.read(source, engine="disk")
        assert found.states_of("v") == ("a", "b", "c", "d")
        assert found.to_dict() == {"v": expected}


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_state_in_the_last_row_alone(tmp_path: Path, form: str) -> None:
    data = pl.DataFrame({"v": ["1", "2"] * 2000 + ["last"], "w": [0.5, 1.5] * 2000 + [None]})
    path = tmp_path / f"rows.{form}"
    data.write_csv(path) if form == "csv" else data.write_parquet(path)
    found = dw.read(path, engine="disk")
    assert found.states_of("v") == ("1", "2", "last")
    assert found == dw.read(path)


def test_more_than_255_states_that_come_late(tmp_path: Path) -> None:
    data = pl.DataFrame({"v": [f"s{max(i - 3000, 0)}" for i in range(3400)]})
    data.write_csv(tmp_path / "rows.csv")
    found = dw.read(tmp_path / "rows.csv", engine="disk")
    assert found.cardinalities == (400,)
    assert found == dw.read(data)


def test_identifiers_are_left_out_of_learning_as_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunk_sizes, "CELLS", 60_000)
    random, rows = np.random.default_rng(1), 70_000
    coin = random.integers(0, 2, rows)
    data = pl.DataFrame(
        {
            "number": random.permutation(np.arange(5, 5 + rows)),
            "name": [f"person {i * i}" for i in range(rows)],
            "coin": coin,
            "copy": np.where(random.random(rows) < 0.9, coin, 1 - coin),
        }
    )
    data.write_parquet(tmp_path / "rows.parquet", row_group_size=9000)
    out = tmp_path / "out"
    path = tmp_path / "rows.parquet"
    table = read_to_learn(path, engine="disk", into=out)
    expected = read_to_learn(path)
    assert table == expected and table.names == ("coin", "copy")
    assert sorted(table.notes) == sorted(expected.notes) and len(table.notes) == 2
    found = dw.learn(table, search=dw.HillClimb())
    assert found.graph == dw.learn(path, search=dw.HillClimb()).graph
    # The texts are too many to be states, which reading without learning says, as in memory.
    for source in ({"engine": "disk", "into": out}, {}):
        with pytest.raises(DataError, match="column 'name' has 70,000 distinct values"):
            dw.read(path, **source)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="column 'name' has 70,000 distinct values"):
        read_to_learn(path, ["name"], engine="disk", into=out)
    again = dw.learn(out, search=dw.HillClimb())
    assert again.graph == found.graph and "column 'name' was left out" in str(again)


def test_many_times_are_numbers_and_have_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_sizes, "TEXT_BYTES", 400_000)
    rows = 70_000
    times = pl.datetime_range(pl.datetime(2024, 1, 1), pl.datetime(2024, 3, 1), "73s", eager=True)[:rows]
    for text in (times.dt.strftime("%Y-%m-%d %H:%M:%S"), times.dt.strftime("%Y-%m-%dT%H:%M:%S+01:00")):
        data = pl.DataFrame({"at": text, "v": np.arange(len(text)) % 2})
        data.write_csv(tmp_path / "rows.csv")
        assert dw.read(tmp_path / "rows.csv", engine="disk") == dw.read(tmp_path / "rows.csv")
        parts: dict[str, Any] = {"dates": {"at": ["month", "day", "hour"]}}
        found = dw.read(tmp_path / "rows.csv", engine="disk", **parts)
        assert found == dw.read(tmp_path / "rows.csv", **parts)
        assert found.cardinalities[:3] == (2, 31, 24)


def test_parts_of_the_rows_may_have_no_date(tmp_path: Path) -> None:
    days = ["2020-01-02", "2021-03-04"] * 10 + [""] * 60 + ["2022-05-06"] * 5
    options: list[dict[str, Any]] = [
        {"dates": {"day": ["year", "month"]}},
        {"kinds": {"day": "continuous"}},
        {"discretize": {"day": dw.EqualWidth(2)}},
    ]
    pl.DataFrame({"day": days, "v": np.arange(len(days)) % 2}).write_csv(tmp_path / "rows.csv")
    for at, more in enumerate(options):
        expected = dw.read(tmp_path / "rows.csv", **more)
        found = dw.read(tmp_path / "rows.csv", engine="disk", into=tmp_path / f"out{at}", **more)
        assert found == expected
        new = {"day": ["", ""], "v": [0, 1]}
        assert expected.encode(new, missing_values=[""]).missing[expected.names[0]] == 2


def test_samples_by_name() -> None:
    assert dw.read("sample:asia", engine="disk") == dw.read("sample:asia")


# Objects of other libraries


def test_frames_tables_relations_and_datasets(tmp_path: Path) -> None:
    data, expected = frame(), dw.read(frame())
    sources: list[Any] = [data, data.lazy(), pl.scan_parquet(tmp_path / "rows.parquet")]
    data.write_parquet(tmp_path / "rows.parquet")
    arrow = pytest.importorskip("pyarrow")
    datasets = pytest.importorskip("pyarrow.dataset")
    duckdb = pytest.importorskip("duckdb")
    dataset = datasets.dataset(tmp_path / "rows.parquet")
    sources += [data.to_arrow(), dataset, duckdb.sql("SELECT * FROM data")]
    for at, source in enumerate(sources):
        out = tmp_path / f"out{at}"
        assert dw.read(source, engine="disk", into=out) == expected, source
        assert dw.read(source, engine="disk", into=out) == expected, source  # found by its rows
    some = dataset.filter(datasets.field("letter") == "x")
    assert dw.read(some, engine="disk").n_rows == data.filter(letter="x").height
    with pytest.raises(OptionError, match="holds other data"):
        dw.read(some, engine="disk", into=tmp_path / "out4")
    assert dw.read(data.lazy(), engine="disk", columns=["size"]).names == ("size",)
    reader = arrow.RecordBatchReader.from_batches(data.to_arrow().schema, data.to_arrow().to_batches())
    for odd, words in (
        ({"a": [1]}, "not dict"),
        (reader, "read only once; write them to a Parquet file"),
        (io.StringIO("a,b"), "or an open file can be read only once; name a file"),
    ):
        with pytest.raises(OptionError, match=words):
            dw.read(odd, engine="disk")


def test_lazy_work_that_fails_says_so(tmp_path: Path) -> None:
    frame().write_parquet(tmp_path / "rows.parquet")
    lazy = pl.scan_parquet(tmp_path / "rows.parquet").with_columns(pl.col("letter").cast(pl.Int64))
    with pytest.raises(DataError, match=r"the frame cannot be read beyond row 0: "):
        dw.read(lazy, engine="disk")


def test_queries_of_a_file_and_of_a_connection(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    data = frame()
    connection = duckdb.connect(str(tmp_path / "data.duckdb"))
    connection.register("data", data.to_arrow())
    connection.sql("CREATE TABLE kept AS SELECT * FROM data")
    assert dw.read("SELECT * FROM kept", connection=connection, engine="disk") == dw.read(data)
    connection.close()
    file = tmp_path / "data.duckdb"
    assert dw.read("SELECT * FROM kept", connection=file, engine="disk") == dw.read(data)
    other = duckdb.connect(str(file), read_only=True)
    assert dw.read("SELECT * FROM kept", connection=file, engine="disk", memory_mib=64) == dw.read(data)
    limits = other.sql("SELECT current_setting('memory_limit'), current_setting('threads')").fetchall()
    assert limits == [("512.0 MiB", 1)]
    other.close()
    halves = dw.read("SELECT 0.5 AS a, 1 AS b UNION ALL SELECT 1.5, 2", engine="disk")
    assert halves.to_dict() == {"a": [0.5, 1.5], "b": [1, 2]}
    with pytest.raises(DataError, match="the query"):
        dw.read("SELECT broken(", engine="disk")


def test_a_database_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    broken, lite = tmp_path / "broken.duckdb", tmp_path / "rows.sqlite"
    broken.write_bytes(b"12345678DUCK" + b"junk" * 500)
    sqlite3.connect(lite).execute("CREATE TABLE t (a)").connection.close()
    for engine in ("disk", None):
        with pytest.raises(DataError, match=r"^broken\.duckdb cannot be opened by DuckDB: .*$"):
            dw.read("SELECT 1", connection=broken, engine=engine)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="takes queries of DuckDB; give its connection or file"):
        dw.read("SELECT * FROM t", connection=lite, engine="disk")


# Options and messages


def test_unknown_columns_are_named_before_rows_are_read(tmp_path: Path) -> None:
    frame().write_csv(tmp_path / "rows.csv")
    for options in (
        {"columns": ["letters"]},
        {"exclude": ["letters"]},
        {"weights": "letters"},
        {"kinds": {"letters": "category"}},
        {"states": {"letters": ["x"]}},
        {"ordered": ["letters"]},
        {"dates": {"letters": "month"}},
    ):
        with pytest.raises((UnknownNameError, DataError), match="'letters'"):
            dw.read(tmp_path / "rows.csv", engine="disk", **options)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="no column is left"):
        dw.read(tmp_path / "rows.csv", engine="disk", exclude=["letter", "size"])
    with pytest.raises(OptionError, match="must be positive"):
        dw.read(tmp_path / "rows.csv", engine="disk", memory_mib=0)


def test_rows_in_messages_are_those_of_the_file(tmp_path: Path) -> None:
    lines = [f"{i % 3},{i + 0.5},1" for i in range(900)]
    lines[777] = "9,x,-1"
    (tmp_path / "rows.csv").write_text("a,b,w\n" + "\n".join(lines) + "\n")
    path = tmp_path / "rows.csv"
    for options, words in (
        ({"states": {"a": [0, 1, 2]}}, r"rows\.csv: column 'a', row 777 .* unknown state 9"),
        ({"kinds": {"b": "continuous"}}, r"rows\.csv: column 'b', row 777 .*: 'x' is not a number"),
        ({"weights": "w"}, r"rows\.csv: row 777: weight -1.0 is not"),
    ):
        for engine in ("disk", None):
            with pytest.raises(DataError, match=words if engine else words.partition(": ")[2]):
                dw.read(path, engine=engine, **options)  # type: ignore[arg-type]
    lines[700] = "0,1"
    packed = gzip.compress(("a,b,w\n" + "\n".join(lines)).encode())
    (tmp_path / "rows.csv.gz").write_bytes(packed)
    with pytest.raises(DataError, match=r"rows\.csv\.gz, line 702: 2 fields where the first line has 3"):
        dw.read(tmp_path / "rows.csv.gz", engine="disk")
    (tmp_path / "rows.csv.gz").write_bytes(packed[:-50])
    with pytest.raises(DataError, match=r"rows\.csv\.gz is not a sound gzip file"):
        dw.read(tmp_path / "rows.csv.gz", engine="disk")


def test_infinite_numbers_are_refused_before_they_are_cut(tmp_path: Path) -> None:
    sizes = np.arange(400.0)
    sizes[333] = np.inf
    pl.DataFrame({"size": sizes}).write_parquet(tmp_path / "rows.parquet")
    for rule in (None, dw.EqualFrequency()):
        with pytest.raises(
            DataError, match=r"row 333 .*: inf is not a finite number; make it missing in the"
        ):
            dw.read(tmp_path / "rows.parquet", engine="disk", discretize=rule)


def test_a_folder_of_columns_takes_only_what_fits_it(tmp_path: Path) -> None:
    frame().write_csv(tmp_path / "rows.csv")
    out = tmp_path / "out"
    whole = dw.read(tmp_path / "rows.csv", engine="disk", into=out)
    assert dw.read(out, columns=["size"]).names == ("size",)
    assert dw.read(out, exclude=["size"]).names == ("letter",)
    assert dw.read(out, engine="disk", memory_mib=64) == whole
    with pytest.raises(OptionError, match="coded already"):
        dw.read(out, kinds={"size": "category"})
    with pytest.raises(OptionError, match="coded already"):
        dw.read(out, names=["a", "b"])
    with pytest.raises(OptionError, match="has no meaning for a folder of columns"):
        dw.read(out, separator=";")
    with pytest.raises(OptionError, match="has no meaning for a folder of columns"):
        dw.read(out, engine="disk", into=tmp_path / "other")
