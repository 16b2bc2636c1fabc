"""The cells of a batch of sets in three arrays, as they travel from worker to client."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.data.source import CellCounts


@dataclass
class PackedCells:
    """Cells of many sets: a message has a cost for each array, and most codes and counts are small."""

    shapes: npt.NDArray[np.int64]
    """Of each set, the number of cells and the number of variables."""
    codes: npt.NDArray[Any]
    """One set after the other, in the smallest type that holds them."""
    counts: npt.NDArray[Any]

    @classmethod
    def of(cls, cells: Sequence[CellCounts]) -> PackedCells:
        """The cells of these sets."""
        shapes = np.array([codes.shape for codes, _ in cells], dtype=np.int64).reshape(-1, 2)
        codes = np.concatenate([np.empty(0, np.uint32), *(codes.ravel() for codes, _ in cells)])
        counts = np.concatenate([np.empty(0, np.uint64), *(counts for _, counts in cells)])
        return cls(shapes, _narrow(codes), _narrow(counts))

    @property
    def nbytes(self) -> int:
        """The bytes that travel."""
        return self.shapes.nbytes + self.codes.nbytes + self.counts.nbytes

    def unpacked(self) -> list[CellCounts]:
        """The states and the counts of each set."""
        codes, counts = self.codes.astype(np.uint32), self.counts.astype(np.uint64)
        found: list[CellCounts] = []
        at, first = 0, 0
        for cells, width in self.shapes.tolist():
            own = codes[at : at + cells * width].reshape(cells, width)
            found.append((own, counts[first : first + cells]))
            at, first = at + cells * width, first + cells
        return found

    def like(self) -> PackedCells:
        """Cells of the same sets that were found in no row."""
        none = np.column_stack([np.zeros(len(self.shapes), np.int64), self.shapes[:, 1]])
        return PackedCells(none, self.codes[:0], self.counts[:0])

    def merge(self, other: PackedCells) -> None:
        """Add the counts of the same sets in other rows."""
        if np.array_equal(self.shapes, other.shapes) and np.array_equal(self.codes, other.codes):
            self.counts = _narrow(self.counts.astype(np.uint64) + other.counts.astype(np.uint64))
            return
        pairs = zip(self.unpacked(), other.unpacked(), strict=True)
        both = PackedCells.of([_added(one, more) for one, more in pairs])
        self.shapes, self.codes, self.counts = both.shapes, both.codes, both.counts


def _narrow(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return values.astype(np.min_scalar_type(values.max(initial=0)))


def _added(one: CellCounts, more: CellCounts) -> CellCounts:
    if not len(one[1]) or not len(more[1]):
        return one if len(one[1]) else more
    if np.array_equal(one[0], more[0]):
        return one[0], one[1] + more[1]
    codes, counts = np.concatenate([one[0], more[0]]), np.concatenate([one[1], more[1]])
    # Cells in lexicographic order: the last column is the least significant.
    order = np.lexsort(codes.T[::-1])
    codes, counts = codes[order], counts[order]
    first = np.ones(len(codes), dtype=np.bool_)
    first[1:] = np.any(codes[1:] != codes[:-1], axis=1)
    starts = np.flatnonzero(first)
    return codes[starts], np.add.reduceat(counts, starts)
