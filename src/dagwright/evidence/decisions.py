"""Tests that decide without the chi-squared distribution: by a threshold, or by the sign of a score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

from dagwright import _core
from dagwright.defaults import Kind
from dagwright.errors import OptionError, require_a
from dagwright.evidence.bayesian import BDeu
from dagwright.evidence.bound import Bound, BoundCriterion, BoundTest, NativeTest, as_native
from dagwright.evidence.chi_squared import GSquare, TestSpec
from dagwright.evidence.counting import Counting
from dagwright.evidence.criteria import PenalizedLikelihood, Score
from dagwright.evidence.numbers import MeasureSpec, on_kind, takes_numbers
from dagwright.evidence.protocols import Family, Triple
from dagwright.evidence.statistics import LikelihoodRatio
from dagwright.graph.query import Verdict
from dagwright.methods.method_like import read_methods


@dataclass(frozen=True)
class Threshold(TestSpec):
    """Independent if CMI(x, y | z) < epsilon, in nats per row (Cowell 2001, section 5.1).

    The same as comparing the gain in log-likelihood per row with epsilon. With a known distribution a tiny
    epsilon decides exactly.
    """

    summary: ClassVar[str] = "conditional mutual information below epsilon"
    citation: ClassVar[str] = "Cowell 2001"

    epsilon: float
    name: ClassVar[str] = "Threshold"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.epsilon) and self.epsilon >= 0):
            raise OptionError(f"epsilon must be finite and not negative, not {self.epsilon}")

    def definition(self) -> str:
        return f"independent if the conditional mutual information is below {self.epsilon:g} nats"

    def on(self, data: Any) -> BoundThreshold:
        return BoundThreshold(self, GSquare().statistic(data))


class BoundThreshold(NativeTest, BoundTest):
    """The decision by the size of the conditional mutual information."""

    spec: Threshold

    def __init__(self, spec: Threshold, ratio: LikelihoodRatio) -> None:
        super().__init__(spec, ratio.data)
        self.measure = ratio.measure

    @cached_property
    def native_test(self) -> _core.IndependenceTest:
        return _core.MeasureTest.threshold(as_native(self.measure), self.spec.epsilon)


@dataclass(frozen=True)
class CriterionSign(TestSpec):
    """Dependent if an arc between x and y would raise the score. Any score can be named.

    With BIC this is the G2 test at level ``BIC().level(df, N)``. For scores that are not score equivalent,
    the child's own local score decides where the child is known, as in `ThickThin`; a symmetric question, as
    in `PC`, is decided by the mean gain of both directions.
    """

    summary: ClassVar[str] = "the sign of any score's gain"
    citation: ClassVar[str] = "Cowell 2001"

    score: Score | MeasureSpec
    name: ClassVar[str] = "Criterion"

    def __post_init__(self) -> None:
        read_methods(self, score=("score", "measure"))
        require_a(Score | MeasureSpec, self.score, "score", "a score such as BIC()")

    @property
    def judge(self) -> object:
        """The score that it asks."""
        return self.score

    def definition(self) -> str:
        return f"dependent if an arc raises {self.score.name}"

    @property
    def takes_numbers(self) -> bool:
        """Whether the score does."""
        return takes_numbers(self.score)

    def on_kind(self, kind: Kind) -> CriterionSign:
        """The sign of the score for columns of this kind."""
        return replace(self, score=on_kind(self.score, kind))

    def on(self, data: Any) -> Bound:
        """Penalized likelihoods can also decide on the rows available for each question."""
        if isinstance(self.score, MeasureSpec):
            measure = self.score.on(data)
            return BoundCriterion(self.score, measure, measure, 0.0)
        if not self.score.decomposable:
            raise OptionError(f"{self.score.name} is not a sum over families; it cannot judge arcs")
        if isinstance(self.score, PenalizedLikelihood) and isinstance(data, Counting) and data.incomplete:
            return BoundSign(self, self.score, GSquare().statistic(data))
        bound: Bound = self.score.on(data)
        return bound


class BoundSign(NativeTest, BoundTest):
    """The sign of a penalized likelihood, each question with the N of the rows that can answer it."""

    def __init__(self, spec: CriterionSign, score: PenalizedLikelihood, ratio: LikelihoodRatio) -> None:
        super().__init__(spec, ratio.data)
        self.measure = ratio.measure
        self.score = score

    @cached_property
    def native_test(self) -> _core.IndependenceTest:
        return _core.MeasureTest.sign(as_native(self.measure), self.score.penalty)


@dataclass(frozen=True)
class BayesFactor(TestSpec):
    """Dependent if log [P(D | arc) / P(D | no arc)] + log_odds > 0 (Cowell 2001, Eqs. 11-12).

    A score that is not score equivalent decides as in `CriterionSign`.

    Parameters
    ----------
    score
        The marginal likelihood: BDeu, BDe, K2Score, DirichletScore, BDs; BGe for numbers.
    log_odds
        Logarithm of the prior odds of dependence; negative values ask for stronger evidence.
    """

    summary: ClassVar[str] = "log Bayes factor of a Bayesian score"
    citation: ClassVar[str] = "Cowell 2001"

    score: Score | MeasureSpec = field(default_factory=BDeu)
    log_odds: float = 0.0
    name: ClassVar[str] = "Bayes factor"

    def __post_init__(self) -> None:
        read_methods(self, score=("score", "measure"))
        require_a(Score | MeasureSpec, self.score, "score", "a score such as BDeu()")
        if not math.isfinite(self.log_odds):
            raise OptionError(f"log_odds must be finite, not {self.log_odds}")

    @property
    def judge(self) -> object:
        """The score that it asks."""
        return self.score

    def definition(self) -> str:
        return f"dependent if the log ratio of {self.score.name} plus {self.log_odds:g} is positive"

    @property
    def takes_numbers(self) -> bool:
        """Whether the score does."""
        return takes_numbers(self.score)

    def on_kind(self, kind: Kind) -> BayesFactor:
        """The factor by the score for columns of this kind."""
        return replace(self, score=on_kind(self.score, kind))

    def on(self, data: Any) -> BoundBayesFactor:
        score = CriterionSign(self.score).on(data)
        made = MeasuredBayesFactor if isinstance(score, BoundCriterion) else BoundBayesFactor
        return made(self, score, self.log_odds)


class BoundBayesFactor(Bound):
    """A score whose arcs start with prior odds."""

    def __init__(self, spec: BayesFactor, score: Bound, log_odds: float) -> None:
        super().__init__(spec, score.data)
        self.score = score
        self.log_odds = log_odds

    def local(self, families: Sequence[Family]) -> list[float]:
        values = self.score.local(families)
        return [v + self.log_odds * len(f.parents) for v, f in zip(values, families, strict=True)]

    def verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        return [self._with_odds(verdict, self.log_odds) for verdict in self.score.verdicts(triples)]

    def arc_verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        """Each arc from a member of y starts with the prior odds, as in `local`."""
        found = zip(self.score.arc_verdicts(triples), triples, strict=True)
        return [self._with_odds(verdict, self.log_odds * len(triple.y)) for verdict, triple in found]

    def _with_odds(self, verdict: Verdict, log_odds: float) -> Verdict:
        factor = verdict.gain or 0.0
        return self._sign(factor + log_odds, replace(verdict, statistic=factor))


class MeasuredBayesFactor(NativeTest, BoundBayesFactor):
    """The log Bayes factor as the interaction of a measure."""

    score: BoundCriterion

    @cached_property
    def native_test(self) -> _core.IndependenceTest:
        measure = as_native(self.score.measure)
        return _core.MeasureTest.sign(
            measure, self.score.penalty_at, odds=self.log_odds, factor_as_statistic=True
        )
