"""Moments of numbers: rows on disk, and rows that are made block by block and never held."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.memory import AnonymousMemory
from bench.task import Case, Clock, Finding, Options, Results, SkipTaskError

BAR = "moments at least a third as fast as X.T @ X on one thread, within 2 GiB, the same bits for any split"
PEERS = ("dagwright_disk", "dagwright_blocks", "dagwright_other_blocks", "numpy")
COLUMNS = 50
NUMBERS = "DAGWRIGHT_BENCH_NUMBERS"
"""The environment variable that lists the numbers of rows; 10^7 take 8 GB of disk."""
LARGE = 10_000_000
"""More rows than this are not written to disk but made block by block."""
BLOCK = 100_000


def cases(options: Options) -> Iterable[Case]:
    usual = "1e5" if options.quick else "1e6"
    for rows in (int(float(text)) for text in os.environ.get(NUMBERS, usual).split(",")):
        on_disk = rows <= LARGE
        needed = 2 * 8 * COLUMNS * rows
        if on_disk and shutil.disk_usage(tempfile.gettempdir()).free < 1.2 * needed:
            raise SkipTaskError(f"{rows:,} rows need {needed / 1e9:.1f} GB of disk")
        peers = PEERS if on_disk else PEERS[1:]
        yield Case(f"{rows}x{COLUMNS}", {"rows": rows}, peers=peers, repeats=1, timeout=7200)


def block(number: int, rows: int) -> Any:
    """Rows of a chain of columns; the same for the same number."""
    import numpy as np

    draw = np.random.default_rng([7, number])
    return np.ascontiguousarray(np.cumsum(draw.normal(size=(COLUMNS, rows)), axis=0) * 0.3)


def summary(matrix: Any) -> list[float]:
    import math

    return [float(matrix.N), math.fsum(matrix.covariance.ravel().tolist()), math.fsum(matrix.means.tolist())]


def by_blocks(arguments: dict[str, Any], clock: Clock, parts: int) -> list[float]:
    """Each block is made, put on fixed grids and added; ``parts`` of a block are added one by one."""
    import numpy as np

    from dagwright import _core

    grids = [_core.Grid(-40.0, 40.0)] * COLUMNS
    sums = _core.MomentBlocks(grids)
    for number in range(arguments["rows"] // BLOCK):
        columns = block(number, BLOCK)
        for part in np.array_split(np.arange(BLOCK), parts):
            own = [[np.ascontiguousarray(column[part[0] : part[-1] + 1])] for column in columns]
            table = _core.MixedTable.from_columns(own, [None] * COLUMNS, len(part))
            with clock:
                sums.add(table, 1)
    return summary(sums.matrix())


def run_dagwright_blocks(arguments: dict[str, Any], clock: Clock) -> list[float]:
    return by_blocks(arguments, clock, 1)


def run_dagwright_other_blocks(arguments: dict[str, Any], clock: Clock) -> list[float]:
    return by_blocks(arguments, clock, 3)


def run_dagwright_disk(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    import polars as pl

    import dagwright as dw

    with tempfile.TemporaryDirectory(prefix="dagwright-bench-") as name:
        folder = Path(name)
        for number in range(arguments["rows"] // BLOCK):
            columns = {f"x{at}": column for at, column in enumerate(block(number, BLOCK))}
            pl.DataFrame(columns).write_parquet(folder / f"{number:04d}.parquet")
        with AnonymousMemory() as memory:
            table = dw.read(f"{folder}/*.parquet", engine="disk", into=folder / "columns", memory_mib=1024)
            with clock:
                matrix = table.moments(1).matrix
    return {"moments": summary(matrix), "anonymous_mib": memory.mib}


def run_numpy(arguments: dict[str, Any], clock: Clock) -> list[float]:
    """X.T @ X in double precision on one thread; the library of NumPy reads that when it is loaded."""
    os.environ.update(dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1"))
    import numpy as np

    total = np.zeros((COLUMNS, COLUMNS))
    for number in range(arguments["rows"] // BLOCK):
        columns = block(number, BLOCK)
        with clock:
            total += columns @ columns.T
    return [float(total.sum())]


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        one, other = (results.get(case.name, peer) for peer in PEERS[1:3])
        if one is not None and other is not None:
            assert one.answer == other.answer, "another split gave other bits"
        for peer in PEERS[:2]:
            found = results.get(case.name, peer)
            if found is None:
                continue
            ratio = results.speedup([case.name], peer, "numpy", "cpu_seconds")
            yield Finding(case.name, f"{peer}: speed of X.T @ X", ratio, "x", at_least=1 / 3)
            if peer == "dagwright_disk":
                memory = found.answer["anonymous_mib"]
                yield Finding(case.name, f"{peer}: anonymous memory", memory, "MiB", at_most=2048.0)
                note = "with the files that it maps"
                yield Finding(case.name, f"{peer}: peak memory", found.peak_mib, "MiB", note=note)
            else:
                yield Finding(case.name, f"{peer}: peak memory", found.peak_mib, "MiB", at_most=2048.0)
