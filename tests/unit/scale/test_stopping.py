"""A call on a cluster ends when it is asked to: while workers read or count, and while there is none."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.local_cluster import local_cluster

import dagwright as dw
from dagwright.errors import NotFinishedError
from dagwright.scale import Patience, cluster_table, faults, waiting
from dagwright.scale.cluster import ClusterRows

distributed = pytest.importorskip("distributed")
pytest.importorskip("dask.dataframe")
Split = Callable[[pl.DataFrame, int], str]


def frame(rows: int = 600, n: int = 8) -> pl.DataFrame:
    draw = np.random.default_rng(5)
    columns = [draw.integers(0, 2, rows)]
    for _ in range(n - 1):
        noise = draw.random(rows) < 0.2
        columns.append(np.where(noise, draw.integers(0, 2, rows), columns[-1]))
    return pl.DataFrame({f"x{at}": column for at, column in enumerate(columns)})


class Slow:
    """A Dask dataframe of one part, which takes ``seconds`` to compute."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def to_delayed(self) -> list[Any]:
        import dask

        return [dask.delayed(waited)(self.seconds)]


def waited(seconds: float) -> Any:
    import pandas as pd

    time.sleep(seconds)
    return pd.DataFrame({"a": [0, 1] * 20, "b": [0, 1, 1, 0] * 10})


def ctrl_c_after(seconds: float) -> threading.Timer:
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_while_workers_read(client: Any) -> None:
    for options in ({"time_limit": 0.5}, {"cancel": dw.CancelToken()}):
        if "cancel" in options:
            threading.Timer(0.5, options["cancel"].cancel).start()
        began = time.monotonic()
        with pytest.raises(NotFinishedError, match="while looking at the rows, before any network was found"):
            dw.learn(Slow(20), client=client, search=dw.HillClimb(), **options)
        assert time.monotonic() - began < 5
    began, timer = time.monotonic(), ctrl_c_after(0.5)
    with pytest.raises(KeyboardInterrupt):
        dw.learn(Slow(20), client=client, search=dw.HillClimb())
    timer.join()
    assert time.monotonic() - began < 5


def stopping(monkeypatch: pytest.MonkeyPatch, batch: int, stop: Callable[[], object]) -> list[int]:
    """From this batch of counts on, ``stop`` is called while it is counted, which takes half a second."""
    whole, batches = faults.awaited, []

    def slowly(client: Any, tasks: Any, what: str, *others: Any, **options: Any) -> Any:
        if what == "counting the rows":
            batches.append(len(tasks))
            if len(batches) == batch:
                stop()
                pause = client.submit(time.sleep, 0.5, pure=False)
                whole(client, [pause], what, *others, **options)
        return whole(client, tasks, what, *others, **options)

    monkeypatch.setattr(faults, "awaited", slowly)
    return batches


@pytest.mark.parametrize("search", [dw.HillClimb(), dw.OrderSearch(), dw.GES(), dw.PC()], ids=str)
@pytest.mark.parametrize("how", ["Ctrl-C", "cancel", "time_limit"])
def test_while_workers_count(
    client: Any, split: Split, monkeypatch: pytest.MonkeyPatch, how: str, search: Any
) -> None:
    table, token = cluster_table(split(frame(), 2), client), dw.CancelToken()
    stops: dict[str, Callable[[], object]] = {
        "Ctrl-C": lambda: ctrl_c_after(0.2),
        "cancel": lambda: threading.Timer(0.2, token.cancel).start(),
        "time_limit": lambda: None,
    }
    batches = stopping(monkeypatch, 3, stops[how])
    limit = 0.3 if how == "time_limit" else None
    found = dw.learn(table, search=search, cancel=token, time_limit=limit)
    assert found.stopped == ("deadline" if how == "time_limit" else "cancelled")
    assert len(found.graph.nodes) == 8 and len(batches) <= 6


def test_ctrl_c_twice_ends_at_once(client: Any, split: Split, monkeypatch: pytest.MonkeyPatch) -> None:
    table = cluster_table(split(frame(), 2), client)

    def twice() -> None:
        ctrl_c_after(0.15)
        ctrl_c_after(0.35)

    stopping(monkeypatch, 3, twice)
    with pytest.raises(KeyboardInterrupt):
        dw.learn(table, search=dw.HillClimb())
    monkeypatch.undo()
    assert not dw.learn(table, search=dw.HillClimb()).stopped, "the cluster is as it was"


@pytest.fixture(scope="module")
def lonely() -> Iterator[Any]:
    """A cluster without workers."""
    with local_cluster(0) as connected:
        yield connected


def test_while_there_is_no_worker(lonely: Any, split: Split) -> None:
    pattern, told = split(frame(), 2), []
    options: dict[str, Any] = {"client": lonely, "search": dw.HillClimb(), "progress": told.append}
    with pytest.raises(
        NotFinishedError, match=r"the time limit .* the cluster has none for looking at the rows"
    ):
        dw.learn(pattern, time_limit=1.5, **options)
    assert {event.phase for event in told} >= {"waiting for workers"}
    token = dw.CancelToken()
    threading.Timer(0.5, token.cancel).start()
    with pytest.raises(NotFinishedError, match=r"the call was cancelled .* start some"):
        dw.bootstrap(pattern, cancel=token, client=lonely, replicates=2)
    began = time.monotonic()
    with pytest.raises(NotFinishedError):
        dw.posterior(pattern, time_limit=0.3, client=lonely)
    assert time.monotonic() - began < 5


def test_workers_that_come_later_are_waited_for(split: Split, caplog: pytest.LogCaptureFixture) -> None:
    with local_cluster(0) as client:
        caplog.set_level("WARNING", logger="dagwright")
        timer = threading.Timer(2.5, lambda: client.cluster.scale(1))
        timer.start()
        found = dw.learn(split(frame(), 2), client=client, search=dw.HillClimb())
        timer.join()
    assert "waiting for workers: the cluster has none" in caplog.text
    assert found.graph == dw.learn(frame(), search=dw.HillClimb()).graph


def test_the_rows_wait_for_workers_while_they_count(split: Split, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, asked = ClusterRows.cells, []
    with local_cluster(1) as client:
        table, fresh = (cluster_table(split(frame(), blocks), client) for blocks in (2, 3))

        def cells(self: ClusterRows, questions: Any) -> Any:
            asked.append(len(questions))
            if len(asked) == 3:
                client.cluster.scale(0)
                while client.nthreads():
                    time.sleep(0.05)
            return whole(self, questions)

        monkeypatch.setattr(ClusterRows, "cells", cells)
        began = time.monotonic()
        with pytest.raises(NotFinishedError, match="the cluster has none for counting the rows"):
            dw.learn(table, search=dw.HillClimb(), time_limit=4)
        assert time.monotonic() - began < 10
        began = time.monotonic()
        for call in (
            lambda: dw.bootstrap(table, search=dw.HillClimb(), replicates=2, time_limit=0.5),
            lambda: dw.posterior(table, time_limit=0.5),
            lambda: dw.posterior(fresh, time_limit=0.5),
            lambda: dw.learn(fresh, time_limit=0.5),
        ):
            with pytest.raises(NotFinishedError):
                call()
        assert time.monotonic() - began < 10
        client.cluster.scale(1)
        expected = dw.learn(frame(), search=dw.HillClimb())
        assert dw.learn(table, search=dw.HillClimb()).score == expected.score


def test_progress_tells_how_many_blocks_are_read(client: Any) -> None:
    told: list[dw.Event] = []
    slow = Slow(0.5)
    dw.learn(slow, client=client, search=dw.HillClimb(), progress=told.append)
    read = [event for event in told if event.phase == "looking at the rows"]
    assert read and read[0].unit == "blocks" and {event.total for event in read} == {1}
    seen: list[tuple[str, int, int]] = []
    patience = Patience(done=lambda *some: seen.append(some))
    tasks = client.map(time.sleep, [0.0, 0.4, 0.8], pure=False)
    waiting.awaited(client, tasks, "coding the rows", patience, until_stopped=True)
    assert seen and seen == sorted(seen) and {some[2] for some in seen} == {3}
    assert [some[0] for some in seen] == ["coding the rows"] * len(seen)


def test_replicates_and_restarts_end_too(client: Any, lonely: Any) -> None:
    began = time.monotonic()
    with pytest.raises(NotFinishedError, match="no replicate was finished"):
        dw.bootstrap(dw.read(frame()), client=lonely, replicates=3, time_limit=1)
    found = dw.learn(frame(), client=client, search=dw.HillClimb(restarts=100_000), time_limit=3)
    assert found.stopped == "deadline" and time.monotonic() - began < 30
