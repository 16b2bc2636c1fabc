"""Parameters of a network with continuous nodes from data: counts for tables, least squares for numbers."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright.data.interventions import require_unset
from dagwright.data.missing import apply_policy
from dagwright.errors import DataError, OptionError
from dagwright.evidence.bayesian import BDe, BDeu, BDs, DirichletScore, K2Score
from dagwright.evidence.criteria import Score
from dagwright.methods.method_like import as_method
from dagwright.model.gaussian.cell_moments import cell_moments
from dagwright.model.gaussian.least_squares import from_moments
from dagwright.model.gaussian.rows import MixedRows
from dagwright.model.incomplete.em import EM
from dagwright.model.network import BayesianNetwork
from dagwright.model.tables.checks import Floats, configuration
from dagwright.sentences import Argument

if TYPE_CHECKING:
    from dagwright.data import Table
    from dagwright.graph.dag import Dag

log = logging.getLogger("dagwright")


def fit_mixed(
    graph: Dag,
    table: Table,
    *,
    parameter_prior: Any,
    empty_configurations: str,
    missing: str | EM | None,
    max_bytes: float | None,
) -> BayesianNetwork:
    """A network whose continuous columns are linear regressions on their parents.

    Takes the parameters of `fit`.
    """
    from dagwright.model.tables.parameters import fit

    if missing == "em" or isinstance(missing, EM):
        if table.interventions:
            raise OptionError(
                "EM does not support interventions; fit the complete rows with ", Argument("missing", "drop")
            )
        method = missing if isinstance(missing, EM) else EM()
        return method.fit(graph, table, parameter_prior=parameter_prior, max_bytes=max_bytes).network
    table = apply_policy(table.select(graph.nodes), missing)
    if not table.n_rows:
        raise DataError("the data have no rows, so numbers have no mean; give at least one row")
    numeric = set(table.schema.continuous)
    states = [node for node in graph.nodes if node not in numeric]
    discrete = (
        fit(
            graph.subgraph(states),
            table.select(states),
            parameter_prior=parameter_prior,
            empty_configurations=empty_configurations,  # type: ignore[arg-type]
            max_bytes=max_bytes,
        )
        if states
        else BayesianNetwork(graph.subgraph(states), {}, {})
    )
    if table.interventions:
        require_unset(table)
    prior_rows = rows_of_prior(parameter_prior)
    tables: dict[str, Any] = {node: discrete.table(node) for node in states}
    for node in graph.nodes:
        if node not in numeric:
            continue
        given = [parent for parent in graph.parents(node) if parent not in numeric]
        slopes = [parent for parent in graph.parents(node) if parent in numeric]
        sizes = tuple(discrete.cardinality(parent) for parent in given)
        parts = cell_moments(table, [*slopes, node], given, sizes, table.interventions.get(node))
        own, unknown = from_moments(parts, slopes, tuple(given), sizes, prior_rows)
        if np.any(unknown) and empty_configurations == "error":
            place = tuple(int(at) for at in np.argwhere(unknown)[0])
            known = {parent: discrete.states(parent) for parent in given}
            raise DataError(
                f"node {node!r}{configuration(given, known, place)}: too few rows for a regression on "
                f"{len(own.coefficients)} numbers; give a parameter_prior, or ",
                Argument("empty_configurations", "uniform"),
            )
        tables[node] = own
    return BayesianNetwork(
        graph,
        {node: discrete.states(node) for node in states},
        tables,
        counts={node: counts for node in states if (counts := discrete.counts(node)) is not None},
        pseudo_counts={node: a for node in states if (a := discrete.pseudo_counts(node)) is not None},
        origins={node: origin for node, origin in table.origins.items() if origin.matters},
    )


def rows_of_prior(parameter_prior: Any) -> float:
    """How many rows a prior is worth in a cell of numbers: its equivalent sample size."""
    spec = as_method(parameter_prior, "parameter_prior", "score")
    if isinstance(spec, BDeu | BDs | BDe):
        return float(spec.ess)
    if isinstance(spec, K2Score | DirichletScore):
        return 1.0
    if spec is None or isinstance(spec, Score):
        return 0.0
    return float(spec) if isinstance(spec, int | float) else 1.0


def in_row_order(rows: MixedRows) -> MixedRows:
    """The rows sorted by their cells, so that the order in which they came cannot show in a sum."""
    keys: list[Any] = [*rows.numbers.values(), *rows.codes.values()]
    order = np.lexsort(keys if rows.weights is None else [rows.weights, *keys])

    def sorted_weights() -> Floats | None:
        return None if rows.weights is None else rows.weights[order]

    return MixedRows(
        rows.count,
        {node: column[order] for node, column in rows.codes.items()},
        {node: column[order] for node, column in rows.numbers.items()},
        sorted_weights(),
    )
