"""What goes wrong on a cluster is said in words, and a run goes on from its checkpoint elsewhere."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.local_cluster import local_cluster

import dagwright as dw
from dagwright.data.chunk_sizes import Sizes
from dagwright.data.chunks import Wanted
from dagwright.data.listing import Listed
from dagwright.data.plan import Coding
from dagwright.data.sources import Opening
from dagwright.errors import DataError
from dagwright.scale import cluster_table, on_worker
from dagwright.scale.cluster import ClusterRows
from dagwright.scale.parts import Part

distributed = pytest.importorskip("distributed")
Split = Callable[[pl.DataFrame, int], str]


def frame(rows: int = 1500) -> pl.DataFrame:
    draw = np.random.default_rng(2)
    a = draw.integers(0, 3, rows)
    b = np.where(draw.random(rows) < 0.7, a, draw.integers(0, 3, rows))
    c = np.where(draw.random(rows) < 0.7, (a + b) % 2, draw.integers(0, 2, rows))
    return pl.DataFrame({"a": a, "b": b, "c": c, "d": np.where(draw.random(rows) < 0.8, c, 1 - c)})


def answer(found: dw.Learned) -> tuple[Any, ...]:
    return found.graph, found.score, found.evaluations


def started(part: str, *options: str) -> subprocess.Popen[bytes]:
    """A scheduler or a worker in a process of its own."""
    line = [sys.executable, "-m", f"distributed.cli.dask_{part}", *options]
    return subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture
def doomed(tmp_path: Path) -> Iterator[tuple[Any, int]]:
    """A client of a scheduler in a process of its own, and the number of that process."""
    file = tmp_path / "scheduler.json"
    here = ["--scheduler-file", str(file), "--no-dashboard"]
    scheduler = started("scheduler", "--host", "127.0.0.1", "--port", "0", *here)
    worker = started("worker", "--nthreads", "1", "--no-nanny", "--memory-limit", "0", *here)
    try:
        until = time.monotonic() + 60
        while not file.exists() and time.monotonic() < until:
            time.sleep(0.02)
        with distributed.Client(scheduler_file=str(file), timeout=20) as client:
            client.wait_for_workers(1, timeout=60)
            client._timeout = 1
            yield client, scheduler.pid
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()


def test_a_lost_scheduler_is_said_and_the_checkpoint_goes_on_elsewhere(
    doomed: tuple[Any, int], client: Any, split: Split, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost, process = doomed
    pattern, path = split(frame(), 3), tmp_path / "run.dwc"
    options: dict[str, Any] = {"search": dw.HillClimb(), "score": dw.BIC(), "checkpoint": path}
    whole, asked = ClusterRows.cells, []

    def cells(self: ClusterRows, questions: Any) -> Any:
        asked.append(len(questions))
        if len(asked) == 4:
            os.kill(process, signal.SIGKILL)
        return whole(self, questions)

    with monkeypatch.context() as patch:
        patch.setattr(ClusterRows, "cells", cells)
        words = r"scheduler of the cluster was lost while counting the rows \([^<>()]*\); .*checkpoint"
        with pytest.raises(DataError, match=words):
            dw.learn(pattern, client=lost, **options)
    table = cluster_table(pattern, client)
    assert answer(dw.learn(table, **options)) == answer(
        dw.learn(frame(), search=dw.HillClimb(), score=dw.BIC())
    )
    fresh = cluster_table(pattern, client)
    dw.learn(fresh, search=dw.HillClimb(), score=dw.BIC())
    assert table.source.sets < fresh.source.sets, "the sets of the first run were counted again"


def test_a_kernel_that_crashes_workers_is_reported_with_its_block(tmp_path: Path) -> None:
    from distributed.diagnostics.plugin import WorkerPlugin

    class Crashing(WorkerPlugin):  # type: ignore[misc]
        """Counting that ends the process of the worker on a block of 23 rows; also on restarted workers."""

        def setup(self, worker: Any) -> None:  # noqa: ARG002
            from dagwright.scale import on_worker

            count = on_worker.answers

            def answers(held: Any, *others: Any) -> Any:
                if any(block.facts.n_rows == 23 for block in held.blocks):
                    os._exit(1)
                return count(held, *others)

            on_worker.answers = answers

    data = frame(100)
    for at, part in enumerate((data[:40], data[40:63], data[63:])):
        part.write_parquet(tmp_path / f"{at}.parquet")
    with local_cluster(1, **{"distributed.scheduler.allowed-failures": 0}) as client:
        client.register_plugin(Crashing())
        table = cluster_table(str(tmp_path / "*.parquet"), client)
        with pytest.raises(DataError, match=r"counting 1\.parquet killed several workers"):
            dw.learn(table, search=dw.HillClimb())


def test_an_unknown_state_names_file_and_row(tmp_path: Path) -> None:
    path = tmp_path / "late.parquet"
    pl.DataFrame({"a": ["x", "y", "z"]}).write_parquet(path)
    schema = dw.read({"a": ["x", "y"]}).schema
    part = Part(path.name, Listed(path), 1, 2, "parquet")
    wanted = Wanted(Opening(), Coding(), Sizes.of(None))
    with pytest.raises(DataError, match=r"late\.parquet: column 'a', row 2 .*unknown state 'z'"):
        on_worker.coded(part, None, wanted, schema.entries())


def test_replicates_are_spread_over_the_cluster(client: Any) -> None:
    options: dict[str, Any] = {"search": dw.HillClimb(), "replicates": 5, "random_state": 3}
    expected = dw.bootstrap(frame(), **options)
    found = dw.bootstrap(frame(), client=client, **options)
    assert found.edges(0.0) == expected.edges(0.0)
    assert found.source == expected.source


def test_progress_tells_the_traffic(client: Any, split: Split) -> None:
    told: list[dw.Event] = []
    dw.learn(split(frame(), 2), client=client, search=dw.HillClimb(), progress=told.append)
    batches = [event for event in told if event.phase == "counting"]
    assert [event.done for event in batches] == list(range(1, len(batches) + 1))
    last = batches[-1].traffic
    assert last is not None and last.workers == 2 and last.bytes_moved > 0 and last.rows_per_second > 0
    # A slow machine also tells of blocks that are read, before anything is counted.
    assert all(event.traffic is not None for event in told if event.unit != "blocks")


def test_the_forecast_measures_the_cluster(client: Any, split: Split) -> None:
    draw = np.random.default_rng(1)
    data = pl.DataFrame({f"x{at}": draw.integers(0, 2, 1000) for at in range(30)})
    found = dw.forecast(split(data, 2), client=client, search=dw.HillClimb(), score=dw.BIC())
    here = dw.forecast(data, search=dw.HillClimb(), score=dw.BIC())
    assert found.evaluations == here.evaluations
    assert (here.network_bytes, here.worker_bytes) == (0, 0)
    assert here.step_seconds > 0 and found.step_seconds > 0
    # at least a set of three variables with two states each, counts of 8 bytes
    assert found.network_bytes >= found.evaluations * 8 * 8
    assert found.worker_bytes >= 500 * 30, "half of the rows, a byte for each cell"
    assert "over the network" in str(found)


@pytest.mark.parametrize("n", [2, 5, 12])
def test_a_forecast_counts_anew_and_knows_the_wait_for_batches(
    client: Any, split: Callable[[pl.DataFrame, int], str], monkeypatch: pytest.MonkeyPatch, n: int
) -> None:
    draw = np.random.default_rng(0)
    table = cluster_table(
        split(pl.DataFrame({f"v{at}": draw.integers(0, 2, 300) for at in range(n)}), 2), client
    )
    asked = table.source.cells

    def slowly(questions: Any) -> Any:
        time.sleep(0.05)
        return asked(questions)

    monkeypatch.setattr(table.source, "cells", slowly)
    for _ in range(2):
        found = dw.forecast(table, search=dw.HillClimb())
        assert found.step_seconds > 0.05
        assert found.seconds > 0.05 * found.evaluations / n > 0.05
