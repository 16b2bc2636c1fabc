"""kill -9 at any moment, of the server, of workers and of a writer: nothing that was told is lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from dagwright.studio.project_file import ProjectFile
from studio_page import OPEN, waited
from studio_server import Server, alive, children, serving

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
KILLS = int(os.environ.get("DAGWRIGHT_KILLS", "10"))
"""How often a process is killed; 200 in the benchmarks."""
SHORT = {"search": "Tabu(patience=1000000000)", "time_limit": 0.5}
SERVERS = 5
"""Of so many kills one is of the server, which takes longest to start again."""


def test_a_writer_that_is_killed_loses_no_change(tmp_path: Path) -> None:
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
    for _ in range(max(3, KILLS // 4)):
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


class Person:
    """Works with a project, and remembers all that the server has confirmed."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._view = 0
        self._jobs: list[str] = []
        self._results: set[str] = set()

    def work(self, server: Server) -> None:
        """Start a job and change the project a few times."""
        self._jobs.append(server.post("/jobs", {"kind": "learn", "options": SHORT})["id"])
        for at in range(self._chance.randrange(4)):
            wanted = 10 * (self._view // 10) + 10 + at
            sent = {"revision": server.get("")["revision"], "change": {"view": {"at": wanted}}}
            if server.client.patch(f"/api/projects/{server.project}", json=sent).status_code == 200:
                self._view = wanted

    def find_all(self, server: Server) -> dict[str, str]:
        """Whatever was confirmed is there; the state of every job."""
        assert server.get("")["state"]["view"].get("at", 0) >= self._view
        jobs = {job["id"]: job for job in server.get("/jobs")["jobs"]}
        assert set(self._jobs) <= set(jobs)
        self._results |= {job["result"] for job in jobs.values() if job["state"] == "done"}
        for result in self._results:
            assert server.get(f"/results/{result}")["kind"] == "learned"
        for job in jobs.values():
            assert job["state"] != "interrupted" or job["error"]["code"] == "worker_lost"
        return {identity: job["state"] for identity, job in jobs.items()}


def wait_until_gone(processes: list[int]) -> None:
    waited(lambda: [pid for pid in processes if alive(pid)], lambda left: not left, 20)


def test_kills_of_server_and_workers_lose_nothing(tmp_path: Path) -> None:
    chance = random.Random(2)
    person = Person(chance)
    with ExitStack() as running:
        server = running.enter_context(serving(tmp_path, "sample:asia"))
        (path,) = tmp_path.glob("*.dwproj")
        for kill in range(KILLS):
            person.work(server)
            time.sleep(chance.random() * 0.3)
            workers = children(server.process.pid)
            if kill % SERVERS == SERVERS - 1:
                server.process.kill()
                server.process.wait()
                server = running.enter_context(serving(tmp_path, str(path)))
                assert not set(person.find_all(server).values()) & set(OPEN)
                wait_until_gone(workers)
            else:
                with suppress(ProcessLookupError):  # a worker that has just ended
                    os.kill(chance.choice(workers), signal.SIGKILL)
                person.find_all(server)
        states = person.find_all(server)
        for job in (identity for identity, state in states.items() if state in OPEN):
            server.post(f"/jobs/{job}/kill", {})
        lost = next(identity for identity, state in states.items() if state == "interrupted")
        again = server.post(f"/jobs/{lost}/rerun", {})["id"]
        waited(lambda: server.get(f"/jobs/{again}"), lambda seen: seen["state"] == "done", 60)
        assert server.get("/data/report")["n_rows"] == 5000
