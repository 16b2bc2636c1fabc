"""Series of each arc and each edge over the chains, one variable at a time: memory grows with n, not n^2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagwright.confidence.convergence import effective_samples, potential_scale_reduction
from dagwright.confidence.sampled_features import unpack
from dagwright.search.control import Control

Matrix = NDArray[np.float64]
OPEN = 0.01
"""Arcs and edges nearer than this to impossible or certain do not count for convergence."""


@dataclass(frozen=True, eq=False)
class ArcSeries:
    """The arcs of all visits: probabilities given the rest of the state, else those of the networks seen.

    ``networks`` is (chains, draws, variables, words), ``arcs`` (chains, draws, parent, child) or None.
    """

    networks: NDArray[np.uint64]
    arcs: NDArray[np.float32] | None

    def into(self, child: int) -> Matrix:
        """(chains, draws, parent)."""
        n = self.networks.shape[2]
        found = unpack(self.networks[:, :, child], n) if self.arcs is None else self.arcs[..., child]
        return found.astype(np.float64)

    def out_of(self, parent: int) -> Matrix:
        """(chains, draws, child)."""
        if self.arcs is not None:
            return self.arcs[:, :, parent].astype(np.float64)
        word, bit = divmod(parent, 64)
        return ((self.networks[..., word] >> np.uint64(bit)) & np.uint64(1)).astype(np.float64)


class ArcSummary(NamedTuple):
    """Means and standard errors of arcs and edges, the fewest effective samples, the largest R-hat."""

    arcs: Matrix
    edges: Matrix
    arc_errors: Matrix
    edge_errors: Matrix
    effective_samples: float
    rhat: float


def summarize(series: ArcSeries, control: Control) -> ArcSummary:
    """Over all chains."""
    chains, draws, n = series.networks.shape[:3]
    arcs, edges, arc_errors, edge_errors = (np.zeros((n, n)) for _ in range(4))
    worth, rhat = float(chains * draws), 1.0
    for child in range(n):
        control.report("agreement of the chains", child, "variables", total=n)
        into = series.into(child)
        arcs[:, child], arc_errors[:, child], least = _means(into)
        undecided = (arcs[:, child] > OPEN) & (arcs[:, child] < 1 - OPEN)
        rhat = max(rhat, float(np.max(potential_scale_reduction(into[..., undecided]), initial=1.0)))
        before = into[..., :child] + series.out_of(child)[..., :child]
        edges[:child, child], edge_errors[:child, child], also_least = _means(before)
        worth = min(worth, least, also_least)
    return ArcSummary(arcs, edges + edges.T, arc_errors, edge_errors + edge_errors.T, worth, rhat)


def _means(series: Matrix) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """The mean of each series, its standard error, and the least effective samples of those undecided."""
    means, spread = series.mean(axis=(0, 1)), series.std(axis=(0, 1))
    varies = spread > 0
    worth = np.full(means.shape, float(series.shape[0] * series.shape[1]))
    if varies.any():
        worth[varies] = effective_samples(series[..., varies])
    undecided = (means > OPEN) & (means < 1 - OPEN)
    return means, spread / np.sqrt(worth), float(np.min(worth[undecided], initial=np.inf))
