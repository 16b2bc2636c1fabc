"""Marginal likelihoods under Dirichlet priors.

log P(D | family) = sum_j log G(a_ij)/G(a_ij + N_ij) + sum_jk log G(a_ijk + N_ijk)/G(a_ijk), with G the gamma
function; the scores differ in the prior counts a_ijk.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagwright import _core
from dagwright.errors import CapacityError, OptionError
from dagwright.evidence.bound import BoundCriterion, BoundLocal
from dagwright.evidence.counting import Counting
from dagwright.evidence.criteria import Score, complete_counting
from dagwright.evidence.priors import BoundBDe, PriorMeasure, as_joint
from dagwright.evidence.protocols import Family, JointDistribution

# Given the child's name and its parents' names, in the order of the columns: prior counts of shape
# (states of each parent ..., states of the child), or anything that broadcasts to it.
PriorCounts = Callable[[str, tuple[str, ...]], ArrayLike]
LARGEST_PRIOR_TABLE = 10_000_000


def checked_ess(ess: float) -> None:
    if not (math.isfinite(ess) and ess > 0):
        raise OptionError(f"the equivalent sample size must be a positive number, not {ess}")


@dataclass(frozen=True)
class K2Score(Score):
    """All a_ijk = 1 (Cooper & Herskovits 1992; Jensen & Nielsen 2007, Eq. 7.9). Not score equivalent."""

    summary: ClassVar[str] = "marginal likelihood, one pseudo-count per cell"
    citation: ClassVar[str] = "Cooper & Herskovits 1992"

    name: ClassVar[str] = "K2"
    marginal_likelihood: ClassVar[bool] = True
    equivalent = False

    def definition(self, N: float) -> str:  # noqa: ARG002
        return "log marginal likelihood, prior count 1 per cell"

    def on(self, data: Any) -> BoundLocal:
        counting = complete_counting(data)
        return BoundLocal(self, counting, _core.CellScore(counting.table.native, _core.CellScoreKind.k2))


@dataclass(frozen=True)
class BDeu(Score):
    """a_ijk = ess / (r q) (Buntine 1991; Heckerman, Geiger & Chickering 1995).

    Parameters
    ----------
    ess
        Equivalent sample size: the weight of the uniform prior in rows. The result is sensitive to it.
    """

    summary: ClassVar[str] = "marginal likelihood, uniform prior worth ess rows"
    citation: ClassVar[str] = "Buntine 1991; Heckerman et al. 1995"

    ess: float = 1.0
    name: ClassVar[str] = "BDeu"
    marginal_likelihood: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checked_ess(self.ess)

    def definition(self, N: float) -> str:  # noqa: ARG002
        return f"log marginal likelihood, equivalent sample size {self.ess:g}"

    def on(self, data: Any) -> BoundCriterion:
        counting = complete_counting(data)
        return BoundCriterion(self, counting, counting.measure("dirichlet", self.ess), 0.0)


@dataclass(frozen=True)
class AdaptiveBDeu(Score):
    """log P(child, parents) - log P(parents), each with the equivalent sample size that fits it best.

    P(S) is the marginal likelihood of the columns S under a uniform Dirichlet prior worth a rows, at its
    largest over a = 1, 2, 4, ..., 64 (empirical Bayes). Sets whose cells are mostly empty get a small a, sets
    with full tables a large one; one a for all of them adds or loses edges in one or the other (Silander,
    Kontkanen & Myllymäki 2007; Steck 2008). Score equivalent and free of parameters.
    """

    summary: ClassVar[str] = "BDeu, the equivalent sample size chosen for each set"
    citation: ClassVar[str] = "Buntine 1991; Heckerman et al. 1995"

    name: ClassVar[str] = "adaptive BDeu"

    def definition(self, N: float) -> str:  # noqa: ARG002
        return "log marginal likelihood, best equivalent sample size from 1 to 64 for each set"

    def on(self, data: Any) -> BoundCriterion:
        counting = complete_counting(data)
        return BoundCriterion(self, counting, counting.measure("adaptive"), 0.0)


@dataclass(frozen=True)
class BDs(Score):
    """a_ijk = ess / (r q') with q' the number of parent configurations that occur (Scutari 2016).

    For sparse data, where BDeu spends its prior on configurations never seen. Not score equivalent.
    """

    summary: ClassVar[str] = "BDeu over the parent configurations that occur"
    citation: ClassVar[str] = "Scutari 2016"

    ess: float = 1.0
    name: ClassVar[str] = "BDs"
    marginal_likelihood: ClassVar[bool] = True
    equivalent = False

    def __post_init__(self) -> None:
        checked_ess(self.ess)

    def definition(self, N: float) -> str:  # noqa: ARG002
        return f"log marginal likelihood, equivalent sample size {self.ess:g} on seen configurations"

    def on(self, data: Any) -> BoundLocal:
        counting = complete_counting(data)
        return BoundLocal(
            self, counting, _core.CellScore(counting.table.native, _core.CellScoreKind.bds, self.ess)
        )


@dataclass(frozen=True, eq=False)
class BDe(Score):
    """a_ijk = ess * p'(child = k, parents = j) for a prior joint distribution p' (Heckerman et al. 1995).

    A cell that p' rules out makes the family impossible (-inf) if it occurs in the data; else it is ignored.

    Parameters
    ----------
    prior
        A Table (its weighted rows are the distribution, see `Table.from_distribution`), an array with one
        axis per column of the data, or an object with ``marginal(names)``.
    ess
        Equivalent sample size: the weight of the prior in rows.
    """

    summary: ClassVar[str] = "marginal likelihood, prior from a distribution"
    citation: ClassVar[str] = "Heckerman et al. 1995"

    prior: Any
    ess: float = 1.0
    name: ClassVar[str] = "BDe"
    marginal_likelihood: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checked_ess(self.ess)

    def definition(self, N: float) -> str:  # noqa: ARG002
        return f"log marginal likelihood, prior distribution worth {self.ess:g} rows"

    def on(self, data: Any) -> BoundBDe:
        counting = complete_counting(data)
        joint: JointDistribution = as_joint(self.prior, counting)
        return BoundBDe(self, counting, PriorMeasure(counting, joint, self.ess))


@dataclass(frozen=True)
class DirichletScore(Score):
    """Prior counts of your own: one number for every cell, or a function of the family. Not score equivalent.

    >>> DirichletScore(0.5).describe({"a": ["n", "y"], "b": ["n", "y"]})
    'Dirichlet, nats, larger is better, log marginal likelihood, prior count 0.5 per cell, N = 2'
    """

    summary: ClassVar[str] = "marginal likelihood, any pseudo-counts"
    citation: ClassVar[str] = "Heckerman et al. 1995"

    alpha: float | PriorCounts
    name: ClassVar[str] = "Dirichlet"
    marginal_likelihood: ClassVar[bool] = True
    equivalent = False

    def __post_init__(self) -> None:
        if not callable(self.alpha) and not (math.isfinite(self.alpha) and self.alpha > 0):
            raise OptionError(f"prior counts must be positive, not {self.alpha}")

    def definition(self, N: float) -> str:  # noqa: ARG002
        given = "given prior counts" if callable(self.alpha) else f"prior count {self.alpha:g} per cell"
        return f"log marginal likelihood, {given}"

    def on(self, data: Any) -> BoundLocal:
        counting = complete_counting(data)
        return BoundLocal(self, counting, FreeDirichlet(counting, self.alpha))


class FreeDirichlet:
    """The local score of prior counts that follow no rule."""

    def __init__(self, counting: Counting, alpha: float | PriorCounts) -> None:
        self.counting = counting
        self.alpha = alpha

    def local(self, families: Sequence[Family]) -> list[float]:
        return [self._one(child, sorted(parents)) for child, parents in families]

    def _one(self, child: int, parents: list[int]) -> float:
        codes, counts = self.counting.cells([*parents, child])
        alpha, row_alpha = self._prior(child, parents, codes)
        # Cells come sorted, so those of one parent configuration stand together.
        new_row = np.ones(len(counts), dtype=np.bool_)
        new_row[1:] = np.any(codes[1:, :-1] != codes[:-1, :-1], axis=1)
        starts = np.flatnonzero(new_row)
        n_ij = np.add.reduceat(counts, starts) if len(counts) else counts
        inside = map(_core.log_rising, alpha.tolist(), counts.tolist())
        outside = map(_core.log_rising, row_alpha[starts].tolist(), n_ij.tolist())
        return math.fsum(inside) - math.fsum(outside)

    def _prior(
        self, child: int, parents: list[int], codes: NDArray[np.uint32]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """a_ijk and a_ij of the given cells."""
        shape = tuple(self.counting.cardinalities[v] for v in (*parents, child))
        if not callable(self.alpha):
            return np.full(len(codes), self.alpha), np.full(len(codes), self.alpha * shape[-1])
        names = self.counting.names
        if math.prod(shape) > LARGEST_PRIOR_TABLE:
            raise CapacityError(
                f"the prior counts of {names[child]!r} would need {math.prod(shape):,} cells; "
                "bound the number of parents"
            )
        given = self.alpha(names[child], tuple(names[p] for p in parents))
        try:
            prior = np.broadcast_to(np.asarray(given, dtype=np.float64), shape)
        except ValueError:
            raise OptionError(
                f"the prior counts of {names[child]!r} have shape {np.shape(given)}, its family needs {shape}"
            ) from None
        if not np.all(np.isfinite(prior) & (prior > 0)):
            raise OptionError(f"the prior counts of {names[child]!r} must all be positive")
        place = tuple(codes.T.astype(np.intp))
        return prior[place], np.broadcast_to(prior.sum(axis=-1)[place[:-1]], len(codes))
