"""The verb `forecast`: the cost of learning by a study, before it starts."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from dagwright.data import Table
from dagwright.data.placed_rows import MEMO_MIB
from dagwright.data.source import MeteredSource
from dagwright.defaults import usual_search
from dagwright.evidence.structure_priors import StructurePrior
from dagwright.knowledge import Knowledge
from dagwright.learning.task import chosen_search
from dagwright.methods.method_like import as_method
from dagwright.scale import cluster_table
from dagwright.search.control import Control
from dagwright.search.costs import Forecasting
from dagwright.search.forecast import Forecast, Passes, forecast_of
from dagwright.search.patience import patience_of
from dagwright.search.pipeline import Prepared, learnable_rows, with_usual_policy
from dagwright.search.problem import Search, is_search, require_search
from dagwright.search.study import Study, requested
from dagwright.search.traits import asks_tests


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

    Takes the parameters of `learn`. The columns are put in order, moments of numbers are summed, and a few
    families are scored, to see how long that takes on the rows where they are: in memory, on disk, or on the
    cluster of ``client``. Reading the data is not part of the forecast.

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
    control = Control.of(threads, None, None)
    if client is not None:
        data = cluster_table(data, client, patience_of(control), **request.reading_on_cluster)
    rows = learnable_rows(request, data).with_memo(MEMO_MIB)  # counts that are remembered would take no time
    method: Any = usual_search() if request.search is None else request.search
    if not isinstance(method, Forecasting):
        require_search(method)
    if is_search(method):  # posteriors take no expectation of missing values
        learned, _ = with_usual_policy(request, rows, method, tested=asks_tests(method), learns=True)
        method = chosen_search(learned)
    if request.missing in (None, "em", "available"):  # every row is counted, gaps or not
        request = replace(request, missing="state")
    elsewhere: object = data.source if isinstance(data, Table) else None
    source = elsewhere if isinstance(elsewhere, MeteredSource) else None
    prepared = Prepared.of(request, rows)
    moved, began = source.bytes_moved if source else 0, time.perf_counter()
    problem = prepared.problem(prepared.canonical(control).table, control)
    passes = Passes(time.perf_counter() - began, source.bytes_moved - moved if source else 0)
    return forecast_of(method, problem, source, control.threads, passes)
