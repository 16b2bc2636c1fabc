"""A sample of very many rows that depends on what the rows say, not on their order."""

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


def sample_by_content(table: Table, size: int) -> Table | None:
    """About ``size`` cases of a table of states, as different rows with whole weights.

    Equal rows are merged first. A row of weight w then has the weight w f rounded up or down, where f is
    ``size`` / N, with the probability that keeps its mean; the hash of its content stands for chance. So the
    sample depends neither on the order of rows or columns nor on the names of columns or states, and equal
    rows may come as one row with a weight. Rows on disk are read block by block.

    None where the rows are elsewhere, where there are fewer than five different rows for each row of the
    sample, or where the different rows do not fit into the memory that the table may take.

    Parameters
    ----------
    table
        The columns in canonical order: their position, not their name, enters the hash.
    """
    if not table.has_rows or size * SMALLEST_SHARE > table.n_rows:
        return None
    merged = _merged_rows(table)
    if merged is None or size * SMALLEST_SHARE > len(merged.hashes):
        return None
    chance = (merged.hashes >> np.uint64(11)).astype(np.float64) * 2.0**-53
    kept = np.floor(merged.weights * (size / (table.N * merged.unit)) + chance)
    chosen = kept > 0
    return table.take(merged.positions[chosen]).with_weights(kept[chosen])


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
        for cells, numbers in columns:
            hashes += numbers[np.asarray(cells[start:end])]
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


def _hashed_columns(table: Table) -> list[tuple[npt.NDArray[Any], Hashes]]:
    """Per column its cells and a random number for each code; a row's hash is their sum (Zobrist 1970).

    States are numbered by how often they occur, so that their names play no part.
    """
    rng = np.random.default_rng(0)
    hashed: list[tuple[npt.NDArray[Any], Hashes]] = []
    for at, name in enumerate(table.names):
        cells = table.codes(name)
        numbers = rng.integers(0, 2**64, size=missing_code(cells) + 1, dtype=np.uint64)
        codes, counts = table.native.cells([at], [at])
        frequent = codes[np.argsort(-counts, kind="stable"), 0]
        numbers[frequent] = numbers[: len(frequent)].copy()
        hashed.append((cells, numbers))
    for name in table.names:
        if name in table.interventions:
            mask = table.interventions[name].view(np.uint8)
            hashed.append((mask, rng.integers(0, 2**64, size=2, dtype=np.uint64)))
    return hashed
