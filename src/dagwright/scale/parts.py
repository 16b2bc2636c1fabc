"""Blocks of rows before they are coded: some rows of a file, or a part of a dataframe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np

from dagwright.data.chunks import Chunk, Wanted, chunked, part_of_file
from dagwright.data.column_folder import MANIFEST, opened_folder
from dagwright.data.listing import Listed
from dagwright.data.sources import open_source
from dagwright.data.table import Table
from dagwright.errors import DagwrightError, DataError
from dagwright.scale.text_blocks import Text, text_chunk
from dagwright.version import __version__

MOST_CELLS = 1 << 25
"""Cells of a block, so that reading one stays far below a gigabyte."""
LEAST_ROWS = 1 << 15
"""Rows of a block that are worth a task."""


@dataclass(frozen=True)
class Part:
    """A block before it is coded."""

    label: str
    file: Listed | None = None
    """A file or a folder; None for a part of a dataframe."""
    first: int = 0
    """The position of its first row in the file."""
    rows: int | None = None
    """How many rows from the first on; None where that is not known before it is read."""
    form: Literal["parquet", "arrow", "folder", "text", "whole"] = "whole"
    text: Text | None = None
    version: str = __version__
    """The version of dagwright that sends the task."""

    def chunks(self, frame: Any, wanted: Wanted) -> Iterator[Chunk]:
        """The rows in chunks; ``frame`` is the part of a dataframe."""
        if self.file is None:
            yield Chunk(self.label, 0, lambda: wanted.picked(open_source(frame)))
        elif self.text is not None:
            found = text_chunk(self.file, self.text, self.first, wanted)
            if found is not None:
                yield found
        elif self.rows is not None:
            yield part_of_file(self.file, self.form, self.first, self.rows, wanted)
        else:
            yield from chunked(self.file, wanted.how, wanted.coding, wanted.sizes)


def blocks_of(n_rows: int, width: int, pieces: int) -> int:
    """How many rows a block of a table has that is to be cut into so many pieces."""
    return max(1, min(MOST_CELLS // max(width, 1), max(LEAST_ROWS, -(-n_rows // pieces))))


def parts_of_folder(path: Path, n_rows: int, width: int, pieces: int) -> list[Part]:
    """Ranges of rows of a converted folder."""
    step = blocks_of(n_rows, width, pieces)
    return [
        Part(f"{path.name} from row {first:,}", Listed(path), first, min(step, n_rows - first), "folder")
        for first in range(0, n_rows, step)
    ]


def part_of_folder(part: Part, fingerprint: str) -> tuple[list[np.ndarray[Any, Any]], Any]:
    """The columns and the weights of a range of rows of a converted folder, still in their mapped files."""
    assert part.file is not None
    folder = str(part.file.path)
    try:
        table = _opened(part.file.path, (part.file.path / MANIFEST).stat().st_mtime_ns)
    except (DagwrightError, OSError, ValueError) as problem:
        raise DataError(
            f"a worker cannot open the folder {folder!r} ({str(problem).partition(chr(10))[0]}); every "
            "worker needs it under this path, for example on a shared file system"
        ) from None
    if table.fingerprint != fingerprint:
        raise DataError(
            f"a worker found other rows in the folder {folder!r}; every worker needs the same rows there"
        )
    rows = slice(part.first, part.first + (part.rows or 0))
    weights = table.weights
    columns = [
        (table.codes(variable.name) if variable.is_discrete else table.reals(variable.name))[rows]
        for variable in table.schema
    ]
    return columns, None if weights is None else weights[rows]


@lru_cache(maxsize=4)
def _opened(folder: Path, written: int) -> Table:  # noqa: ARG001  which manifest
    """The table in a folder, opened once for all parts: files with other dates are read to verify them."""
    return opened_folder(folder, 1.0)


def parts_of_polars_file(one: Listed, form: Literal["parquet", "arrow"], pieces: int) -> list[Part]:
    """Ranges of rows of a Parquet or Arrow file; of Parquet, whole row groups where they are small enough."""
    import polars as pl

    path = one.path
    try:
        scan = pl.scan_parquet(path, hive_partitioning=False) if form == "parquet" else pl.scan_ipc(path)
        rows, width = int(scan.select(pl.len()).collect().item()), len(scan.collect_schema().names())
    except (pl.exceptions.PolarsError, OSError) as problem:
        raise DataError(f"{path.name} cannot be read: {str(problem).partition(chr(10))[0]}") from None
    step = blocks_of(rows, width, pieces)
    found: list[Part] = []
    first = 0
    for size in _joined(_row_groups(path, rows) if form == "parquet" else [rows], step):
        many = -(-size // step)
        cuts = [first + size * at // many for at in range(many + 1)] if many else []
        found += [Part(path.name, one, a, b - a, form) for a, b in pairwise(cuts)]
        first += size
    return found


def _row_groups(path: Path, rows: int) -> list[int]:
    """The rows of each row group, where pyarrow is there to tell."""
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        return [rows]
    try:
        with ParquetFile(path) as file:
            facts = file.metadata
            sizes = [int(facts.row_group(at).num_rows) for at in range(facts.num_row_groups)]
    except (ArrowException, OSError):
        return [rows]
    return sizes if sum(sizes) == rows else [rows]


def _joined(sizes: Sequence[int], step: int) -> list[int]:
    """Neighbors together while they are no more than a block."""
    found: list[int] = []
    for size in sizes:
        if found and found[-1] + size <= step:
            found[-1] += size
        else:
            found.append(size)
    return [size for size in found if size]
