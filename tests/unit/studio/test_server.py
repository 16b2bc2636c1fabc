"""The command: what it prints and what it refuses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run
from studio_server import serving

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@POSIX
def test_one_line_with_address_and_token_and_an_end_by_ctrl_c(tmp_path: Path) -> None:
    with serving(tmp_path, "sample:asia") as server:
        assert server.get("")["state"]["data"]["origin"] == "sample:asia"
        assert server.client.get("/").status_code == 200
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(20) in (0, 130, -2)
    (path,) = tmp_path.iterdir()  # no journal beside it
    assert path.suffix == ".dwproj"


def test_other_machines_need_a_word_of_their_own(tmp_path: Path) -> None:
    told = run("studio", "--host", "0.0.0.0", "--no-browser", "--folder", str(tmp_path))
    assert told.exit_code == 1 and "--allow-remote" in told.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none.csv", None, "there is no file"),
        ("x.exe", b"x", "neither a project"),
        ("x.dwproj", b"x", "not a project"),
        ("x.csv", b"a,b\n1,2,3\n4\n", "x.csv"),
    ],
)
def test_what_cannot_be_opened_is_told(tmp_path: Path, name: str, content: bytes | None, words: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    told = run("studio", str(path), "--no-browser", "--folder", str(tmp_path / "workspace"))
    assert told.exit_code == 1
    assert words in told.output
    kept = tmp_path / "workspace"
    assert not kept.exists() or list(kept.iterdir()) == []


@POSIX
def test_a_warning_comes_before_the_address_where_others_can_reach_it(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dagwright", "studio", "--host", "0.0.0.0", "--allow-remote"]
    with subprocess.Popen(
        [*command, "--no-browser", "--folder", str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        first, second = process.stdout.readline(), process.stdout.readline()
        process.kill()
    assert first.startswith("warning: the studio listens on 0.0.0.0") and "not encrypted" in first
    assert second.startswith("http://0.0.0.0:")
