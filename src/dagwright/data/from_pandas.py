"""Columns of a pandas frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright.data.columns import Factor, SourceColumn, array_column, object_column, temporal_column
from dagwright.data.states import plain

if TYPE_CHECKING:
    import pandas as pd


def pandas_columns(frame: pd.DataFrame) -> list[SourceColumn]:
    """The columns of a frame, each evaluated when it is needed."""
    return [_series_column(name, frame.iloc[:, position]) for position, name in enumerate(frame.columns)]


def _series_column(name: Any, series: pd.Series[Any]) -> SourceColumn:
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return SourceColumn(
            name, "declared", len(series), lambda: _categorical_factor(series), ordered=bool(dtype.ordered)
        )
    if (
        pd.api.types.is_bool_dtype(dtype)
        or pd.api.types.is_integer_dtype(dtype)
        or pd.api.types.is_float_dtype(dtype)
    ):
        return _number_column(name, series)
    if pd.api.types.is_datetime64_any_dtype(dtype):
        codes, distinct = pd.factorize(series, use_na_sentinel=True, sort=True)
        values = [stamp.to_pydatetime(warn=False) for stamp in pd.DatetimeIndex(distinct)]
        return temporal_column(name, Factor(_with_gaps(codes, len(values)), values), len(series))
    if isinstance(dtype, pd.StringDtype) or (
        dtype.kind == "O" and pd.api.types.infer_dtype(series, skipna=True) == "string"
    ):
        return SourceColumn(name, "text", len(series), lambda: _factorized(series))
    return object_column(name, series.tolist())


def _number_column(name: Any, series: pd.Series[Any]) -> SourceColumn:
    values, mask = series, None
    if not isinstance(series.dtype, np.dtype):  # nullable and Arrow-backed types
        mask = series.isna().to_numpy(dtype=np.bool_)
        values = series.fillna(False if "bool" in str(series.dtype).lower() else 0)
    array = values.to_numpy()
    if array.dtype == object:
        array = np.array(array.tolist())
    return array_column(name, array, mask if mask is not None and mask.any() else None)


def _with_gaps(codes: Any, n_values: int) -> Any:
    return np.where(codes < 0, n_values, codes.astype(np.int64))


def _factorized(series: pd.Series[Any]) -> Factor:
    import pandas as pd

    codes, distinct = pd.factorize(series, use_na_sentinel=True)
    values = [str(value) for value in distinct]
    return Factor(_with_gaps(codes, len(values)), values)


def _categorical_factor(series: pd.Series[Any]) -> Factor:
    values = [plain(value) for value in series.cat.categories]
    return Factor(_with_gaps(series.cat.codes.to_numpy(), len(values)), values)
