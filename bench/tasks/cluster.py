"""A Dask cluster of two workers against two threads, and against queries that a user would write."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.large_data import LARGE, ROWS, drawn

BAR = (
    "two workers take at most 1.5 times as long as two threads, 25 ms for a batch in the median; "
    "GROUP BY in DuckDB for each family takes at least 20 times as long"
)
PEERS = ("dagwright_dask", "dagwright_memory", "duckdb_families")
TASKS = 300
"""Empty tasks that are submitted at once, to see what client and scheduler take for each: they share the
process that is measured, and workers have their own."""
PROBED = 40
"""Families that DuckDB counts; hill climbing asks for more, and the time is scaled to them."""


def cases(options: Options) -> Iterable[Case]:
    rows = int(float(os.environ.get(ROWS, 200_000 if options.quick else LARGE)))
    yield Case(f"alarm_{rows}", {"folder": drawn(rows)}, repeats=1, timeout=3600)


def as_answer(found: Any) -> list[Any]:
    return [sorted(map(list, found.graph.edges)), found.score]


def run_dagwright_dask(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    from distributed import Client, LocalCluster

    import dagwright as dw
    from dagwright.scale import ClusterRows, cluster_table

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", memory_limit=0
        ) as cluster,
        Client(cluster) as client,
    ):
        table = cluster_table(f"{arguments['folder']}/*.parquet", client)
        with clock:
            found = dw.learn(table, search=dw.HillClimb())
        source = table.source
        assert isinstance(source, ClusterRows)
        empty: list[float] = []
        for _ in range(20):  # batches that count nothing: what a batch costs beside counting
            began = time.perf_counter()
            source.cells([((), ())])
            empty.append(time.perf_counter() - began)
        each: list[float] = []
        for _ in range(5):
            began = time.process_time()
            client.gather(client.map(len, [()] * TASKS, pure=False))
            each.append((time.process_time() - began) / TASKS)
    return {
        "found": as_answer(found),
        "batches": source.batches,
        "bytes": source.bytes_moved,
        "overhead": statistics.median(empty),
        "task": statistics.median(each),
    }


def run_dagwright_memory(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    import polars as pl

    import dagwright as dw

    table = dw.read(pl.read_parquet(f"{arguments['folder']}/*.parquet"))
    with clock:
        found = dw.learn(table, search=dw.HillClimb(), threads=2)
    return {"found": as_answer(found), "families": found.evaluations}


def run_duckdb_families(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    """A GROUP BY for each family, over Parquet files: what counts of families cost without an engine."""
    import itertools

    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    files = f"read_parquet('{arguments['folder']}/*.parquet')"
    names = [row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM {files}").fetchall()]
    pairs = list(itertools.islice(itertools.combinations(names, 2), PROBED))
    with clock:
        for pair in pairs:
            columns = ", ".join(f'"{name}"' for name in pair)
            connection.execute(f"SELECT {columns}, count(*) FROM {files} GROUP BY {columns}").fetchall()
    return {"families": len(pairs)}


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        dask, memory, duck = (results.get(case.name, peer) for peer in PEERS)
        if dask is None or memory is None:
            continue
        assert dask.answer["found"] == memory.answer["found"], "the cluster gave another answer"
        yield Finding(case.name, "cluster / memory seconds", dask.seconds / memory.seconds, "x", at_most=1.5)
        yield Finding(case.name, "overhead of a batch", 1e3 * dask.answer["overhead"], "ms", at_most=25.0)
        yield Finding(case.name, "an empty task", 1e3 * dask.answer["task"], "ms")
        yield Finding(case.name, "batches", dask.answer["batches"], "")
        yield Finding(case.name, "bytes from the workers", dask.answer["bytes"] / 2**20, "MiB")
        if duck is not None:
            whole = duck.seconds / duck.answer["families"] * memory.answer["families"]
            note = (
                f"{duck.answer['families']} pairs counted, scaled to {memory.answer['families']:,} families"
            )
            yield Finding(
                case.name, "GROUP BY / cluster seconds", whole / dask.seconds, "x", at_least=20.0, note=note
            )
