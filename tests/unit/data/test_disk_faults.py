"""What may go wrong while a source is read to disk: kills, other processes, changed sources, full disks."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import dagwright as dw
from dagwright.base import whole_folder
from dagwright.base.whole_folder import WholeFolder
from dagwright.data import chunk_sizes, on_disk
from dagwright.errors import CapacityError, DataError, FormatError, OptionError

ROWS = 3000


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_sizes, "CELLS", 300)
    monkeypatch.setattr(chunk_sizes, "TEXT_BYTES", 2000)


def frame(rows: int = ROWS, seed: int = 0) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "letter": random.choice(["x", "y", "z"], rows),
            "size": random.normal(size=rows),
            "weight": random.integers(1, 4, rows),
        }
    )


def child(source: str, out: Path, pause: float = 0.0) -> subprocess.Popen[bytes]:
    """A process that reads the source to disk, with a dot after each step."""
    code = f"""
import sys, time, dagwright as dw
from dagwright.base.whole_folder import WholeFolder
from dagwright.data import chunk_sizes
chunk_sizes.CELLS, chunk_sizes.TEXT_BYTES = 300, 2000
append = WholeFolder.append
def told(self, *rest):
    append(self, *rest)
    sys.stdout.write("."); sys.stdout.flush()
    time.sleep({pause})
WholeFolder.append = told
dw.read({source!r}, engine="disk", into={str(out)!r})
"""
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def steps(process: subprocess.Popen[bytes], count: int) -> bytes:
    assert process.stdout is not None
    return process.stdout.read(count)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_kills_at_any_moment_leave_a_conversion_that_goes_on(tmp_path: Path, form: str) -> None:
    data, out = frame(), tmp_path / "out"
    source = tmp_path / f"rows.{form}"
    data.write_csv(source) if form == "csv" else data.write_parquet(source)
    r = random.Random(form)
    for _ in range(4):
        with child(str(source), out, 0.002) as process:
            steps(process, r.randrange(1, 6))
            time.sleep(r.random() * 0.02)
            process.kill()
        assert not out.exists()
    coded: list[Any] = []
    whole = on_disk.coded_chunk
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(on_disk, "coded_chunk", lambda *given: (coded.append(given), whole(*given))[1])
        assert dw.read(source, engine="disk", into=out) == dw.read(source)
    assert 0 < len(coded) < ROWS * 3 / 300
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    assert not any(path.name in ("lock", "progress.json") for path in out.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_ctrl_c_ends_a_conversion_and_the_next_one_goes_on(tmp_path: Path) -> None:
    source, out = tmp_path / "rows.csv", tmp_path / "out"
    frame().write_csv(source)
    with child(str(source), out, 0.05) as process:
        steps(process, 4)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(10)
        assert time.monotonic() - began < 2
        assert process.stderr is not None and b"KeyboardInterrupt" in process.stderr.read()
    assert not out.exists()
    with WholeFolder(out, {}) as other:  # the lock is free
        assert other.steps == 0
    assert dw.read(source, engine="disk", into=out) == dw.read(source)


def test_two_processes_cannot_write_one_folder(tmp_path: Path) -> None:
    source, out = tmp_path / "rows.csv", tmp_path / "out"
    frame().write_csv(source)
    with child(str(source), out, 0.2) as process:
        steps(process, 2)
        with pytest.raises(DataError, match=r"another process is writing '.*out.*'; wait until"):
            dw.read(source, engine="disk", into=out)
        process.kill()
    assert dw.read(source, engine="disk", into=out) == dw.read(source)


def test_a_folder_that_another_process_has_finished_meanwhile_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = tmp_path / "rows.csv", tmp_path / "out"
    frame().write_csv(source)
    entered = WholeFolder.__enter__

    def late(self: WholeFolder) -> WholeFolder:
        monkeypatch.setattr(WholeFolder, "__enter__", entered)
        self.close()
        dw.read(source, engine="disk", into=out)
        WholeFolder.__init__(self, self.target, self.identity)
        return self

    monkeypatch.setattr(WholeFolder, "__enter__", late)
    assert dw.read(source, engine="disk", into=out) == dw.read(source)
    assert not (tmp_path / ".out.part").exists()


def test_where_the_folder_may_be(tmp_path: Path) -> None:
    source = tmp_path / "rows.csv"
    frame(50).write_csv(source)
    (tmp_path / "empty").mkdir()
    for into in ("empty", "new/deep/folder"):
        assert dw.read(source, engine="disk", into=tmp_path / into) == dw.read(source)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("keep")
    (tmp_path / "file").write_text("keep")
    for into in ("full", "file"):
        with pytest.raises(OptionError, match="is there and holds no columns"):
            dw.read(source, engine="disk", into=tmp_path / into)
    assert (tmp_path / "full" / "mine.txt").read_text() == (tmp_path / "file").read_text() == "keep"
    with pytest.raises(DataError, match=r"cannot be written: Not a directory"):
        dw.read(source, engine="disk", into=tmp_path / "file" / "out")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_place_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    source = tmp_path / "rows.csv"
    frame(50).write_csv(source)
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(DataError, match="cannot be written: Permission denied"):
        dw.read(source, engine="disk", into=tmp_path / "locked" / "out")


def test_other_data_in_the_folder_are_refused(tmp_path: Path) -> None:
    source, out = tmp_path / "rows.csv", tmp_path / "out"
    frame(50).write_csv(source)
    dw.read(source, engine="disk", into=out)
    for options in ({"kinds": {"size": "category"}}, {"separator": ","}, {"names": ["a", "b", "c"]}):
        with pytest.raises(OptionError, match="holds other data, or the same data read with other options"):
            dw.read(source, engine="disk", into=out, **options)  # type: ignore[arg-type]
    dw.read(source, engine="disk", into=out, memory_mib=8)  # says nothing about the data
    frame(51).write_csv(source)
    with pytest.raises(OptionError, match="holds other data"):
        dw.read(source, engine="disk", into=out)


def test_a_file_that_changes_between_the_passes_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = tmp_path / "rows.csv", tmp_path / "out"
    frame(200).write_csv(source)
    united = on_disk.united

    def changing(*given: Any) -> Any:
        found = united(*given)
        changed = frame(200).with_columns(pl.lit("x").alias("letter"))
        changed.write_csv(source)
        return found

    monkeypatch.setattr(on_disk, "united", changing)
    with pytest.raises(DataError, match=r"rows\.csv changed while it was read; read it again"):
        dw.read(source, engine="disk", into=out)
    assert not out.exists() and not (tmp_path / ".out.part").exists()
    monkeypatch.setattr(on_disk, "united", united)
    assert dw.read(source, engine="disk", into=out) == dw.read(source)


class Database:
    """A table in DuckDB that a reader sees as a relation."""

    def __init__(self, rows: pl.DataFrame) -> None:
        duckdb = pytest.importorskip("duckdb")
        self.connection = duckdb.connect()
        self.connection.register("rows", rows.to_arrow())
        self.connection.sql("CREATE TABLE known AS SELECT * FROM rows")

    def read(self, out: Path) -> dw.Table:
        query = "SELECT * FROM known"
        return dw.read(query, connection=self.connection, engine="disk", into=out)


def test_a_query_whose_answer_changes_between_the_passes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = Database(frame(200))
    united = on_disk.united
    for change in (
        "UPDATE known SET size = size + 1 WHERE letter = 'x'",
        "INSERT INTO known VALUES ('x', 1.5, 1)",
        "INSERT INTO known VALUES ('new', 1.5, 1)",
        "DELETE FROM known WHERE weight = 2",
    ):

        def changing(*given: Any, change: str = change) -> Any:
            found = united(*given)
            data.connection.sql(change)
            return found

        monkeypatch.setattr(on_disk, "united", changing)
        with pytest.raises(DataError, match=r"changed while it was read|unknown state 'new'"):
            data.read(tmp_path / "out")
        assert not (tmp_path / "out").exists() and not (tmp_path / ".out.part").exists()
    monkeypatch.setattr(on_disk, "united", united)
    assert data.read(tmp_path / "out") == dw.read("SELECT * FROM known", connection=data.connection)


def test_the_answer_of_a_query_is_recognized_by_its_rows(tmp_path: Path) -> None:
    data, out = Database(frame(200)), tmp_path / "out"
    first = data.read(out)
    assert data.read(out).fingerprint == first.fingerprint
    data.connection.sql("UPDATE known SET weight = 3 WHERE weight = 2")
    with pytest.raises(OptionError, match="holds other data"):
        data.read(out)


@pytest.mark.parametrize("changes", [False, True])
def test_an_interrupted_query_goes_on_only_if_its_rows_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: bool
) -> None:
    data, out = Database(frame(1000)), tmp_path / "out"
    whole, coded = on_disk.coded_chunk, []

    def failing(chunk: Any, *rest: Any) -> Any:
        coded.append(chunk.first)
        if len(coded) == 5:
            raise KeyboardInterrupt
        return whole(chunk, *rest)

    monkeypatch.setattr(on_disk, "coded_chunk", failing)
    with pytest.raises(KeyboardInterrupt):
        data.read(out)
    if changes:
        data.connection.sql("UPDATE known SET letter = 'w' WHERE letter = 'x'")
    expected = coded[4]
    assert data.read(out) == dw.read("SELECT * FROM known", connection=data.connection)
    assert coded[5] == (0 if changes else expected) and expected > 0


def test_a_full_disk_is_said_and_the_conversion_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = tmp_path / "rows.csv", tmp_path / "out"
    frame().write_csv(source)
    flush, flushed = whole_folder._flush, []

    def full(path: Path) -> None:
        flushed.append(path)
        if len(flushed) > 9:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        flush(path)

    monkeypatch.setattr(whole_folder, "_flush", full)
    with pytest.raises(CapacityError, match=r"no space is left .* repeat the call, which resumes"):
        dw.read(source, engine="disk", into=out)
    monkeypatch.setattr(whole_folder, "_flush", flush)
    assert (tmp_path / ".out.part").exists()
    assert dw.read(source, engine="disk", into=out) == dw.read(source)


def test_too_little_space_is_said_before_the_rows_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    source = tmp_path / "rows.csv"
    frame(1000).write_csv(source)
    caplog.set_level("INFO", "dagwright")
    dw.read(source, engine="disk", into=tmp_path / "first")
    assert "which will have 9.77 KiB" in caplog.text
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("usage", (), {"free": 5000})())
    with pytest.raises(CapacityError, match=r"take 9\.77 KiB on disk, and '.*' has 4\.88 KiB left"):
        dw.read(source, engine="disk", into=tmp_path / "second")
    assert not (tmp_path / "second").exists()


def test_damaged_columns_are_found_and_untouched_ones_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = tmp_path / "rows.csv", tmp_path / "out"
    frame(200).write_csv(source)
    expected = dw.read(source, engine="disk", into=out)
    name = next(path for path in out.iterdir() if path.suffix == ".u1")
    content = name.read_bytes()
    name.write_bytes(content)  # another date, the same content
    os.utime(name, (1, 1))
    assert dw.read(out) == expected
    with monkeypatch.context() as patched:
        patched.setattr("zlib.crc32", lambda *_: pytest.fail("a file was read again"))
        assert dw.read(out).fingerprint == expected.fingerprint
    name.write_bytes(bytes([(content[0] + 1) % 3]) + content[1:])
    with pytest.raises(FormatError, match=rf"{name.name} was changed: its checksum is another one; delete"):
        dw.read(out)
    name.unlink()
    with pytest.raises(FormatError, match="No such file"):
        dw.read(out)


def test_a_temporary_folder_goes_when_reading_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    source = tmp_path / "rows.csv"
    source.write_text("a,b\n" + "1.5,2\n" * 2000 + "inf,3\n")
    with pytest.raises(DataError, match="is not a finite number"):
        dw.read(source, engine="disk", kinds={"a": "continuous"})
    assert list((tmp_path / "tmp").iterdir()) == []


HOLDING = """
import sys, dagwright as dw
table = dw.read(sys.argv[1], engine="disk")
sys.stdout.write("there\\n")
sys.stdout.flush()
sys.stdin.read()
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_the_temporary_folder_of_a_killed_process_goes_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, source, other = tmp_path / "tmp", tmp_path / "rows.csv", tmp_path / "other"
    place.mkdir()
    other.mkdir()
    (other / "lock").write_text("")
    (place / "dagwright-rows-link").symlink_to(other)
    (place / "dagwright-rows-new").mkdir()  # another process has made it and locks it next
    left = {"dagwright-rows-link", "dagwright-rows-new"}
    frame(200).write_csv(source)
    environment = {**os.environ, "TMPDIR": str(place)}

    def holding() -> subprocess.Popen[str]:
        command = [sys.executable, "-c", HOLDING, str(source)]
        process = subprocess.Popen(
            command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdout is not None and process.stdout.readline() == "there\n"
        return process

    def folders() -> set[str]:
        return {path.name for path in place.iterdir()} - left

    with holding() as first:
        one = folders()
        first.kill()
        first.wait()
        assert folders() == one and len(one) == 1
    with holding() as second:
        two = folders()
        assert len(two) == 1 and not one & two
        monkeypatch.setattr("tempfile.tempdir", str(place))
        table = dw.read(source, engine="disk")
        assert two < folders()  # its process lives
        second.communicate("")
    assert not two & folders()
    assert table == dw.read(source)
    assert (other / "lock").exists() and left <= {path.name for path in place.iterdir()}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_the_end_of_a_forked_process_keeps_the_temporary_folder(tmp_path: Path) -> None:
    source = tmp_path / "rows.csv"
    frame(200).write_csv(source)
    code = f"""
import os, sys, dagwright as dw
table = dw.read({str(source)!r}, engine="disk")
child = os.fork()
if child == 0:
    sys.exit(0)
os.waitpid(child, 0)
sys.stdout.write(str(dw.read(table._columns[0].base.filename.parent) == table))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "True", done.stderr


def test_progress_tells_the_rows_of_both_passes(tmp_path: Path) -> None:
    source = tmp_path / "rows.csv"
    frame().write_csv(source)
    events: list[dw.Event] = []
    dw.read(source, engine="disk", progress=events.append)
    looks = [event for event in events if event.phase == "looking at the rows"]
    coding = [event for event in events if event.phase == "coding the rows"]
    assert looks[-1].done == coding[-1].done == coding[-1].total == ROWS
    assert len(looks) == len(coding) > 5
    assert coding[-1].traffic is not None and coding[-1].traffic.seconds_left == 0
    assert coding[0].traffic is not None and coding[0].traffic.rows_per_second > 0
