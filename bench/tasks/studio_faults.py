"""The studio under fire: kills of its server and workers at random moments, and odd requests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "200 kills lose nothing, and 10,000 odd requests are no fault of the server"
PEERS = ("dagwright",)
TESTS = Path(__file__).parents[2] / "tests" / "unit" / "studio"
OPERATIONS = 50
"""Kinds of requests, about."""


def cases(options: Options) -> Iterable[Case]:
    kills, requests = (10, 6) if options.quick else (200, 10_000 // OPERATIONS)
    for name, variable, number, file in (
        ("kills", "DAGWRIGHT_KILLS", kills, "test_kills.py"),
        ("odd requests", "DAGWRIGHT_STUDIO_CASES", requests, "test_interface.py"),
    ):
        yield Case(name, {"variable": variable, "number": number, "file": file}, repeats=1, timeout=7200.0)


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    """The tests of that file, with so many kills or requests: how many passed and failed, and why."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(TESTS / arguments["file"])]
    settings = {**os.environ, arguments["variable"]: str(arguments["number"])}
    with clock:
        done = subprocess.run(command, env=settings, capture_output=True, text=True)
    found = {word: int(count) for count, word in re.findall(r"(\d+) (passed|failed|error)", done.stdout)}
    failed = found.get("failed", 0) + found.get("error", 0)
    said = [line for line in done.stdout.splitlines() if line.startswith(("E  ", "FAILED", "ERROR"))]
    return {"passed": found.get("passed", 0), "failed": failed, "said": said[-20:]}


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        if (ours := results.get(case.name, "dagwright")) is not None:
            yield Finding(case.name, "tests that failed", ours.answer["failed"], "", at_most=0)
            yield Finding(case.name, "tests that passed", ours.answer["passed"], "", at_least=1)
