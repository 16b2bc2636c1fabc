"""Parquet files with row groups of many rows, read in smaller batches by pyarrow, where it is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl


def largest_row_group(path: Path) -> int:
    """The rows of the largest row group of a file; 0 where nothing tells."""
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        return 0
    try:
        with ParquetFile(path) as file:
            facts = file.metadata
            return max((int(facts.row_group(at).num_rows) for at in range(facts.num_row_groups)), default=0)
    except (ArrowException, OSError):
        return 0


def parquet_batches(path: Path, names: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
    """Columns of a file in batches of at most so many rows; none where polars reads other types."""
    import polars as pl
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    types = pl.scan_parquet(path, hive_partitioning=False).select(names).collect_schema()
    with ParquetFile(path, memory_map=True) as file:
        for batch in file.iter_batches(batch_size=rows, columns=list(names)):
            frame = pl.from_arrow(pa.Table.from_batches([batch]))
            if not isinstance(frame, pl.DataFrame) or frame.schema != types:
                return
            yield frame
