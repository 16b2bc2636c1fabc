"""Which of many p-values to believe: control of the false discovery rate."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from dagwright.errors import OptionError
from dagwright.methods.traits import MethodTraits


@dataclass(frozen=True, slots=True)
class FalseDiscoveryRate(MethodTraits, ABC):
    """Of m hypotheses the k smallest p-values are rejected, for the largest k with p_k <= rate k / (m c).

    Parameters
    ----------
    rate
        The share of true hypotheses to expect among the rejected ones, at most.
    """

    rate: float = 0.05

    def __post_init__(self) -> None:
        if not 0.0 < self.rate < 1.0:
            raise OptionError(f"the false discovery rate must lie between 0 and 1, not {self.rate}")

    @abstractmethod
    def caution(self, m: int) -> float:
        """c, at least 1."""

    def rejected(self, p_values: Sequence[float]) -> list[bool]:
        """For each hypothesis whether it is rejected; equal p-values share their fate."""
        m = len(p_values)
        scale = self.rate / (m * self.caution(m)) if m else 0.0
        passing = [p for k, p in enumerate(sorted(p_values), 1) if p <= k * scale]
        largest = passing[-1] if passing else -math.inf
        return [p <= largest for p in p_values]


@dataclass(frozen=True, slots=True)
class BenjaminiHochberg(FalseDiscoveryRate):
    """c = 1: for p-values that are independent or positively dependent (Benjamini & Hochberg 1995).

    >>> BenjaminiHochberg(0.05).rejected([0.01, 0.03, 0.9, 0.035])
    [True, True, False, True]
    """

    summary: ClassVar[str] = "false discovery rate of p-values that are independent or agree"
    citation: ClassVar[str] = "Benjamini & Hochberg 1995"

    def caution(self, m: int) -> float:  # noqa: ARG002
        return 1.0


@dataclass(frozen=True, slots=True)
class BenjaminiYekutieli(FalseDiscoveryRate):
    """c = 1 + 1/2 + ... + 1/m: for any dependence between the p-values (Benjamini & Yekutieli 2001).

    >>> BenjaminiYekutieli(0.05).rejected([0.01, 0.03, 0.9, 0.035])
    [False, False, False, False]
    """

    summary: ClassVar[str] = "false discovery rate of any p-values"
    citation: ClassVar[str] = "Benjamini & Yekutieli 2001"

    def caution(self, m: int) -> float:
        return math.fsum(1.0 / k for k in range(1, m + 1))


def require_procedure(fdr: object) -> None:
    """Refuse what does not control a false discovery rate."""
    if not isinstance(fdr, FalseDiscoveryRate):
        raise OptionError(
            f"fdr takes BenjaminiHochberg(rate=0.05) or BenjaminiYekutieli(rate=0.05), not {fdr!r}"
        )
