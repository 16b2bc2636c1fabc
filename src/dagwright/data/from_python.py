"""Columns of plain Python and NumPy containers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.data.columns import SourceColumn, array_column, object_column
from dagwright.errors import DataError


def mapping_columns(mapping: Mapping[Any, Any]) -> list[SourceColumn]:
    """A mapping from names to equally long columns."""
    columns = [any_column(name, values) for name, values in mapping.items()]
    for column in columns:
        if column.n_rows != columns[0].n_rows:
            raise DataError(
                f"column {column.name!r} has {column.n_rows:,} values, "
                f"{columns[0].name!r} has {columns[0].n_rows:,}"
            )
    return columns


def any_column(name: Any, values: Any) -> SourceColumn:
    """A column of a mapping: an array, a Series of any library, or a sequence of values."""
    module = type(values).__module__.partition(".")[0]
    if module == "polars":
        from dagwright.data.from_polars import series_column

        return series_column(values.alias(name))
    if module == "pandas":
        from dagwright.data.from_pandas import pandas_columns

        return pandas_columns(_one_column_frame(name, values))[0]
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise DataError(
                f"column {name!r} is an array with {values.ndim} dimensions; give one-dimensional columns"
            )
        if values.dtype.kind in "biuf":
            return array_column(name, values)
        if values.dtype.kind in "mM":  # Python's dates and times know microseconds
            values = values.astype(f"{values.dtype.kind}8[us]")
        return object_column(name, values.tolist())
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        raise DataError(f"column {name!r} is {type(values).__name__}, not a list of values")
    return object_column(name, list(values))


def _one_column_frame(name: Any, values: Any) -> Any:
    import pandas as pd

    return pd.Series(values).to_frame(name)


def record_columns(records: Sequence[Mapping[Any, Any]]) -> list[SourceColumn]:
    """A list of dicts; a key that a record lacks is a missing cell."""
    names: dict[Any, None] = {}
    for row, record in enumerate(records):
        if not isinstance(record, Mapping):
            raise DataError(
                f"row {row} (counted from 0) is {type(record).__name__}, not a dict like the others"
            )
        names.update(dict.fromkeys(record))
    return [object_column(name, [record.get(name) for record in records]) for name in names]


def array_columns(array: npt.NDArray[Any], names: Sequence[str] | None) -> list[SourceColumn]:
    """A structured array, or a matrix of rows by columns with names."""
    if array.dtype.names is not None:
        return [any_column(name, array[name]) for name in array.dtype.names]
    if array.ndim != 2:
        raise DataError(f"an array must have two dimensions, rows and columns, not {array.ndim}")
    if names is None:
        names = [f"V{position}" for position in range(1, array.shape[1] + 1)]
    if len(names) != array.shape[1]:
        raise DataError(f"{len(names)} names for {array.shape[1]} columns of the array")
    return [any_column(name, array[:, position]) for position, name in enumerate(names)]
