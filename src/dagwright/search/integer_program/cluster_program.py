"""The best network as a linear program over candidate families, with cutting planes for acyclicity.

A variable x[f] in {0, 1} per candidate family f = (child, parents); every child takes one family; each set of
variables has a member without a parent in it (Jaakkola et al. 2010; Cussens 2011). The program minimizes the
loss against every child having its best family, so that numbers stay small.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.search.candidates import CandidateSets

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]


LARGEST_ORDER = 2
STEPS = 200_000
"""How far the complete search for clusters goes where greedy growth finds none."""


@dataclass(frozen=True)
class Row:
    """An inequality: the sum of coefficients times x is at least ``bound``, or at most if ``upper``."""

    families: Numbers
    coefficients: Floats
    bound: float
    upper: bool


class ClusterProgram:
    """Candidate families with their losses, and the inequalities that networks obey.

    Families of score minus infinity are impossible and closed from the start.
    """

    def __init__(self, sets: CandidateSets) -> None:
        self.offsets = sets.offsets
        self.n = len(self.offsets) - 1
        self.families = _core.Families(sets.native)
        self.child: Numbers = np.repeat(np.arange(self.n), np.diff(self.offsets))
        self.best: Floats = sets.scores[self.offsets[:-1]]
        self.possible: Mask = np.isfinite(sets.scores)
        with np.errstate(invalid="ignore"):  # a variable none of whose sets is possible
            self.loss: Floats = np.where(self.possible, self.best[self.child] - sets.scores, 0.0)
        self.parent: Mask = np.zeros((len(sets), self.n), dtype=bool)
        self.parent[np.repeat(np.arange(len(sets)), np.diff(sets.starts)), sets.members] = True
        self.edges = [self._edge_row(one, other) for one, other in sets.required_edges]

    def __len__(self) -> int:
        return len(self.loss)

    def score_of(self, loss: float) -> float:
        """The score of a network with this loss."""
        return math.fsum(self.best) - loss

    def parents_of(self, chosen: Numbers) -> list[list[int]]:
        """The parents in a choice of one family per child."""
        return [[int(parent) for parent in np.flatnonzero(self.parent[family])] for family in chosen]

    def _edge_row(self, one: int, other: int) -> Row:
        joined = ((self.child == one) & self.parent[:, other]) | ((self.child == other) & self.parent[:, one])
        families = np.flatnonzero(joined)
        return Row(families, np.ones(len(families)), 1.0, upper=False)

    def joined(self, chosen: Numbers) -> bool:
        """Whether all pairs that must be adjacent are so in a choice of families."""
        return all(np.isin(row.families, chosen).any() for row in self.edges)

    def cluster_row(self, members: Sequence[int], order: int) -> Row:
        """At least ``order`` members have fewer than ``order`` parents among the members.

        Written over the families that do or over those that do not, whichever are fewer.
        """
        few: Numbers = _core.cluster_row(self.families, list(members), order)
        everyone = np.concatenate([np.arange(self.offsets[v], self.offsets[v + 1]) for v in members])
        if 2 * len(few) <= len(everyone):
            return Row(few, np.ones(len(few)), float(order), upper=False)
        many = np.setdiff1d(everyone, few, assume_unique=True)
        return Row(many, np.ones(len(many)), float(len(members) - order), upper=True)

    def separate(self, weights: Floats, *, least: float, most: int) -> list[Row]:
        """Inequalities that the weights violate by at least ``least``, about ``most`` of them."""
        rows = [row for row in self.edges if weights[row.families].sum() < row.bound - least]
        found = _core.violated_clusters(
            self.families, weights, least=least, most=most, largest_order=LARGEST_ORDER, steps=STEPS
        )
        rows += [self.cluster_row(cluster.members, cluster.order) for cluster in found.clusters]
        if 2 * len(rows) < most:
            for cut in _core.violated_four_node_cuts(self.families, weights, least=least, most=most):
                row = _core.four_node_row(self.families, cut.members, cut.kind)
                rows.append(Row(row.families, row.coefficients, row.bound, upper=True))
        return rows

    def lagrangian(self, rows: Sequence[Row], duals: Floats) -> tuple[Floats, float]:
        """Reduced losses and the constant for multipliers of the rows; wrong signs count as zero.

        For any multipliers, constant + sum over children of the least reduced loss is a lower bound on the
        loss of every network (Neumaier & Shcherbina 2004): what a solver's tolerance spoils makes the bound
        weaker, never wrong.
        """
        duals = np.nan_to_num(duals)
        upper = np.fromiter((row.upper for row in rows), dtype=bool, count=len(rows))
        duals = np.where(upper, np.minimum(duals, 0.0), np.maximum(duals, 0.0))
        used = np.flatnonzero(duals).tolist()
        if not used:
            return self.loss.copy(), 0.0
        families = np.concatenate([rows[at].families for at in used])
        shares = np.concatenate([rows[at].coefficients * duals[at] for at in used])
        constant = float(sum(rows[at].bound * duals[at] for at in used))
        return self.loss - np.bincount(families, shares, minlength=len(self)), constant

    def least_loss(self, reduced: Floats, constant: float, opened: Mask) -> tuple[float, Floats]:
        """The bound over the families in ``opened``, and by how much it rises if a family must be taken."""
        values = np.where(opened, reduced, np.inf)
        least = np.minimum.reduceat(values, self.offsets[:-1])
        bound = constant + math.fsum(least)
        return bound, values - least[self.child]

    def per_child(self, counted: Mask) -> Numbers:
        """How many families of every child are counted, column by column."""
        return np.add.reduceat(counted, self.offsets[:-1], axis=0, dtype=np.int64)

    def arcs(self, weights: Floats) -> Floats:
        """The weight of every arc: entry [u, v] is that of the families of v with parent u."""
        present: Floats = np.add.reduceat(self.parent * weights[:, None], self.offsets[:-1], axis=0)
        return present.T

    def rounded(self, weights: Floats) -> Numbers | None:
        """A network near the weights, one family per child; None if none was found."""
        order = _core.order_by_weights(self.families, weights)
        chosen = _core.climb_orders(self.families, order).families
        return chosen if len(chosen) and self.possible[chosen].all() else None
