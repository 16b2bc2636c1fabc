"""Tables coded into a folder of column files: the same table as in memory, written whole, opened at once."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import dagwright as dw
from dagwright.base.whole_folder import WholeFolder
from dagwright.data import chunk_sizes, chunks, on_disk
from dagwright.data.blocks import Blocks
from dagwright.errors import CapacityError, DataError, FormatError, OptionError


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_sizes, "CELLS", 1500)
    monkeypatch.setattr(chunk_sizes, "TEXT_BYTES", 4000)


def frame(rows: int = 900, seed: int = 0) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "letter": random.choice(["x", "y", "z"], rows),
            "count": random.integers(0, 4, rows),
            "size": random.normal(size=rows),
            "whole": random.integers(0, 1000, rows),
            "flag": random.choice([True, False], rows),
            "weight": random.integers(1, 4, rows),
            "gaps": [None if i % 7 == 0 else f"s{i % 3}" for i in range(rows)],
            "day": [f"2024-01-{1 + i % 28:02d}" for i in range(rows)],
            "late": ["only here" if i == rows - 1 else "usual" for i in range(rows)],
        }
    )


def parts(folder: Path, data: pl.DataFrame, count: int = 3) -> str:
    folder.mkdir()
    step = -(-data.height // count)
    for at in range(count):
        data[at * step : (at + 1) * step].write_parquet(folder / f"{at}.parquet")
    return str(folder / "*.parquet")


def test_parquet_files_give_the_table_that_memory_has(tmp_path: Path) -> None:
    data = frame()
    memory = dw.read(data)
    disk = dw.read(parts(tmp_path / "in", data), engine="disk", into=tmp_path / "out")
    assert disk == memory
    assert disk.fingerprint == memory.fingerprint
    assert disk.missing == memory.missing
    assert disk.schema == memory.schema
    again = dw.read(tmp_path / "out")
    assert again == memory
    assert again.fingerprint == memory.fingerprint


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz"])
def test_delimited_text_gives_the_table_that_memory_has(tmp_path: Path, ending: str) -> None:
    import gzip

    text = frame().write_csv(separator="\t" if ending == "tsv" else ",").encode()
    path = tmp_path / f"rows.{ending}"
    path.write_bytes(gzip.compress(text) if ending.endswith("gz") else text)
    for options in ({}, {"weights": "weight"}, {"columns": ["size", "letter"]}, {"missing_values": ["x"]}):
        assert dw.read(path, engine="disk", **options) == dw.read(path, **options), options


def test_text_after_numbers_is_text_as_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    numbers = [str(i) for i in range(600)]
    path.write_text("a,b\n" + "".join(f"{n},{'none' if n == '599' else n}\n" for n in numbers))
    disk, memory = dw.read(path, engine="disk"), dw.read(path)
    assert disk == memory
    assert disk.kinds == {"a": "continuous", "b": "category"}


def test_quoted_fields_with_line_ends_are_not_torn(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    cells = ['"two\nlines"', '"a ""quote"""', "plain"]
    path.write_text("x,y\n" + "".join(f"{cells[i % 3]},{i % 2}\n" for i in range(900)))
    assert dw.read(path, engine="disk") == dw.read(path)


def test_queries_relations_and_datasets(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    datasets = pytest.importorskip("pyarrow.dataset")
    data = frame()
    pattern = parts(tmp_path / "in", data)
    query = f"SELECT letter, size FROM '{pattern}'"
    expected = dw.read(data, columns=["letter", "size"])
    assert dw.read(query, engine="disk") == expected
    assert dw.read(duckdb.sql(query), engine="disk") == expected
    assert dw.read(datasets.dataset(tmp_path / "in"), engine="disk") == dw.read(data)
    with pytest.raises(DataError, match="the query"):
        dw.read("SELECT nothing FROM nowhere", engine="disk")


def test_opening_again_reads_no_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pattern = parts(tmp_path / "in", frame())
    first = dw.read(pattern, engine="disk", into=tmp_path / "out")
    monkeypatch.setattr(chunks.Chunk, "columns", lambda _: pytest.fail("the rows were read again"))
    assert dw.read(pattern, engine="disk", into=tmp_path / "out").fingerprint == first.fingerprint
    with pytest.raises(OptionError, match="holds other data"):
        dw.read(pattern, engine="disk", into=tmp_path / "out", columns=["letter"])


def test_what_does_not_go_to_disk_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    for options, words in (
        ({"rare": 0.1}, "needs all rows in memory"),
        ({"weights": [1.0, 2.0]}, "must name a column"),
        ({"sheet": 1}, "has no meaning"),
    ):
        with pytest.raises(OptionError, match=words):
            dw.read(path, engine="disk", **options)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="goes with engine='disk'"):
        dw.read(path, into=tmp_path / "out")
    with pytest.raises(OptionError, match="not dict"):
        dw.read({"a": [1, 2]}, engine="disk")
    with pytest.raises(OptionError, match="not DataFrame of pandas; data in memory are read without it"):
        dw.read(frame(3).to_pandas(), engine="disk")
    with pytest.raises(DataError, match="no file matches"):
        dw.read(str(tmp_path / "*.parquet"), engine="disk")


def test_a_bad_block_is_named(tmp_path: Path) -> None:
    pattern = parts(tmp_path / "in", frame())
    os.truncate(tmp_path / "in" / "1.parquet", 900)
    with pytest.raises(DataError, match=r"1\.parquet cannot be read beyond row 0"):
        dw.read(pattern, engine="disk", into=tmp_path / "out")
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n" + "1.5,2\n" * 2000 + "inf,3\n")
    with pytest.raises(DataError, match=r"rows\.csv: column 'a', row 2000 \(.*finite"):
        dw.read(path, engine="disk", kinds={"a": "continuous"})
    frame(10).select("letter").write_parquet(tmp_path / "in" / "1.parquet")
    with pytest.raises(DataError, match=r"1\.parquet.*columns differ"):
        dw.read(pattern, engine="disk", into=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_damaged_folders_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    dw.read(parts(tmp_path / "in", frame()), engine="disk", into=out)
    manifest = json.loads((out / "manifest.json").read_text())
    os.truncate(out / manifest["files"][0], 5)
    with pytest.raises(FormatError, match="has 5 bytes and should have 900"):
        dw.read(out)
    (out / "manifest.json").write_text(json.dumps(manifest | {"format_version": 99}))
    with pytest.raises(FormatError, match="version 99"):
        dw.read(out)
    (out / "manifest.json").write_text("{")
    with pytest.raises(FormatError, match="not a folder of columns"):
        dw.read(out)


def test_an_interrupted_conversion_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, out = frame(), tmp_path / "out"
    pattern = parts(tmp_path / "in", data)
    whole, coded = on_disk.coded_chunk, []

    def failing(chunk: chunks.Chunk, *rest: Any) -> Any:
        if len(coded) == 3:
            raise KeyboardInterrupt
        coded.append(chunk)
        return whole(chunk, *rest)

    monkeypatch.setattr(on_disk, "coded_chunk", failing)
    with pytest.raises(KeyboardInterrupt):
        dw.read(pattern, engine="disk", into=out)
    assert not out.exists()
    coded.clear()
    monkeypatch.setattr(on_disk, "coded_chunk", lambda *given: (coded.append(given), whole(*given))[1])
    assert dw.read(pattern, engine="disk", into=out) == dw.read(data)
    assert 0 < len(coded) < 6  # six chunks, of which three were done


def test_a_killed_conversion_leaves_nothing_half_written(tmp_path: Path) -> None:
    data, out = frame(4000), tmp_path / "out"
    pattern = parts(tmp_path / "in", data)
    code = (
        "import sys, dagwright as dw; from dagwright.data import chunk_sizes; chunk_sizes.CELLS = 300\n"
        "import time; from dagwright.base.whole_folder import WholeFolder as W; a = W.append\n"
        "def slow(self, *x):\n    a(self, *x); sys.stdout.write('.'); sys.stdout.flush(); time.sleep(0.01)\n"
        f"W.append = slow\ndw.read({pattern!r}, engine='disk', into={str(out)!r})"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.read(7)
        child.send_signal(signal.SIGKILL)
    assert not out.exists()
    assert (tmp_path / ".out.part").exists()
    chunk_sizes.CELLS = 300
    assert dw.read(pattern, engine="disk", into=out) == dw.read(data)
    assert not (tmp_path / ".out.part").exists()


def test_a_torn_step_is_undone(tmp_path: Path) -> None:
    with WholeFolder(tmp_path / "out", {"a": 1}) as folder:
        folder.append({"x": b"12"}, {"n": 2})
        with (folder.part / "x").open("ab") as file:
            file.write(b"torn")
    with WholeFolder(tmp_path / "out", {"a": 1}) as again:
        assert (again.steps, again.state) == (1, {"n": 2})
        again.append({"x": b"34"}, {"n": 4})
        again.finish("last", "{}")
    assert (tmp_path / "out" / "x").read_bytes() == b"1234"
    assert [path.name for path in sorted((tmp_path / "out").iterdir())] == ["last", "x"]
    with WholeFolder(tmp_path / "other", {"a": 2}) as other:
        assert other.steps == 0
    assert not (tmp_path / ".other.part").exists()


def test_the_memory_limit_is_named_before_rows_are_copied(tmp_path: Path) -> None:
    table = dw.read(parts(tmp_path / "in", frame()), engine="disk", into=tmp_path / "out")
    small = table._with(blocks=Blocks(0.001))
    with pytest.raises(CapacityError, match=r"these rows in memory would take .* memory_mib"):
        small.take(np.arange(100))
    with pytest.raises(CapacityError, match="cutting numbers"):
        small.discretized(dw.KMeans1D())
    with pytest.raises(CapacityError, match="a pickle of these rows would take"):
        pickle.dumps(small)
    assert pickle.loads(pickle.dumps(table)) == table
    assert sum(len(part) for part in table.batches(250)) == 900


def test_conversions_give_all_rows_whatever_the_memory_limit(tmp_path: Path) -> None:
    """As `Table.decode` and the documentation say."""
    memory = dw.read(frame())
    table = dw.read(parts(tmp_path / "in", frame()), engine="disk", into=tmp_path / "out")
    small = table._with(blocks=Blocks(0.001))
    assert small.to_dict() == memory.to_dict()
    assert small.to_polars().equals(memory.to_polars())
    assert small.to_pandas().equals(memory.to_pandas())
    joined = [row for part in small.batches(10) for row in part.decode(table.names[0])]
    assert joined == small.decode(table.names[0])


def test_the_temporary_folder_goes_at_exit(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    code = f"import dagwright as dw; dw.read({str(path)!r}, engine='disk')"
    environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp")}
    (tmp_path / "tmp").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert "temporary folder of 4 bytes" in done.stderr
    assert not any((tmp_path / "tmp").glob("dagwright-*"))


MEASURE = """
import resource, sys, threading, time
import numpy as np, polars as pl, dagwright as dw
folder, rows, groups = sys.argv[1], 1 << 20, int(sys.argv[2])
random = np.random.default_rng(0)
for at in range(3):
    part = {f"v{i}": random.integers(0, 3, rows).astype(np.uint8) for i in range(8)}
    part |= {f"w{i}": random.normal(size=rows) for i in range(6)}
    pl.DataFrame(part).write_parquet(f"{folder}/{at}.parquet", row_group_size=groups)
del part
def anonymous():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith("RssAnon"))
before, peak, done = anonymous(), [0], threading.Event()
def watch():
    while not done.wait(0.005):
        peak[0] = max(peak[0], anonymous())
resource.setrlimit(resource.RLIMIT_DATA, (900 << 20, 900 << 20))
watcher = threading.Thread(target=watch)
watcher.start()
table = dw.read(f"{folder}/*.parquet", engine="disk", into=f"{folder}/out", memory_mib=64)
found = dw.learn(table, search=dw.HillClimb(), threads=1)
done.set()
watcher.join()
print(before, peak[0], table.n_rows)
"""


@pytest.mark.parametrize("rows_of_group", [1 << 17, 1 << 20])
def test_reading_and_learning_keep_within_the_memory_limit(tmp_path: Path, rows_of_group: int) -> None:
    """Columns of 168 MiB are converted and learned from within 64 MiB beside what the libraries take."""
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc")
    pytest.importorskip("pyarrow")
    environment = {**os.environ, "POLARS_MAX_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(tmp_path), str(rows_of_group)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    before, peak, rows = map(int, done.stdout.split())
    assert rows == 3 << 20
    assert peak - before < 64 + 100, (before, peak)
