"""How often each edge is found in resampled data (Friedman, Goldszmidt & Wyner 1999)."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from dagwright.base.checkpoint import DAMAGES, SAVING, Checkpoint, checkpoint_path
from dagwright.base.seeds import RandomState
from dagwright.base.wording import count_of
from dagwright.confidence import Confidence
from dagwright.data import Table
from dagwright.data.reach import require_reach
from dagwright.errors import CapacityError, DagwrightError, NotFinishedError, OptionError
from dagwright.evidence.structure_priors import StructurePrior
from dagwright.knowledge import Knowledge
from dagwright.learning.resampling.draws import Draw, usual_draw
from dagwright.learning.resampling.strengths import (
    ReplicateGraph,
    as_class,
    frequencies,
    numbered,
    standard_errors,
)
from dagwright.learning.task import prepared_to_learn, searched
from dagwright.methods.method_like import as_method
from dagwright.methods.notation import as_code
from dagwright.scale import cluster_table, is_on_cluster, spread
from dagwright.search.control import CancelToken, Control, Progress
from dagwright.search.patience import attending, patience_of
from dagwright.search.pipeline import Prepared
from dagwright.search.problem import Search
from dagwright.search.study import Study, requested
from dagwright.search.traits import search_traits
from dagwright.sentences import Argument

USUAL, LEAST = 200, 20
"""The default number of replicates, and the fewest that are of use."""
BOOTSTRAP_EVALUATIONS = 30_000_000
"""Families or tests that `Learned.confidence` may take for all its replicates: a minute or two."""
SETTLING = 20
"""Convergence of the edge strengths is checked every this many replicates, on any number of threads."""
KIND = "replicates"
"""The kind of its checkpoints."""
POLL = 0.05
"""Seconds between two looks at requests to stop while replicates are learned."""


def bootstrap(
    data: Any,
    *,
    search: Search | None = None,
    score: Any = None,
    knowledge: Knowledge | None = None,
    structure_prior: StructurePrior | None = None,
    missing: str | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    study: Study | None = None,
    replicates: int | None = None,
    draw: Draw | str | None = None,
    classes: bool = True,
    precision: float | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    time_limit: float | None = None,
    random_state: RandomState = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
    client: Any = None,
) -> Confidence:
    """How often each edge, direction, path and v-structure is found in resampled data.

    Each replicate has its columns in another random order, so that ties between equivalent graphs are not
    always broken the same way. Replicates share the threads. Neither the number of threads nor an
    interruption with a resume changes the result. After Ctrl-C or the time limit the result is that of the
    replicates made so far, and its ``source`` says so.

    Parameters
    ----------
    data, search, score, knowledge, structure_prior, missing, columns, exclude, study
        As in `learn`.
    replicates
        How many; 200 by default, and for the `Jackknife` its groups.
    draw
        How to draw them: `CaseBootstrap` (the default), `PoissonBootstrap` (the default for rows on disk),
        `BayesianWeights`, `Subsample` or `Jackknife`; for windows of time series `BlockBootstrap` (their
        default).
    classes
        Whether an edge counts as undecided where equivalent graphs disagree on its direction; otherwise the
        directions of the graphs as found count.
    precision
        Stop early once no strength has a larger standard error than this.
    checkpoint
        A file that keeps the replicates made so far; a run with the same data and settings resumes from it.
    progress
        Called with (phase, replicates made, largest standard error).
    cancel
        As in `learn`.
    client
        A ``distributed.Client`` of a Dask cluster. Of a Dask dataframe, or files that every worker can open,
        the workers count the rows, as in `learn`. Of other data, each replicate is a task that a worker does
        on all rows. Either gives the same answer as without a cluster.

    >>> from dagwright import HillClimb, sample_path
    >>> sure = bootstrap(sample_path("asia"), search=HillClimb(), replicates=20, random_state=1)
    >>> sure.strength("lung", "either")
    1.0
    """
    if precision is not None and not 0 < precision < 1:
        raise OptionError(f"precision must be between 0 and 1, got {precision}")
    request = requested(
        study,
        search=search,
        score=score,
        knowledge=knowledge,
        structure_prior=structure_prior,
        missing=missing,
        columns=columns,
        exclude=exclude,
        random_state=random_state,
    )
    path = checkpoint_path(checkpoint, KIND)
    control = Control.of(threads, time_limit, progress, cancel)
    if client is not None and (is_on_cluster(data) or (isinstance(data, Table) and not data.has_rows)):
        data, client = (
            cluster_table(data, client, patience_of(control), **request.reading_on_cluster),
            None,
        )
    with attending(data, control):
        prepared = prepared_to_learn(request, data)
    prepared.require_rebinding("the bootstrap")
    way = as_method(draw, "draw", "resampling")
    way = usual_draw(prepared.table) if way is None else way
    require_reach(way, prepared.table)
    run = _Run(prepared, way, _how_many(replicates, way, prepared.table), classes, request.seed, client)
    return run.confidence(control, precision, path)


def strengths_of(
    prepared: Prepared,
    evaluations: int,
    *,
    threads: int | None,
    progress: Progress | None,
    cancel: CancelToken | None,
) -> Confidence:
    """The bootstrap of a search; the number of its evaluations alone decides how many replicates it has."""
    replicates = usual_replicates(evaluations)
    run = _Run(prepared, usual_draw(prepared.table), replicates, True, prepared.study.seed)
    return run.confidence(Control.of(threads, None, progress, cancel))


def usual_replicates(evaluations: int) -> int:
    """How often to repeat a search, by the number of its evaluations; longer searches less often."""
    return min(max(BOOTSTRAP_EVALUATIONS // max(evaluations, 1), LEAST), USUAL)


def _how_many(replicates: int | None, draw: Draw, table: Table) -> int:
    most = draw.most(table)
    wanted = replicates if replicates is not None else USUAL if most is None else most
    if wanted < 1:
        raise OptionError(f"at least one replicate is needed, not {wanted}")
    if most is not None and wanted > most:
        raise OptionError(f"{draw!r} has only {most} different replicates, not {wanted}")
    return wanted


def _largest_error(n: int, graphs: list[ReplicateGraph]) -> float:
    joined = np.zeros((n, n))
    for graph in graphs:
        for i, j in (*graph.directed, *graph.undirected):
            joined[min(i, j), max(i, j)] += 1
    return float(standard_errors(joined / len(graphs), len(graphs)).max(initial=0.0))


def _awaited(future: Future[ReplicateGraph | None], control: Control) -> ReplicateGraph | None:
    """The result of a job; None if there is a request to stop. Waits in short steps, which Ctrl-C can end."""
    while control.stopped() != "cancelled":
        if future in wait([future], POLL).done:
            return future.result()
    return None


@dataclass(frozen=True)
class _Run:
    prepared: Prepared
    draw: Draw
    replicates: int
    classes: bool
    seed: np.random.SeedSequence
    client: Any = None

    def identity(self) -> dict[str, Any]:
        """The facts that a checkpoint must agree on."""
        return {
            "resampling": as_code(self.draw),
            "counting of classes": self.classes,
            **self.prepared.identity(repr(self.draw)),
        }

    def save(self, path: Path, graphs: list[ReplicateGraph]) -> None:
        Checkpoint(KIND, self.identity(), {"graphs": graphs}).save(path)

    def resumed(self, path: Path) -> list[ReplicateGraph]:
        """The graphs in a file of the same run; none if there is no file."""
        if not path.exists():
            return []
        saved = Checkpoint.load(path, KIND, self.identity())
        n = len(self.prepared.table.names)
        try:
            graphs = [ReplicateGraph.checked(graph, n) for graph in saved.state["graphs"]]
        except DAMAGES as problem:
            raise saved.misfit(path, problem) from None
        return graphs[: self.replicates]

    def confidence(
        self, control: Control, precision: float | None = None, path: Path | None = None
    ) -> Confidence:
        """The strengths after all replicates, or after those that sufficed or could be made."""
        table, graphs, saved = self.prepared.table, [], time.monotonic()
        if path is not None:
            graphs = self.resumed(path)
        try:
            with attending(table, control), control.watch() as watch:
                for graph in self.graphs(len(graphs), control):
                    graphs.append(graph)
                    worst = _largest_error(len(table.names), graphs)
                    control.report(
                        "resampling", len(graphs), "replicates", total=self.replicates, error=worst
                    )
                    if path is not None and time.monotonic() - saved > SAVING:
                        self.save(path, graphs)
                        saved = time.monotonic()
                    if precision is not None and len(graphs) % SETTLING == 0 and worst <= precision:
                        break
                    if watch.over():
                        break
        except DagwrightError:  # a lost cluster, for example
            if path is not None:
                self.save(path, graphs)
            raise
        if path is not None:
            self.save(path, graphs)
        if not graphs:
            if watch.stopped == "cancelled":
                raise NotFinishedError("interrupted before a replicate was finished", interrupted=True)
            raise NotFinishedError("no replicate was finished; allow more time, or choose a quicker search")
        made = f"{count_of(len(graphs), 'replicate')} of {table.n_rows:,} rows by {as_code(self.draw)}"
        early = {"deadline": "; stopped by the time limit", "cancelled": "; interrupted"}
        source = f"{made}, learned by {as_code(self.prepared.search)}{early.get(watch.stopped or '', '')}"
        keep = search_traits(self.prepared.search).gives in ("dag", "cpdag")
        return frequencies(table.names, graphs, source, keep=keep)

    def graphs(self, first: int, control: Control) -> Iterator[ReplicateGraph]:
        """The graphs of the replicates from ``first`` on, in order, learned on all threads."""
        numbers = iter(range(first, self.replicates))
        if self.client is not None:
            work = (replace(self, client=None), control.seconds_left())
            for graph in spread(
                self.client, work, _on_worker, numbers, "learning replicate", lambda: bool(control.stopped())
            ):
                if graph is None:
                    return
                yield graph
            return
        if control.threads == 1:
            for number in numbers:
                graph = self.learned(number, control.on_one_thread())
                if graph is None:
                    return
                yield graph
            return
        # Searches in other threads do not see Ctrl-C: a token tells them, also when the caller has enough.
        alone = replace(control, cancel=CancelToken())
        with ThreadPoolExecutor(control.threads) as pool:
            waiting: list[Future[ReplicateGraph | None]] = []
            try:
                while True:
                    waiting += [
                        pool.submit(self.learned, number, alone.on_one_thread())
                        for number in islice(numbers, 2 * control.threads - len(waiting))
                    ]
                    if not waiting or (graph := _awaited(waiting.pop(0), control)) is None:
                        return
                    yield graph
            except RuntimeError as error:
                if isinstance(error.__context__, KeyboardInterrupt):
                    # Ctrl-C in a wait for a threading.Event, which then releases its lock twice
                    raise KeyboardInterrupt from None
                if not str(error).startswith("can't start new thread"):
                    raise
                raise CapacityError(
                    "the system gives this process no more threads, with ",
                    Argument("threads", control.threads),
                    " asked for; use fewer, such as ",
                    Argument("threads", 1),
                ) from None
            finally:
                alone.cancel.cancel()
                for future in waiting:
                    future.cancel()

    def learned(self, number: int, control: Control) -> ReplicateGraph | None:
        """The graph of replicate ``number``; None if its search had to stop early."""
        seed = np.random.SeedSequence(self.seed.entropy, spawn_key=(*self.seed.spawn_key, number))
        rng = np.random.default_rng(seed)
        names = self.prepared.table.names
        drawn = self.draw.replicate(self.prepared.table, number, rng)
        order = [names[at] for at in rng.permutation(len(names))]
        found, problem = searched(self.prepared, drawn.select(order), control, seed=seed, from_start=False)
        if found.stopped is not None:
            return None
        graph = found.graph
        if self.classes:
            graph = as_class(graph, problem.score, problem.knowledge)
        return numbered(graph, names)


def _on_worker(work: tuple[_Run, float | None], number: int) -> ReplicateGraph | None:
    """A replicate as a task of a cluster."""
    run, seconds = work
    return run.learned(number, Control.of(1, seconds, None))
