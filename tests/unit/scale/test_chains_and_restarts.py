"""Chains and restarts on the workers of a cluster: the same answer as in this process."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.local_cluster import local_cluster

import dagwright as dw
from dagwright import _core
from dagwright.confidence import sampling
from dagwright.confidence.spread_chains import _Walks
from dagwright.errors import OptionError
from dagwright.search.restarts import best_run, runs_apart

pytest.importorskip("distributed")
Split = Callable[[pl.DataFrame, int], str]
SAMPLERS = [dw.OrderMCMC, dw.PartitionMCMC, dw.StructureMCMC]


def frame(rows: int = 400, n: int = 9) -> pl.DataFrame:
    """Noisy copies of sums of others: many local maxima."""
    draw = np.random.default_rng(5)
    columns = [draw.integers(0, 2, rows) for _ in range(3)]
    for at in range(3, n):
        parents = draw.choice(at, 2, replace=False)
        noise = draw.random(rows) < 0.25
        columns.append(np.where(noise, draw.integers(0, 2, rows), columns[parents[0]] ^ columns[parents[1]]))
    return pl.DataFrame({f"x{at}": column for at, column in enumerate(columns)})


def seen(found: Any) -> tuple[Any, ...]:
    """All that chains tell; equal where it is the same bits."""
    samples = found.samples
    return (
        samples.names,
        samples.log_weights.tobytes(),
        samples.networks.tobytes(),
        found.confidence.edges(0.0),
        found.confidence.source,
        found.diagnostics,
        found.evaluations,
        found.warnings,
    )


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_chains_on_workers_are_those_of_this_process(client: Any, sampler: Any) -> None:
    options: dict[str, Any] = {"method": sampler(samples=60, chains=3), "random_state": 7}
    assert seen(dw.posterior(frame(), client=client, **options)) == seen(dw.posterior(frame(), **options))


def test_rows_on_the_cluster_and_chains_too(client: Any, split: Split) -> None:
    options: dict[str, Any] = {"method": dw.PartitionMCMC(samples=20, chains=2)}
    expected = dw.posterior(frame(), **options)
    assert seen(dw.posterior(split(frame(), 3), client=client, **options)) == seen(expected)
    assert dw.posterior(split(frame(400, 4), 2), client=client).dags == dw.posterior(frame(400, 4)).dags


def test_required_edges_reach_the_workers(client: Any) -> None:
    options: dict[str, Any] = {
        "method": dw.OrderMCMC(samples=20, chains=2),
        "knowledge": {"required": ["x0 -- x8", "x1 -> x2"]},
    }
    assert seen(dw.posterior(frame(), client=client, **options)) == seen(dw.posterior(frame(), **options))


def test_a_checkpoint_goes_from_here_to_the_cluster_and_back(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, method = tmp_path / "chains.dwc", dw.PartitionMCMC(samples=40, chains=2)
    expected = seen(dw.posterior(frame(), method=method))
    monkeypatch.setattr(sampling, "BLOCK_SECONDS", 0.0)
    monkeypatch.setattr(sampling, "SAVING", 0.0)
    token, blocks = dw.CancelToken(), []

    def stop(event: dw.Event) -> None:
        blocks.append(event.phase)
        if blocks.count("sampling networks") == 15:
            token.cancel()

    part = dw.posterior(frame(), method=method, checkpoint=path, client=client, progress=stop, cancel=token)
    assert part.stopped == "cancelled" and part.samples.per_chain == 15
    assert seen(dw.posterior(frame(), method=method, checkpoint=path)) == expected
    assert seen(dw.posterior(frame(), method=method, checkpoint=path, client=client)) == expected


def test_a_time_limit_ends_chains_on_workers(client: Any) -> None:
    # Long enough for the families to be scored on a busy machine, and no burn-in to be stopped in.
    method = dw.PartitionMCMC(samples=1_000_000, chains=2, burn_in=0)
    began = time.monotonic()
    found = dw.posterior(frame(), method=method, client=client, time_limit=8.0)
    assert found.stopped == "deadline" and found.samples.per_chain >= 4
    assert time.monotonic() - began < 40


def test_restarts_on_workers_are_those_of_this_process(client: Any) -> None:
    for search in (dw.HillClimb(restarts=6), dw.HillClimb(restarts=3, start="random", max_parents=2)):
        options: dict[str, Any] = {"search": search, "score": dw.BIC(), "random_state": 4}
        expected = dw.learn(frame(), **options)
        found = dw.learn(frame(), client=client, **options)
        for name in ("graph", "dag", "score", "trace", "seed", "stopped", "warnings", "notes", "data"):
            assert getattr(found, name) == getattr(expected, name), name


def test_the_best_of_the_restarts_is_not_always_the_first() -> None:
    found = dw.learn(frame(), search=dw.HillClimb(restarts=6), score=dw.BIC(), random_state=4)
    assert found.score > dw.learn(frame(), search=dw.HillClimb(), score=dw.BIC()).score


def test_each_restart_tells_of_the_best_so_far(client: Any) -> None:
    told: list[dw.Event] = []
    found = dw.learn(frame(), search=dw.HillClimb(restarts=4), client=client, progress=told.append)
    restarts = [event for event in told if event.phase == "restarts"]
    assert [event.done for event in restarts] == [1, 2, 3, 4, 5] and restarts[-1].total == 5
    assert restarts[-1].best == found.score


@pytest.fixture
def own_cluster() -> Iterator[Any]:
    with local_cluster(2) as connected:
        yield connected


def test_killed_workers_change_no_chain_and_no_restart(
    own_cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    method, search = dw.PartitionMCMC(samples=400, chains=3), dw.HillClimb(restarts=30)
    expected = seen(dw.posterior(frame(), method=method))
    climbed = dw.learn(frame(), search=search, score=dw.BIC())
    monkeypatch.setattr(sampling, "BLOCK_SECONDS", 0.2)
    kills: list[str] = []

    def kill(event: dw.Event) -> None:
        if event.phase not in ("sampling networks", "restarts") or event.phase in kills:
            return
        kills.append(event.phase)
        os.kill(next(iter(own_cluster.cluster.workers.values())).pid, signal.SIGKILL)

    found = dw.posterior(frame(), method=method, client=own_cluster, progress=kill)
    assert seen(found) == expected
    again = dw.learn(frame(), search=search, score=dw.BIC(), client=own_cluster, progress=kill)
    assert kills == ["sampling networks", "restarts"]
    assert (again.graph, again.score, again.trace) == (climbed.graph, climbed.score, climbed.trace)


def test_other_versions_are_refused_for_chains_and_restarts(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dagwright.scale.faults.__version__", "0.0.0")
    for run in (
        lambda: dw.posterior(frame(), method=dw.OrderMCMC(samples=8), client=client),
        lambda: dw.learn(frame(), search=dw.HillClimb(restarts=2), client=client),
    ):
        with pytest.raises(OptionError, match=r"has dagwright .*, and this is 0\.0\.0"):
            run()


def test_a_search_without_restarts_has_nothing_to_spread(client: Any, tmp_path: Path) -> None:
    for search in (dw.HillClimb(), dw.HillClimb(restarts=3, perturbation=2), dw.Tabu()):
        with pytest.raises(OptionError, match=r"client.* spreads restarts, .* has none"):
            dw.learn(frame(), search=search, client=client)
    with pytest.raises(OptionError, match=r"checkpoint.* leave one of them out"):
        path = tmp_path / "run.dwc"
        dw.learn(frame(), search=dw.HillClimb(restarts=2), client=client, checkpoint=path)


def test_restarts_that_depend_on_each_other_are_one_run() -> None:
    assert runs_apart(dw.HillClimb(restarts=3, improvement="first")) == 1
    assert runs_apart(dw.HillClimb(restarts=3, ties="random")) == 1
    assert runs_apart(dw.GES()) == 1
    assert best_run([], 0.0) is None


def test_the_core_refuses_a_climb_that_depends_on_others() -> None:
    flat, free = _core.FlatScore(2), dw.Knowledge().resolve(("a", "b")).native
    for options in ({"first": 2, "restarts": 1}, {"first": 1, "restarts": 1, "perturbation": 1}):
        with pytest.raises((dw.errors.DagwrightError, RuntimeError), match="climb"):
            _core.hill_climb(flat, free, [[], []], **options)


def test_weights_travel_and_damaged_ones_are_refused() -> None:
    logs = [np.array([0.0, -1.0]), np.array([0.0, -2.0])]
    weights = _core.FamilyWeights.of([[1], [0]], logs, [1, 1])
    assert (weights.candidates(0), weights.links(1), list(weights.logs(1))) == ([1], 1, [0.0, -2.0])
    for candidates, values, links in (
        ([[0], [0]], logs, [0, 0]),
        ([[2], [0]], logs, [0, 0]),
        ([[1], [0]], logs[:1], [0, 0]),
        ([[1], [0]], [logs[0], logs[1][:1]], [0, 0]),
        ([[1], [0]], logs, [2, 0]),
        ([[1], [0]], [logs[0], np.array([0.0, np.nan])], [0, 0]),
    ):
        with pytest.raises((dw.errors.DagwrightError, RuntimeError)):
            _core.FamilyWeights.of(candidates, values, links)


def test_threads_of_one_worker_share_the_weights() -> None:
    logs = [np.array([0.0, -1.0]), np.array([0.0, -2.0])]
    walks = _Walks(_core.FamilyWeights.of([[1], [0]], logs, [0, 0]), "order", [[], []])
    start = _core.GraphSampler(
        _core.FamilyWeights.of([[1], [0]], logs, [0, 0]), _core.WalkKind.order, [3], [[], []]
    )
    (at,) = start.states
    from dagwright.confidence.spread_chains import _Leg

    leg = _Leg((at.state, at.random, at.proposed, at.accepted), 500, 5, True, None)
    results: list[Any] = [None] * 4

    def walk(number: int) -> None:
        results[number] = walks.walked(leg)

    threads = [threading.Thread(target=walk, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seen_there, after in results:
        assert after == results[0][1] and after != leg.state
        assert np.array_equal(seen_there.networks, results[0][0].networks)
