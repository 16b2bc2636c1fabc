"""How many rows of a source are in memory at once while it is converted."""

from __future__ import annotations

from dataclasses import dataclass

CELLS = 1 << 25
"""Cells of a chunk: so many rows at once that reading one stays far below a gigabyte."""
TEXT_BYTES = 1 << 26
"""Bytes of a chunk of delimited text."""
CELL_BYTES = 48
"""Memory for a cell while it is read and coded: in the source, as a number, as a position, as a code."""
TEXT_COPIES = 8
"""Memory for a byte of text while its chunk is read and coded."""
LEAST_TEXT = 1 << 16


@dataclass(frozen=True)
class Sizes:
    """The largest chunk."""

    cells: int
    text: int
    memory_mib: float | None = None
    """The memory that reading and coding a chunk may take."""

    @staticmethod
    def of(memory_mib: float | None) -> Sizes:
        """Chunks that can be converted within this memory."""
        if memory_mib is None:
            return Sizes(CELLS, TEXT_BYTES)
        size = min(memory_mib, 2.0**40) * 2**20
        return Sizes(
            max(1, min(CELLS, int(size / CELL_BYTES))),
            min(TEXT_BYTES, max(LEAST_TEXT, int(size / TEXT_COPIES))),
            memory_mib,
        )

    def rows(self, width: int) -> int:
        """The rows of a chunk of this many columns."""
        return max(1, self.cells // max(width, 1))
