"""Independence tests of numbers by partial correlations, and of blocks of indicators in the same way."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from dagwright import _core
from dagwright.errors import OptionError
from dagwright.evidence.bound import BoundTest, NativeTest
from dagwright.evidence.chi_squared import USUAL_ALPHA, TestSpec, checked_alpha
from dagwright.evidence.counting import NativeMeasure
from dagwright.evidence.native_answers import verdicts_of
from dagwright.evidence.numbers import Embedded, MeasureSpec, Numbers
from dagwright.evidence.protocols import Triple
from dagwright.graph.query import Verdict
from dagwright.methods.method_like import read_methods
from dagwright.methods.traits import MIXED, DataKind, evidence_traits

ROWS_OF_CELL = 50
"""Rows that a cell needs for the chi-squared level of a normal distribution in each cell."""


@dataclass(frozen=True)
class PartialCorrelationTest(TestSpec):
    """The base of all tests of partial correlations.

    A discrete column takes part with the indicators of its states. A question is asked on the rows where its
    columns are known.

    Parameters
    ----------
    alpha
        Independent if the p-value exceeds it. It is the error rate of one test, not of a whole search.
    """

    alpha: float = USUAL_ALPHA
    takes: ClassVar[frozenset[DataKind]] = MIXED

    def __post_init__(self) -> None:
        checked_alpha(self.alpha)

    def definition(self) -> str:
        return f"independent if p > {self.alpha:g}"

    @abstractmethod
    def native_test(self, measure: _core.Measure, columns: list[float]) -> _core.IndependenceTest:
        """The test in the core."""

    def on(self, data: Any) -> BoundPartialCorrelation | CurvedRegressions:
        numbers = data if isinstance(data, Numbers) else Numbers(data, missing="available")
        return BoundPartialCorrelation(self, numbers)


@dataclass(frozen=True)
class StudentT(PartialCorrelationTest):
    """Student's t of the partial correlation, exact for normal data; Rao's F where columns are discrete.

    >>> StudentT(0.05).describe()
    'Student t, independent if p > 0.05'
    """

    summary: ClassVar[str] = "t of the partial correlation, for numbers"
    citation: ClassVar[str] = "Rao 1951"

    name: ClassVar[str] = "Student t"

    def native_test(self, measure: _core.Measure, columns: list[float]) -> _core.IndependenceTest:
        return _core.MeasureTest.gaussian(
            measure, kind=_core.GaussianNull.student_t, alpha=self.alpha, columns=columns
        )


@dataclass(frozen=True)
class FisherZ(PartialCorrelationTest):
    """Fisher's z of the partial correlation; Bartlett's corrected ratio where columns are discrete."""

    summary: ClassVar[str] = "z of the partial correlation, for numbers"
    citation: ClassVar[str] = "Fisher 1924"

    name: ClassVar[str] = "Fisher z"

    def native_test(self, measure: _core.Measure, columns: list[float]) -> _core.IndependenceTest:
        return _core.MeasureTest.gaussian(
            measure, kind=_core.GaussianNull.fisher_z, alpha=self.alpha, columns=columns
        )


@dataclass(frozen=True)
class LikelihoodRatio(PartialCorrelationTest):
    """Twice the log-likelihood ratio against chi-squared, for any measure of numbers.

    It rejects too often with few rows: `StudentT` is exact for normal data and costs the same. Its use is
    `ConditionalGaussian`, whose distributions differ between the cells of the discrete columns.

    Parameters
    ----------
    measure
        `ConditionalGaussian`, `Embedded` or `Gaussian`; None is the last two, by the kind of the columns.
        With polynomials, as in ``Embedded(degree=3)``, each of the two variables is regressed on those of
        the other, and twice the smaller p-value of the two F tests counts.

    >>> LikelihoodRatio(0.05).describe()
    'Likelihood ratio, independent if p > 0.05'
    """

    summary: ClassVar[str] = "likelihood ratio of any measure of numbers against chi-squared"
    citation: ClassVar[str] = "Wilks 1938"

    measure: MeasureSpec | None = None
    name: ClassVar[str] = "Likelihood ratio"

    def __post_init__(self) -> None:
        super().__post_init__()
        read_methods(self, measure=("measure",))
        if evidence_traits(self.measure).marginal_likelihood:
            raise OptionError(
                f"a likelihood ratio needs a maximized likelihood, and {self.measure!r} has none; use "
                "BayesFactor(BGe())"
            )

    def definition(self) -> str:
        of = "" if self.measure is None else f"of {self.measure!r}, "
        return f"{of}{super().definition()}"

    def native_test(self, measure: _core.Measure, columns: list[float]) -> _core.IndependenceTest:  # noqa: ARG002
        return _core.MeasureTest.chi_squared(measure, self.alpha)

    def on(self, data: Any) -> BoundPartialCorrelation | CurvedRegressions:
        numbers = data if isinstance(data, Numbers) else Numbers(data, missing="available")
        if isinstance(self.measure, Embedded) and self.measure.degree > 1:
            return CurvedRegressions(self, self.measure, numbers)
        measure = None if self.measure is None else self.measure.native(numbers)
        return BoundPartialCorrelation(self, numbers, measure)


class CurvedRegressions(BoundTest):
    """F tests of x on the polynomials of y, and of y on those of x, both given the polynomials of z.

    Powers of x have a larger variance where x is large. Where x and y have a common cause z, the variances of
    their powers therefore rise together, and the likelihood ratio of both blocks rejects independence given z
    in a quarter of all cases instead of 5 %. A regression assumes an equal variance of its response alone, so
    here x and y in turn are responses without powers. Of two tests, twice the smaller p-value counts
    (Bonferroni).
    """

    def __init__(self, test: LikelihoodRatio, measure: Embedded, numbers: Numbers) -> None:
        super().__init__(test, NativeMeasure(numbers, numbers.remembered(test, measure.native(numbers))))
        self.alpha = test.alpha
        regressions = measure.regressions(numbers)
        self._native = _core.MeasureTest.gaussian(
            _core.RememberedMeasure(regressions),
            kind=_core.GaussianNull.student_t,
            alpha=test.alpha,
            columns=regressions.columns,
        )

    def verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        n = len(self.names)
        all_powers = [Triple(*(frozenset(n + v for v in part) for part in triple)) for triple in triples]
        asked = [
            Triple(triple.x, powers.y, powers.given)
            for triple, powers in zip(triples, all_powers, strict=True)
        ]
        asked += [
            Triple(triple.y, powers.x, powers.given)
            for triple, powers in zip(triples, all_powers, strict=True)
        ]
        answers = self._native.answers(list(asked), threads=self.threads)
        found = verdicts_of(answers, [*triples, *triples], note_on_rows)
        return [self._joint(*both) for both in zip(found[: len(triples)], found[len(triples) :], strict=True)]

    def _joint(self, one: Verdict, other: Verdict) -> Verdict:
        """The clearer of the two, with twice its p-value."""
        if one.log_p is None or other.log_p is None:
            return other if one.log_p is None else one
        clearer = min(one, other, key=lambda verdict: verdict.log_p or 0.0)
        log_p = min(0.0, (clearer.log_p or 0.0) + math.log(2.0))
        return replace(
            clearer, independent=log_p > math.log(self.alpha), p_value=math.exp(log_p), log_p=log_p
        )


def note_on_rows(triple: Triple, caveat: _core.Caveat, rows: float) -> str:
    """The limits of an answer, in words."""
    if caveat == _core.Caveat.no_degrees_of_freedom:
        return "no degrees of freedom: x or y is constant or determined by the given columns"
    if caveat == _core.Caveat.too_few_rows:
        return f"too little data: {rows:g} rows for {len(triple.given) + 2} columns"
    return ""


class BoundPartialCorrelation(NativeTest, BoundTest):
    """A test of partial correlations on data.

    Parameters
    ----------
    measure
        In place of the Gaussian measure of the data.
    named
        The specification that describes the test, where it is another one.
    """

    def __init__(
        self,
        test: PartialCorrelationTest,
        numbers: Numbers,
        measure: _core.Measure | None = None,
        named: TestSpec | None = None,
    ) -> None:
        made = _core.GaussianMeasure(numbers.moments) if measure is None else measure
        self.widths = made.columns if isinstance(made, _core.GaussianMeasure) else []
        # A determinant of a few complete columns is found sooner than it is remembered.
        kept = numbers.table.memory is not None or any(numbers.table.missing.values())
        asked = numbers.remembered(named or test, made) if kept or max(self.widths, default=2) > 1 else made
        super().__init__(named or test, NativeMeasure(numbers, asked))
        self.by = test
        self._numbers = numbers
        self._cells: dict[tuple[int, ...], float] = {}

    @cached_property
    def native_test(self) -> _core.IndependenceTest:
        assert isinstance(self.data, NativeMeasure)
        return self.by.native_test(self.data.native, self.widths)

    def _smallest_cell(self, columns: frozenset[int]) -> float:
        """N in the smallest cell of the discrete columns, or a bound: N per cell, which is no smaller."""
        of_states = tuple(sorted(v for v in columns if self.cardinalities[v]))
        if of_states not in self._cells:
            table, sizes = self._numbers.table, [self.cardinalities[v] for v in of_states]
            least = table.N / math.prod(sizes)
            if of_states and least >= ROWS_OF_CELL and table.has_rows:
                names = [table.names[v] for v in of_states]
                known = ~np.any([table.gaps(name) for name in names], axis=0)
                places = np.ravel_multi_index(
                    [table.codes(name)[known].astype(np.intp) for name in names], sizes
                )
                weights = None if table.weights is None else table.weights[known]
                least = float(np.bincount(places, weights, minlength=math.prod(sizes)).min())
            self._cells[of_states] = least
        return self._cells[of_states]

    def note_on(self, triple: Triple, caveat: _core.Caveat, rows: float) -> str:
        """The limits of an answer, in words."""
        if caveat == _core.Caveat.none and not self.widths:
            least = self._smallest_cell(frozenset(triple.x | triple.y | triple.given))
            if least < ROWS_OF_CELL:
                return f"a cell of {least:.4g} rows or fewer: the chi-squared level is approximate"
        return note_on_rows(triple, caveat, rows)
