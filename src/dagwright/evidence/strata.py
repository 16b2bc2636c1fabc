"""The cells of x, y, z by stratum of z: for tests that are not differences of set functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dagwright.errors import CapacityError
from dagwright.evidence.counting import Counting
from dagwright.evidence.protocols import KnownColumns, Triple

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
LARGEST_DENSE = 20_000_000
# Up to here sums over numbered groups use one slot per possible number; beyond, the numbers are sorted.
LARGEST_DIRECT = 1_000_000


@dataclass(frozen=True)
class Strata:
    """The cells that occur: their counts, and the numbers of their stratum, configuration of x and of y."""

    n: Floats
    stratum: Numbers
    x: Numbers
    y: Numbers

    @staticmethod
    def of(counting: Counting, triple: Triple, rows: KnownColumns | None = None) -> Strata:
        x, y, z = (sorted(side) for side in triple)
        codes, counts = counting.cells([*z, *x, *y], rows)
        ends = (len(z), len(z) + len(x))
        # Cells come sorted, so those of one stratum stand together.
        new = np.any(codes[1:, : ends[0]] != codes[:-1, : ends[0]], axis=1)
        stratum = np.zeros(len(codes), dtype=np.int64)
        np.cumsum(new, out=stratum[1:])
        sides = ((codes[:, ends[0] : ends[1]], x), (codes[:, ends[1] :], y))
        return Strata(
            counts, stratum, *(_numbered(c, [counting.cardinalities[v] for v in s]) for c, s in sides)
        )

    @property
    def N(self) -> float:
        return math.fsum(self.n.tolist())

    def _margins(self) -> tuple[Floats, Floats, Floats]:
        """n_xz, n_yz and n_z of every occurring cell."""
        n_xz, n_yz = (_sums(self._pairs(side), self.n) for side in (self.x, self.y))
        return n_xz, n_yz, _sums(self.stratum, self.n)

    def _pairs(self, side: Numbers) -> Numbers:
        """Numbers of the pairs (stratum, side)."""
        return self.stratum * (int(side.max(initial=0)) + 1) + side

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
        seen_x, seen_y = (
            np.bincount(np.unique(self._pairs(side)) // (int(side.max()) + 1)) for side in (self.x, self.y)
        )
        return int(((seen_x - 1) * (seen_y - 1)).sum())

    def dense(self) -> Floats:
        """Counts as (stratum, x, y), over configurations that occur somewhere."""
        numbers = [np.unique(side, return_inverse=True)[1] for side in (self.stratum, self.x, self.y)]
        shape = [int(side.max(initial=-1)) + 1 for side in numbers]
        if math.prod(shape) > LARGEST_DENSE:
            raise CapacityError(
                f"a permutation test over {shape[0]:,} strata of {shape[1]:,} x {shape[2]:,} cells "
                "does not fit; condition on fewer variables"
            )
        table = np.zeros(shape)
        table[numbers[0], numbers[1], numbers[2]] = self.n
        return table


def _numbered(codes: NDArray[np.uint32], cardinalities: Sequence[int]) -> Numbers:
    """Equal rows get equal numbers, in the order of the codes."""
    if math.prod(cardinalities) < 2**31:
        numbers = np.zeros(len(codes), dtype=np.int64)
        for column, r in zip(codes.T, cardinalities, strict=True):
            numbers = numbers * r + column
        return numbers
    return np.unique(codes, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _sums(group: Numbers, n: Floats) -> Floats:
    """For every cell: the counts of its group, summed."""
    if int(group.max(initial=0)) >= LARGEST_DIRECT:
        group = np.unique(group, return_inverse=True)[1]
    sums = np.bincount(group, n)
    return sums[group].astype(np.float64, copy=False)
