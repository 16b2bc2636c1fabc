"""How many values are different, over any number of chunks: what tells identifiers of the rows apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.data.identifiers import may_number_rows, numbers_of_rows

MOST_HASHES = 1 << 20
"""Up to so many different values are counted exactly; of more, a known share is."""
MOST_PAGES = 1 << 14
"""Pages of 65,536 numbers: a billion consecutive ones in 128 MiB."""
_PAGE_BITS = 16
_LOOKED_AT = 4096
_EXACT = float(1 << 53)


def different(keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The different keys, in order. `np.unique` hashes whole numbers, which takes longer for millions."""
    keys = np.sort(keys)
    return keys[np.concatenate(([True], keys[1:] != keys[:-1]))] if len(keys) else keys


@dataclass
class DistinctValues:
    """The number of different values, by their hashes; those of two parts can be joined.

    Of more than `MOST_HASHES` only the hashes that begin with ``zeros`` zero bits are kept, which makes the
    count an estimate with a standard error of a thousandth.
    """

    hashes: npt.NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, dtype=np.uint64))
    zeros: int = 0

    def add(self, values: Iterable[Any]) -> None:
        """Take in some values; texts and numbers are different ones."""
        found = b"".join(hashlib.blake2b(repr(value).encode(), digest_size=8).digest() for value in values)
        self._take(np.frombuffer(found, dtype="<u8"))

    def join(self, other: DistinctValues) -> None:
        """Take in what was seen in other rows."""
        self.zeros = max(self.zeros, other.zeros)
        self._take(other.hashes)

    def _take(self, hashes: npt.NDArray[np.uint64]) -> None:
        self.hashes = different(np.concatenate([self._kept(self.hashes), self._kept(hashes)]))
        while len(self.hashes) > MOST_HASHES:
            self.zeros += 1
            self.hashes = self._kept(self.hashes)

    def _kept(self, hashes: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        return hashes[hashes < np.uint64(1 << (64 - self.zeros))] if self.zeros else hashes

    @property
    def count(self) -> int:
        """The number of different values."""
        return len(self.hashes) << self.zeros


@dataclass
class RowNumbers:
    """Whole numbers as long as none repeats, as bits in pages."""

    present: int = 0
    low: float = np.inf
    high: float = -np.inf
    pages: dict[int, npt.NDArray[np.uint8]] | None = field(default_factory=dict)
    """None once a number has repeated, or where they lie too far apart to number rows."""

    def add(self, numbers: npt.NDArray[np.float64]) -> None:
        """Take in the whole numbers of some rows, NaN where one is missing."""
        if self.pages is None:
            return
        known = numbers[np.isfinite(numbers)]
        head = known[:_LOOKED_AT]
        if not len(known):
            return
        if len(np.unique(head)) < len(head) or not -_EXACT < known.min() <= known.max() < _EXACT:
            self.pages = None
            return
        whole = np.sort(known.astype(np.int64))
        starts = np.flatnonzero(np.diff(whole >> _PAGE_BITS, prepend=(whole[0] >> _PAGE_BITS) - 1))
        if np.any(whole[1:] == whole[:-1]) or len(starts) > MOST_PAGES:
            self.pages = None
            return
        self.present += len(whole)
        self.low, self.high = min(self.low, float(whole[0])), max(self.high, float(whole[-1]))
        for part in np.split(whole, starts[1:]):
            bits = np.zeros(1 << _PAGE_BITS, dtype=np.bool_)
            bits[part & ((1 << _PAGE_BITS) - 1)] = True
            self._merge(int(part[0] >> _PAGE_BITS), np.packbits(bits))

    def join(self, other: RowNumbers) -> None:
        """Take in what was seen in other rows."""
        if self.pages is None or other.pages is None:
            self.pages = None
            return
        self.present += other.present
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)
        for number, page in other.pages.items():
            self._merge(number, page)

    def _merge(self, number: int, page: npt.NDArray[np.uint8]) -> None:
        if self.pages is None:
            return
        known = self.pages.get(number)
        if known is None:
            self.pages[number] = page
        elif np.any(known & page):
            self.pages = None
        else:
            self.pages[number] = known | page
        if self.pages is not None and len(self.pages) > MOST_PAGES:
            self.pages = None

    @property
    def reason(self) -> str:
        """Why the column looks like an identifier of the rows, or ""."""
        if self.pages is None or not may_number_rows(self.present, self.low, self.high):
            return ""
        return numbers_of_rows(self.present, self.low, self.high)
