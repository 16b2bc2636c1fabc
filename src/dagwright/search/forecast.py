"""The cost of a search, before it starts."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from dagwright.data import Table
from dagwright.data.source import MeteredSource
from dagwright.defaults import usual_search
from dagwright.evidence.bound import Bound
from dagwright.evidence.protocols import Family
from dagwright.evidence.structure_priors import StructurePrior
from dagwright.graph.viewable import Viewable
from dagwright.knowledge import Knowledge
from dagwright.methods.method_like import as_method
from dagwright.methods.notation import as_code
from dagwright.scale import cluster_table
from dagwright.search.auto import written_in_python
from dagwright.search.control import Control
from dagwright.search.costs import Forecasting, cost_of
from dagwright.search.pipeline import problem_of
from dagwright.search.problem import Search, require_search
from dagwright.search.set_counts import count_in_words
from dagwright.search.study import Study, requested
from dagwright.search.traits import search_traits


@dataclass(frozen=True)
class Forecast(Viewable):
    """The cost of a search on given data.

    Attributes
    ----------
    search
        The search with its options.
    evaluations
        Families to be scored, or questions to be asked.
    memory
        Bytes beside the data and the memo of counts.
    seconds
        For the scoring, by what a few families took just now, and for the search itself. A time limit caps
        it.
    upper
        Whether the search cannot take more; otherwise the numbers are those of its usual course.
    basis
        How the numbers come about.
    step_seconds
        What scoring one family for each variable takes, as one batch, measured just now: about a step of hill
        climbing.
    network_bytes
        Bytes of counts that come from the workers of a cluster; 0 without one.
    worker_bytes
        Bytes of rows and bitmaps at the worker that holds most; 0 without a cluster.
    """

    search: str
    evaluations: int
    memory: int
    seconds: float
    upper: bool
    basis: str
    step_seconds: float = 0.0
    network_bytes: int = 0
    worker_bytes: int = 0

    def __str__(self) -> str:
        most = "at most " if self.upper else "about "
        cluster = ""
        if self.worker_bytes:
            cluster = (
                f", {self.network_bytes / 2**20:,.1f} MiB over the network, "
                f"{self.worker_bytes / 2**20:,.1f} MiB at a worker"
            )
        return (
            f"{self.search}: {most}{count_in_words(self.evaluations)} families, "
            f"{self.memory / 2**20:,.1f} MiB, {self.seconds:.3g} s{cluster} ({self.basis})"
        )


def forecast(
    data: Any,
    *,
    search: Search | Forecasting | None = None,
    score: Any = None,
    knowledge: Knowledge | None = None,
    structure_prior: StructurePrior | None = None,
    missing: str | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    study: Study | None = None,
    threads: int | None = None,
    client: Any = None,
) -> Forecast:
    """Forecast the cost of a search on these data: families to score, memory, time.

    Takes the parameters of `learn`. A few families are scored to see how long one takes, on the rows where
    they are: in memory, on disk, or on the cluster of ``client``.

    >>> print(forecast({"rain": [0, 0, 1, 1] * 25, "wet": [0, 0, 1, 1] * 25, "coin": [0, 1] * 50}))
    Exact(): at most 57 families, 0.0 MiB, ... s (hill climbing; all 12 parent sets; 8 * 2^3 bytes ...)
    """
    request = requested(
        study,
        search=as_method(search, "search", "search", "posterior"),
        score=score,
        knowledge=knowledge,
        structure_prior=structure_prior,
        missing=missing,
        columns=columns,
        exclude=exclude,
    )
    if request.missing in (None, "em", "available"):  # every row is counted, gaps or not
        request = replace(request, missing="state")
    control = Control.of(threads, None, None)
    if client is not None:
        data = cluster_table(data, client, **request.reading)
    source: Any = data.source if isinstance(data, Table) else None
    problem, _ = problem_of(request, data, control)
    method: Any = usual_search() if request.search is None else request.search
    if not isinstance(method, Forecasting):
        require_search(method)
    method = search_traits(method).chosen(problem) or method
    cost = cost_of(method, problem)
    pace = _pace(problem.score, source if isinstance(source, MeteredSource) else None)
    scored = cost.evaluations if cost.one_by_one is None else cost.one_by_one
    return Forecast(
        as_code(method),
        math.ceil(cost.evaluations),
        math.ceil(cost.memory),
        scored * pace.seconds + cost.seconds / control.threads,
        cost.upper,
        cost.basis,
        pace.step_seconds,
        math.ceil(min(scored * pace.bytes_moved, 2.0**62)),
        source.worker_bytes() if isinstance(source, MeteredSource) else 0,
    )


class _Pace(NamedTuple):
    """The cost of a family, and of a batch of one family for each variable."""

    seconds: float
    bytes_moved: float
    step_seconds: float


def _pace(score: Bound, source: MeteredSource | None) -> _Pace:
    """Seconds and bytes of families with three parents, from some that were scored just now.

    Others come before, because the first ones also make the tables of logarithms.
    """
    n = len(score.names)
    size = min(3, n - 1)
    count = 8 if written_in_python(score) else 200
    families = []
    step = min(n, count)
    for at in range(2 * count + step):
        child = at % n
        # Parents that differ from family to family, so that few sums are remembered.
        parents = {(child + 1 + (at // n * 7 + k * (at % 5 + 1)) % (n - 1)) % n for k in range(size)}
        families.append(Family(child, frozenset(parents - {child})))
    score.local(families[:count])
    moved, began = source.bytes_moved if source else 0, time.perf_counter()
    score.local(families[count : 2 * count])
    each = (time.perf_counter() - began) / count
    moved = (source.bytes_moved if source else 0) - moved
    began = time.perf_counter()
    score.local(families[2 * count :])
    return _Pace(each, moved / count, (time.perf_counter() - began) * n / step)
