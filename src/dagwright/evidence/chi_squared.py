"""Independence tests against the chi-squared distribution."""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from dagwright import _core
from dagwright.defaults import DEFAULTS
from dagwright.errors import OptionError
from dagwright.evidence.bound import BoundTest, NativeTest, as_native
from dagwright.evidence.counting import Counting, as_counting
from dagwright.evidence.protocols import KnownColumns, Measure, Triple
from dagwright.evidence.statistics import LikelihoodRatio, Measured, Pearson, Statistic
from dagwright.graph.query import Verdict
from dagwright.methods.traits import EvidenceTraits

logger = logging.getLogger(__name__)
TINY = math.ulp(0.0)  # the least gain of what is dependent


class TestSpec(EvidenceTraits, ABC):
    """The facts that every specification of a test declares."""

    __test__ = False

    @abstractmethod
    def definition(self) -> str:
        """The statistic and the rule of decision, in words."""

    @abstractmethod
    def on(self, data: Any) -> Any:
        """The test bound to a Table, a `Counting`, or anything that `dagwright.read` takes."""

    @property
    def judge(self) -> object:
        """The judge that decides: the test itself, or the score that it asks."""
        return self

    def describe(self) -> str:
        return f"{self.name}, {self.definition()}"


USUAL_ALPHA = DEFAULTS["discrete"].alpha
"""The level of every test, unless another is given."""


def checked_alpha(alpha: float) -> None:
    if not 0.0 < alpha < 1.0:
        raise OptionError(f"alpha must lie between 0 and 1, not {alpha}")


@dataclass(frozen=True)
class ChiSquaredTest(TestSpec):
    """A statistic compared with the chi-squared distribution of (r_x - 1)(r_y - 1) q_z degrees of freedom.

    Parameters
    ----------
    alpha
        Independent if the p-value exceeds it. It is the error rate of one test, not of a whole search.
    adjusted
        Count in each stratum only the states seen there. Zero degrees of freedom mean independence, p = 1.
    min_rows_per_cell
        With fewer rows than this times the number of cells, answer "independent" and say so in the note.
    """

    alpha: float = USUAL_ALPHA
    adjusted: bool = False
    min_rows_per_cell: float | None = None

    def __post_init__(self) -> None:
        checked_alpha(self.alpha)
        if self.min_rows_per_cell is not None and not self.min_rows_per_cell > 0:
            raise OptionError(f"min_rows_per_cell must be positive, not {self.min_rows_per_cell}")

    def definition(self) -> str:
        adjusted = ", degrees of freedom adjusted to the states seen" if self.adjusted else ""
        few = self.min_rows_per_cell
        rule = "" if few is None else f", independent below {few:g} rows per cell"
        return f"independent if p > {self.alpha:g}{adjusted}{rule}"

    @abstractmethod
    def statistic(self, data: Any) -> Statistic:
        """The statistic on data, in NumPy: what the core computes, and what permutations compare with."""

    @abstractmethod
    def native_test(self, data: Counting | Measure) -> _core.IndependenceTest:
        """The test in the core."""

    def on(self, data: Any) -> BoundChiSquared:
        return BoundChiSquared(self, self.statistic(data).data)


@dataclass(frozen=True)
class GSquare(ChiSquaredTest):
    """Likelihood-ratio test: G2 = 2 N CMI(x, y | z) in nats (Jensen & Nielsen 2007, section 7.1.4).

    >>> GSquare(0.01).describe()
    'G2, independent if p > 0.01'
    """

    summary: ClassVar[str] = "likelihood-ratio test against chi-squared"
    citation: ClassVar[str] = "Wilks 1938"

    name: ClassVar[str] = "G2"

    def statistic(self, data: Any) -> LikelihoodRatio:
        """On data, or on any `Measure` with degrees of freedom."""
        return LikelihoodRatio(as_counting(data), adjusted=self.adjusted)

    def native_test(self, data: Counting | Measure) -> _core.IndependenceTest:
        if self.adjusted:
            return cell_test(self, data, pearson=False)
        ratio = self.statistic(data)
        least = self.min_rows_per_cell or 0.0
        cardinalities = list(data.cardinalities) if isinstance(data, Counting) else []
        return _core.MeasureTest.chi_squared(as_native(ratio.measure), self.alpha, least, cardinalities)


@dataclass(frozen=True)
class ChiSquare(ChiSquaredTest):
    """Pearson's test: X2 = sum (n - E)^2 / E with E = n_xz n_yz / n_z (Pearson 1900)."""

    summary: ClassVar[str] = "Pearson's test against chi-squared"
    citation: ClassVar[str] = "Pearson 1900"

    name: ClassVar[str] = "X2"

    def statistic(self, data: Any) -> Pearson:
        return Pearson(Counting.of(data), adjusted=self.adjusted)

    def native_test(self, data: Counting | Measure) -> _core.IndependenceTest:
        return cell_test(self, data, pearson=True)


def cell_test(spec: ChiSquaredTest, data: Counting | Measure, *, pearson: bool) -> _core.CellTest:
    """A test that works from the cells themselves."""
    assert isinstance(data, Counting)  # as `statistic` demands
    measure = data.counting_measure("multinomial")
    least = spec.min_rows_per_cell or 0.0
    return _core.CellTest(
        measure, pearson=pearson, adjusted=spec.adjusted, alpha=spec.alpha, rows_per_cell=least
    )


class BoundStatistic(BoundTest):
    """A statistic on data; what remains is the decision."""

    def __init__(self, spec: object, statistic: Statistic) -> None:
        super().__init__(spec, statistic.data)
        self.statistic = statistic

    @abstractmethod
    def decide(self, triple: Triple, measured: Measured, N: float) -> Verdict:
        """The verdict on a question that was counted on N rows."""

    def verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        if not (isinstance(self.data, Counting) and self.data.incomplete):
            values = self.statistic.values(triples, None)
            return [self.decide(triple, one, self.N) for triple, one in zip(triples, values, strict=True)]
        by_rows: dict[KnownColumns, list[int]] = defaultdict(list)
        for i, triple in enumerate(triples):
            by_rows[self.rows(triple)].append(i)
        found: dict[int, Verdict] = {}
        for rows, members in by_rows.items():
            N = self.data.rows_known(rows)
            values = self.statistic.values([triples[i] for i in members], rows or None)
            for i, one in zip(members, values, strict=True):
                found[i] = self.decide(triples[i], one, N)
        return [found[i] for i in range(len(triples))]

    def rows(self, triple: Triple) -> KnownColumns:
        """The incomplete columns of a question: it is counted on the rows where they are known."""
        if not isinstance(self.data, Counting):
            return frozenset()
        return (triple.x | triple.y | triple.given) & self.data.incomplete


def decided(facts: Verdict, *, independent: bool, gain: float, note: str = "") -> Verdict:
    """A verdict whose gain is positive exactly when it says dependent."""
    gain = min(gain, 0.0) if independent else max(gain, TINY)
    return Verdict(
        independent, facts.statistic, facts.df, facts.p_value, facts.effect, gain, facts.log_p, note
    )


class BoundChiSquared(NativeTest, BoundTest):
    """The decision by the chi-squared distribution."""

    spec: ChiSquaredTest

    def __init__(self, spec: ChiSquaredTest, data: Counting | Measure) -> None:
        super().__init__(spec, data)
        self.alpha = spec.alpha
        self.least = spec.min_rows_per_cell
        fractional = isinstance(self.data, Counting) and self.data.fractional
        self.note = "weights are fractional, so the chi-squared level is approximate" if fractional else ""

    @cached_property
    def native_test(self) -> _core.IndependenceTest:
        return self.spec.native_test(self.data)

    def note_on(self, triple: Triple, caveat: _core.Caveat, rows: float) -> str:
        """The limits of an answer, in words."""
        if caveat == _core.Caveat.no_degrees_of_freedom:
            return "no degrees of freedom"
        if caveat == _core.Caveat.none:
            return self.note
        cells = math.prod(self.cardinalities[v] for v in triple.x | triple.y | triple.given)
        note = f"too little data: {rows:g} rows for {cells:,} cells, {self.least:g} per cell are required"
        logger.debug("%s: %s", triple, note)
        return note
