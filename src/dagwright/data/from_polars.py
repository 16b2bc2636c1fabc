"""Columns of a polars frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright.data.columns import Factor, SourceColumn, array_column, object_column, temporal_column
from dagwright.data.forks import require_usable_polars
from dagwright.errors import DataError
from dagwright.sentences import Argument

if TYPE_CHECKING:
    import polars as pl

SHORT = 2_000
"""Rows up to which texts are told apart one by one: polars takes a millisecond for a column of any length."""


def polars_columns(frame: pl.DataFrame) -> list[SourceColumn]:
    """The columns of a frame, each evaluated when it is needed."""
    require_usable_polars("a polars frame")
    return [series_column(series) for series in frame.get_columns()]


def series_column(series: pl.Series) -> SourceColumn:
    """One polars column by its type."""
    import polars as pl

    name, dtype, n_rows = series.name, series.dtype, len(series)
    if dtype == pl.Enum:
        return SourceColumn(name, "declared", n_rows, lambda: _enum_factor(series))
    if dtype == pl.Boolean or dtype.is_integer() or dtype.is_float():
        mask = series.is_null().to_numpy() if series.null_count() else None
        values = (
            series.fill_null(False if dtype == pl.Boolean else 0).to_numpy()
            if mask is not None
            else series.to_numpy()
        )
        return array_column(name, values, mask)
    if dtype == pl.String or dtype == pl.Categorical:
        return SourceColumn(name, "text", n_rows, lambda: text_factor(series))
    if dtype == pl.Null:
        return SourceColumn(name, "text", n_rows, lambda: Factor(np.zeros(n_rows, dtype=np.uint8), ()))
    if dtype == pl.Date or dtype == pl.Datetime:
        return temporal_column(name, _ranked_factor(series), n_rows)
    if dtype == pl.Time or dtype == pl.Duration or dtype == pl.Binary:
        return SourceColumn(name, "mixed", n_rows, lambda: _ranked_factor(series))
    if dtype.is_decimal():
        return series_column(_as_numbers(series))
    if dtype == pl.Object:
        return object_column(name, series.to_list())
    raise DataError(
        f"column {name!r} holds nested values ({dtype}); unpack it or leave it out with ",
        Argument("exclude", [name], of="read"),
    )


def _as_numbers(series: pl.Series) -> pl.Series:
    """Decimals as integers, where they have no places and fit, else as floats."""
    import polars as pl

    if series.dtype.scale == 0:  # type: ignore[attr-defined]
        whole = series.cast(pl.Int64, strict=False)
        if whole.null_count() == series.null_count():
            return whole
    return series.cast(pl.Float64)


def text_factor(series: pl.Series) -> Factor:
    """Distinct texts and positions, by way of the dictionary of a categorical."""
    import polars as pl

    if len(series) <= SHORT:
        return _short_factor(series.to_list())
    if series.dtype == pl.String:
        series = series.cast(private_categorical())
    distinct = series.unique().drop_nulls()
    texts: list[str] = distinct.cast(pl.String).to_list()
    positions = distinct.to_physical().to_numpy().astype(np.int64)
    size = int(positions.max(initial=-1)) + 1
    physical = series.to_physical()
    if series.null_count():
        physical = physical.cast(pl.UInt32).fill_null(size)
    if len(texts) == size:  # a dictionary of this column alone: its codes serve as they are
        ordered = [text for _, text in sorted(zip(positions.tolist(), texts, strict=True))]
        return Factor(physical.to_numpy(), ordered)
    lookup = np.full(size + 1, len(texts), dtype=np.uint32)
    lookup[positions] = np.arange(len(texts))
    return Factor(lookup.take(physical.to_numpy()), texts)


def _short_factor(texts: list[str | None]) -> Factor:
    """The same, text by text."""
    number: dict[str, int] = {}
    for text in texts:
        if text is not None:
            number.setdefault(text, len(number))
    codes = [len(number) if text is None else number[text] for text in texts]
    return Factor(np.array(codes, dtype=np.uint32), list(number))


def private_categorical() -> Any:
    """A categorical type with a dictionary of its own, several times faster to fill than the shared one."""
    import polars as pl

    if hasattr(pl, "Categories"):
        return pl.Categorical(pl.Categories.random("dagwright"))
    return pl.Categorical()


def _enum_factor(series: pl.Series) -> Factor:
    import polars as pl

    categories: list[Any] = series.dtype.categories.to_list()  # type: ignore[attr-defined]
    return Factor(series.to_physical().cast(pl.UInt32).fill_null(len(categories)).to_numpy(), categories)


def _ranked_factor(series: pl.Series) -> Factor:
    """Factor of any type that polars can sort."""
    values = series.unique().drop_nulls().sort().to_list()
    codes = (series.rank("dense") - 1).fill_null(len(values)).to_numpy()
    return Factor(codes.astype(np.uint32), values)
