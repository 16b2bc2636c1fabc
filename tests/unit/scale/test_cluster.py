"""Rows on a Dask cluster: the same answer as in memory, also when a worker is killed in the middle."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import dagwright as dw
from dagwright.errors import DagwrightError, DataError, OptionError
from dagwright.scale import cluster_table, on_worker
from dagwright.scale.cluster import ClusterRows
from dagwright.scale.packed_cells import PackedCells

Split = Callable[[pl.DataFrame, int], str]


def frame(rows: int = 3000) -> pl.DataFrame:
    random = np.random.default_rng(2)
    a = random.integers(0, 3, rows)
    b = np.where(random.random(rows) < 0.7, a, random.integers(0, 3, rows))
    c = np.where(random.random(rows) < 0.7, (a + b) % 2, random.integers(0, 2, rows))
    d = np.where(random.random(rows) < 0.8, c, random.integers(0, 2, rows))
    e = random.integers(0, 4, rows)
    letters = np.array(list("xyzw"))
    return pl.DataFrame({"a": letters[a], "b": letters[b], "c": c, "d": d, "e": letters[e]})


def answer(found: dw.Learned) -> tuple[Any, ...]:
    return found.graph, found.score, found.evaluations


SEARCHES: list[dict[str, Any]] = [
    {"search": dw.HillClimb()},
    {"search": dw.GES(), "score": dw.BDeu(ess=2)},
    {"search": dw.PC()},
    {"search": dw.OrderSearch()},
]


@pytest.mark.parametrize("blocks", [1, 2, 7, 64])
def test_the_same_answer_for_any_number_of_blocks(client: Any, split: Split, blocks: int) -> None:
    data = frame()
    memory = dw.read(data)
    table = cluster_table(split(data, blocks), client)
    assert table.schema == memory.schema
    assert (table.n_rows, table.N, table.missing) == (memory.n_rows, memory.N, memory.missing)
    for options in SEARCHES if blocks == 7 else SEARCHES[:1]:
        assert answer(dw.learn(table, **options)) == answer(dw.learn(memory, **options)), options


def test_dataframes_and_paths_go_to_learn(client: Any, split: Split) -> None:
    dask_frames = pytest.importorskip("dask.dataframe")
    pandas = pytest.importorskip("pandas")
    data = frame()
    expected = answer(dw.learn(data, search=dw.HillClimb()))
    pattern = split(data, 3)
    assert answer(dw.learn(pattern, client=client, search=dw.HillClimb())) == expected
    rows = dask_frames.from_pandas(pandas.DataFrame(data.to_dict(as_series=False)), npartitions=4)
    assert answer(dw.learn(rows, client=client, search=dw.HillClimb())) == expected
    with pytest.raises(OptionError, match="goes with a Dask dataframe"):
        dw.learn({"a": [1]}, client=client)


@pytest.mark.parametrize("options", SEARCHES, ids=str)
def test_a_killed_worker_changes_nothing(
    client: Any, split: Split, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = frame()
    expected = answer(dw.learn(data, **options))
    table = cluster_table(split(data, 4), client)
    whole, asked = ClusterRows.cells, []

    def cells(self: ClusterRows, questions: Any) -> Any:
        asked.append(len(questions))
        if len(asked) == 4:
            victim = next(iter(client.scheduler_info()["workers"]))
            os.kill(client.run(os.getpid, workers=[victim])[victim], signal.SIGKILL)
        return whole(self, questions)

    monkeypatch.setattr(ClusterRows, "cells", cells)
    assert answer(dw.learn(table, **options)) == expected
    assert len(asked) >= 4
    client.wait_for_workers(2, timeout=60)


def test_a_batch_is_one_message_and_one_task_for_each_worker(
    client: Any, split: Split, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = cluster_table(split(frame(), 7), client).source
    source.cells([((), ())])
    assert sorted(at for group in source.groups() for at in group.members) == list(range(7))
    graphs: list[int] = []
    whole = client._graph_to_futures

    def sent(expr: Any, keys: Any, *others: Any, **options: Any) -> Any:
        graphs.append(len(keys))
        return whole(expr, keys, *others, **options)

    monkeypatch.setattr(client, "_graph_to_futures", sent)
    for refused in ("who_has", "nthreads", "scheduler_info"):
        monkeypatch.setattr(client, refused, None)
    (_, counts), (states, _) = source.cells([((), ()), ((0, 1), ())])
    assert counts.tolist() == [3000] and states.shape[1] == 2
    assert graphs == [len(source.groups())]


def test_what_a_search_asks_at_once_may_be_several_batches(
    client: Any, split: Split, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = answer(dw.learn(frame(), search=dw.PC()))
    monkeypatch.setattr("dagwright.scale.cluster.SETS", 3)
    asked: list[int] = []
    whole = ClusterRows.cells

    def cells(self: ClusterRows, questions: Any) -> Any:
        asked.append(len(questions))
        return whole(self, questions)

    monkeypatch.setattr(ClusterRows, "cells", cells)
    table = cluster_table(split(frame(), 2), client)
    assert answer(dw.learn(table, search=dw.PC())) == expected
    assert table.source.sets == sum(asked) and table.source.batches == sum(-(-one // 3) for one in asked)
    assert table.source.batches > len(asked)


def test_answers_of_many_workers_are_added_as_a_tree(
    client: Any, split: Split, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = cluster_table(split(frame(), 9), client)
    source, joins = table.source, []
    groups = [source._group(None, [at]) for at in range(9)]  # as of nine workers
    monkeypatch.setattr("dagwright.scale.cluster.BRANCHES", 2)
    monkeypatch.setattr(source, "groups", lambda: groups)
    whole = client.map

    def mapped(task: Any, *inputs: Any, **options: Any) -> Any:
        joins.append((task.__name__, len(inputs[0])))
        return whole(task, *inputs, **options)

    monkeypatch.setattr(client, "map", mapped)
    (_, counts), *_ = source.cells([((), ())])
    assert counts.tolist() == [3000]
    assert joins == [("answers", 9), ("joined", 5), ("joined", 3), ("joined", 2)]


def test_the_bootstrap_does_not_depend_on_the_split(client: Any, split: Split) -> None:
    data = frame(1000)
    options: dict[str, Any] = {"search": dw.HillClimb(), "replicates": 4, "random_state": 1}
    expected = dw.bootstrap(data, draw=dw.PoissonBootstrap(), **options)
    for blocks in (1, 3):
        table = cluster_table(split(data, blocks), client)
        assert dw.bootstrap(table, threads=1, **options).edges(0.0) == expected.edges(0.0)


def test_functions_that_count_give_what_they_give_in_memory(client: Any, split: Split) -> None:
    memory, table = dw.read(frame()), cluster_table(split(frame(), 3), client)
    graph = dw.learn(memory, search=dw.HillClimb()).dag
    calls: list[Callable[[dw.Table], Any]] = [
        lambda rows: dw.solve(dw.candidates(rows)).score,
        lambda rows: dw.rivals(rows, 3).networks,
        lambda rows: dw.posterior(rows).log_evidence,
        lambda rows: dw.blanket(rows, "a").members,
        lambda rows: dw.score(graph, rows, dw.BDeu()).by_node,
        lambda rows: dw.independence_test(rows, "a", "d", ["c"]),
        lambda rows: dw.fit(graph, rows),
        lambda rows: dw.mutual_information(rows, "a", "b"),
    ]
    for call in calls:
        assert call(table) == call(memory)


def test_a_poisoned_block_is_named(client: Any, split: Split, tmp_path: Path) -> None:
    pattern = split(frame(), 3)
    os.truncate(tmp_path / "in3" / "01.parquet", 300)
    with pytest.raises(DataError, match=r"01\.parquet cannot be read"):
        cluster_table(pattern, client)
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "0.csv").write_text("a,b\n1,2\n3,4\n")
    (tmp_path / "rows" / "1.csv").write_text("a,b\n1,2\n3\n")
    with pytest.raises(DagwrightError, match=r"1\.csv.*line 3"):
        cluster_table(str(tmp_path / "rows" / "*.csv"), client)


def test_other_versions_are_refused(client: Any, split: Split, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dagwright.scale.faults.__version__", "0.0.0")
    with pytest.raises(OptionError, match=r"has dagwright .*, and this is 0\.0\.0"):
        cluster_table(split(frame(), 1), client)


def test_cells_add_up_in_any_order() -> None:
    one = (np.array([[0, 1], [1, 0]], dtype=np.uint32), np.array([3, 4], dtype=np.uint64))
    other = (np.array([[0, 0], [1, 0]], dtype=np.uint32), np.array([5, 300], dtype=np.uint64))
    none = (np.empty((0, 2), dtype=np.uint32), np.empty(0, dtype=np.uint64))
    total = (np.empty((1, 0), dtype=np.uint32), np.array([2**40], dtype=np.uint64))
    parts = [PackedCells.of([one, other, none, total]), PackedCells.of([other, other, one, total])]
    for order in (parts, parts[::-1], [parts[0], parts[1].like(), parts[1]]):
        cells = on_worker.merged(order).unpacked()
        assert all(codes.dtype == np.uint32 and counts.dtype == np.uint64 for codes, counts in cells)
        assert [codes.tolist() for codes, _ in cells] == [
            [[0, 0], [0, 1], [1, 0]],
            [[0, 0], [1, 0]],
            [[0, 1], [1, 0]],
            [[]],
        ]
        assert [counts.tolist() for _, counts in cells] == [[5, 3, 304], [10, 600], [3, 4], [2**41]]
    assert parts[0].unpacked()[1][1].tolist() == [5, 300], "a result of another task was changed"
