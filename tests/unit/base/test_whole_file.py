"""Every file the program makes appears whole, keeps its permissions, and never replaces a device."""

from __future__ import annotations

import errno
import inspect
import os
import re
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from command_line import SAMPLE, answer, refusal
from dagwright.base import whole_file
from dagwright.base.checkpoint import Checkpoint
from dagwright.base.whole_file import write_whole
from dagwright.cli.app import app
from dagwright.cli.configuration import OUTPUTS

SOURCES = Path(dw.__file__).parent
POSIX = pytest.mark.skipif(os.name != "posix", reason="about permissions, edges and devices of POSIX")


def test_content_replaces_content(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    write_whole(target, "old")
    write_whole(str(target), "näher".encode())
    assert target.read_text(encoding="utf-8") == "näher"
    assert list(tmp_path.iterdir()) == [target]


def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(whole_file.os, "fsync", fails)


def learned() -> dw.Learned:
    return dw.learn({"a": [0, 1] * 20, "b": [0, 1] * 20})


def network() -> dw.BayesianNetwork:
    return dw.load("asia")


WRITERS: dict[str, Any] = {
    "learned.json": lambda path: learned().save(path),
    "network.bif": lambda path: dw.save(network(), path),
    "network.json.gz": lambda path: dw.save(network(), path),
    "graph.dot": lambda path: dw.save_graph(network().graph, path),
    "knowledge.toml": lambda path: dw.Knowledge(required=["a -> b"]).save(path),
    "knowledge.json": lambda path: dw.Knowledge(required=["a -> b"]).save(path),
    "picture.svg": lambda path: network().graph.draw().save(path),
    "picture.html": lambda path: network().graph.draw().save(path),
    "picture.pdf": lambda path: network().graph.draw().save(path),
    "picture.png": lambda path: network().graph.draw().save(path),
    "scores.jkl": lambda path: dw.candidates({"a": [0, 1] * 20, "b": [0, 1] * 20}).save(path),
    "run.npz": lambda path: Checkpoint("chains", {}, {}, {"seen": np.arange(3)}).save(path),
}
COMMANDS: dict[str, list[str]] = {
    "model.json": ["learn", SAMPLE, "--search", "HillClimb", "-q", "-o"],
    "conf.json": ["bootstrap", SAMPLE, "--search", "HillClimb", "--replicates", "2", "-q", "-o"],
    "post.json": ["posterior", SAMPLE, "--column", "lung", "--column", "smoke", "-q", "-o"],
    "report.html": ["report", SAMPLE, "--search", "HillClimb", "--replicates", "2", "-q", "-o"],
    "picture.svg": ["draw", "asia", "-q", "-o"],
    "scores.jkl": ["candidates", SAMPLE, "--max-parents", "1", "-q", "-o"],
    "rows.csv": ["sample", "asia", "-n", "20", "-o"],
    "rows.tsv": ["sample", "asia", "-n", "20", "-o"],
    "rows.parquet": ["sample", "asia", "-n", "20", "-o"],
    "filled.csv": ["predict", "asia", SAMPLE, "--unknown-states", "ignore", "--target", "lung", "-o"],
    "fitted.json": ["fit", SAMPLE, "lung -> smoke", "-q", "-o"],
    "asia.bif": ["convert", "asia", "-q"],
    "page.html": ["reproduce", "cowell", "--quick", "--html"],
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_old_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / name
    target.write_text("precious")
    full_disk(monkeypatch)
    with pytest.raises(OSError, match=re.escape(name)) as caught:
        WRITERS[name](target)
    assert caught.value.filename == str(target)
    assert target.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_leaves_the_old_file_of_a_command(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / name
    target.write_text("precious")
    full_disk(monkeypatch)
    assert f"{target}: {os.strerror(errno.ENOSPC)}" in refusal(*COMMANDS[name], str(target))
    assert target.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [target]


def test_no_module_writes_in_another_way() -> None:
    other = re.compile(
        r"\.write_(text|bytes|csv|parquet)\(\s*(path|out|file|target|Path)\b|\.open\(\s*\"[wax]"
    )
    guilty = [
        path.name
        for path in SOURCES.rglob("*.py")
        if other.search(path.read_text(encoding="utf-8")) and path.name not in ("whole_file.py", "rows.py")
    ]
    assert guilty == []


@POSIX
def test_permissions_are_kept_and_new_files_follow_the_mask(tmp_path: Path) -> None:
    secret, new = tmp_path / "secret", tmp_path / "new"
    secret.write_text("old")
    secret.chmod(0o600)
    old_mask = os.umask(0o027)
    try:
        write_whole(secret, "mine")
        write_whole(new, "ours")
    finally:
        os.umask(old_mask)
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert stat.S_IMODE(new.stat().st_mode) == 0o640


@POSIX
def test_symbolic_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target = tmp_path / "folder" / "target"
    target.write_text("old")
    link, dangling = tmp_path / "link", tmp_path / "dangling"
    link.symlink_to(target)
    dangling.symlink_to(tmp_path / "folder" / "later")
    write_whole(link, "new")
    write_whole(dangling, "made")
    assert link.is_symlink()
    assert dangling.is_symlink()
    assert target.read_text() == "new"
    assert (tmp_path / "folder" / "later").read_text() == "made"


@POSIX
def test_a_folder_and_a_missing_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match=re.escape(str(tmp_path))):
        write_whole(tmp_path, "text")
    missing = tmp_path / "none" / "file"
    with pytest.raises(FileNotFoundError, match=re.escape(repr(str(missing)))):
        write_whole(missing, "text")


@POSIX
def test_pipes_and_devices_are_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, "through")
    reader.join(10)
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    write_whole("/dev/null", "gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@POSIX
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_is_appended_to(name: str, tmp_path: Path) -> None:
    if not Path(name).exists():
        pytest.skip(f"this system has no {name}")
    log = tmp_path / "log"
    log.write_text("first\n")
    imported = "from dagwright.base.whole_file import write_whole"
    code = f"{imported}; print('second'); write_whole({name!r}, 'third\\n')"
    with log.open("a") as stream:
        subprocess.run([sys.executable, "-c", code], stdout=stream, check=True)
    assert log.read_text() == "first\nsecond\nthird\n"


@POSIX
def test_convert_to_the_standard_output_device(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dagwright", "convert", "asia", "/dev/stdout", "--to", "bif"]
    done = subprocess.run(command, capture_output=True, check=True, cwd=tmp_path)
    assert done.stdout.startswith(b"network")
    assert done.stdout.endswith(b"}\n")


class TestConfiguration:
    @pytest.fixture(autouse=True)
    def in_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("dagwright.toml").write_text('[draw]\nsource = "asia"\noutput = "picture.svg"\n')

    def test_a_found_file_makes_new_files_only(self) -> None:
        assert "saved as picture.svg" in answer("draw")
        Path("picture.svg").write_text("precious")
        told = refusal("draw")
        assert "dagwright.toml names the output 'picture.svg', which exists" in told
        assert Path("picture.svg").read_text() == "precious"

    @pytest.mark.parametrize("words", [["draw", "-o", "picture.svg"], ["--config", "dagwright.toml", "draw"]])
    def test_the_line_may_replace(self, words: list[str]) -> None:
        Path("picture.svg").write_text("old")
        assert "saved as picture.svg" in answer(*words)
        assert Path("picture.svg").read_text() != "old"

    def test_every_path_of_a_command_is_known_as_input_or_output(self) -> None:
        inputs = {"knowledge", "checkpoint", "strength", "scores", "folder", "model", "network"}
        for command in app.registered_commands:
            assert command.callback is not None
            parameters = inspect.signature(command.callback, eval_str=True).parameters
            paths = {name for name, one in parameters.items() if "pathlib.Path" in str(one.annotation)}
            assert paths <= inputs | set(OUTPUTS), command.callback.__name__


def test_a_reason_without_a_number_keeps_its_words_and_gets_the_name(tmp_path: Path) -> None:
    """Readers and writers of tables raise OSErrors that hold text alone."""
    target = tmp_path / "rows.csv"
    with pytest.raises(OSError, match="No space left on device") as caught, whole_file.whole_file(target):
        raise OSError("No space left on device (os error 28)")
    assert caught.value.filename == str(target)
    assert not target.exists()


@POSIX
def test_a_kill_at_any_moment_leaves_the_old_file_or_the_whole_new_one(tmp_path: Path) -> None:
    new = b"new line of text\n" * 200_000
    target = tmp_path / "rows"
    code = (
        "import sys; from dagwright.base.whole_file import write_whole\n"
        "sys.stdout.write('.'); sys.stdout.flush()\n"
        f"while True: write_whole({str(target)!r}, b'new line of text\\n' * 200_000)"
    )
    for wait in (0.0, 0.002, 0.005, 0.01, 0.03):
        target.write_bytes(b"old")
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.read(1)
            time.sleep(wait)
            child.kill()
        assert target.read_bytes() in (b"old", new)


@POSIX
def test_the_next_write_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    target = tmp_path / "run.dwc"
    code = (
        "import sys; from dagwright.base.whole_file import whole_file\n"
        f"with whole_file({str(target)!r}) as file:\n"
        "    file.write(b'half'); file.flush()\n"
        "    sys.stdout.write('.'); sys.stdout.flush(); sys.stdin.read()"
    )
    others = [tmp_path / ".run.dwc.0123abcd", tmp_path / ".run.dwc.dagwright-notes"]
    for other in others:
        other.write_text("of the user")
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stdin=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        writer.stdout.read(1)
        (half,) = set(tmp_path.iterdir()) - set(others)
        write_whole(target, "whole")
        assert half.read_bytes() == b"half", "its process is still writing"
        writer.kill()
        writer.wait()
    write_whole(tmp_path / "another", "file")
    assert half.exists()
    write_whole(target, "again")
    assert set(tmp_path.iterdir()) == {*others, target, tmp_path / "another"}
    assert target.read_text() == "again"


@POSIX
def test_links_in_the_place_of_what_was_left_are_not_followed(tmp_path: Path) -> None:
    precious, link = tmp_path / "precious", tmp_path / ".a.dagwright-0123abcd"
    precious.write_text("kept")
    link.symlink_to(precious)
    os.mkfifo(tmp_path / ".a.dagwright-0123abce")
    write_whole(tmp_path / "a", "text")
    assert link.is_symlink()
    assert precious.read_text() == "kept"


@POSIX
def test_writers_of_one_file_leave_a_whole_one_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a"
    contents = [letter * 5_000 for letter in "abcd"]
    writers = [
        threading.Thread(target=lambda text=text: [write_whole(target, text) for _ in range(40)])
        for text in contents
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert target.read_text() in contents
    assert list(tmp_path.iterdir()) == [target]
