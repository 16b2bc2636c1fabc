"""Numbers that JSON cannot hold, as texts in documents that are read back.

Infinite and undefined numbers are written as "inf", "-inf" and "nan". Where a field is declared to hold a
number, such a text is read as the number.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from types import UnionType
from typing import Any, Union, get_args, get_origin

NOT_FINITE = ("inf", "-inf", "nan")


def written_numbers(value: Any) -> Any:
    """A document of plain values whose numbers JSON can hold.

    >>> written_numbers({"score": float("-inf"), "trace": [("add", 0.5)]})
    {'score': '-inf', 'trace': [['add', 0.5]]}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {name: written_numbers(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [written_numbers(inner) for inner in value]
    return value


def read_numbers(value: Any, hint: Any, names: Collection[str] = ()) -> Any:
    """A document as it was before `written_numbers`; what does not fit its declared type stays as it is.

    Parameters
    ----------
    hint
        The type that is declared for the value, or for each field of an object. Where that is Any, a text
        that stands for a number is read as one.
    names
        Names of variables: none of them stands for a number where the declared type is Any.

    >>> read_numbers({"score": "-inf", "name": "inf"}, {"score": float | None, "name": str})
    {'score': -inf, 'name': 'inf'}
    """
    if isinstance(hint, Mapping):
        if not isinstance(value, dict):
            return value
        return {
            name: read_numbers(inner, hint[name], names) if name in hint else inner
            for name, inner in value.items()
        }
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        fitting = [one for one in inner if _may_hold_numbers(one)]
        return read_numbers(value, fitting[0], names) if fitting and str not in inner else value
    if isinstance(value, str):
        stands = hint is float or (hint is Any and value not in names)
        return float(value) if stands and value in NOT_FINITE else value
    if isinstance(value, list):
        if origin is tuple and len(inner) == len(value):
            return [read_numbers(one, kind, names) for one, kind in zip(value, inner, strict=True)]
        if origin is list or hint is Any:
            kind = inner[0] if inner else Any
            return [read_numbers(one, kind, names) for one in value]
    if isinstance(value, dict) and (origin is dict or hint is Any):
        kind = inner[1] if inner else Any
        return {name: read_numbers(one, kind, names) for name, one in value.items()}
    return value


def _may_hold_numbers(hint: Any) -> bool:
    return hint is float or hint is Any or any(map(_may_hold_numbers, get_args(hint)))
