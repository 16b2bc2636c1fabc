"""What a task in bench/tasks/ is made of. Standard library only: it is imported in every environment.

A task is a module with a docstring and

    BAR = "what must hold, in one sentence"
    PEERS = ("dagwright", "pyagrum")                     who runs it
    def cases(options: Options) -> Iterable[Case]        what is run; data is drawn here
    def run_dagwright(arguments, clock) -> answer        one function per peer, called in its environment:
    def run_pyagrum(arguments, clock) -> answer          `with clock:` around the work that counts
    def findings(results: Results) -> Iterable[Finding]  checks the answers, turns seconds into ratios

Arguments and answers are JSON. A name that is not in peers.toml (numpy, polars, ...) runs in dagwright's
own environment. `cases` raises `SkipTaskError` when something the task needs is absent.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class SkipTaskError(Exception):
    """The task cannot run here; the message says what is missing."""


@dataclass(frozen=True)
class Options:
    """What the command line asks of a task."""

    quick: bool = False
    repeats: int = 3
    optima: Path | None = None
    networks: Path | None = None


@dataclass(frozen=True)
class Case:
    """One thing to run for each peer; `arguments` travels to the worker as JSON."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)
    peers: tuple[str, ...] | None = None
    """Who runs this case, if not every peer of the task."""
    repeats: int | None = None
    """Processes per peer, if not what the command line says."""
    calls: int = 1
    """Calls of the run function inside each process."""
    timeout: float = 900.0
    cpu_limit: float | None = None
    """Seconds of processor time inside the clock: fairer than wall-clock seconds on a busy machine. A peer
    that exceeds them is stopped, and its ratio is a lower bound (`Results.least_speedup`)."""


class Clock:
    """Adds up the time spent inside `with clock:` blocks of one call, by the wall and by the processor."""

    def __init__(self, cpu_limit: float | None = None) -> None:
        self.seconds = self.cpu_seconds = 0.0
        self.started = (0.0, 0.0)
        self.cpu_limit = cpu_limit

    def __enter__(self) -> Clock:
        if self.cpu_limit is not None:
            limit_cpu(self.cpu_limit - self.cpu_seconds)
        self.started = (time.perf_counter(), time.process_time())
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter() - self.started[0]
        self.cpu_seconds += time.process_time() - self.started[1]


def limit_cpu(seconds: float) -> None:
    """Let the system end this process after so many further seconds of processor time."""
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = math.ceil(used.ru_utime + used.ru_stime + max(seconds, 0.0)) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


@dataclass
class Result:
    """All repeats of one case by one peer: every answer, the shortest time, the largest memory."""

    case: Case
    peer: str
    seconds: float = math.inf
    cpu_seconds: float = math.inf
    times: list[float] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)
    peak_mib: float = 0.0
    version: str = ""
    error: str = ""
    exceeded: bool = False
    """Whether it was stopped at the `cpu_limit` of the case."""

    def add(self, reply: dict[str, Any]) -> None:
        self.times += reply["seconds"]
        self.seconds = min(self.times)
        self.cpu_seconds = min(self.cpu_seconds, *reply["cpu_seconds"])
        self.answers.append(reply["answer"])
        self.peak_mib = max(self.peak_mib, reply["peak_mib"])
        self.version = reply["version"]

    @property
    def answer(self) -> Any:
        """The answer of the last repeat."""
        return self.answers[-1]


class Results:
    """The results of one task, by case and peer; failed runs are absent here and listed in the report."""

    def __init__(self, results: Iterable[Result]) -> None:
        self.everything = list(results)
        self.done = {(r.case.name, r.peer): r for r in self.everything if not r.error}

    def get(self, case: str, peer: str) -> Result | None:
        return self.done.get((case, peer))

    def peers(self, case: str) -> list[str]:
        return [peer for name, peer in self.done if name == case]

    def cases(self) -> list[Case]:
        return list({r.case.name: r.case for r in self.everything}.values())

    def speedup(self, cases: Iterable[str], ours: str, peer: str, clock: str = "seconds") -> float:
        """Median over the cases that both finished of the peer's time divided by ours; NaN if there is none.

        `clock="cpu_seconds"` compares processor time, which a busy machine disturbs less.
        """
        ratios = [
            getattr(self.done[case, peer], clock) / getattr(self.done[case, ours], clock)
            for case in cases
            if (case, peer) in self.done and (case, ours) in self.done
        ]
        return statistics.median(ratios) if ratios else math.nan

    def least_speedup(self, case: str, ours: str, peer: str) -> float:
        """The limit of processor time that the peer exceeded, divided by our time; NaN if it did not."""
        mine = self.done.get((case, ours))
        theirs = next((r for r in self.everything if (r.case.name, r.peer) == (case, peer)), None)
        if mine is None or theirs is None or not theirs.exceeded or theirs.case.cpu_limit is None:
            return math.nan
        return theirs.case.cpu_limit / mine.cpu_seconds


@dataclass(frozen=True)
class Finding:
    """One line of the table: a quantity, and the bar it must reach (none: for information)."""

    case: str
    quantity: str
    value: float
    unit: str = "x"
    at_least: float | None = None
    at_most: float | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        if self.at_least is None and self.at_most is None:
            return None
        low = -math.inf if self.at_least is None else self.at_least
        high = math.inf if self.at_most is None else self.at_most
        return low <= self.value <= high
