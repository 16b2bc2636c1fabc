"""Folders that appear whole: locks, records, checksums."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from dagwright.base.folder_lock import FolderLock
from dagwright.base.whole_folder import PROGRESS, WholeFolder
from dagwright.errors import DataError


def test_one_holder_at_a_time(tmp_path: Path) -> None:
    first = FolderLock(tmp_path / "part")
    with pytest.raises(DataError, match="another process is writing"):
        FolderLock(tmp_path / "part")
    first.release()
    first.release()  # releasing twice does no harm
    assert not (tmp_path / "part").exists()
    FolderLock(tmp_path / "part").release()


def test_the_death_of_the_holder_releases_the_lock(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom dagwright.base.folder_lock import FolderLock\n"
        f"lock = FolderLock(Path({str(tmp_path / 'part')!r}))\n"
        "sys.stdout.write('.')\nsys.stdout.flush()\nsys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stdin=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.read(1)
        with pytest.raises(DataError, match="another process is writing"):
            FolderLock(tmp_path / "part")
        holder.kill()
        holder.wait()
        FolderLock(tmp_path / "part").release()


def test_records_sums_and_states(tmp_path: Path) -> None:
    with WholeFolder(tmp_path / "out", {"a": [1, "x"]}) as folder:
        folder.append({}, {"n": 0})
        folder.append({"x": b"12", "y": b"a"}, {"n": 1})
        folder.append({"x": b"34"}, {"n": 2})
    with WholeFolder(tmp_path / "out", {"a": [1, "x"]}) as again:
        assert (again.steps, again.state) == (3, {"n": 2})
        assert again.sums == {"x": zlib.crc32(b"1234"), "y": zlib.crc32(b"a")}
        assert again.sizes == {"x": 4, "y": 1}
    with WholeFolder(tmp_path / "out", {"a": [2, "x"]}) as other:
        assert (other.steps, other.state, other.sizes, other.sums) == (0, {}, {}, {})
        other.append({"z": b"5"}, {})
        other.finish("last", "{}")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["last", "z"]


@pytest.mark.parametrize("harm", ["short", "gone", "not JSON", "no sums"])
def test_a_record_that_does_not_fit_is_forgotten(tmp_path: Path, harm: str) -> None:
    with WholeFolder(tmp_path / "out", {}) as folder:
        folder.append({"x": b"12", "y": b"34"}, {"n": 1})
        part = folder.part
    if harm == "short":
        os.truncate(part / "x", 1)
    elif harm == "gone":
        (part / "x").unlink()
    elif harm == "not JSON":
        (part / PROGRESS).write_text("{")
    else:
        (part / PROGRESS).write_text((part / PROGRESS).read_text().replace('"sums"', '"others"'))
    with WholeFolder(tmp_path / "out", {}) as again:
        assert again.steps == 0
        again.append({"x": b"5"}, {})
        assert not (part / "y").exists()


def test_what_another_process_changes_is_noticed(tmp_path: Path) -> None:
    with WholeFolder(tmp_path / "out", {}) as folder:
        folder.append({"x": b"12"}, {})
        (folder.part / "x").write_bytes(b"123")
        with pytest.raises(OSError, match="was changed by another process"):
            folder.append({"x": b"34"}, {})


def test_discarded_steps_are_gone_for_later_runs_too(tmp_path: Path) -> None:
    with WholeFolder(tmp_path / "out", {}) as folder:
        folder.append({"x": b"12"}, {})
        (folder.part / "inner").mkdir()
        folder.discard()
        assert folder.steps == 0
    assert not (tmp_path / ".out.part").exists()


def test_a_kill_after_the_last_file_loses_nothing(tmp_path: Path) -> None:
    with WholeFolder(tmp_path / "out", {}) as folder:
        folder.append({"x": b"12"}, {"n": 1})
        (folder.part / "last").write_text("{}")  # as `finish` does before the folder gets its name
    with WholeFolder(tmp_path / "out", {}) as again:
        assert again.steps == 1
        again.finish("last", "{}")
    assert (tmp_path / "out" / "x").read_bytes() == b"12"
