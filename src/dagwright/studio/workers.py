"""Worker processes as the server sees them: a call goes in, events and an answer come out."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dagwright.studio.problems import Problem, StudioError
from dagwright.studio.worker import MEMORY

Meanwhile = Callable[[str, dict[str, Any]], None]
"""Called with what a worker tells before its answer: "progress" or "network", and the document."""
MEANWHILE = ("progress", "network")
QUICK_SECONDS = 120.0
"""How long a question may take before its worker is ended."""
BEGINNING = 1.0
"""A worker that is lost within so many seconds was lost for another reason than the question."""


class WorkerLostError(StudioError):
    """The process ended in the middle of a call."""


class Worker:
    """One process; it does one call at a time."""

    def __init__(self, folder: Path, memory: int | None = None) -> None:
        limits = {} if memory is None else {MEMORY: str(memory)}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "dagwright.studio.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, **limits},
            encoding="utf-8",
        )
        self._numbers = itertools.count(1)
        self._running: int | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            for line in self._process.stdout:
                self._lines.put(line)
        self._lines.put(None)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def call(
        self,
        verb: str,
        arguments: dict[str, Any],
        *,
        meanwhile: Meanwhile | None = None,
        seconds: float | None = None,
    ) -> Any:
        """The result of the verb, or its error; after this many seconds the process is ended."""
        number = self._running = next(self._numbers)
        try:
            self._send({"id": number, "verb": verb, "arguments": arguments})
            while True:
                try:
                    line = self._lines.get(timeout=seconds)
                except queue.Empty:
                    self.kill()
                    raise StudioError(
                        "timeout", f"the answer took longer than {seconds:g} seconds and was given up"
                    ) from None
                if line is None:
                    raise self._lost()
                message = json.loads(line)
                if kind := next((one for one in MEANWHILE if one in message), None):
                    if meanwhile is not None:
                        meanwhile(kind, message[kind])
                elif "problem" in message:
                    raise StudioError.of(_with_own_names(message["problem"], arguments))
                else:
                    return message["answer"]
        finally:
            self._running = None

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError, OSError):
            raise self._lost() from None

    def _lost(self) -> WorkerLostError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        status = self._process.returncode
        if status == -9:
            return WorkerLostError(
                "worker_lost",
                "the worker was killed by the system, most likely because memory ran out; free some memory "
                "or ask for less, then run it again",
            )
        return WorkerLostError(
            "worker_lost", f"the worker ended unexpectedly (status {status}); run it again"
        )

    def cancel(self) -> None:
        """Ask the call that runs to stop and to give the best it has."""
        if (number := self._running) is not None:
            with contextlib.suppress(StudioError):
                self._send({"cancel": number})

    def kill(self) -> None:
        """End the process now."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    def close(self) -> None:
        """End the process: nicely first."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


def _with_own_names(told: Problem, arguments: dict[str, Any]) -> Problem:
    """A problem with the names that a person gave to files, not those that workers read them under."""
    text = told["message"]
    for value in arguments.values():
        if isinstance(value, list) and len(value) == 2 and all(isinstance(part, str) for part in value):
            path, name = value
            text = text.replace(path, name).replace(Path(path).name, name)
    return {**told, "message": text}


class Lane:
    """A worker for questions, one after the other; a new one takes the place of one that was lost."""

    def __init__(self, folder: Path, memory: int | None) -> None:
        self._folder, self._memory = folder, memory
        self._lock = threading.Lock()
        self.worker: Worker | None = None

    def warm_up(self) -> None:
        """Start the process, so that the first question finds it ready."""
        with self._lock:
            self._ready()

    def _ready(self) -> Worker:
        if self.worker is not None and not self.worker.alive:
            self.worker.close()
            self.worker = None
        if self.worker is None:
            self.worker = Worker(self._folder, self._memory)
        return self.worker

    def call(self, verb: str, arguments: dict[str, Any], seconds: float = QUICK_SECONDS) -> Any:
        """The result of a verb; where its worker is lost at the beginning, a new worker is asked."""
        with self._lock:
            began = time.monotonic()
            try:
                return self._ready().call(verb, arguments, seconds=seconds)
            except WorkerLostError:
                if time.monotonic() - began > BEGINNING:  # the question itself may have been too much
                    raise
                return self._ready().call(verb, arguments, seconds=seconds)

    def close(self) -> None:
        """End the process."""
        if self.worker is not None:
            self.worker.close()
