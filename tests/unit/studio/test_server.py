"""The command: what it prints, what it refuses, and what is left after a kill -9 at any moment."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from command_line import run
from dagwright.studio.project_file import ProjectFile
from studio_page import waited

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
KILLS = int(os.environ.get("DAGWRIGHT_KILLS", "10"))
"""How often a writer is killed; 200 in a long run."""
LONG = {"search": "Tabu(patience=1000000000)", "time_limit": 600.0}


class Server:
    """A running command and a client that has its token."""

    def __init__(self, process: subprocess.Popen[str], line: str) -> None:
        found = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/\?token=([\w-]+)(?:&project=(p_\w+))?\n", line)
        assert found is not None, line
        self.process, self.project = process, found[3]
        self.client = httpx2.Client(
            base_url=found[1], headers={"Authorization": f"Bearer {found[2]}"}, timeout=60
        )

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/projects/{self.project}{path}").json()

    def post(self, path: str, body: Any) -> Any:
        return self.client.post(f"/api/projects/{self.project}{path}", json=body).json()


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[Server]:
    command = [sys.executable, "-m", "dagwright", "studio", *words, "--no-browser", "--folder", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            server = Server(process, process.stdout.readline())
            with server.client:
                yield server
        finally:
            process.kill()


def children(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(one) for one in listed.stdout.split()]


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").split(") ")[1][0] != "Z"


@POSIX
def test_one_line_with_address_and_token_and_an_end_by_ctrl_c(tmp_path: Path) -> None:
    with serving(tmp_path, "sample:asia") as server:
        assert server.get("")["state"]["data"]["origin"] == "sample:asia"
        assert server.client.get("/").status_code == 200
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(20) in (0, 130, -2)
    (path,) = tmp_path.iterdir()  # no journal beside it
    assert path.suffix == ".dwproj"


@POSIX
def test_a_server_that_is_killed_leaves_a_sound_project_and_no_worker(tmp_path: Path) -> None:
    with serving(tmp_path, "sample:asia") as server:
        job = server.post("/jobs", {"kind": "learn", "options": LONG})["id"]
        waiting = server.post("/jobs", {"kind": "learn"})["id"]
        waited(lambda: server.get(f"/jobs/{job}"), lambda seen: seen["state"] == "running", 60)
        revision = server.get("")["revision"]
        changed = {"revision": revision, "change": {"missing": "em"}}
        assert server.client.patch(f"/api/projects/{server.project}", json=changed).status_code == 200
        workers = children(server.process.pid)
        assert workers
        server.process.kill()
        server.process.wait()
        waited(lambda: [pid for pid in workers if alive(pid)], lambda left: not left, 20)
    (path,) = tmp_path.glob("*.dwproj")
    with serving(tmp_path / "other", str(path)) as again:
        assert again.project == server.project
        assert again.get("")["state"]["missing"] == "em"
        states = {one["id"]: one["state"] for one in again.get("/jobs")["jobs"]}
        assert states == {job: "interrupted", waiting: "interrupted"}
        rerun = again.post(f"/jobs/{waiting}/rerun", {})["id"]
        ended = waited(lambda: again.get(f"/jobs/{rerun}"), lambda seen: seen["state"] == "done", 90)
        assert again.get(f"/results/{ended['result']}")["kind"] == "learned"


@POSIX
def test_kills_at_random_moments_lose_no_change(tmp_path: Path) -> None:
    chance = random.Random(1)
    path = tmp_path / "mine.dwproj"
    ProjectFile(path, name="mine").close()
    code = (
        "import sys; from pathlib import Path; from dagwright.studio.project_file import ProjectFile\n"
        "project = ProjectFile(Path(sys.argv[1]))\n"
        "at = project.project()['revision']\n"
        "while True:\n"
        "    at = project.change({'view': {'at': at}, 'missing': ['em', 'drop'][at % 2]})['revision']\n"
        "    sys.stdout.write(f'{at}\\n'); sys.stdout.flush()\n"
    )
    for _ in range(KILLS):
        with subprocess.Popen(
            [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(chance.random() * 0.2)
            writer.kill()
            told = [int(line) for line in writer.stdout.read().split("\n")[:-1]]
        project = ProjectFile(path)
        found = project.project()
        assert found["revision"] >= max(told, default=0)
        assert found["state"] == project.revision(found["revision"])["state"]
        assert found["state"]["view"] == {"at": found["revision"] - 1}
        project.close()


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
