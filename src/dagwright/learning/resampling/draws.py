"""Ways to draw a replicate of the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from dagwright.data import Table
from dagwright.data.interventions import regimes
from dagwright.data.reach import require_reach
from dagwright.errors import OptionError
from dagwright.methods.traits import MethodTraits, Reads


@runtime_checkable
class Draw(Protocol):
    """A way to draw replicates. Structural: nothing to inherit."""

    def replicate(self, table: Table, number: int, rng: np.random.Generator) -> Table:
        """The replicate of this number; all chance comes from ``rng``."""
        ...

    def most(self, table: Table) -> int | None:
        """How many different replicates there are; None if as many as one likes."""
        ...


def _strata(table: Table) -> list[npt.NDArray[np.intp]]:
    """The rows of each experiment: how many there are of each was chosen, not drawn."""
    return [rows for _, rows in regimes(table)]


@dataclass(frozen=True, slots=True)
class CaseBootstrap(MethodTraits):
    """As many rows as there are, drawn with replacement (Efron 1979).

    Whole-number weights are frequencies: that many equal rows stand behind one. Rows with other weights are
    drawn alike and keep their weights. Drawing rows is faster than counting weighted rows: counting
    plain rows saves more than copying them costs.
    """

    summary: ClassVar[str] = "as many rows, drawn with replacement"
    citation: ClassVar[str] = "Efron 1979"
    reads: ClassVar[Reads] = "rows in memory"

    def most(self, table: Table) -> int | None:  # noqa: ARG002
        return None

    def replicate(self, table: Table, number: int, rng: np.random.Generator) -> Table:  # noqa: ARG002
        weights = table.weights
        if weights is not None and np.all(weights == np.rint(weights)):
            drawn = np.zeros(table.n_rows)
            for rows in _strata(table):
                total = weights[rows].sum()
                if total > 0:
                    drawn[rows] = rng.multinomial(round(total), weights[rows] / total)
            return table.with_weights(drawn)
        drawn_rows = [rows[rng.integers(0, len(rows), len(rows))] for rows in _strata(table)]
        return table.take(np.concatenate(drawn_rows))


@dataclass(frozen=True, slots=True)
class BlockBootstrap(MethodTraits):
    """Blocks of consecutive windows of time series, drawn with replacement (Künsch 1989).

    Neighboring windows depend on each other, so they are drawn together. A block stays within its run; at the
    end of the run it goes on at the beginning (Politis & Romano 1992), so that all windows are drawn alike.

    Parameters
    ----------
    length
        How many windows a block has; by default the cube root of their number.
    """

    summary: ClassVar[str] = "blocks of consecutive windows of time series"
    citation: ClassVar[str] = "Künsch 1989; Politis & Romano 1992"
    reads: ClassVar[Reads] = "rows in memory"

    length: int | None = None

    def __post_init__(self) -> None:
        if self.length is not None and self.length < 1:
            raise OptionError(f"a block has at least 1 window, not {self.length}")

    def most(self, table: Table) -> int | None:  # noqa: ARG002
        return None

    def replicate(self, table: Table, number: int, rng: np.random.Generator) -> Table:  # noqa: ARG002
        windows = table.windows
        if windows is None:
            raise OptionError(
                "BlockBootstrap draws windows of time series, and these rows are none; use CaseBootstrap"
            )
        order = np.lexsort((windows.step, windows.run))
        _, starts, of_row, sizes = np.unique(
            windows.run[order], return_index=True, return_inverse=True, return_counts=True
        )
        length = self.length or round(table.n_rows ** (1 / 3))
        firsts = rng.integers(0, table.n_rows, -(-table.n_rows // length))
        run = of_row[firsts]
        within = (firsts - starts[run])[:, None] + np.arange(length)
        rows = starts[run][:, None] + within % sizes[run][:, None]
        return table.take(order[rows.reshape(-1)[: table.n_rows]])


@dataclass(frozen=True, slots=True)
class PoissonBootstrap(MethodTraits):
    """Each row with a Poisson count of mean 1, or of the weight of the row.

    This is the limit of drawing N rows with replacement for large N (Hanley & MacGibbon 2006): the number of
    rows varies around N. The number of a row follows from the seed, the replicate and the position of the row
    alone, so rows on disk or on a cluster need not meet, and any split of the rows gives the same replicate.
    The default for such rows.
    """

    summary: ClassVar[str] = "each row with a Poisson(1) count"
    citation: ClassVar[str] = "Hanley & MacGibbon 2006"

    def most(self, table: Table) -> int | None:  # noqa: ARG002
        return None

    def replicate(self, table: Table, number: int, rng: np.random.Generator) -> Table:
        return table.resampled(int(rng.integers(0, 2**63)), number)


def usual_draw(table: Table) -> Draw:
    """How replicates are drawn where nothing else is named.

    Rows in memory are drawn with replacement, windows in blocks, rows elsewhere by Poisson weights.
    """
    if table.windows is not None:
        return BlockBootstrap()
    return CaseBootstrap() if table.blocks is None and table.has_rows else PoissonBootstrap()


@dataclass(frozen=True, slots=True)
class BayesianWeights(MethodTraits):
    """Every row with a random weight, all weights Dirichlet(1, ..., 1) times N (Rubin 1981)."""

    summary: ClassVar[str] = "all rows with random weights"
    citation: ClassVar[str] = "Rubin 1981"
    reads: ClassVar[Reads] = "rows in memory"

    def most(self, table: Table) -> int | None:  # noqa: ARG002
        return None

    def replicate(self, table: Table, number: int, rng: np.random.Generator) -> Table:  # noqa: ARG002
        require_reach(self, table, 24.0)
        shares = rng.standard_exponential(table.n_rows)
        if table.weights is not None:
            shares *= table.weights
        return table.with_weights(shares * (table.N / shares.sum()))


@dataclass(frozen=True, slots=True)
class Subsample(MethodTraits):
    """A part of the rows, drawn without replacement (Politis & Romano 1994); half of them by default.

    Stability selection draws halves (Meinshausen & Buehlmann 2010).
    """

    summary: ClassVar[str] = "a part of the rows, without replacement"
    citation: ClassVar[str] = "Politis & Romano 1994"
    reads: ClassVar[Reads] = "rows in memory"

    fraction: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.fraction < 1:
            raise OptionError(f"fraction must be between 0 and 1, got {self.fraction}")

    def most(self, table: Table) -> int | None:  # noqa: ARG002
        return None

    def replicate(self, table: Table, number: int, rng: np.random.Generator) -> Table:  # noqa: ARG002
        return table.take(
            np.concatenate(
                [
                    rows[rng.permutation(len(rows))][: max(1, round(self.fraction * len(rows)))]
                    for rows in _strata(table)
                ]
            )
        )


@dataclass(frozen=True, slots=True)
class Jackknife(MethodTraits):
    """All rows but one group of them (Quenouille 1956); as many replicates as groups.

    The groups are random and of about equal size, and the same for all replicates.
    """

    summary: ClassVar[str] = "all rows except one group"
    citation: ClassVar[str] = "Quenouille 1956"
    reads: ClassVar[Reads] = "rows in memory"

    groups: int = 20

    def __post_init__(self) -> None:
        if self.groups < 2:
            raise OptionError(f"the jackknife needs at least 2 groups, not {self.groups}")

    def most(self, table: Table) -> int | None:
        return min(self.groups, table.n_rows)

    def replicate(self, table: Table, number: int, rng: np.random.Generator) -> Table:  # noqa: ARG002
        # Not from rng, which differs from replicate to replicate.
        order = np.random.default_rng(table.n_rows).permutation(table.n_rows)
        keep = np.ones(table.n_rows, dtype=bool)
        keep[order[number :: min(self.groups, table.n_rows)]] = False
        return table.take(keep)
