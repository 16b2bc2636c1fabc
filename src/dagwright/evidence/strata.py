"""The cells of x, y, z by stratum of z: for tests that are not differences of set functions."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dagwright.errors import CapacityError
from dagwright.evidence.bound import Triple
from dagwright.evidence.counting import Counting
from dagwright.evidence.protocols import Rows

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]
LARGEST_DENSE = 20_000_000


@dataclass(frozen=True)
class Strata:
    """The cells that occur: their counts, and the numbers of their stratum, configuration of x and of y."""

    n: Floats
    stratum: Numbers
    x: Numbers
    y: Numbers

    @staticmethod
    def of(counting: Counting, triple: Triple, rows: Rows | None = None) -> Strata:
        columns = [sorted(triple.given), sorted(triple.x), sorted(triple.y)]
        codes, counts = counting.cells([v for side in columns for v in side], rows)
        ends = np.cumsum([len(side) for side in columns])
        parts = np.split(codes, ends[:2].tolist(), axis=1)
        return Strata(counts, *(_numbered(part) for part in parts))

    @property
    def N(self) -> float:
        return math.fsum(self.n.tolist())

    def _margins(self) -> tuple[Floats, Floats, Floats]:
        """n_xz, n_yz and n_z of every occurring cell."""
        nothing = np.zeros_like(self.x)
        n_xz, n_yz, n_z = (_summed(self.n, self.stratum, side) for side in (self.x, self.y, nothing))
        return n_xz, n_yz, n_z

    def g_square(self) -> float:
        """2 * sum of n log(n n_z / (n_xz n_yz))."""
        n_xz, n_yz, n_z = self._margins()
        return max(0.0, 2.0 * math.fsum((self.n * np.log(self.n * n_z / (n_xz * n_yz))).tolist()))

    def chi_square(self) -> float:
        """Sum of (n - E)^2 / E with E = n_xz n_yz / n_z; an empty cell adds its E."""
        n_xz, n_yz, n_z = self._margins()
        expected = n_xz * n_yz / n_z
        occurring = ((self.n - expected) ** 2 / expected).tolist()
        empty = max(0.0, math.fsum([*self.n.tolist(), *(-expected).tolist()]))
        # What is left of the difference above for a full table is rounding.
        return math.fsum(occurring) + (empty if empty > 1e-12 * self.N else 0.0)

    def degrees_of_freedom(self) -> int:
        """Sum over the strata of (states of x seen there - 1)(states of y seen there - 1)."""
        if not len(self.n):
            return 0
        strata = int(self.stratum.max()) + 1
        seen_x, seen_y = (
            np.bincount(np.unique(np.stack([self.stratum, side]), axis=1)[0], minlength=strata)
            for side in (self.x, self.y)
        )
        return int(((seen_x - 1) * (seen_y - 1)).sum())

    def dense(self) -> Floats:
        """Counts as (stratum, x, y), over configurations that occur somewhere."""
        shape = [int(side.max()) + 1 if len(side) else 0 for side in (self.stratum, self.x, self.y)]
        if math.prod(shape) > LARGEST_DENSE:
            raise CapacityError(
                f"a permutation test over {shape[0]:,} strata of {shape[1]:,} x {shape[2]:,} cells "
                "does not fit; condition on fewer variables"
            )
        table = np.zeros(shape)
        table[self.stratum, self.x, self.y] = self.n
        return table


def _numbered(codes: NDArray[np.uint32]) -> Numbers:
    """Equal rows get equal numbers, in the order of the codes."""
    if codes.shape[1] == 0 or len(codes) == 0:
        return np.zeros(len(codes), dtype=np.intp)
    return np.unique(codes, axis=0, return_inverse=True)[1].reshape(-1).astype(np.intp)


def _summed(n: Floats, stratum: Numbers, side: Numbers) -> Floats:
    """For every cell: the counts of its stratum and side, summed."""
    key = stratum * (int(side.max(initial=0)) + 1) + side
    group = np.unique(key, return_inverse=True)[1].reshape(-1)
    return np.bincount(group, n)[group] if len(n) else n
