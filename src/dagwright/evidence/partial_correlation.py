"""Independence tests of numbers by partial correlations, and of blocks of indicators in the same way."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from dagwright import _core
from dagwright.evidence.bound import BoundTest, NativeTest
from dagwright.evidence.chi_squared import USUAL_ALPHA, TestSpec, checked_alpha
from dagwright.evidence.counting import NativeMeasure
from dagwright.evidence.numbers import Numbers
from dagwright.evidence.protocols import Triple
from dagwright.methods.traits import MIXED, DataKind


@dataclass(frozen=True)
class PartialCorrelationTest(TestSpec):
    """What the tests of partial correlations share.

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

    def on(self, data: Any) -> BoundPartialCorrelation:
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
        return _core.MeasureTest.student_t(measure, self.alpha, columns)


@dataclass(frozen=True)
class FisherZ(PartialCorrelationTest):
    """Fisher's z of the partial correlation; Bartlett's corrected ratio where columns are discrete."""

    summary: ClassVar[str] = "z of the partial correlation, for numbers"
    citation: ClassVar[str] = "Fisher 1924"

    name: ClassVar[str] = "Fisher z"

    def native_test(self, measure: _core.Measure, columns: list[float]) -> _core.IndependenceTest:
        return _core.MeasureTest.fisher_z(measure, self.alpha, columns)


class BoundPartialCorrelation(NativeTest, BoundTest):
    """A test of partial correlations on data."""

    spec: PartialCorrelationTest

    def __init__(self, spec: PartialCorrelationTest, numbers: Numbers) -> None:
        self.gaussian = _core.GaussianMeasure(numbers.moments)
        super().__init__(spec, NativeMeasure(numbers, _core.RememberedMeasure(self.gaussian)))

    @cached_property
    def native_test(self) -> _core.IndependenceTest:
        assert isinstance(self.data, NativeMeasure)
        return self.spec.native_test(self.data.native, self.gaussian.columns)

    def note_on(self, triple: Triple, caveat: _core.Caveat, rows: float) -> str:
        """What limits an answer, in words."""
        if caveat == _core.Caveat.no_degrees_of_freedom:
            return "no degrees of freedom: x or y is constant or determined by the given columns"
        if caveat == _core.Caveat.too_few_rows:
            return f"too little data: {rows:g} rows for {len(triple.given) + 2} columns"
        return ""
