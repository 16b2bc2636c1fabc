"""The score of a problem on other rows of the same data: a sample, a bootstrap replicate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dagwright.data import Table
from dagwright.data.row_sample import DifferentRows
from dagwright.evidence.bound import Bound


@dataclass(frozen=True, eq=False)
class OtherRows:
    """Makes the score on rows drawn from those of a problem; their order plays no part.

    Parameters
    ----------
    table
        The rows of the problem, with its columns.
    bind
        Makes the score, with its structure prior, or the test on a table with these columns.
    """

    table: Table = field(repr=False)
    bind: Callable[[Table], Bound]

    def sample(self, size: int) -> Bound | None:
        """The score on about so many rows; None where there are not many more different ones.

        Moments of numbers are sums over rows and need no sample.
        """
        if self.table.schema.kind != "discrete" or size > self.table.n_rows or self._different is None:
            return None
        sample = self._different.sample(size)
        return None if sample is None else self.bind(sample)

    def replicate(self, rng: np.random.Generator) -> Bound | None:
        """The score on a bootstrap replicate; None where rows depend on each other.

        Different rows are drawn as often as all rows like them, where they fit into the memory of the table;
        else each row by itself, by its position.
        """
        if self.table.windows is not None:
            return None
        if self._different is not None and self._different.fit:
            return self.bind(self._different.replicate(rng))
        while True:
            drawn = self.table.resampled(int(rng.integers(0, 2**63)), 0)
            if drawn.N > 0:
                return self.bind(drawn)

    @cached_property
    def _different(self) -> DifferentRows | None:
        return DifferentRows.of(self.table)
