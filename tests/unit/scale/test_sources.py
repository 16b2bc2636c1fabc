"""Everything that workers can open: the same table as in memory, in blocks that any worker can make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import dagwright as dw
from dagwright.data.chunk_sizes import Sizes
from dagwright.data.chunks import Wanted
from dagwright.data.listing import Listed
from dagwright.data.plan import Coding
from dagwright.data.sources import Opening
from dagwright.errors import DataError, OptionError
from dagwright.scale import cluster_table, on_worker, parts, reading
from dagwright.scale.parts import Part, parts_of_folder, parts_of_polars_file

pytest.importorskip("distributed")
Split = Callable[[pl.DataFrame, int], str]
SEARCH: dict[str, Any] = {"search": dw.HillClimb(), "score": dw.BIC()}


def frame(rows: int = 400) -> pl.DataFrame:
    draw = np.random.default_rng(4)
    a = draw.integers(0, 3, rows)
    b = np.where(draw.random(rows) < 0.7, a, draw.integers(0, 3, rows))
    texts = np.array(["no", 'a "tall" one', "two\nlines"])[b]
    return pl.DataFrame({"a": a, "b": texts, "x": draw.normal(size=rows) + a, "n": draw.integers(1, 4, rows)})


def answer(found: dw.Learned) -> tuple[Any, ...]:
    return found.graph, found.score, found.evaluations


def same(table: dw.Table, memory: dw.Table) -> None:
    """The same columns, and the same answers about them."""
    assert table.schema == memory.schema
    assert (table.N, table.n_rows, table.missing) == (memory.N, memory.n_rows, memory.missing)
    assert answer(dw.learn(table, **SEARCH)) == answer(dw.learn(memory, **SEARCH))


@pytest.mark.parametrize("form", ["csv", "tsv", "csv.gz", "parquet", "arrow"])
def test_one_file_is_many_blocks(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setattr(reading, "text_step", lambda *_: 700)
    monkeypatch.setattr(parts, "LEAST_ROWS", 30)
    path = tmp_path / f"rows.{form}"
    if form == "parquet":
        frame().write_parquet(path, row_group_size=50)
    elif form == "arrow":
        frame().write_ipc(path)
    else:
        text = frame().write_csv(separator="\t" if form == "tsv" else ",").encode()
        if form == "csv.gz":
            import gzip

            text = gzip.compress(text)
        path.write_bytes(text)
    table = cluster_table(path, client)
    assert len(table.source.blocks) == 1 if form == "csv.gz" else len(table.source.blocks) >= 8
    same(table, dw.read(path))
    chosen = cluster_table(path, client, columns=["b", "x"], weights="n")
    same(chosen, dw.read(path, columns=["b", "x"], weights="n"))


def test_text_whose_quotes_leave_its_records_open_is_one_block(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "text_step", lambda *_: 100)
    path = tmp_path / "rows.csv"
    path.write_text("size,b\n" + '5" tall,1\nsmall,2\n' * 40)
    table = cluster_table(path, client)
    assert len(table.source.blocks) == 1
    same(table, dw.read(path))
    plain = cluster_table(path, client, quote=None)
    assert len(plain.source.blocks) > 1
    same(plain, dw.read(path, quote=None))


def test_folders_of_partitions_are_columns(client: Any, tmp_path: Path) -> None:
    data = frame().with_columns(year=2020 + pl.int_range(400) % 3)
    for (year,), rows in data.group_by("year", maintain_order=True):
        folder = tmp_path / "rows" / f"year={year}"
        folder.mkdir(parents=True)
        rows.drop("year").write_parquet(folder / "0.parquet")
    table = cluster_table(tmp_path / "rows", client)
    assert table.states_of("year") == (2020, 2021, 2022)
    same(table, dw.read(data.sort("year", maintain_order=True)))


def test_a_converted_folder_and_a_table_on_disk(
    client: Any, split: Split, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "LEAST_ROWS", 30)
    folder = tmp_path / "columns"
    options: dict[str, Any] = {"weights": "n", "missing_values": ["no"]}
    disk = dw.read(split(frame(), 3), engine="disk", into=str(folder), **options)
    memory = dw.read(frame(), **options)
    same(cluster_table(folder, client).complete("drop"), memory.complete("drop"))
    table = cluster_table(disk.select(["x", "a"]), client)
    assert table.names == ("x", "a") and len(table.source.blocks) >= 8
    same(table, memory.select(["x", "a"]))
    assert answer(dw.learn(disk.select(["a", "x"]), client=client, **SEARCH)) == answer(
        dw.learn(memory.select(["a", "x"]), **SEARCH)
    )
    replicates: dict[str, Any] = {"search": dw.HillClimb(), "replicates": 3, "threads": 1}
    expected = dw.bootstrap(disk.select(["a", "x"]), **replicates).edges(0.0)
    assert dw.bootstrap(disk.select(["a", "x"]), client=client, **replicates).edges(0.0) == expected
    other = disk.with_weights(None)  # a table that is not what the folder holds
    with pytest.raises(OptionError, match="goes with a Dask dataframe or with files"):
        dw.learn(other, client=client, search=dw.HillClimb())


def test_the_fingerprint_is_that_of_the_rows_in_their_order(client: Any, split: Split) -> None:
    data = frame().drop("x")
    marks = {cluster_table(split(data, blocks), client).fingerprint for blocks in (1, 3, 7)}
    assert len(marks) == 1
    others = [data.reverse(), data.with_columns(a=(pl.col("a") + 1) % 3), data[1:], data.rename({"a": "z"})]
    marks |= {cluster_table(split(other, 8 + at), client).fingerprint for at, other in enumerate(others)}
    assert len(marks) == 5


def test_what_workers_cannot_open_is_refused_in_words(client: Any, tmp_path: Path, split: Split) -> None:
    pl.DataFrame({"a": [1]}).write_ndjson(tmp_path / "rows.jsonl")
    with pytest.raises(OptionError, match=r"not jsonl \(rows\.jsonl\); save the data as Parquet"):
        cluster_table(tmp_path / "rows.jsonl", client)
    with pytest.raises(OptionError, match="sheet= has no meaning for files on a cluster"):
        cluster_table(split(frame(), 1), client, sheet=1)
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(DataError, match=r"empty\.csv is empty"):
        cluster_table(tmp_path / "empty.csv", client)
    with pytest.raises(DataError, match="no file matches"):
        cluster_table(str(tmp_path / "none*.csv"), client)
    for options in ({}, {"connection": "rows.duckdb"}):
        with pytest.raises(OptionError, match="workers read files, not queries; convert the answer with"):
            cluster_table("SELECT * FROM rows", client, **options)
    frame(0).write_parquet(tmp_path / "none.parquet")
    with pytest.raises(DataError, match="no rows"):
        cluster_table(tmp_path / "none.parquet", client)


def test_a_worker_without_the_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    frame().write_parquet(path)
    wanted = Wanted(Opening(), Coding(), Sizes.of(None))
    whole = parts_of_polars_file(Listed(path), "parquet", 1)[0]
    gone = replace(whole, file=Listed(tmp_path / "gone.parquet"))
    text = Part("gone.csv", Listed(tmp_path / "gone.csv"))
    for part in (gone, text):
        with pytest.raises(DataError, match=r"cannot open '.*gone\.(parquet|csv)'.*every worker needs it"):
            on_worker.surveyed(part, None, wanted, frozenset())


def test_a_folder_with_other_rows_at_a_worker_is_refused(tmp_path: Path, split: Split) -> None:
    table = dw.read(split(frame(), 1), engine="disk", into=str(tmp_path / "columns"))
    part = parts_of_folder(tmp_path / "columns", table.n_rows, len(table.names), 1)[0]
    block = on_worker.opened(part, table.fingerprint)
    assert block.facts.n_rows == 400 and [len(column) for column in block.columns] == [400] * 4
    with pytest.raises(DataError, match="other rows in the folder"):
        on_worker.opened(part, "another")
    with pytest.raises(DataError, match=r"cannot open the folder '.*gone'"):
        on_worker.opened(replace(part, file=Listed(tmp_path / "gone")), table.fingerprint)


OPTIONS: list[dict[str, Any]] = [
    {},
    {"dates": {"day": ["month"]}},
    {"kinds": {"k": "category", "big": "category"}},
    {"kinds": {"k": "continuous"}, "max_number_states": 50},
    {"states": {"size": ["small", "mid", "tall", "huge"]}, "ordered": ["size"]},
    {"missing_values": ["?", "1"], "exclude": ["i", "t"]},
    {"names": [f"c{at}" for at in range(9)], "weights": "c4"},
]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_options_of_reading_mean_what_they_mean_in_memory(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setattr(reading, "text_step", lambda *_: 12_000)
    monkeypatch.setattr(parts, "LEAST_ROWS", 250)
    draw, at = np.random.default_rng(1), range(900)
    data = pl.DataFrame(
        {
            "i": at,
            "t": [f"id{row}" for row in at],
            "day": [f"20{10 + row % 12}-{1 + row % 12:02d}-{1 + row % 28:02d}" for row in at],
            "size": np.array(["small", "mid", "tall"])[draw.integers(0, 3, 900)],
            "k": draw.integers(0, 40, 900),
            "x": draw.normal(size=900),
            "m": np.array(["NA", "1", "2", "?"])[draw.integers(0, 4, 900)],
            "late": ["1" if row < 880 else "x" for row in at],
            "big": [str(row % 70) if row < 880 else "z" for row in at],  # numbers, and at last a text
        }
    )
    path = tmp_path / f"rows.{form}"
    data.write_csv(path) if form == "csv" else data.write_parquet(path)
    for options in OPTIONS:
        memory, table = dw.read(path, **options), cluster_table(path, client, **options)
        assert len(table.source.blocks) >= 4
        assert (table.schema, table.missing, table.N) == (memory.schema, memory.missing, memory.N), options
        assert table.notes == memory.notes
        states = [one.name for one in memory.schema if one.is_discrete and not one.origin.identifier]
        for name in states:
            found, expected = (one.select([name]).native.cells([0], [0]) for one in (table, memory))
            assert found.codes.tolist() == expected.codes.tolist(), (name, options)
            assert found.counts.tolist() == expected.counts.tolist(), (name, options)


def test_what_is_no_client_is_refused(tmp_path: Path) -> None:
    pl.DataFrame({"a": [0, 1] * 9}).write_parquet(tmp_path / "rows.parquet")
    with pytest.raises(OptionError, match=r"client must be a Dask client.*not 3"):
        dw.learn(tmp_path / "rows.parquet", client=3)
