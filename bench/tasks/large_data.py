"""Rows on disk against rows in memory: hill climbing and PC on samples of alarm, and the memory they take."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.memory import AnonymousMemory
from bench.task import Case, Clock, Finding, Options, Results, SkipTaskError

BAR = (
    "on disk, hill climbing and PC take at most 1.5 times the time in memory at 10^7 rows, and at 10^8 rows "
    "count at least half as many rows in a second as memory does at 10^7; within 4 GiB"
)
PEERS = ("dagwright_disk", "dagwright_memory")
CHUNK = 1_000_000
LARGE = 10_000_000
"""The bar begins here. More rows than this are not held in memory."""
ROWS = "DAGWRIGHT_BENCH_ROWS"
"""The environment variable that lists the numbers of rows; 10^8 rows need 12 GB of free disk."""


def cases(options: Options) -> Iterable[Case]:
    import shutil

    usual = "2e5" if options.quick else "1e5,1e6,1e7"
    for rows in (int(float(text)) for text in os.environ.get(ROWS, usual).split(",")):
        if shutil.disk_usage(tempfile.gettempdir()).free < 120 * rows:
            raise SkipTaskError(f"{rows:,} rows need {120 * rows / 1e9:.1f} GB of disk")
        folder = drawn(rows)
        peers = PEERS if rows <= LARGE else PEERS[:1]
        for search in ("HillClimb", "PC"):
            arguments = {"folder": folder, "search": search}
            yield Case(f"{search}_{rows}", arguments, peers=peers, repeats=1, timeout=7200)


def drawn(rows: int) -> str:
    """A folder of Parquet files, drawn once."""
    import dagwright as dw

    folder = Path(tempfile.gettempdir()) / f"dagwright-bench-alarm-{rows}"
    folder.mkdir(exist_ok=True)
    network = dw.load("alarm")
    for part, first in enumerate(range(0, rows, CHUNK)):
        file = folder / f"{part:04d}.parquet"
        if not file.exists():
            sample = network.sample(min(CHUNK, rows - first), random_state=part)
            sample.to_polars().write_parquet(file.with_suffix(".part"))
            file.with_suffix(".part").rename(file)
    return str(folder)


def learned(table: Any, search: str, clock: Clock) -> dict[str, Any]:
    import dagwright as dw

    with clock:
        found = dw.learn(table, search=getattr(dw, search)())
    return {"graph": str(found.graph), "score": found.score}


def run_dagwright_disk(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    import dagwright as dw

    folder = Path(arguments["folder"])
    with AnonymousMemory() as memory:
        started = time.perf_counter()
        table = dw.read(f"{folder}/*.parquet", engine="disk", into=folder / "columns")
        conversion = time.perf_counter() - started
        answer = learned(table, arguments["search"], clock)
    return {**answer, "anonymous_mib": memory.mib, "conversion": conversion}


def run_dagwright_memory(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    import polars as pl

    import dagwright as dw

    table = dw.read(pl.read_parquet(f"{arguments['folder']}/*.parquet"))
    return learned(table, arguments["search"], clock)


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        search, rows = case.name.split("_")
        disk, memory = (results.get(case.name, peer) for peer in PEERS)
        if disk is None:
            continue
        yield Finding(
            case.name, "anonymous memory on disk", disk.answer["anonymous_mib"], "MiB", at_most=4096.0
        )
        yield Finding(
            case.name, "opening the files", disk.answer["conversion"], "s", note="once converted, short"
        )
        if memory is not None:
            for key in ("graph", "score"):
                assert disk.answer[key] == memory.answer[key], "rows on disk gave another answer"
            ratio = results.speedup([case.name], "dagwright_memory", "dagwright_disk")
            most = 1.5 if int(rows) >= LARGE else None
            yield Finding(case.name, "disk / memory seconds", ratio, "x", at_most=most)
            yield Finding(case.name, "peak memory on disk", disk.peak_mib, "MiB", at_most=4096.0)
            continue
        held = results.get(f"{search}_{LARGE}", "dagwright_memory")
        if held is not None:
            ratio = int(rows) / disk.seconds / (LARGE / held.seconds)
            note = f"against {LARGE:,} rows in memory: this many rows do not fit"
            yield Finding(case.name, "rows per second, disk / memory", ratio, "x", at_least=0.5, note=note)
            ratio = int(rows) / disk.cpu_seconds / (LARGE / held.cpu_seconds)
            yield Finding(case.name, "rows per processor second, disk / memory", ratio, "x", note=note)
