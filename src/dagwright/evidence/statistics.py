"""The statistics of independence tests: the likelihood ratio G2 and Pearson's X2, with degrees of freedom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from dagwright.errors import OptionError
from dagwright.evidence.bound import interactions
from dagwright.evidence.counting import Counting
from dagwright.evidence.protocols import KnownColumns, Measure, Triple
from dagwright.evidence.strata import Strata


def degrees_of_freedom(r_x: float, r_y: float, q: float) -> float:
    """(r_x - 1)(r_y - 1) q; infinite where the configurations are too many for a number."""
    return (r_x - 1.0) * (r_y - 1.0) * q if r_x > 1 and r_y > 1 else 0.0


class Measured(NamedTuple):
    """A statistic, its degrees of freedom, and N times the conditional mutual information in nats."""

    statistic: float
    df: float
    information: float


class Statistic(Protocol):
    """The statistic of questions that are counted on the same rows."""

    @property
    def data(self) -> Counting | Measure: ...
    def values(self, triples: Sequence[Triple], rows: KnownColumns | None) -> list[Measured]: ...


class LikelihoodRatio:
    """G2 = 2 * interaction of a measure with degrees of freedom; on data, of the multinomial."""

    def __init__(self, data: Counting | Measure, *, adjusted: bool) -> None:
        self.data = data
        self.measure: Measure = data.measure("multinomial") if isinstance(data, Counting) else data
        self.counting = data if adjusted and isinstance(data, Counting) else None
        if adjusted and self.counting is None:
            raise OptionError("adjusted degrees of freedom need the counts; give data, not a measure")
        own = not isinstance(data, Counting) and len(data.cardinalities) > 0
        if own and self.measure.evidence([frozenset([0])])[0].dim == 0:
            raise OptionError(
                "a likelihood-ratio test needs a measure with degrees of freedom, and this one has none; "
                "decide by the sign of its log Bayes factor: CriterionSign(LogLik())"
            )

    def values(self, triples: Sequence[Triple], rows: KnownColumns | None) -> list[Measured]:
        found = [
            Measured(2.0 * max(e.fit, 0.0), e.dim, max(e.fit, 0.0))
            for e in interactions(self.measure, triples, rows)
        ]
        if self.counting is None:
            return found
        adjusted = [Strata.of(self.counting, triple, rows).degrees_of_freedom() for triple in triples]
        return [one._replace(df=float(df)) for one, df in zip(found, adjusted, strict=True)]


class Pearson:
    """X2 = sum (n - E)^2 / E within the strata of z."""

    def __init__(self, data: Counting, *, adjusted: bool) -> None:
        self.data = data
        self.adjusted = adjusted

    def values(self, triples: Sequence[Triple], rows: KnownColumns | None) -> list[Measured]:
        return [self._one(triple, Strata.of(self.data, triple, rows)) for triple in triples]

    def _one(self, triple: Triple, strata: Strata) -> Measured:
        r_x, r_y, q = (math.prod(float(self.data.cardinalities[v]) for v in side) for side in triple)
        df = strata.degrees_of_freedom() if self.adjusted else degrees_of_freedom(r_x, r_y, q)
        return Measured(strata.chi_square(), float(df), strata.g_square() / 2.0)
