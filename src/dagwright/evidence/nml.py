"""Normalized maximum likelihood: the penalty is the exact regret of the multinomial."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dagwright import _core
from dagwright.evidence.bound import BoundCriterion, BoundLocal
from dagwright.evidence.criteria import Score, complete_counting


@dataclass(frozen=True)
class FNML(Score):
    """Log-likelihood - sum_j log C(N_ij, r), C the NML normalizer (Silander et al. 2008).

    Free of parameters; not score equivalent.
    """

    summary: ClassVar[str] = "factorized normalized maximum likelihood"
    citation: ClassVar[str] = "Silander et al. 2008"

    name: ClassVar[str] = "fNML"
    equivalent = False

    def definition(self, N: float) -> str:  # noqa: ARG002
        return "penalty: the NML regret of each parent configuration"

    def on(self, data: Any) -> BoundLocal:
        counting = complete_counting(data)
        return BoundLocal(self, counting, _core.CellScore(counting.table.native, _core.CellScoreKind.fnml))


@dataclass(frozen=True)
class QNML(Score):
    """Log-likelihood - log C(N, r q) + log C(N, q), C the NML normalizer (Silander et al. 2018).

    Score equivalent and free of parameters.
    """

    summary: ClassVar[str] = "quotient normalized maximum likelihood"
    citation: ClassVar[str] = "Silander et al. 2018"

    name: ClassVar[str] = "qNML"

    def definition(self, N: float) -> str:  # noqa: ARG002
        return "penalty: the quotient NML regret of the family"

    def on(self, data: Any) -> BoundCriterion:
        counting = complete_counting(data)
        return BoundCriterion(self, counting, counting.measure("nml"), 0.0)
