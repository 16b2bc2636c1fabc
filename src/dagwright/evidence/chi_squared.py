"""Independence tests against the chi-squared distribution."""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import repeat
from typing import Any, ClassVar

from dagwright import _core
from dagwright.errors import OptionError
from dagwright.evidence.bound import BoundTest, Triple
from dagwright.evidence.counting import Counting, NativeMeasure
from dagwright.evidence.protocols import Measure, Rows
from dagwright.evidence.statistics import LikelihoodRatio, Measured, Pearson, Statistic
from dagwright.graph.query import Verdict

logger = logging.getLogger(__name__)
TINY = math.ulp(0.0)  # the least gain of what is dependent


class TestSpec(ABC):
    """What every specification of a test knows about itself."""

    __test__ = False
    name: ClassVar[str]
    citation: ClassVar[str] = ""

    @abstractmethod
    def definition(self) -> str:
        """The statistic and the rule of decision, in words."""

    @abstractmethod
    def on(self, data: Any) -> Any:
        """The test bound to a Table, a `Counting`, or anything that `dagwright.read` takes."""

    def describe(self) -> str:
        return f"{self.name}, {self.definition()}"


USUAL_ALPHA = 0.01
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
        """The statistic on data."""

    def on(self, data: Any) -> BoundChiSquared:
        return BoundChiSquared(self, self.statistic(data))


@dataclass(frozen=True)
class GSquare(ChiSquaredTest):
    """Likelihood-ratio test: G2 = 2 N CMI(x, y | z) in nats (Jensen & Nielsen 2007, section 7.1.4).

    >>> GSquare(0.01).describe()
    'G2, independent if p > 0.01'
    """

    name: ClassVar[str] = "G2"
    citation: ClassVar[str] = "Wilks 1938"

    def statistic(self, data: Any) -> LikelihoodRatio:
        """On data, or on any `Measure` with degrees of freedom."""
        measured = isinstance(data, Measure) and not isinstance(data, Counting)
        return LikelihoodRatio(data if measured else Counting.of(data), adjusted=self.adjusted)


@dataclass(frozen=True)
class ChiSquare(ChiSquaredTest):
    """Pearson's test: X2 = sum (n - E)^2 / E with E = n_xz n_yz / n_z (Pearson 1900)."""

    name: ClassVar[str] = "X2"
    citation: ClassVar[str] = "Pearson 1900"

    def statistic(self, data: Any) -> Pearson:
        return Pearson(Counting.of(data), adjusted=self.adjusted)


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
        by_rows: dict[Rows, list[int]] = defaultdict(list)
        for i, triple in enumerate(triples):
            by_rows[self.rows(triple)].append(i)
        found: dict[int, Verdict] = {}
        for rows, members in by_rows.items():
            N = self.data.rows_known(rows)
            values = self.statistic.values([triples[i] for i in members], rows or None)
            for i, one in zip(members, values, strict=True):
                found[i] = self.decide(triples[i], one, N)
        return [found[i] for i in range(len(triples))]

    def rows(self, triple: Triple) -> Rows:
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


class BoundChiSquared(BoundStatistic):
    """The decision by the chi-squared distribution."""

    def __init__(self, spec: ChiSquaredTest, statistic: Statistic) -> None:
        super().__init__(spec, statistic)
        self.alpha = spec.alpha
        self.least = spec.min_rows_per_cell
        fractional = isinstance(self.data, Counting) and self.data.fractional
        self.note = "weights are fractional, so the chi-squared level is approximate" if fractional else ""

    @cached_property
    def in_core(self) -> _core.CountingMeasure | None:
        """The measure of the core that answers whole batches: for plain G2 on complete data."""
        data, statistic = self.data, self.statistic
        if not isinstance(data, Counting) or data.incomplete or not isinstance(statistic, LikelihoodRatio):
            return None
        measure = statistic.measure
        if statistic.counting is not None or not isinstance(measure, NativeMeasure):
            return None
        return measure.native if isinstance(measure.native, _core.CountingMeasure) else None

    def verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        if self.in_core is None or not isinstance(self.data, Counting):
            return super().verdicts(triples)
        statistics, dfs, log_ps = _core.g_squares(self.in_core, list(triples), self.data.threads)
        measured = (Measured(g, df, g / 2.0) for g, df in zip(statistics, dfs, strict=True))
        return list(map(self._decided, triples, measured, log_ps, repeat(self.N)))

    def decide(self, triple: Triple, measured: Measured, N: float) -> Verdict:
        return self._decided(triple, measured, _core.log_chi2_sf(measured.statistic, measured.df), N)

    def _decided(self, triple: Triple, measured: Measured, log_p: float, N: float) -> Verdict:
        statistic, df, information = measured
        p = math.exp(log_p)
        note = ""
        if df == 0:
            note = "no degrees of freedom"
        elif self.least is not None:
            note = self._too_little(triple, N, self.least)
        independent = bool(note) or p > self.alpha
        gain = 0.0 if note else (statistic - critical_value(self.alpha, df)) / 2.0
        gain = min(gain, 0.0) if independent else max(gain, TINY)
        effect = information / N if N else 0.0
        return Verdict(independent, statistic, df, p, effect, gain, log_p, note or self.note)

    def _too_little(self, triple: Triple, N: float, least: float) -> str:
        """What to say when there are too few rows for the cells of a question."""
        cells = math.prod(self.cardinalities[v] for v in triple.x | triple.y | triple.given)
        if least * cells <= N:
            return ""
        note = f"too little data: {N:g} rows for {cells:,} cells, {least:g} per cell are asked for"
        logger.debug("%s: %s", triple, note)
        return note


@lru_cache(maxsize=4096)
def critical_value(alpha: float, df: float) -> float:
    """The statistic at which the p-value is alpha."""
    return _core.chi2_isf(alpha, df)
