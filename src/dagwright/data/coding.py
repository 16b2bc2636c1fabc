"""From source columns to codes: which columns are continuous, which states there are, in which order."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dagwright.base.wording import count_of
from dagwright.data.columns import Factor, SourceColumn, ValuesSeen, typed_values
from dagwright.data.origin import Kind
from dagwright.data.states import (
    MAX_STATES,
    Codes,
    checked_states,
    code_dtype,
    in_natural_order,
    missing_code,
    no_values,
    parse_number,
    shown_states,
    state_key,
    too_many_states,
)
from dagwright.errors import DataError, OptionError
from dagwright.sentences import Argument

OTHER = "other"
REPEATS = 5


@dataclass(frozen=True)
class Decision:
    """The kind of a column and the reason for it."""

    kind: Kind
    why: str


def decide_kind(column: SourceColumn, forced: str | None, max_number_states: int) -> Decision:
    """Category or continuous, by an explicit rule.

    Text, booleans and declared categories are categories. Integers and dates with at most
    ``max_number_states`` distinct values are categories. Floats are categories if, besides, they are whole
    numbers or each value occurs five times on average. Everything else is continuous.
    """
    if forced is not None:
        if forced not in ("category", "continuous"):
            raise OptionError(f"kinds[{column.name!r}] is {forced!r}; choose 'category' or 'continuous'")
        return Decision("category" if forced == "category" else "continuous", "as requested")
    if column.content in ("text", "boolean", "declared", "mixed"):
        words = {
            "text": "text",
            "boolean": "booleans",
            "declared": "declared categories",
            "mixed": "values of mixed types",
        }
        return Decision("category", words[column.content])
    distinct = column.distinct_up_to(max_number_states)
    if distinct is None:
        return Decision("continuous", f"{column.content} with more than {max_number_states} distinct values")
    if column.content == "float" and not _whole_or_repeated(column, distinct):
        found, rows = count_of(distinct, "distinct value"), count_of(column.n_rows, "row")
        return Decision("continuous", f"float with {found} in {rows}")
    return Decision("category", f"{column.content} with {count_of(distinct, 'distinct value')}")


def _whole_or_repeated(column: SourceColumn, distinct: int) -> bool:
    numbers = column.numbers
    present = numbers[~np.isnan(numbers)]
    return len(present) >= REPEATS * distinct or bool(np.all(present == np.floor(present)))


@dataclass(frozen=True)
class Coded:
    """A column ready for the Table."""

    codes: Codes
    states: tuple[Hashable, ...]
    other: str | None = None
    """The state of the rare values, if they were grouped."""
    notes: tuple[str, ...] = ()


def code_category(
    column: SourceColumn, declared: Sequence[Hashable] | None = None, rare: float | None = None
) -> Coded:
    """Code a categorical column.

    Parameters
    ----------
    declared
        The states and their order; a value outside is refused.
    rare
        Group the values that occur in fewer rows than this (a share below 1, or a number of rows) as one
        state, ``other``.
    """
    factor = column.factor
    values = typed_values(factor)
    if declared is not None:
        states = checked_states(column.name, declared)
        policy = "ignore" if isinstance(column, ValuesSeen) else "error"
        codes = recode(column.name, factor, values, states, None, policy, column.first_row)
        return Coded(codes, states)
    if not values:
        if column.n_rows:
            raise no_values(column.name)
        raise DataError(f"column {column.name!r} has no rows and declares no states")
    grouped = _rare_values(factor, values, rare, column.n_rows) if rare is not None else set()
    kept = [value for value in values if state_key(value) not in grouped]
    if len(kept) > MAX_STATES:
        distinct = column.distinct if isinstance(column, ValuesSeen) else 0
        raise too_many_states(column.name, max(distinct, len(kept)))
    order = kept if column.content == "declared" else in_natural_order(kept)
    if not grouped:
        states = checked_states(column.name, order)
        return Coded(_translate(factor, values, states), states)
    label = OTHER
    while label in kept:
        label += "_"
    states = checked_states(column.name, (*order, label))
    targets = [label if state_key(value) in grouped else value for value in values]
    note = f"column {column.name!r}: {len(grouped):,} rare values grouped as {label!r}"
    return Coded(_translate(factor, targets, states), states, label, (note,))


def _rare_values(factor: Factor, values: Sequence[Any], rare: float, n_rows: int) -> set[Any]:
    if not rare > 0:
        raise OptionError(
            Argument("rare", rare),
            " must be positive: a share of rows below 1 or a number of rows",
        )
    counts = np.bincount(factor.codes, minlength=len(values) + 1)[: len(values)]
    least = rare * n_rows if rare < 1 else rare
    found = {state_key(values[i]) for i in np.flatnonzero(counts < least).tolist()}
    return found if len(found) > 1 else set()  # one value alone keeps its name


def _translate(factor: Factor, targets: Sequence[Any], states: Sequence[Hashable]) -> Codes:
    """Codes under ``states``, given the state of each value of the factor."""
    position = {state_key(state): code for code, state in enumerate(states)}
    return _apply(factor, [position[state_key(target)] for target in targets], len(states))


def _apply(factor: Factor, code_of_value: Sequence[int], n_states: int) -> Codes:
    dtype = code_dtype(n_states)
    lookup = np.full(len(code_of_value) + 1, np.iinfo(dtype).max, dtype=dtype)
    lookup[:-1] = code_of_value
    codes: Codes = lookup.take(factor.codes)
    codes.flags.writeable = False
    return codes


def recode(
    name: str,
    factor: Factor,
    values: Sequence[Any],
    states: Sequence[Hashable],
    other: str | None = None,
    unknown_states: str = "error",
    first_row: int = 0,
) -> Codes:
    """Codes under given states; an unknown value becomes ``other``, or follows the policy ``unknown_states``.

    That is an error naming column, row and value, or "ignore": the cell counts as missing.

    A number matches a state of another number type with the same value (pandas turns integers with gaps
    into floats), text of a file matches a state spelled the same or a number it spells. ``first_row`` is the
    position of the first cell in its file.
    """
    exact = {state_key(state): code for code, state in enumerate(states)}
    by_number: dict[Any, int] = {}
    for position, state in enumerate(states):
        if isinstance(state, int | float) and not isinstance(state, bool):
            by_number.setdefault(state, position)
    code_of_value, unknown = [], np.zeros(len(values) + 1, dtype=np.bool_)
    for position, (raw, value) in enumerate(zip(factor.values, values, strict=True)):
        code: int | None = exact.get(state_key(value))
        if code is None and factor.from_text:
            code = exact.get(state_key(raw), by_number.get(parse_number(raw)))
        if code is None and isinstance(value, int | float) and not isinstance(value, bool):
            code = by_number.get(value)
        if code is None and other is not None:
            code = exact[state_key(other)]
        unknown[position] = code is None
        code_of_value.append(code or 0)
    # A value that the new data declare as a category without using it does no harm.
    strangers = np.flatnonzero(unknown.take(factor.codes))
    if strangers.size and unknown_states == "ignore":
        codes = _apply(factor, code_of_value, len(states)).copy()
        codes[strangers] = missing_code(codes)
        return codes
    if strangers.size:
        row = int(strangers[0])
        raise DataError(
            f"column {name!r}, row {first_row + row} (counted from 0): unknown state "
            f"{values[factor.codes[row]]!r}; known states: {shown_states(states, 12)}"
        )
    return _apply(factor, code_of_value, len(states))
