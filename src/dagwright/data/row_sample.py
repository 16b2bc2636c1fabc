"""Samples and replicates of rows that depend on what the rows say, not on their order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dagwright.data.blocks import ROWS_AT_ONCE
from dagwright.data.states import missing_code

if TYPE_CHECKING:
    from dagwright.data.table import Table

SMALLEST_SHARE = 5
"""Different rows for each row of the sample; with fewer, counting all rows is quick as well."""

ENTRY_BYTES = 24
"""Memory for a different row: its hash, its position and its weight."""

Hashes = npt.NDArray[np.uint64]
Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DifferentRows:
    """The different rows of a table, each with the weight of all rows like it.

    They are ordered by a hash of their content, so neither the order of rows nor the way in which equal rows
    are written plays a part; columns count by their position and states by how often they occur, not by name.

    Parameters
    ----------
    table
        The columns in canonical order.
    """

    table: Table
    rows: _Rows

    @staticmethod
    def of(table: Table) -> DifferentRows | None:
        """The different rows; None where rows are elsewhere, or more than the table's memory holds."""
        rows = _merged_rows(table) if table.has_rows and table.n_rows else None
        return None if rows is None else DifferentRows(table, rows)

    @property
    def fit(self) -> bool:
        """Whether all of them fit into the memory of their table."""
        blocks = self.table.blocks
        size = len(self.rows.hashes) * sum(column.itemsize for column in self.table._columns)
        return blocks is None or size <= blocks.memory_mib * 2**20

    def sample(self, size: int) -> Table | None:
        """About ``size`` cases, as different rows with whole weights.

        A row of weight w has the weight w f rounded up or down, where f is ``size`` / N, with the probability
        that keeps its mean; the hash of its content stands for chance. None where there are fewer than five
        different rows for each row of the sample.
        """
        if size * SMALLEST_SHARE > len(self.rows.hashes):
            return None
        chance = (self.rows.hashes >> np.uint64(11)).astype(np.float64) * 2.0**-53
        return self._weighted(np.floor(self.rows.weights * (size / (self.table.N * self.rows.unit)) + chance))

    def replicate(self, rng: np.random.Generator) -> Table:
        """A bootstrap replicate: each row has a Poisson weight around the weight that it has."""
        drawn = rng.poisson(self.rows.weights / self.rows.unit).astype(np.float64)
        return self._weighted(drawn) if drawn.any() else self.replicate(rng)

    def _weighted(self, weights: npt.NDArray[np.float64]) -> Table:
        chosen = weights > 0
        return self.table.take(self.rows.positions[chosen]).with_weights(weights[chosen])


@dataclass(frozen=True)
class _Rows:
    """Different rows by their hashes, ascending: where each stands first, and its weight in units."""

    hashes: Hashes
    positions: Whole
    weights: Whole
    unit: float = 1.0

    def merged(self) -> _Rows:
        order = np.argsort(self.hashes, kind="stable")
        hashes = self.hashes[order]
        first = np.flatnonzero(np.r_[True, hashes[1:] != hashes[:-1]])
        return _Rows(
            hashes[first],
            self.positions[order][first],
            np.add.reduceat(self.weights[order], first),
            self.unit,
        )

    @staticmethod
    def joined(parts: list[_Rows]) -> _Rows:
        hashes, positions, weights = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("hashes", "positions", "weights")
        )
        return _Rows(hashes, positions, weights, parts[0].unit).merged()


def _merged_rows(table: Table) -> _Rows | None:
    """The different rows of a table; None where they do not fit into its memory."""
    weights = table.weights
    # Weights as whole numbers: their sum does not depend on the order of rows.
    unit = 1.0 if weights is None else 2.0 ** (61 - math.frexp(table.N)[1])
    columns = _hashed_columns(table)
    known: list[_Rows] = []
    waiting = 0
    for start in range(0, table.n_rows, ROWS_AT_ONCE):
        end = min(start + ROWS_AT_ONCE, table.n_rows)
        hashes = np.zeros(end - start, dtype=np.uint64)
        for column in columns:
            hashes += column.hashes(start, end)
        own = (
            np.ones(end - start, dtype=np.int64)
            if weights is None
            else np.rint(weights[start:end] * unit).astype(np.int64)
        )
        known.append(_Rows(hashes, np.arange(start, end), own, unit).merged())
        waiting += len(known[-1].hashes)
        if waiting > 2 * len(known[0].hashes):
            known = [_Rows.joined(known)]
            waiting = len(known[0].hashes)
            if table.blocks is not None and waiting * ENTRY_BYTES > table.blocks.memory_mib * 2**20:
                return None
    return _Rows.joined(known)


@dataclass(frozen=True)
class _Column:
    """The cells of a column with a random number for each code; for numbers, one that is mixed with them."""

    cells: npt.NDArray[Any]
    numbers: Hashes

    def hashes(self, start: int, end: int) -> Hashes:
        cells = np.asarray(self.cells[start:end])
        if cells.dtype.kind != "f":
            looked_up: Hashes = self.numbers[cells]
            return looked_up
        # Adding 0.0 makes -0.0 the same as 0.0.
        mixed: Hashes = (cells + 0.0).view(np.uint64) ^ self.numbers[0]
        for shift in (30, 27):
            mixed = (mixed ^ (mixed >> np.uint64(shift))) * self.numbers[1]
        mixed ^= mixed >> np.uint64(31)
        return mixed


def _hashed_columns(table: Table) -> list[_Column]:
    """Per column a random number for each code; the hash of a row is their sum (Zobrist 1970).

    States are numbered by how often they occur, so that their names play no part.
    """
    rng = np.random.default_rng(0)
    hashed: list[_Column] = []
    for name in table.names:
        if not table.schema[name].is_discrete:
            hashed.append(_Column(table.reals(name), _random(rng, 2) | np.uint64(1)))
            continue
        cells = table.codes(name)
        numbers = _random(rng, missing_code(cells) + 1)
        found = table.select([name]).native.cells([0], [0])
        frequent = found.codes[np.argsort(-found.counts, kind="stable"), 0]
        numbers[frequent] = numbers[: len(frequent)].copy()
        hashed.append(_Column(cells, numbers))
    masks = [table.interventions[name].view(np.uint8) for name in table.names if name in table.interventions]
    return [*hashed, *(_Column(mask, _random(rng, 2)) for mask in masks)]


def _random(rng: np.random.Generator, size: int) -> Hashes:
    return rng.integers(0, 2**64, size=size, dtype=np.uint64)
