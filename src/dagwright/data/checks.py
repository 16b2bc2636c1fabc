"""The parts of a Table, refused unless sound."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.data.states import Codes, code_dtype
from dagwright.errors import DataError
from dagwright.sentences import Argument, Literally

LARGEST_TOTAL = 9e18
"""Counts have 64 bits."""


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """Column names, refused if one is not text or appears twice."""
    result = tuple(names)
    seen: dict[str, int] = {}
    for position, name in enumerate(result, start=1):
        if not isinstance(name, str):
            raise DataError(
                f"column {position} has the name {name!r}; names must be text, for instance {str(name)!r}"
            )
        if name in seen:
            raise DataError(
                f"the column name {name!r} appears twice (columns {seen[name]} and {position}); "
                "rename one of them"
            )
        seen[name] = position
    return result


def checked_weights(weights: npt.ArrayLike, n_rows: int, first: int = 0) -> npt.NDArray[np.float64]:
    """Read-only frequency weights, refused unless there is one finite, non-negative number per row.

    Parameters
    ----------
    first
        The number of the first of these rows, for messages.
    """
    try:
        values = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError("weights must be numbers, one per row") from None
    if values.ndim != 1 or len(values) != n_rows:
        raise DataError(f"{values.size:,} weights for {n_rows:,} rows; give one weight per row")
    bad = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
    if bad.size:
        row = int(bad[0])
        raise DataError(f"row {first + row}: weight {values[row]} is not a finite number of at least 0")
    with np.errstate(over="ignore"):
        require_countable(float(values.sum()))
    values.flags.writeable = False
    return values


def require_countable(total: float) -> None:
    """Refuse weights whose sum counts cannot hold."""
    if total >= LARGEST_TOTAL:
        raise DataError(
            f"the weights sum to {total:g}, and counts go up to {LARGEST_TOTAL:g}; divide all weights by the "
            "same number"
        )


def checked_reals(
    name: str, values: npt.ArrayLike, first_row: int = 0, *, kept: bool = False
) -> npt.NDArray[np.float64]:
    """Read-only numbers, NaN where missing and zero without a sign; infinities are refused.

    Parameters
    ----------
    first_row
        The position of the first number in its file.
    kept
        Whether numbers are kept before a rule cuts them, so that no rule makes infinities pass.
    """
    try:
        given = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"column {name!r}: numbers must be floats or integers, one per row") from None
    if given.ndim != 1:
        raise DataError(f"column {name!r}: numbers must be a one-dimensional array")
    infinite = np.flatnonzero(np.isinf(given))
    if infinite.size:
        row = int(infinite[0])
        problem = (
            f"column {name!r}, row {first_row + row} (counted from 0): {given[row]} is not a finite number"
        )
        if kept:
            raise DataError(f"{problem}; make it missing in the source")
        raise DataError(
            f"{problem}; make it missing, or cut the column when reading it: ",
            Argument("discretize", {name: Literally("EqualFrequency()")}, of="read"),
        )
    result = given + 0.0  # also turns -0.0 into 0.0
    result[np.isnan(result)] = np.nan  # one pattern of bits for all missing cells
    result.flags.writeable = False
    return result


def checked_rows(rows: npt.ArrayLike, n_rows: int) -> npt.NDArray[Any]:
    """Positions of rows or a mask, refused if one does not fit."""
    chosen = np.asarray(rows)
    if chosen.size == 0 and chosen.dtype != np.bool_:
        chosen = chosen.astype(np.intp)
    if chosen.ndim != 1 or chosen.dtype.kind not in "biu":
        raise DataError("rows must be a one-dimensional array of positions or a mask of booleans")
    if chosen.dtype == np.bool_ and len(chosen) != n_rows:
        raise DataError(f"the mask has {len(chosen):,} entries for {n_rows:,} rows")
    positions = chosen.dtype != np.bool_ and chosen.size > 0
    if positions and not -n_rows <= chosen.min() <= chosen.max() < n_rows:
        raise DataError(f"row positions must lie between 0 and {n_rows - 1}")
    return chosen


def checked_codes(name: str, codes: npt.ArrayLike, states: tuple[Hashable, ...]) -> Codes:
    """Read-only codes of the type that fits the states, refused if one stands for no state."""
    dtype = code_dtype(len(states))
    given = np.asarray(codes)
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise DataError(f"column {name!r}: codes must be a one-dimensional array of integers")
    largest = np.iinfo(dtype).max
    if given.dtype != dtype and given.size and not 0 <= given.min() <= given.max() <= largest:
        raise DataError(f"column {name!r}: codes must lie between 0 and {largest} for {len(states)} states")
    result: Any = np.ascontiguousarray(given, dtype=dtype)
    bad = np.flatnonzero((result >= len(states)) & (result != largest))
    if bad.size:
        row = int(bad[0])
        raise DataError(
            f"column {name!r}, row {row}: code {result[row]} but the column has {len(states)} states"
        )
    if result.flags.writeable:
        # A caller who keeps a writable reference must not be able to change the table.
        result = result.copy() if result is given or result.base is not None else result
        result.flags.writeable = False
    return result  # type: ignore[no-any-return]
