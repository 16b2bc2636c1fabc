"""State names: which values are the same state, in which order states stand, how text becomes a state.

Python's ``1 == 1.0 == True`` would merge states that differ, so identity is (class of value, value). The
order of states is a function of the set of states alone, never of the order of rows.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.errors import DataError
from dagwright.sentences import Argument

Codes = npt.NDArray[np.unsignedinteger[Any]]

MISSING_U8 = 255
"""Code of a missing cell in a ``uint8`` column (at most 255 states)."""
MISSING_U16 = 65535
"""Code of a missing cell in a ``uint16`` column (at most 65,535 states)."""
MAX_STATES = 65535

MISSING_MARKERS = ("", "?", "NA", "N/A", "NaN", "nan", "NULL", "null")
"""Texts read as missing in text files; ``missing_values=`` adds to them. ``None`` as a word is a state."""


def code_dtype(n_states: int) -> np.dtype[Any]:
    """The narrowest code type with a code to spare for missing cells."""
    return np.dtype(np.uint8 if n_states <= MISSING_U8 else np.uint16)


def missing_code(codes: Codes) -> int:
    """The code that marks a missing cell in this array."""
    return MISSING_U8 if codes.dtype == np.uint8 else MISSING_U16


def gaps_of(column: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which cells are missing, in a column of codes or of numbers."""
    found: npt.NDArray[np.bool_] = (
        np.isnan(column) if column.dtype.kind == "f" else column == missing_code(column)
    )
    return found


def plain(value: Any) -> Any:
    """A NumPy scalar as the Python value it stands for, zero without a sign; anything else unchanged."""
    value = value.item() if isinstance(value, np.generic) else value
    return value + 0.0 if type(value) is float else value


def is_missing(value: Any) -> bool:
    """None, NaN, NaT and pandas.NA; text markers are the business of the text readers."""
    if value is None:
        return True
    if isinstance(value, float):
        return math.isnan(value)
    name = type(value).__name__
    if name in ("NAType", "NaTType"):
        return True
    if isinstance(value, np.generic):
        return (
            bool(np.isnat(value))
            if isinstance(value, np.datetime64 | np.timedelta64)
            else bool(value != value)
        )
    return False


def state_key(value: Hashable) -> tuple[str, Hashable]:
    """Identity of a state: ``1``, ``1.0``, ``True`` and ``"1"`` are four states.

    >>> len({state_key(v) for v in (1, 1.0, True, "1", 1)})
    4
    """
    return (type(value).__name__, value)


def in_natural_order(values: Iterable[Hashable]) -> list[Any]:
    """Booleans, then numbers by size, then text by code point, then the rest by type.

    Text that is all numbers is sorted by size; equal sizes by text.

    >>> in_natural_order(["10", "9", "x"]), in_natural_order(["10", "9"]), in_natural_order([10, True, 2.5])
    (['10', '9', 'x'], ['9', '10'], [True, 2.5, 10])
    """
    distinct = list(values)
    texts = [value for value in distinct if isinstance(value, str)]
    numeric_texts = len(texts) == len(distinct) and all(parse_number(text) is not None for text in texts)

    def key(value: Any) -> tuple[int, Any, str]:
        if isinstance(value, bool):
            return (0, value, "")
        if isinstance(value, int | float):
            return (1, value, type(value).__name__)
        if isinstance(value, str):
            return (2, parse_number(value) if numeric_texts else 0.0, value)
        return (3, type(value).__name__, "")

    rest = [value for value in distinct if key(value)[0] == 3]
    known = [value for value in distinct if key(value)[0] != 3]
    try:
        ordered = sorted(rest, key=lambda value: (type(value).__name__, value))
    except TypeError:
        ordered = sorted(rest, key=lambda value: (type(value).__name__, repr(value)))
    return sorted(known, key=key) + ordered


def parse_number(text: str, decimal: str = ".") -> float | None:
    """The number a text spells, or None; ``nan`` spells no number."""
    cleaned = text.strip()
    if decimal != ".":
        if "." in cleaned:
            return None
        cleaned = cleaned.replace(decimal, ".")
    if not cleaned or cleaned[-1] in "nNyYfF_" or "_" in cleaned:
        lowered = cleaned.lower().lstrip("+-")
        if lowered not in ("inf", "infinity"):
            return None
    try:
        return float(cleaned)
    except ValueError:
        return None


def states_of_texts(texts: Sequence[str]) -> list[Any]:
    """Texts from a file as states: int or float where that loses no character, else the texts themselves.

    >>> states_of_texts(["1", "2"]), states_of_texts(["1.0", "2.5"]), states_of_texts(["007", "7"])
    ([1, 2], [1.0, 2.5], ['007', '7'])
    """
    for convert in (int, float):
        try:
            converted = [convert(text) for text in texts]
        except ValueError:
            continue
        if texts and all(
            value == value and str(value + 0) == text for value, text in zip(converted, texts, strict=True)
        ):
            return converted
    return list(texts)


def checked_states(column: str, states: Sequence[Hashable]) -> tuple[Hashable, ...]:
    """Declared states of a column, refused if one appears twice, is missing or cannot be hashed."""
    result = tuple(plain(state) for state in states)
    seen = set()
    for state in result:
        if is_missing(state):
            raise DataError(f"column {column!r}: {state!r} marks a missing value and cannot be a state")
        try:
            key = state_key(state)
            known = key in seen
        except TypeError:
            raise DataError(
                f"column {column!r}: state {state!r} cannot be hashed; use a string or a number"
            ) from None
        if known:
            raise DataError(f"column {column!r} declares the state {state!r} twice")
        seen.add(key)
    if len(result) > MAX_STATES:
        raise too_many_states(column, len(result))
    return result


def too_many_states(column: str, found: int) -> DataError:
    """The error for a column whose distinct values cannot be states."""
    return DataError(
        f"column {column!r} has {found:,} distinct values, more than the {MAX_STATES:,} states that "
        "fit a column; leave it out with ",
        Argument("exclude", [column], of="read"),
        ", group its rare values with ",
        Argument("rare", of="read"),
        ", or, if it holds numbers, cut it into intervals with ",
        Argument("kinds", {column: "continuous"}, of="read"),
    )


def no_values(column: str) -> DataError:
    """The error for a column whose cells are all missing."""
    return DataError(
        f"column {column!r} has no values, only missing cells; leave it out with ",
        Argument("exclude", [column], of="read"),
    )


def shown_states(states: Sequence[Hashable], limit: int = 6) -> str:
    """States for people: text plain where unambiguous, dates as ISO, the rest as Python writes them.

    >>> shown_states(["no", "yes"]), shown_states(["1", "a, b"]), shown_states([1, 2])
    ('no, yes', "'1', 'a, b'", '1, 2')
    >>> shown_states([datetime.date(2020, 1, 31)])
    '2020-01-31'
    """
    texts = [state for state in states if isinstance(state, str)]
    bare = len(texts) == len(states) and all(text.isidentifier() for text in texts)
    shown = [
        state.isoformat() if isinstance(state, datetime.date) else str(state) if bare else repr(state)
        for state in states[:limit]
    ]
    return ", ".join(shown) + (f", ... ({len(states):,} in all)" if len(states) > limit else "")
