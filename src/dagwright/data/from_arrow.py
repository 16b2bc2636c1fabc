"""Columns of pyarrow tables; dictionaries keep the values that no row has."""

from __future__ import annotations

from typing import Any

import numpy as np

from dagwright.data.columns import Content, Factor, SourceColumn
from dagwright.data.forks import require_usable_polars
from dagwright.data.from_polars import series_column
from dagwright.errors import DataError


def arrow_columns(source: Any) -> list[SourceColumn]:
    """The columns of a Table, a RecordBatch or a RecordBatchReader."""
    import pyarrow as pa

    require_usable_polars("an Arrow table")
    if isinstance(source, pa.RecordBatchReader):
        source = source.read_all()
    if isinstance(source, pa.RecordBatch):
        source = pa.Table.from_batches([source])
    if not isinstance(source, pa.Table):
        raise DataError(f"cannot read columns from {type(source).__name__} of pyarrow; give a Table")
    return [_arrow_column(name, source.column(i)) for i, name in enumerate(source.column_names)]


def _arrow_column(name: str, column: Any) -> SourceColumn:
    import polars as pl
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        series = pl.from_arrow(column)
        assert isinstance(series, pl.Series)
        return series_column(series.alias(name))
    whole = column.unify_dictionaries().combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = whole.chunk(0) if whole.num_chunks else pa.array([], type=column.type)
    values = whole.dictionary.to_pylist()
    codes = whole.indices.cast(pa.int64()).fill_null(len(values))
    # The order of an unordered dictionary is the order in which rows happened to come.
    content: Content = "declared" if column.type.ordered else "text"
    factor = Factor(np.asarray(codes), values)
    return SourceColumn(name, content, len(column), lambda: factor)
