"""Tables as frames of other libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright.data.states import missing_code

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from dagwright.data.table import Table


def to_pandas(table: Table) -> pd.DataFrame:
    """Categoricals that keep the order of states; columns whose states pandas would merge become objects."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for name in table.names:
        codes, states = table.codes(name), table.states_of(name)
        if len(set(states)) < len(states):
            columns[name] = pd.Series(table.decode(name), dtype=object)
        else:
            signed = np.where(codes == missing_code(codes), -1, codes.astype(np.int32))
            categories = pd.Index(
                states, dtype=object if len({type(state) for state in states}) > 1 else None
            )
            ordered = table.origins[name].ordered or name in table.bins
            columns[name] = pd.Categorical.from_codes(signed, categories=categories, ordered=ordered)
    return pd.DataFrame(columns)


def to_polars(table: Table) -> pl.DataFrame:
    """Text states as Enum, states of one simple type as that type, mixed ones as objects."""
    import polars as pl

    columns = []
    for name in table.names:
        states = table.states_of(name)
        types = {type(state) for state in states}
        if types == {str}:
            columns.append(
                pl.Series(name, table.decode(name), dtype=pl.Enum([str(state) for state in states]))
            )
        elif len(types) == 1 and types <= {bool, int, float}:
            columns.append(pl.Series(name, table.decode(name)))
        else:
            columns.append(pl.Series(name, table.decode(name), dtype=pl.Object))
    return pl.DataFrame(columns)
