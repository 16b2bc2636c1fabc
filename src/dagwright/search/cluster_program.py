"""The best network as a linear program over candidate families, with cutting planes for acyclicity.

A variable x[f] in {0, 1} per candidate family f = (child, parents); every child takes one family; each set of
variables has a member without a parent in it (Jaakkola et al. 2010; Cussens 2011). The program minimises the
loss against every child having its best family, so that numbers stay small.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dagwright import _core

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Row:
    """An inequality: the sum of coefficients times x is at least ``bound``, or at most if ``upper``."""

    families: Numbers
    coefficients: Floats
    bound: float
    upper: bool


class ClusterProgram:
    """Candidate families with their losses, and the inequalities that networks obey.

    Parameters
    ----------
    offsets, scores, starts, members
        The layout of `CandidateSets`: child v has the families ``offsets[v]`` to ``offsets[v + 1]``, family f
        the parents ``members[starts[f]:starts[f + 1]]``.
    links
        Pairs of variables that must be adjacent, either way.
    """

    def __init__(
        self,
        offsets: Numbers,
        scores: Floats,
        starts: Numbers,
        members: NDArray[np.int32],
        links: Iterable[tuple[int, int]] = (),
    ) -> None:
        self.offsets = np.ascontiguousarray(offsets, dtype=np.int64)
        self.n = len(self.offsets) - 1
        starts = np.ascontiguousarray(starts, dtype=np.int64)
        members = np.ascontiguousarray(members, dtype=np.int32)
        self.families = _core.Families(self.offsets, starts, members)
        self.child: Numbers = np.repeat(np.arange(self.n), np.diff(self.offsets))
        self.best: Floats = np.maximum.reduceat(scores, self.offsets[:-1])
        self.loss: Floats = self.best[self.child] - scores
        self.parent: Mask = np.zeros((len(scores), self.n), dtype=bool)
        self.parent[np.repeat(np.arange(len(scores)), np.diff(starts)), members] = True
        self.links = [self._link_row(one, other) for one, other in links]

    def __len__(self) -> int:
        return len(self.loss)

    def score_of(self, loss: float) -> float:
        """The score of a network with this loss."""
        return float(self.best.sum()) - loss

    def families_of(self, parents: Sequence[Sequence[int]]) -> Numbers | None:
        """The numbers of these families, one per child; None if one is no candidate."""
        chosen = []
        for child, members in enumerate(parents):
            wanted = np.zeros(self.n, dtype=bool)
            wanted[list(members)] = True
            here = slice(int(self.offsets[child]), int(self.offsets[child + 1]))
            same = np.flatnonzero((self.parent[here] == wanted).all(axis=1))
            if not len(same):
                return None
            chosen.append(here.start + int(same[0]))
        return np.array(chosen, dtype=np.int64)

    def parents_of(self, chosen: Numbers) -> list[list[int]]:
        """The parents in a choice of one family per child."""
        return [[int(parent) for parent in np.flatnonzero(self.parent[family])] for family in chosen]

    def _link_row(self, one: int, other: int) -> Row:
        joined = ((self.child == one) & self.parent[:, other]) | ((self.child == other) & self.parent[:, one])
        families = np.flatnonzero(joined)
        return Row(families, np.ones(len(families)), 1.0, upper=False)

    def cluster_row(self, members: Sequence[int], order: int) -> Row:
        """At least ``order`` members have fewer than ``order`` parents among the members.

        Written over the families that do or over those that do not, whichever are fewer.
        """
        few = _core.cluster_row(self.families, list(members), order)
        everyone = np.concatenate([np.arange(self.offsets[v], self.offsets[v + 1]) for v in members])
        if 2 * len(few) <= len(everyone):
            return Row(few, np.ones(len(few)), float(order), upper=False)
        many = np.setdiff1d(everyone, few, assume_unique=True)
        return Row(many, np.ones(len(many)), float(len(members) - order), upper=True)

    def separate(self, weights: Floats, *, least: float, most: int) -> list[Row]:
        """Inequalities that the weights violate by at least ``least``, at most ``most`` of them."""
        found, _ = _core.violated_clusters(self.families, weights, least, most, 2, 200_000)
        rows = [self.cluster_row(members, order) for members, order, _ in found]
        if 2 * len(found) < most:
            for members, kind, _ in _core.violated_four_node_cuts(
                self.families, weights, least, most - len(found)
            ):
                families, coefficients, bound = _core.four_node_row(self.families, members, kind)
                rows.append(Row(families, coefficients, bound, upper=True))
        return rows

    def lagrangian(self, rows: Sequence[Row], duals: Floats) -> tuple[Floats, float]:
        """Reduced losses and the constant for multipliers of the rows; wrong signs count as zero.

        For any multipliers, constant + sum over children of the least reduced loss is a lower bound on the
        loss of every network (Neumaier & Shcherbina 2004): what a solver's tolerance spoils makes the bound
        weaker, never wrong.
        """
        upper = np.array([row.upper for row in rows], dtype=bool)
        duals = np.where(upper, np.minimum(duals, 0.0), np.maximum(duals, 0.0))
        used = [at for at in np.flatnonzero(duals)]
        if not used:
            return self.loss.copy(), 0.0
        families = np.concatenate([rows[at].families for at in used])
        shares = np.concatenate([rows[at].coefficients * duals[at] for at in used])
        constant = float(sum(rows[at].bound * duals[at] for at in used))
        return self.loss - np.bincount(families, shares, minlength=len(self)), constant

    def least_loss(self, reduced: Floats, constant: float, opened: Mask) -> tuple[float, Floats]:
        """The bound over the families in ``opened``, and what each family costs above the best of its child."""
        values = np.where(opened, reduced, np.inf)
        least = np.minimum.reduceat(values, self.offsets[:-1])
        with np.errstate(invalid="ignore"):
            return constant + float(least.sum()), values - least[self.child]
