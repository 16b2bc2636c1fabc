"""Whether a source that is read twice gives the same rows: digests of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from dagwright.data.chunks import Chunk, Chunks


def row_hashes(batch: Any) -> npt.NDArray[np.uint64]:
    """A hash of each row of a batch of Arrow or a frame of polars."""
    import polars as pl

    frame = batch if isinstance(batch, pl.DataFrame) else pl.from_arrow(batch)
    assert isinstance(frame, pl.DataFrame)
    texts = [name for name, kind in frame.schema.items() if kind == pl.Categorical or kind == pl.Enum]
    hashes: npt.NDArray[np.uint64] = (
        frame.with_columns(pl.col(texts).cast(pl.String)).hash_rows(seed=1).to_numpy().astype(np.uint64)
    )
    return hashes


class Watched:
    """Chunks with a digest of their rows: of all together, in any order, and in the order of the chunks.

    For sources that are recognized by a name, size and date, the digests stay empty.
    """

    def __init__(self, chunks: Chunks) -> None:
        self._chunks = chunks
        self._sum = self._rows = 0
        self.in_order = ""

    def __iter__(self) -> Iterator[Chunk]:
        self._sum, self._rows, self.in_order = 0, 0, ""
        for chunk in self._chunks:
            if chunk.hashes is not None:
                with chunk.named():
                    hashes = chunk.hashes()
                self._sum = (self._sum + int(hashes.sum(dtype=np.uint64))) % 2**64
                self._rows += len(hashes)
                after = self.in_order.encode() + hashes.astype("<u8").tobytes()
                self.in_order = hashlib.blake2b(after, digest_size=16).hexdigest()
            yield chunk

    @property
    def content(self) -> str:
        """The digest of the rows in any order; empty where it is not needed."""
        return f"{self._rows} rows, {self._sum:016x}" if self._chunks.hashed else ""
