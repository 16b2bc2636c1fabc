"""Penalised likelihood: fit - lambda(N) * number of parameters."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from dagwright import _core
from dagwright.errors import OptionError
from dagwright.evidence.bound import Bound, BoundCriterion, Triple, native_local
from dagwright.evidence.counting import Counting, as_table
from dagwright.evidence.protocols import Family, Measure
from dagwright.evidence.units import Unit, in_unit
from dagwright.graph.dag import Dag
from dagwright.graph.query import Verdict


class Score(ABC):
    """What every score specification knows about itself. Scores are in nats, and larger is better."""

    name: ClassVar[str]
    equivalent: ClassVar[bool] = True
    decomposable: ClassVar[bool] = True
    citation: ClassVar[str] = ""

    @abstractmethod
    def definition(self, N: float) -> str:
        """The penalty or prior, in words."""

    @abstractmethod
    def on(self, data: Any) -> Any:
        """The score bound to a Table, a `Counting`, or anything that `dagwright.read` takes."""

    def describe(self, data: Any) -> str:
        """One line with the sign, the unit and the penalty."""
        N = data.N if isinstance(data, Counting | Measure) else as_table(data).N
        return f"{self.name}, nats, larger is better, {self.definition(N)}, N = {N:.12g}"


def complete_counting(data: Any) -> Counting:
    """Counts for a score: available cases are refused, because they favour parents with many gaps."""
    counting = Counting.of(data)
    counting.require_complete()
    return counting


class PenalizedLikelihood(Score):
    """Sum of N_ijk log(N_ijk/N_ij) minus lambda(N) for each of the (r - 1) q parameters."""

    @abstractmethod
    def penalty(self, N: float) -> float:
        """lambda(N), in nats per parameter."""

    def on(self, data: Any) -> BoundCriterion:
        """The score bound to data, or to any `Measure` in place of the data."""
        if isinstance(data, Counting) or not isinstance(data, Measure):
            data = complete_counting(data)
            return BoundCriterion(self, data, data.measure("multinomial"), self.penalty(data.N))
        return BoundCriterion(self, data, data, self.penalty(data.N))

    def level(self, df: float, N: float) -> float:
        """The level of the G2 test that this criterion's decision about an arc amounts to.

        >>> round(BIC().level(1, 1000), 4)
        0.0086
        """
        return _core.chi2_sf(2.0 * self.penalty(N) * df, df)


@dataclass(frozen=True)
class LogLik(PenalizedLikelihood):
    """Maximised log-likelihood, sum of N_ijk log(N_ijk/N_ij); it never falls when an arc is added."""

    name: ClassVar[str] = "LogLik"

    def penalty(self, N: float) -> float:  # noqa: ARG002
        return 0.0

    def definition(self, N: float) -> str:  # noqa: ARG002
        return "no penalty"


@dataclass(frozen=True)
class AIC(PenalizedLikelihood):
    """Log-likelihood - number of parameters (Akaike 1974; -1/2 of the usual AIC)."""

    name: ClassVar[str] = "AIC"
    citation: ClassVar[str] = "Akaike 1974"

    def penalty(self, N: float) -> float:  # noqa: ARG002
        return 1.0

    def definition(self, N: float) -> str:  # noqa: ARG002
        return "penalty 1 per parameter"


@dataclass(frozen=True)
class BIC(PenalizedLikelihood):
    """Log-likelihood - log(N)/2 * number of parameters (Schwarz 1978; Jensen & Nielsen 2007, Eq. 7.5).

    >>> BIC().on({"a": ["n", "y", "y"], "b": ["n", "y", "y"]}).N
    3.0
    """

    name: ClassVar[str] = "BIC"
    citation: ClassVar[str] = "Schwarz 1978"

    def penalty(self, N: float) -> float:
        return math.log(N) / 2.0 if N > 1.0 else 0.0

    def definition(self, N: float) -> str:  # noqa: ARG002
        return "penalty log(N)/2 per parameter"


@dataclass(frozen=True)
class Penalized(PenalizedLikelihood):
    """Log-likelihood - phi(N) * number of parameters, with your own phi: a function of N or a number.

    >>> Penalized(lambda N: 2.0).on({"a": ["n", "y"], "b": ["n", "y"]}).penalty
    2.0
    """

    phi: Callable[[float], float] | float
    name: ClassVar[str] = "Penalized"

    def penalty(self, N: float) -> float:
        value = float(self.phi(N) if callable(self.phi) else self.phi)
        if not (math.isfinite(value) and value >= 0):
            raise OptionError(
                f"phi({N:g}) = {value}, but a penalty per parameter must be finite and not negative"
            )
        return value

    def definition(self, N: float) -> str:
        return f"penalty {self.penalty(N):.12g} per parameter"


@dataclass(frozen=True)
class MDL(Score):
    """Minus the description length of Lam & Bacchus (1994, Eqs. 1 and 3).

    A node with k parents costs k log2(n) bits to name them and d bits for each of its (r - 1) q numbers; the
    data cost minus their log-likelihood. ``d=None`` means log2(N)/2, which makes it BIC - arcs * log(n).

    Parameters
    ----------
    d
        Bits per stored number.
    """

    d: float | None = None
    name: ClassVar[str] = "MDL"
    citation: ClassVar[str] = "Lam & Bacchus 1994"

    def __post_init__(self) -> None:
        if self.d is not None and not (math.isfinite(self.d) and self.d >= 0):
            raise OptionError(f"d must be a number of bits, finite and not negative, not {self.d}")

    def penalty(self, N: float) -> float:
        return BIC().penalty(N) if self.d is None else self.d * math.log(2)

    def definition(self, N: float) -> str:  # noqa: ARG002
        each = "log(N)/2" if self.d is None else f"{self.d:g} bits"
        return f"minus the description length: {each} per parameter, log(n) per arc"

    def on(self, data: Any) -> BoundMDL:
        return BoundMDL(self, LogLik().on(data))


@dataclass(frozen=True)
class DescriptionLength:
    """The two parts of a description length; shorter is better."""

    model: float
    data: float
    unit: Unit

    @property
    def total(self) -> float:
        return self.model + self.data


class BoundMDL(Bound):
    """Log-likelihood minus the cost of the parameters minus the cost of naming the parents."""

    def __init__(self, spec: MDL, likelihood: BoundCriterion) -> None:
        super().__init__(spec, likelihood.data)
        self.penalized = BoundCriterion(spec, likelihood.data, likelihood.measure, spec.penalty(self.N))
        self.likelihood = likelihood
        self.per_arc = math.log(max(len(self.names), 1))

    @cached_property
    def native(self) -> _core.LocalScore:
        n = len(self.names)
        return _core.ArcPriorScore(self.penalized.native, [-self.per_arc] * (n * n), [0.0] * n)

    def local(self, families: Sequence[Family]) -> list[float]:
        return native_local(self.native, families, self.threads)

    def verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        """As for BIC, with the arcs between x and y paid for."""
        pairs = zip(self.penalized.verdicts(triples), triples, strict=True)
        return [self._sign((v.gain or 0.0) - self.per_arc * len(t.x) * len(t.y), v) for v, t in pairs]

    def description_length(self, graph: Dag, unit: Unit = "bits") -> DescriptionLength:
        """Model and data parts of the description length of a graph."""
        data = -self.likelihood.total(graph)
        return DescriptionLength(in_unit(-self.total(graph) - data, unit), in_unit(data, unit), unit)
