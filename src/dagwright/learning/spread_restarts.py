"""Restarts of a search on the workers of a cluster, where the rows are in memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from dagwright.data import Table
from dagwright.errors import OptionError
from dagwright.graph.dag import Dag
from dagwright.learning.task import checked_answer, checked_found
from dagwright.methods.notation import as_code
from dagwright.scale import cluster_table, is_on_cluster, spread
from dagwright.search.control import Control, Improving
from dagwright.search.patience import patience_of
from dagwright.search.pipeline import Prepared
from dagwright.search.problem import Found, Problem, Search
from dagwright.search.restarts import RunsApart, best_run, runs_apart
from dagwright.search.study import Study
from dagwright.sentences import Argument


def rows_and_client(
    data: Any, client: Any, method: Search, request: Study, checkpoint: Path | None, control: Control
) -> tuple[Any, Any]:
    """The data with their rows on the cluster and None, or the data as they are and the client for restarts.

    Workers count the rows of files and Dask dataframes; a search there asks for counts, restarts too.
    """
    if is_on_cluster(data):
        return cluster_table(data, client, patience_of(control), **request.reading_on_cluster), None
    if isinstance(data, Table) and not data.has_rows:
        return data, None
    require_runs_apart(method)
    if checkpoint is not None:
        raise OptionError(
            Argument("checkpoint"),
            " keeps evidence that is computed here, and ",
            Argument("client"),
            " gives the restarts to workers; leave one of them out",
        )
    return data, client


def require_runs_apart(method: Search | None) -> None:
    """Refuse a cluster where the rows are in memory and the search has nothing to spread."""
    if runs_apart(method) == 1:
        raise OptionError(
            Argument("client"),
            " goes with a Dask dataframe or with files that every worker can open. Of rows in memory it "
            f"spreads restarts, and {as_code(method)} has none that are independent of each other; use a "
            "search such as HillClimb(restarts=20)",
        )


def searched_apart(
    prepared: Prepared, ordered: Table, control: Control, client: Any
) -> tuple[Found, Problem]:
    """As `dagwright.learning.task.searched`, with each run of the search as a task of a worker."""
    problem, work = prepared.problem(ordered, control), _Work(prepared, control.seconds_left())
    runs: list[Found] = []
    with control.watch() as watch:
        for found in _runs(work, control, client):
            runs.append(found)
            if found.stopped is not None or watch.over():
                break
    best = best_run(runs, problem.score.tolerance)
    if best is None:  # stopped before any run had ended
        assert prepared.search is not None
        return checked_answer(prepared.search, problem, control), problem
    if len(runs) < work.method.runs and best.stopped is None:
        best = replace(best, stopped=watch.stopped or control.stopped())
    return checked_found(best, problem), problem


def _runs(work: _Work, control: Control, client: Any) -> Iterator[Found]:
    """The runs in their order, told of as they come."""
    total, shown, best = work.method.runs, Improving(control.best_graph), -math.inf
    made = spread(client, work, _Work.run, range(total), "learning restart", lambda: bool(control.stopped()))
    for number, found in enumerate(made):
        assert found.score is not None and isinstance(found.graph, Dag)
        best = max(best, found.score)
        control.report("restarts", number + 1, "runs", total=total, best=best)
        shown.offer(found.score, partial(_itself, found.graph))
        yield found


def _itself(dag: Dag) -> Dag:
    return dag


class _Work:
    """The search and its rows, as every worker has them."""

    def __init__(self, prepared: Prepared, seconds: float | None) -> None:
        self.prepared, self.seconds = prepared, seconds

    @property
    def method(self) -> RunsApart:
        method: Any = self.prepared.search
        assert isinstance(method, RunsApart)
        return method

    def __getstate__(self) -> tuple[Any, ...]:
        return self.prepared, self.seconds

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.prepared, self.seconds = state

    @cached_property
    def ordered(self) -> Table:
        return self.prepared.canonical(Control()).table

    def run(self, number: int) -> Found:
        control = Control.of(1, self.seconds, None)
        return self.method.run_apart(self.prepared.problem(self.ordered, control), control, number)
