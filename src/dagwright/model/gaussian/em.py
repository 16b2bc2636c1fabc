"""EM for a given graph with continuous nodes: numbers and states may be missing at random."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright.data.states import no_values
from dagwright.errors import DataError
from dagwright.model.gaussian.estimation import in_row_order, rows_of_prior
from dagwright.model.gaussian.expectation import ExpectedStatistics
from dagwright.model.gaussian.least_squares import fitted
from dagwright.model.gaussian.rows import MISSING, MixedRows, table_rows
from dagwright.model.network import BayesianNetwork
from dagwright.model.tables.checks import Floats, on_axes
from dagwright.model.tables.parameters import estimate

if TYPE_CHECKING:
    from dagwright.data import Table
    from dagwright.graph.dag import Dag
    from dagwright.model.incomplete.em import EM, EMResult

log = logging.getLogger("dagwright")


def fit_incomplete(
    method: EM,
    graph: Dag,
    table: Table,
    parameter_prior: Any,
    start: BayesianNetwork | None,
    until: Callable[[], bool] | None,
) -> EMResult:
    """The network with this graph that makes what is known most likely."""
    from dagwright.model.incomplete.em import EMResult

    table = table.select(graph.nodes)
    rows = in_row_order(table_rows(table))
    if not table.N > 0:
        raise DataError("EM needs at least one row")
    for node, column in rows.numbers.items():
        if np.isnan(column).all():
            raise no_values(node)
    states = [node for node in graph.nodes if node not in rows.numbers]
    shape = graph.subgraph(states)
    discrete = (
        method.fit(shape, table.select(states), parameter_prior=parameter_prior).network
        if states
        else BayesianNetwork(shape, {}, {})
    )
    prior_rows = rows_of_prior(parameter_prior)
    origin = {node: float(np.nanmean(column)) for node, column in rows.numbers.items()}
    network = start or _first(graph, discrete, rows, max(prior_rows, 1.0))
    known = {node: origin for node, origin in table.origins.items() if origin.matters}
    # The network to start from may have its parents in another order; the steps keep its layout.
    alphas = {
        node: on_axes(alpha, discrete.parents(node), network.parents(node))
        for node in states
        if (alpha := discrete.pseudo_counts(node)) is not None
    }
    trace: list[float] = []
    converged = False
    while len(trace) < method.max_iterations and not (until and until()):
        expected = ExpectedStatistics(network, rows, origin)
        trace.append(expected.log_likelihood)
        if len(trace) > 1 and abs(trace[-1] - trace[-2]) <= method.tolerance * table.N:
            converged = True
            break
        tables: dict[str, Floats] = {}
        for node, counts in expected.counts.items():
            tables[node], empty = estimate(counts, alphas.get(node))
            tables[node][empty] = 1.0 / counts.shape[-1]
        network = expected.network_of(prior_rows, tables)
    log.info("EM: %.6f after %d iterations", trace[-1] if trace else float("nan"), len(trace))
    expected = ExpectedStatistics(network, rows, origin)
    final = network._with(
        counts={n: _own(c) for n, c in expected.counts.items()}, pseudo_counts=alphas, origins=known
    )
    return EMResult(final, expected.log_likelihood, tuple(trace), converged, 1, table.N)


def _own(counts: Floats) -> Floats:
    counts.flags.writeable = False
    return counts


def _first(graph: Dag, discrete: BayesianNetwork, rows: MixedRows, prior_rows: float) -> BayesianNetwork:
    """The network to start from: each family from the rows that know it, or else from its own column."""
    tables: dict[str, Any] = {node: discrete.table(node) for node in discrete.nodes}
    for node, column in rows.numbers.items():
        given = [parent for parent in graph.parents(node) if parent in rows.codes]
        numeric = [parent for parent in graph.parents(node) if parent in rows.numbers]
        known = ~np.isnan(column)
        family = known.copy()
        for parent in numeric:
            family &= ~np.isnan(rows.numbers[parent])
        for parent in given:
            family &= rows.codes[parent] != MISSING
        enough = family.sum() > len(numeric) + 1
        used = family if enough else known
        zero = np.zeros(int(used.sum()))
        tables[node], _ = fitted(
            column[used],
            {parent: rows.numbers[parent][used] if enough else zero for parent in numeric},
            {parent: rows.codes[parent][used] if enough else zero.astype(np.intp) for parent in given},
            [discrete.cardinality(parent) for parent in given],
            None if rows.weights is None else rows.weights[used],
            prior_rows,
        )
    return BayesianNetwork(
        graph, {node: discrete.states(node) for node in discrete.nodes}, tables, origins=discrete.origins
    )
