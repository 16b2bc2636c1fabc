"""EM for networks with continuous nodes: expected counts and moments given what is known in each row.

For rows with the same missing cells, the missing numbers of a family are jointly Gaussian for each
configuration of the missing states (`Elimination.joint`). Means, squares and products are averaged over these
configurations (Dempster, Laird & Rubin 1977; Lauritzen 1995 for networks).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright.model.gaussian.elimination import ROWS
from dagwright.model.gaussian.inference import moments_of
from dagwright.model.gaussian.least_squares import Moments, from_moments
from dagwright.model.gaussian.regression import Scope, spread
from dagwright.model.gaussian.rows import MixedRows, SolvedRows, solved
from dagwright.model.tables.checks import Floats

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork


class ExpectedStatistics:
    """Expected counts of the discrete families, expected moments of the continuous ones, and the fit.

    Attributes
    ----------
    counts
        For each discrete node N_ijk, axes as in its table.
    sums, squares
        For each continuous node, by cell of its discrete parents: sums of its numeric family (parents, then
        itself) and of their products, around a fixed origin; ``weights`` are the expected rows.
    log_likelihood
        The log-density of what is known.
    """

    def __init__(self, network: BayesianNetwork, rows: MixedRows, origin: dict[str, float]) -> None:
        self.network, self.origin = network, origin
        self.counts: dict[str, Floats] = {
            n: np.zeros(network.table(n).shape) for n in network.nodes if n not in network.gaussians
        }
        self.weights: dict[str, Floats] = {}
        self.sums: dict[str, Floats] = {}
        self.squares: dict[str, Floats] = {}
        for node, own in network.gaussians.items():
            size = len(own.coefficients) + 1
            self.weights[node] = np.zeros(own.shape)
            self.sums[node] = np.zeros((*own.shape, size))
            self.squares[node] = np.zeros((*own.shape, size, size))
        self.log_likelihood = 0.0
        everything = set(network.nodes)
        for part in solved(network, rows, lambda known: sorted(everything - known)):
            self._add(part, rows)

    def _add(self, part: SolvedRows, rows: MixedRows) -> None:
        times = np.ones(len(part.rows)) if rows.weights is None else rows.weights[part.rows]
        self.log_likelihood += float(times @ part.log_densities())
        shares = part.shares() * times.reshape(-1, *[1] * len(part.scope))
        whole: Scope = (ROWS, *part.scope)
        for node, counts in self.counts.items():
            family = (*self.network.parents(node), node)
            np.add.at(counts, *_cells(part, rows, family, shares))
        for node, own in self.network.gaussians.items():
            family = (*own.coefficients, node)
            mean, product = self._moments(part, rows, family, whole)
            full = shares.shape
            mean = np.broadcast_to(mean, (*full, len(family)))
            product = np.broadcast_to(product, (*full, len(family), len(family)))
            for target, values in (
                (self.weights[node], shares),
                (self.sums[node], shares[..., None] * mean),
                (self.squares[node], shares[..., None, None] * product),
            ):
                np.add.at(target, *_cells(part, rows, own.given, values))

    def _moments(
        self, part: SolvedRows, rows: MixedRows, family: tuple[str, ...], whole: Scope
    ) -> tuple[Floats, Floats]:
        """Means and expected products of a numeric family, for each row and each missing configuration."""
        free = [node for node in family if np.isnan(rows.numbers[node][part.rows[0]])]
        order = sorted(free, key=part.elimination.numbers.continuous.__getitem__)
        means, factors, scope = moments_of(part.elimination.joint(order))
        shape = np.broadcast_shapes(
            (len(part.rows), *[1] * len(part.scope)), *(spread(mean, scope, whole).shape for mean in means)
        )
        mean = np.zeros((*shape, len(family)))
        factor = np.zeros((*shape, len(family), max(1, len(order))))
        for place, node in enumerate(family):
            if node in free:
                at = order.index(node)
                mean[..., place] = spread(means[at], scope, whole) - self.origin[node]
                factor[..., place, :] = spread(factors[at], scope, whole)
            else:
                known = rows.numbers[node][part.rows] - self.origin[node]
                mean[..., place] = known.reshape(-1, *[1] * len(part.scope))
        product = np.einsum("...ik,...jk->...ij", factor, factor) + mean[..., :, None] * mean[..., None, :]
        return mean, product

    def network_of(self, prior_rows: float, estimated: dict[str, Floats]) -> BayesianNetwork:
        """The network that maximizes the expected log-likelihood, with these tables of the discrete nodes."""
        tables: dict[str, Any] = dict(estimated)
        for node, own in self.network.gaussians.items():
            family = (*own.coefficients, node)
            parts = []
            for place in np.ndindex(own.shape):
                count = float(self.weights[node][place])
                mean = self.sums[node][place] / count if count > 0 else np.zeros(len(family))
                scatter = self.squares[node][place] - count * np.outer(mean, mean)
                shift = np.array([self.origin[name] for name in family])
                parts.append(Moments(count, mean + shift, 0.5 * (scatter + scatter.T)))
            tables[node], _ = from_moments(parts, list(own.coefficients), own.given, own.shape, prior_rows)
        return type(self.network)(
            self.network.graph,
            {node: self.network.states(node) for node in self.counts},
            tables,
            parents={node: self.network.parents(node) for node in self.counts},
            origins=self.network.origins,
        )


def _cells(part: SolvedRows, rows: MixedRows, family: tuple[str, ...], values: Floats) -> tuple[Any, Floats]:
    """Where each row and missing configuration belongs in an array over the family, and its values."""
    numbers = part.elimination.numbers.discrete
    place = []
    for node in family:
        if numbers[node] in part.scope:
            axis = 1 + part.scope.index(numbers[node])
            shape = [1] * (1 + len(part.scope))
            shape[axis] = -1
            place.append(np.arange(part.elimination.limit.sizes[numbers[node]]).reshape(shape))
        else:
            place.append(rows.codes[node][part.rows].reshape(-1, *[1] * len(part.scope)))
    full = values.shape[: 1 + len(part.scope)]
    if not place:  # one cell: add up rows and configurations
        axes = tuple(range(len(full)))
        return (), values.sum(axis=axes)
    return tuple(np.broadcast_to(each, full) for each in place), values
