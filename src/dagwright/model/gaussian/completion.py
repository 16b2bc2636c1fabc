"""Rows with missing states and numbers as weighted rows without gaps, for structural EM.

A row becomes one row for each configuration of its missing states, weighted by its probability given what is
known. Missing numbers are jointly Gaussian there: with k of them, 2k points around the mean have the same
means and covariances (sigma points; Julier & Uhlmann 1997). So every count, mean, square and product of the
completed rows is the expected one, and so is every score that is a function of these.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright.base.numbering import Numbering
from dagwright.data import Table
from dagwright.errors import DataError
from dagwright.evidence.criteria import Score
from dagwright.evidence.incomplete import IncompleteScore
from dagwright.graph.dag import Dag
from dagwright.model.gaussian.elimination import ROWS
from dagwright.model.gaussian.estimation import in_row_order
from dagwright.model.gaussian.inference import moments_of
from dagwright.model.gaussian.regression import spread
from dagwright.model.gaussian.rows import MixedRows, SolvedRows, solved, table_rows
from dagwright.model.tables.checks import Floats
from dagwright.model.tables.parameters import fit

if TYPE_CHECKING:
    from dagwright.model.incomplete.em import EM, EMResult
    from dagwright.model.network import BayesianNetwork


def completed_rows(network: BayesianNetwork, rows: MixedRows) -> MixedRows:
    """The rows without gaps, weighted; their sums of squares and products are those that are expected."""
    parts = [
        _completed(part, rows)
        for part in solved(network, rows, lambda known: sorted(set(network.nodes) - known))
    ]

    def joined(name: str, kind: str) -> Any:
        return np.concatenate([getattr(part, kind)[name] for part in parts])

    return MixedRows(
        sum(part.count for part in parts),
        {node: joined(node, "codes") for node in rows.codes},
        {node: joined(node, "numbers") for node in rows.numbers},
        np.concatenate([part.weights for part in parts if part.weights is not None]),
    )


def _completed(part: SolvedRows, rows: MixedRows) -> MixedRows:
    times = np.ones(len(part.rows)) if rows.weights is None else rows.weights[part.rows]
    shares = part.shares() * times.reshape(-1, *[1] * len(part.scope))
    first = part.rows[0]
    place = part.elimination.numbers
    free = sorted(
        (node for node, column in rows.numbers.items() if np.isnan(column[first])),
        key=place.continuous.__getitem__,
    )
    means, factors, scope = moments_of(part.elimination.joint(free))
    points = max(1, 2 * len(free))
    shape = (*shares.shape, points)
    whole = (ROWS, *part.scope)

    def of_rows(column: Any) -> Any:
        return column[part.rows].reshape(-1, *[1] * (len(part.scope) + 1))

    numbers: dict[str, Floats] = {}
    for node, column in rows.numbers.items():
        if node in free:
            at = free.index(node)
            step = math.sqrt(len(free)) * spread(factors[at], scope, whole)
            values = spread(means[at], scope, whole)[..., None] + np.concatenate([step, -step], axis=-1)
        else:
            values = of_rows(column)
        numbers[node] = np.broadcast_to(values, shape).reshape(-1)
    codes = {}
    for node, known in rows.codes.items():
        if place.discrete[node] in part.scope:
            axis = 1 + part.scope.index(place.discrete[node])
            states = np.arange(shape[axis]).reshape([-1 if i == axis else 1 for i in range(len(shape))])
        else:
            states = of_rows(known)
        codes[node] = np.broadcast_to(states, shape).reshape(-1)
    weights = np.broadcast_to(shares[..., None] / points, shape).reshape(-1)
    used = weights > 0
    return MixedRows(
        int(used.sum()),
        {node: column[used] for node, column in codes.items()},
        {node: column[used] for node, column in numbers.items()},
        weights[used],
    )


class NumbersWithGaps:
    """Incomplete rows of states and numbers under a score, as `RowsWithGaps` has those of states."""

    def __init__(self, score: IncompleteScore, threads: int) -> None:
        self.score = score
        self.names = score.names
        self.threads = threads
        if not score.table.N > 0:
            raise DataError("EM needs at least one row with positive weight")
        self.numbering = Numbering(self.names)
        self.rows = in_row_order(table_rows(score.table))
        self.prior = score.plain if isinstance(score.plain, Score) else None

    def numbered(self, graph: Dag) -> Dag:
        """The graph over the columns, with their numbers."""
        return Dag(self.names, graph.edges).numbered(self.numbering)

    def fit(self, graph: Dag, em: EM, start: BayesianNetwork | None, until: Any = None) -> EMResult:
        """EM for a graph; the network has the numbers of the columns."""
        return em.fit(
            self.numbered(graph), self.score.table, parameter_prior=self.prior, start=start, until=until
        )

    def completed(self, network: BayesianNetwork) -> Table:
        """The rows as weighted rows without gaps, by a network that `fit` made."""
        return completed_rows(network, self.rows).table(network).select(self.names)

    def improved(self, graph: Dag, completed: Table) -> BayesianNetwork:
        """The M-step for another graph: its parameters from the completed rows."""
        return fit(self.numbered(graph), completed, parameter_prior=self.prior)

    def random_start(self, graph: Dag, random: np.random.Generator) -> None:  # noqa: ARG002
        """None: the regressions of rows that know a family start EM, whatever the graph."""
        return

    def completed_log_likelihood(self, network: BayesianNetwork, completed: Table) -> float:
        """The expected log-density of the completed rows at a network that `fit` made."""
        each = network.row_log_probabilities(completed)
        assert completed.weights is not None
        return math.fsum((completed.weights * each).tolist())

    def named(self, network: BayesianNetwork) -> BayesianNetwork:
        """The network with the numbers of the alphabet, as users meet it."""
        return network.renamed({})
