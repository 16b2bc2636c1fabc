"""Tables as frames of other libraries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dagwright.data.bins import Scale
from dagwright.data.schema import Continuous
from dagwright.data.states import missing_code

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from dagwright.data.table import Table


def decoded(table: Table, name: str) -> list[Any]:
    """The cells of a column as states, numbers or dates, None where missing."""
    variable = table.schema[name]
    if isinstance(variable, Continuous):
        cells = on_calendar(table.reals(name), variable.scale)
        result: list[Any] = cells.tolist()
        if cells.dtype.kind == "f":
            for row in np.flatnonzero(table.gaps(name)).tolist():
                result[row] = None
        return result
    codes = table.codes(name)
    lookup = np.empty(missing_code(codes) + 1, dtype=object)
    lookup[: len(variable.states)] = np.fromiter(variable.states, dtype=object)
    states: list[Any] = lookup[codes].tolist()
    return states


def on_calendar(numbers: npt.NDArray[np.float64], scale: Scale) -> npt.NDArray[Any]:
    """Numbers as they are; counts of days as dates and counts of seconds as times, NaT where missing."""
    if scale == "number":
        return numbers
    per, unit = (1.0, "D") if scale == "date" else (1e6, "us")
    gaps = np.isnan(numbers)
    times = np.rint(np.where(gaps, 0.0, numbers) * per).astype(np.int64).astype(f"datetime64[{unit}]")
    times[gaps] = np.datetime64("NaT")
    return times


def to_pandas(table: Table) -> pd.DataFrame:
    """Numbers as such, states as categoricals in their order, or as objects where pandas would merge some."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for variable in table.schema:
        name, states = variable.name, variable.states
        if isinstance(variable, Continuous):
            columns[name] = on_calendar(table.reals(name), variable.scale)
            continue
        codes = table.codes(name)
        if len(set(states)) < len(states):
            columns[name] = pd.Series(table.decode(name), dtype=object)
        else:
            signed = np.where(codes == missing_code(codes), -1, codes.astype(np.int32))
            categories = pd.Index(
                states, dtype=object if len({type(state) for state in states}) > 1 else None
            )
            ordered = variable.origin.ordered or variable.bins is not None
            columns[name] = pd.Categorical.from_codes(signed, categories=categories, ordered=ordered)
    return pd.DataFrame(columns)


def to_polars(table: Table) -> pl.DataFrame:
    """Numbers as such, text states as Enum, states of one simple type as that type, mixed ones as objects."""
    import polars as pl

    columns = []
    for variable in table.schema:
        name, states = variable.name, variable.states
        if isinstance(variable, Continuous):
            types_on_scale = {"number": pl.Float64(), "date": pl.Date(), "datetime": pl.Datetime("us")}
            columns.append(pl.Series(name, table.decode(name), dtype=types_on_scale[variable.scale]))
            continue
        types = {type(state) for state in states}
        if types == {str}:
            # Looked up inside polars, which takes a fraction of the time of a list of Python strings.
            texts = [str(state) for state in states]
            lookup = pl.Series(name, [*texts, None], dtype=pl.Enum(texts))
            columns.append(lookup.gather(np.minimum(table.codes(name), len(texts)).astype(np.uint32)))
        elif len(types) == 1 and types <= {bool, int, float}:
            columns.append(pl.Series(name, table.decode(name)))
        else:
            columns.append(pl.Series(name, table.decode(name), dtype=pl.Object))
    return pl.DataFrame(columns)


def frame_of(columns: Mapping[str, Sequence[Any]]) -> pl.DataFrame:
    """Columns of answers as a frame: numbers, flags and texts as they are, all else and mixtures as text."""
    import polars as pl

    def series(name: str, values: Sequence[Any]) -> pl.Series:
        kinds = {type(value) for value in values} - {type(None)}
        if len(kinds) == 1 and kinds <= {bool, int, float, str}:
            return pl.Series(name, values)
        return pl.Series(name, [None if value is None else str(value) for value in values], dtype=pl.String)

    return pl.DataFrame([series(name, values) for name, values in columns.items()])
