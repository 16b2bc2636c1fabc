"""How rows on disk are counted: one block at a time, in bounded memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from dagwright import _core
from dagwright.base.memory import shown_bytes
from dagwright.errors import CapacityError
from dagwright.sentences import Argument

ROWS_AT_ONCE = 1 << 20
"""Rows of a block: their codes stay in the cache of a processor while a batch is counted."""


@dataclass(frozen=True)
class Blocks:
    """Rows are counted block by block.

    Parameters
    ----------
    rows_at_once
        Rows of a block. The answer is the same for any number.
    memory_mib
        The memory that counting may take for bitmaps and remembered evidence, and that copies of rows may
        take.
    """

    memory_mib: float
    rows_at_once: int = ROWS_AT_ONCE

    @property
    def kept_mib(self) -> float:
        """Memory for bitmaps that are kept from batch to batch."""
        return self.memory_mib / 2

    def batch(self, bytes_per_row: float) -> int:
        """Rows of a batch that takes, with the copies that a step makes of it, a quarter of the memory."""
        fitting = int(self.memory_mib * 2**18 / max(bytes_per_row, 1.0))
        return max(1, min(ROWS_AT_ONCE, fitting))

    def cells(self, columns: _core.Table, draw: tuple[int, int] | None) -> _core.CellSource:
        """The cells of these columns, block by block; with a draw, of a bootstrap replicate."""
        return _core.BlockCells.of_rows(columns, self.rows_at_once, self.kept_mib, draw)

    def require_memory(self, what: str, rows: int, columns: Sequence[npt.NDArray[Any]]) -> None:
        """Refuse to copy this many rows into memory where the limit does not allow it."""
        self.require_bytes(what, rows * sum(column.itemsize for column in columns))

    def require_bytes(
        self, what: str, needed: float, instead: str = "use a method that needs no rows in memory"
    ) -> None:
        """Refuse what takes more memory than the limit, and say what to do instead."""
        if needed > self.memory_mib * 2**20:
            raise CapacityError(
                f"{what} would take {shown_bytes(needed)}, and the limit is "
                f"{shown_bytes(self.memory_mib * 2**20)}; {instead}, or raise ",
                Argument("memory_mib", of="read"),
            )
