"""Workers that are lost, come late, crash, or find other files than before."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.local_cluster import local_cluster

import dagwright as dw
from dagwright.errors import DataError, OptionError
from dagwright.scale import cluster_table
from dagwright.scale.cluster import ClusterRows

distributed = pytest.importorskip("distributed")
Split = Callable[[pl.DataFrame, int], str]


def frame(rows: int = 900) -> pl.DataFrame:
    draw = np.random.default_rng(2)
    a = draw.integers(0, 3, rows)
    b = np.where(draw.random(rows) < 0.7, a, draw.integers(0, 3, rows))
    c = np.where(draw.random(rows) < 0.7, (a + b) % 2, draw.integers(0, 2, rows))
    x = draw.normal(size=rows) + a
    data = pl.DataFrame({"a": a, "b": b, "c": c, "x": x, "y": x + draw.normal(size=rows)})
    return data.with_columns(d=pl.when(pl.int_range(rows) % 90 == 0).then(None).otherwise(pl.col("c")))


def answer(found: dw.Learned) -> tuple[Any, ...]:
    return found.graph, found.score, found.evaluations, found.separations


@pytest.fixture
def own() -> Iterator[Any]:
    with local_cluster(2) as connected:
        yield connected


def kill_one(client: Any) -> None:
    victim = next(iter(client.scheduler_info()["workers"]))
    os.kill(client.run(os.getpid, workers=[victim])[victim], signal.SIGKILL)


def killing(monkeypatch: pytest.MonkeyPatch, client: Any, at: int) -> list[str]:
    """A worker is killed before this batch of counts or sums, and before the tenth after it."""
    whole, asked = ClusterRows._asked, []

    def summed(self: ClusterRows, task: Any, questions: Any, what: str) -> Any:
        asked.append(what)
        if len(asked) in (at, at + 10):
            kill_one(client)
        return whole(self, task, questions, what)

    monkeypatch.setattr(ClusterRows, "_asked", summed)
    return asked


def test_a_bootstrap_goes_on_without_a_killed_worker(
    client: Any, split: Split, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {"search": dw.HillClimb(), "replicates": 4, "columns": ["a", "b", "c"]}
    expected = dw.bootstrap(frame(), draw=dw.PoissonBootstrap(), **options)
    table = cluster_table(split(frame(), 4), client)
    asked = killing(monkeypatch, client, 5)
    assert dw.bootstrap(table, threads=1, **options).edges(0.0) == expected.edges(0.0)
    assert len(asked) > 15, "two workers were killed"
    client.wait_for_workers(2, timeout=60)


@pytest.mark.parametrize("columns", [["x", "y"], ["a", "b", "x", "y"], ["a", "b", "c", "d"]], ids=str)
def test_numbers_and_missing_rows_survive_too(
    client: Any, split: Split, monkeypatch: pytest.MonkeyPatch, columns: list[str]
) -> None:
    options: dict[str, Any] = {"search": dw.HillClimb(), "columns": columns, "score": dw.BIC()}
    expected = dw.learn(frame(), **options)
    table = cluster_table(split(frame(), 4), client)
    asked = killing(monkeypatch, client, 2)
    assert answer(dw.learn(table, **options)) == answer(expected)
    assert len(asked) >= 2
    client.wait_for_workers(2, timeout=60)


class Older(distributed.WorkerPlugin):  # type: ignore[misc,name-defined]
    """An older dagwright at workers that start after the first two."""

    def setup(self, worker: Any) -> None:
        if worker.name not in (0, 1):
            from dagwright.scale import on_worker

            on_worker.__version__ = "0.0.1"  # type: ignore[misc]


def test_a_worker_of_another_version_that_joins_later_is_refused(own: Any, split: Split) -> None:
    own.register_plugin(Older())
    table = cluster_table(split(frame(), 4), own)
    before = set(own.scheduler_info(n_workers=-1)["workers"])
    own.cluster.scale(3)
    own.wait_for_workers(3, timeout=60)
    own.retire_workers(list(before))
    with pytest.raises(OptionError, match=r"has dagwright 0\.0\.1, and this is"):
        dw.learn(table, search=dw.HillClimb())
    with pytest.raises(OptionError, match=r"has dagwright 0\.0\.1, and this is"):
        dw.bootstrap(dw.read(frame()), client=own, replicates=2)


def test_files_that_changed_during_a_run_are_noticed(own: Any, tmp_path: Path) -> None:
    for at in range(4):
        frame()[at * 200 : (at + 1) * 200].write_parquet(tmp_path / f"{at}.parquet")
    table = cluster_table(str(tmp_path / "*.parquet"), own)
    dw.learn(table.select(["a", "b"]), search=dw.HillClimb())
    for at in range(4):
        changed = frame()[at * 200 : (at + 1) * 200].with_columns(a=(pl.col("a") + 1) % 3)
        changed.write_parquet(tmp_path / f"{at}.parquet")
    kill_one(own)
    with pytest.raises(DataError, match=r"\d\.parquet was read again, .* and has other rows now; leave"):
        dw.learn(table, search=dw.HillClimb(), columns=["a", "b", "c"])


def test_errors_of_a_dataframe_name_its_part(client: Any) -> None:
    import dask

    def part(at: int) -> Any:
        if at == 1:
            raise FileNotFoundError(2, "No such file", "secret.csv")
        import pandas as pd

        return pd.DataFrame({"a": [0, 1] * 9})

    class Parts:
        def to_delayed(self) -> list[Any]:
            return [dask.delayed(part)(at) for at in range(3)]

    with pytest.raises(
        DataError, match=r"looking at part 1 of the dataframe failed: FileNotFoundError.*secret"
    ):
        dw.learn(Parts(), client=client, search=dw.HillClimb())


class CrashingCode(distributed.WorkerPlugin):  # type: ignore[misc,name-defined]
    """Coding that ends the process of the worker on a block of 23 rows; also on restarted workers."""

    def setup(self, worker: Any) -> None:  # noqa: ARG002
        from dagwright.scale.coded_block import CodedBlock

        whole = CodedBlock.of

        def of(columns: Any, weights: Any) -> Any:
            if len(columns[0]) == 23:
                os._exit(1)
            return whole(columns, weights)

        CodedBlock.of = of  # type: ignore[method-assign]


def test_a_crash_while_a_block_is_coded_names_the_block(tmp_path: Path) -> None:
    data = frame(100)
    for at, part in enumerate((data[:40], data[40:63], data[63:])):
        part.write_parquet(tmp_path / f"{at}.parquet")
    with local_cluster(1, **{"distributed.scheduler.allowed-failures": 0}) as client:
        client.register_plugin(CrashingCode())
        with pytest.raises(DataError, match=r"coding 1\.parquet killed several workers"):
            cluster_table(str(tmp_path / "*.parquet"), client)


def test_damaged_pages_name_file_and_row(client: Any, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    draw = np.random.default_rng(0)
    data = pl.DataFrame({"a": draw.integers(0, 5, 400_000), "x": draw.normal(size=400_000)})
    data.write_parquet(path, row_group_size=40_000, compression="zstd")
    content = bytearray(path.read_bytes())
    half = len(content) // 2
    content[half : half + 2000] = bytes(2000)
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"rows\.parquet cannot be read beyond row \d+,\d+"):
        cluster_table(path, client)


def test_a_checkpoint_goes_from_one_division_to_another_and_refuses_other_rows(
    client: Any, split: Split, tmp_path: Path
) -> None:
    data, path = frame().select("a", "b", "c"), tmp_path / "run.dwc"
    options: dict[str, Any] = {"search": dw.HillClimb(), "score": dw.BIC(), "checkpoint": path}
    first = cluster_table(split(data, 3), client)
    expected = answer(dw.learn(first, **options))
    again = cluster_table(split(data, 5), client)
    assert answer(dw.learn(again, **options)) == expected
    assert again.source.sets < first.source.sets
    kept = path.read_bytes()
    for other in (data.reverse(), data.with_columns(a=(pl.col("a") + 1) % 3), data[1:]):
        with pytest.raises(OptionError, match=r"checkpoint|other data"):
            dw.learn(split(other, 6 + other.height % 2 + int(other["a"][0])), client=client, **options)
    assert path.read_bytes() == kept


def test_replicates_of_a_lost_scheduler_resume_elsewhere(client: Any, tmp_path: Path) -> None:
    path = tmp_path / "replicates.dwc"
    options: dict[str, Any] = {
        "search": dw.HillClimb(),
        "replicates": 60,
        "columns": ["a", "b", "c"],
        "checkpoint": path,
    }
    with local_cluster(1, **{"distributed.comm.timeouts.connect": "3s"}) as lost:
        lost._timeout = 1

        def told(event: dw.Event) -> None:
            if event.phase == "resampling" and event.done == 5:
                lost.cluster.sync(lost.cluster.scheduler.close)

        began = time.monotonic()
        with pytest.raises(DataError, match=r"scheduler of the cluster was lost while learning replicates"):
            dw.bootstrap(dw.read(frame()), client=lost, progress=told, **options)
        assert time.monotonic() - began < 60
    done: list[int] = []
    found = dw.bootstrap(
        dw.read(frame()), client=client, progress=lambda event: done.append(event.done), **options
    )
    expected = dw.bootstrap(dw.read(frame()), **{**options, "checkpoint": None})
    assert found.edges(0.0) == expected.edges(0.0)
    assert done[0] > 1, "the replicates of the first run were learned again"
