"""The table of ratios for people, and the same as JSON with machine, versions and commit."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.task import Finding, Options, Results

RESULTS = Path(__file__).parent / "results"
Reports = Mapping[str, tuple[str, Results, list[Finding]]]


def bar_of(finding: Finding) -> str:
    low = "" if finding.at_least is None else f">= {finding.at_least:g}"
    high = "" if finding.at_most is None else f"<= {finding.at_most:g}"
    return " ".join(filter(None, (low, high)))


def show(reports: Reports) -> None:
    console = Console(width=None if Console().is_terminal else 140)
    for name, (bar, results, found) in reports.items():
        table = Table(title=f"{name}: {bar}", title_justify="left")
        for column in ("case", "quantity", "value", "bar", "met", "note"):
            table.add_column(column, justify="right" if column == "value" else "left")
        for finding in found:
            met = {None: "", True: "yes", False: "[bold red]NO[/]"}[finding.met]
            value = f"{finding.value:.4g} {finding.unit}".strip()
            table.add_row(finding.case, finding.quantity, value, bar_of(finding), met, finding.note)
        console.print(table)
        for result in results.everything:
            if result.error:
                console.print(f"not run: {result.case.name} by {result.peer}: {result.error}", markup=False)


def git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=RESULTS.parent, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def processor() -> str:
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()


def machine() -> dict[str, Any]:
    return {
        "system": platform.platform(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
    }


def write(reports: Reports, options: Options, name: str) -> Path:
    everything = [result for _, results, _ in reports.values() for result in results.everything]
    document = {
        "format": 1,
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": git("rev-parse", "HEAD"),
        "changed_files": len(git("status", "--porcelain", "--untracked-files=no").splitlines()),
        "machine": machine(),
        "versions": {result.peer: result.version for result in everything if result.version},
        "quick": options.quick,
        "tasks": {
            task: {
                "bar": bar,
                "findings": [{**vars(finding), "met": finding.met} for finding in found],
                "runs": [
                    {
                        "case": result.case.name,
                        "peer": result.peer,
                        "seconds": [float(f"{t:.4g}") for t in result.times],
                        "cpu_seconds": None if result.error else float(f"{result.cpu_seconds:.4g}"),
                        "peak_mib": result.peak_mib,
                        **({"error": result.error} if result.error else {}),
                    }
                    for result in results.everything
                ],
            }
            for task, (bar, results, found) in reports.items()
        },
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return path
