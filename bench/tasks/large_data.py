"""Rows on disk against rows in memory: hill climbing on samples of alarm, and the memory it takes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results, SkipTaskError

BAR = "on disk, hill climbing and PC take at most 1.5 times the time in memory at 10^7 rows, within 4 GiB"
PEERS = ("dagwright_disk", "dagwright_memory")
CHUNK = 1_000_000
LARGE = 10_000_000
"""The bar begins here."""
ROWS = "DAGWRIGHT_BENCH_ROWS"
"""The environment variable that lists the numbers of rows; 10^8 rows need 12 GB of free disk."""


def cases(options: Options) -> Iterable[Case]:
    import shutil

    usual = "2e5" if options.quick else "1e5,1e6,1e7"
    for rows in (int(float(text)) for text in os.environ.get(ROWS, usual).split(",")):
        if shutil.disk_usage(tempfile.gettempdir()).free < 120 * rows:
            raise SkipTaskError(f"{rows:,} rows need {120 * rows / 1e9:.1f} GB of disk")
        folder = drawn(rows)
        for search in ("HillClimb", "PC"):
            yield Case(f"{search}_{rows}", {"folder": folder, "search": search}, repeats=1, timeout=7200)


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


def learned(table: Any, search: str, clock: Clock) -> list[Any]:
    import dagwright as dw

    with clock:
        found = dw.learn(table, search=getattr(dw, search)())
    return [str(found.graph), found.score]


def run_dagwright_disk(arguments: dict[str, Any], clock: Clock) -> list[Any]:
    import dagwright as dw

    folder = Path(arguments["folder"])
    table = dw.read(f"{folder}/*.parquet", engine="disk", into=folder / "columns")
    return learned(table, arguments["search"], clock)


def run_dagwright_memory(arguments: dict[str, Any], clock: Clock) -> list[Any]:
    import polars as pl

    import dagwright as dw

    table = dw.read(pl.read_parquet(f"{arguments['folder']}/*.parquet"))
    return learned(table, arguments["search"], clock)


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        disk, memory = (results.get(case.name, peer) for peer in PEERS)
        if disk is None or memory is None:
            continue
        assert disk.answer == memory.answer, "rows on disk gave another answer"
        ratio = results.speedup([case.name], "dagwright_memory", "dagwright_disk")
        many = int(case.name.split("_")[1]) >= LARGE
        yield Finding(case.name, "disk / memory seconds", ratio, "x", at_most=1.5 if many else None)
        yield Finding(case.name, "peak memory on disk", disk.peak_mib, "MiB", at_most=4096.0)
