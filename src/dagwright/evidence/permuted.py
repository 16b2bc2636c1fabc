"""Permutation tests: the null distribution made by shuffling x within the strata of z."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagwright.errors import CapacityError, OptionError, require_a
from dagwright.evidence.bound import Bound
from dagwright.evidence.chi_squared import (
    BoundStatistic,
    ChiSquare,
    ChiSquaredTest,
    GSquare,
    TestSpec,
    decided,
)
from dagwright.evidence.counting import Counting
from dagwright.evidence.numbers import Numbers, takes_numbers
from dagwright.evidence.partial_correlation import PartialCorrelationTest
from dagwright.evidence.protocols import Triple
from dagwright.evidence.statistics import Measured
from dagwright.evidence.strata import Strata
from dagwright.graph.query import Verdict
from dagwright.methods.method_like import read_methods
from dagwright.methods.traits import Reads

Floats = NDArray[np.float64]
# The generator of hypergeometric numbers takes no larger populations.
LARGEST_STRATUM = 1_000_000_000
CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class Permuted(TestSpec):
    """A test whose p-value comes from shuffles: p = (1 + #reached) / (1 + rounds).

    For small samples, where the chi-squared distribution is a poor guide, and for numbers that are far from
    normal. Of states, tables with the margins of the data are drawn directly, which is the same as shuffling
    rows within strata. Of numbers, the residuals of one side given the condition are shuffled (Freedman &
    Lane 1983). The random numbers depend on the seed and on these margins or columns alone, so neither other
    questions nor the order of rows and columns change an answer.

    Parameters
    ----------
    test
        `GSquare`, the default, or `ChiSquare`; `StudentT` or `FisherZ` for numbers. Its alpha decides.
    rounds
        Number of shuffles; at least 1/alpha - 1, or nothing could ever be rejected.
    seed
        Start of the random numbers.
    """

    summary: ClassVar[str] = "permutation within strata or of residuals, for small samples"
    citation: ClassVar[str] = "Good 2005; Lauritzen 1996"

    test: ChiSquaredTest | PartialCorrelationTest = field(default_factory=GSquare)
    rounds: int = 999
    seed: int = 0
    name: ClassVar[str] = "Permuted"

    def __post_init__(self) -> None:
        read_methods(self, test=("test",))
        require_a(
            ChiSquaredTest | PartialCorrelationTest,
            self.test,
            "the test of Permuted",
            "GSquare(), ChiSquare() or StudentT()",
        )
        if self.allowed < 0:
            raise OptionError(
                f"{self.rounds} rounds cannot reject at alpha = {self.test.alpha:g}; "
                f"use at least {math.ceil(1 / self.test.alpha) - 1}"
            )
        if self.seed < 0:
            raise OptionError(f"the seed must not be negative, got {self.seed}")

    @property
    def allowed(self) -> int:
        """How many shuffles may reach the observed statistic while p is still at most alpha."""
        return math.floor(self.test.alpha * (1 + self.rounds) * (1 + 1e-12)) - 1

    @property
    def takes_numbers(self) -> bool:
        """Whether the test does."""
        return takes_numbers(self.test)

    @property
    def reads(self) -> Reads:
        return "rows in memory" if self.takes_numbers else "counts"

    def definition(self) -> str:
        what = "of residuals" if self.takes_numbers else "within strata"
        shuffled = f"{self.test.name} with {self.rounds} shuffles {what}"
        return f"{shuffled}, independent if p > {self.test.alpha:g}"

    def on(self, data: Any) -> Bound:
        if self.takes_numbers:
            from dagwright.evidence.permuted_numbers import BoundPermutedNumbers

            return BoundPermutedNumbers(self, Numbers.of(data))
        return BoundPermuted(self, Counting.of(data))


class BoundPermuted(BoundStatistic):
    spec: Permuted
    data: Counting

    def __init__(self, spec: Permuted, counting: Counting) -> None:
        assert isinstance(spec.test, ChiSquaredTest)
        super().__init__(spec, spec.test.statistic(counting))
        if counting.fractional:
            raise OptionError("a permutation test needs whole weights: fractional rows cannot be shuffled")

    def decide(self, triple: Triple, measured: Measured, N: float) -> Verdict:
        statistic, df, information = measured
        effect = information / N if N else 0.0
        if df == 0 or N == 0:
            facts = Verdict(True, statistic, df, 1.0, effect, log_p=0.0)
            return decided(facts, independent=True, gain=0.0, note="no degrees of freedom")
        null = np.sort(self._null(triple))[::-1]
        reached = int(np.count_nonzero(null >= statistic - 1e-9 * (1.0 + statistic)))
        p = (1 + reached) / (1 + len(null))
        facts = Verdict(True, statistic, df, p, effect, log_p=math.log(p))
        gain = (statistic - float(null[self.spec.allowed])) / 2.0
        return decided(facts, independent=reached > self.spec.allowed, gain=gain)

    def _null(self, triple: Triple) -> Floats:
        """The statistic of each shuffle."""
        table = Strata.of(self.data, triple, self.rows(triple) or None).dense()
        if table.sum(axis=(1, 2)).max() >= LARGEST_STRATUM:
            raise CapacityError(
                "a permutation test takes strata of less than 1e9 rows; use GSquare or ChiSquare"
            )
        margins = canonical_margins(table)
        digest = hashlib.sha256(margins.row_sums.tobytes() + margins.column_sums.tobytes()).digest()
        generator = np.random.default_rng([self.spec.seed, *np.frombuffer(digest, dtype="<u4").tolist()])
        batch = max(1, CELLS_AT_ONCE // table.size)
        values = []
        for start in range(0, self.spec.rounds, batch):
            shuffles = min(batch, self.spec.rounds - start)
            drawn = tables_with_margins(*margins, shuffles, generator)
            values.append(self._statistics_of(margins, drawn))
        return np.concatenate(values)

    def _statistics_of(self, margins: Margins, drawn: NDArray[np.int64]) -> Floats:
        """Of tables (shuffle, stratum, x, y) with these margins."""
        n_z = margins.row_sums.sum(axis=1)[:, None, None]
        expected = margins.row_sums[:, :, None] * margins.column_sums[:, None, :] / np.maximum(n_z, 1.0)
        safe = np.where(expected > 0, expected, 1.0)
        if isinstance(self.spec.test, ChiSquare):
            terms = np.where(expected > 0, (drawn - expected) ** 2 / safe, 0.0)
        else:
            terms = 2.0 * drawn * np.log(np.where(drawn > 0, drawn, safe) / safe)
        summed: Floats = terms.sum(axis=(1, 2, 3))
        return summed


class Margins(NamedTuple):
    """Row sums (stratum, x) and column sums (stratum, y) of a table with strata."""

    row_sums: Floats
    column_sums: Floats


def canonical_margins(table: Floats) -> Margins:
    """The margins of (stratum, x, y), sorted: all that the null distribution depends on.

    Neither the order of columns, states and strata nor the exchange of x and y changes them.
    """
    rows, columns = (-np.sort(-table.sum(axis=axis), axis=1) for axis in (2, 1))
    choices = [_by_stratum(rows, columns), _by_stratum(columns, rows)]
    return min(choices, key=lambda m: (m.row_sums.shape, m.row_sums.tobytes(), m.column_sums.tobytes()))


def _by_stratum(rows: Floats, columns: Floats) -> Margins:
    """The strata in the order of their margins."""
    order = np.lexsort(np.concatenate([rows, columns], axis=1).T)
    return Margins(np.ascontiguousarray(rows[order]), np.ascontiguousarray(columns[order]))


def tables_with_margins(
    row_sums: Floats, column_sums: Floats, tables: int, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Random tables (table, stratum, x, y) with the given margins, as shuffles within strata produce them.

    Cell by cell: of the rows still to be placed in this line, the number in this column is hypergeometric.
    """
    strata, r_x = row_sums.shape
    r_y = column_sums.shape[1]
    drawn = np.zeros((tables, strata, r_x, r_y), dtype=np.int64)
    left = np.broadcast_to(column_sums.astype(np.int64), (tables, strata, r_y)).copy()
    for i in range(r_x):
        wanted = np.broadcast_to(row_sums[:, i].astype(np.int64), (tables, strata)).copy()
        for j in range(r_y):
            others = left[:, :, j + 1 :].sum(axis=2)
            cell = generator.hypergeometric(left[:, :, j], others, wanted)
            drawn[:, :, i, j] = cell
            wanted -= cell
        left -= drawn[:, :, i, :]
    return drawn
