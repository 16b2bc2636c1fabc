"""The command `dagwright studio` as tests start it, end it and kill it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2


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
