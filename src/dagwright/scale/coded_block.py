"""A block of rows as codes and numbers, with the facts about it that the client needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright import _core
from dagwright.data.states import gaps_of

_MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93))
_SHIFT = np.uint64(32)
_HASHED_AT_ONCE = 1 << 16


@dataclass(frozen=True)
class BlockFacts:
    """The facts of a block that the client needs."""

    n_rows: int
    missing: tuple[int, ...]
    """By column."""
    total: Fraction
    """The sum of the weights, or the number of rows."""
    whole: bool
    """Whether all weights are whole numbers."""
    ranges: tuple[tuple[float, float], ...]
    """The least and the largest value of each column of numbers, in order."""
    content: tuple[int, int]
    """Hashes of the rows, added: alone, and times the number of the row in the block."""
    n_bytes: int


@dataclass(frozen=True)
class CodedBlock:
    """Rows as codes and numbers."""

    columns: list[npt.NDArray[Any]]
    weights: npt.NDArray[np.float64] | None
    facts: BlockFacts

    @staticmethod
    def of(columns: Sequence[npt.NDArray[Any]], weights: npt.NDArray[np.float64] | None) -> CodedBlock:
        """These rows with the facts about them."""
        arrays = (*columns, *(() if weights is None else (weights,)))
        facts = BlockFacts(
            n_rows=len(columns[0]),
            missing=tuple(int(np.count_nonzero(gaps_of(column))) for column in columns),
            total=Fraction(len(columns[0])) if weights is None else exact_sum(weights),
            whole=weights is None or bool(np.all(weights == np.floor(weights))),
            ranges=tuple(_range(column) for column in columns if column.dtype.kind == "f"),
            content=hashed(arrays),
            n_bytes=sum(array.nbytes for array in arrays),
        )
        return CodedBlock(list(columns), weights, facts)

    def __sizeof__(self) -> int:
        return self.facts.n_bytes  # by which Dask knows what a worker holds

    def drawn(self, start: int, draw: tuple[int, int] | None) -> npt.NDArray[np.float64] | None:
        """The weights in a bootstrap replicate, of rows whose numbers begin at ``start``; else their own."""
        if draw is None:
            return self.weights
        return _core.poisson_weights(*draw, start, start + self.facts.n_rows, self.weights)


def whole_rows(block: CodedBlock, places: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Which rows have no missing cell in some columns."""
    whole = np.ones(block.facts.n_rows, dtype=np.bool_)
    for at in places:
        if block.facts.missing[at]:
            whole &= ~gaps_of(block.columns[at])
    return whole


def hashed(arrays: Sequence[npt.NDArray[Any]]) -> tuple[int, int]:
    """Sums of a hash of each row and of the number of the row times it, modulo 2^64: blocks add up."""
    total = weighted = 0
    for first in range(0, len(arrays[0]), _HASHED_AT_ONCE):
        rows = slice(first, first + _HASHED_AT_ONCE)
        found = np.full(len(arrays[0][rows]), _MIX[1])
        for array in arrays:
            own = np.ascontiguousarray(array[rows])
            found ^= own.view(np.uint64) if own.dtype.kind == "f" else own.astype(np.uint64)
            found *= _MIX[0]
            found ^= found >> _SHIFT
            found *= _MIX[1]
        numbers = np.arange(first, first + len(found), dtype=np.uint64)
        total += int(found.sum(dtype=np.uint64))
        weighted += int((found * numbers).sum(dtype=np.uint64))
    return total % 2**64, weighted % 2**64


def _range(numbers: npt.NDArray[np.float64]) -> tuple[float, float]:
    known = numbers[~np.isnan(numbers)]
    return (float(known.min()), float(known.max())) if len(known) else (np.inf, -np.inf)


def exact_sum(values: npt.NDArray[np.float64]) -> Fraction:
    """The sum without rounding, so that sums of blocks add up to the sum of all."""
    mantissas, exponents = np.frexp(values)
    wholes = np.ldexp(mantissas, 53).astype(np.int64)
    total = Fraction(0)
    for exponent in np.unique(exponents):
        own = wholes[exponents == exponent]
        units = (int((own >> 26).sum()) << 26) + int((own & (2**26 - 1)).sum())
        total += units * Fraction(2) ** (int(exponent) - 53)
    return total
