"""Columns of numbers as the data report reads them: sorted in memory, or block by block from disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from dagwright.data.columns import Floats

if TYPE_CHECKING:
    from dagwright.data.table import Table

Keys = npt.NDArray[np.uint64]
Blocks = Iterator[tuple[Floats, Floats]]
"""Numbers and their weights, block by block."""

ROWS_AT_ONCE = 65536
BLOCK_BYTES = 64
"""Memory for a number of a block: itself, its weight, its key and copies of them."""
_DIGIT = np.uint64(16)
_SIGN = np.uint64(63)


class Place(NamedTuple):
    """A number, the weight of all numbers below it, and its own."""

    value: float
    below: float
    mass: float


class Numbers(Protocol):
    """The known numbers of a column, with positive weights."""

    def __iter__(self) -> Blocks: ...

    def ends(self) -> tuple[float, float]:
        """The least and the largest number; infinite if there is none."""
        ...

    def at(self, ranks: Sequence[float]) -> list[float]:
        """The numbers at these ranks in order, where each is repeated as its weight says."""
        ...


class NumberRows(Protocol):
    """The rows of columns of numbers."""

    @property
    def names(self) -> Sequence[str]: ...

    def column(self, name: str) -> Numbers: ...

    def blocks(self, names: Sequence[str]) -> Blocks:
        """Rows of these columns, NaN where a number is not known."""
        ...


# In memory


class SortedNumbers:
    """The known numbers of a column in memory."""

    def __init__(self, values: Floats, weights: Floats | None = None) -> None:
        known = np.isfinite(values) if weights is None else np.isfinite(values) & (weights > 0)
        x = values[known]
        w = np.ones(len(x)) if weights is None else weights[known]
        # Sums over sorted values do not depend on the order of the rows.
        order = np.lexsort((w, x))
        self.x, self.w = x[order], w[order]

    def __iter__(self) -> Blocks:
        yield self.x, self.w

    def ends(self) -> tuple[float, float]:
        return (float(self.x[0]), float(self.x[-1])) if len(self.x) else (np.inf, -np.inf)

    def at(self, ranks: Sequence[float]) -> list[float]:
        places = np.searchsorted(np.cumsum(self.w), ranks, side="right")
        return [float(value) for value in self.x[np.minimum(places, len(self.x) - 1)]]


@dataclass(frozen=True)
class MemoryRows:
    """Columns of numbers in memory, and the weights of their rows."""

    columns: Mapping[str, Floats]
    weights: Floats | None = None

    @property
    def names(self) -> Sequence[str]:
        return list(self.columns)

    def column(self, name: str) -> SortedNumbers:
        return SortedNumbers(self.columns[name], self.weights)

    def blocks(self, names: Sequence[str]) -> Blocks:
        columns = [self.columns[name] for name in names]
        for first in range(0, len(columns[0]), ROWS_AT_ONCE):
            rows = slice(first, first + ROWS_AT_ONCE)
            x = np.stack([column[rows] for column in columns], axis=1)
            yield np.where(np.isfinite(x), x, np.nan), _weights(self.weights, rows, len(x))


def _weights(weights: Floats | None, rows: slice, count: int) -> Floats:
    return np.ones(count) if weights is None else weights[rows]


# On disk


@dataclass(frozen=True)
class MappedNumbers:
    """The known numbers of a column that is read again for each question, in bounded memory."""

    rows: Callable[[], Blocks]

    def __iter__(self) -> Blocks:
        for values, weights in self.rows():
            known = np.isfinite(values) & (weights > 0)
            yield values[known], weights[known]

    def ends(self) -> tuple[float, float]:
        found = [(float(x.min()), float(x.max())) for x, _ in self if len(x)] or [(np.inf, -np.inf)]
        return min(low for low, _ in found), max(high for _, high in found)

    def at(self, ranks: Sequence[float]) -> list[float]:
        return [place.value for place in self.around(ranks)]

    def around(self, ranks: Sequence[float]) -> list[Place]:
        """The numbers at these ranks, and how much weight they and those below have."""
        # Sixteen bits of the answers at a time: how much weight has each next digit, after the known ones?
        known = [_Known(0, 0.0, 0.0)] * len(ranks)
        for shift in (48, 32, 16, 0):
            masses = {one.lead: np.zeros(1 << int(_DIGIT)) for one in known}
            for x, w in self:
                keys = _keys(x) >> np.uint64(shift)
                digits = (keys & np.uint64(0xFFFF)).astype(np.intp)
                leads = keys >> _DIGIT
                for lead, mass in masses.items():
                    chosen = leads == np.uint64(lead)
                    mass += np.bincount(digits[chosen], w[chosen], len(mass))
            known = [_next_digit(rank, one, masses[one.lead]) for rank, one in zip(ranks, known, strict=True)]
        return [Place(_number(one.lead), one.below, one.mass) for one in known]

    def neighbors(self, values: Sequence[float]) -> list[tuple[float, float]]:
        """For each of these numbers the next below and the next above; infinite where there is none."""
        low, high = [-np.inf] * len(values), [np.inf] * len(values)
        for x, _ in self:
            for at, value in enumerate(values):
                low[at] = max(low[at], float(np.max(x[x < value], initial=-np.inf)))
                high[at] = min(high[at], float(np.min(x[x > value], initial=np.inf)))
        return list(zip(low, high, strict=True))


class _Known(NamedTuple):
    """The first digits of the key at a rank, the weight of all numbers below, and of those that have them."""

    lead: int
    below: float
    mass: float


def _next_digit(rank: float, known: _Known, mass: Floats) -> _Known:
    below = known.below + np.cumsum(mass)
    digit = min(int(np.searchsorted(below, rank, side="right")), int(np.flatnonzero(mass)[-1]))
    before = float(below[digit - 1]) if digit else known.below
    return _Known(known.lead << int(_DIGIT) | digit, before, float(mass[digit]))


def _keys(x: Floats) -> Keys:
    """Whole numbers in the order of the numbers, from their bits."""
    bits = np.ascontiguousarray(x).view(np.uint64)
    return np.where(bits >> _SIGN == 0, bits | np.uint64(1) << _SIGN, ~bits)


def _number(key: int) -> float:
    bits = key ^ 1 << 63 if key >> 63 else key ^ (1 << 64) - 1
    return float(np.uint64(bits).view(np.float64))


@dataclass(frozen=True)
class DiskRows:
    """The columns of numbers of a table on disk; a block stays within its memory limit."""

    table: Table

    @property
    def names(self) -> Sequence[str]:
        return self.table.schema.continuous

    def column(self, name: str) -> MappedNumbers:
        return MappedNumbers(lambda: ((x[:, 0], w) for x, w in self.blocks([name])))

    def blocks(self, names: Sequence[str]) -> Blocks:
        columns = [self.table.reals(name) for name in names]
        for first, end in self.table.spans(BLOCK_BYTES * len(names)):
            x = np.stack([column[first:end] for column in columns], axis=1)
            yield x, _weights(self.table.weights_within(first, end), slice(None), end - first)
