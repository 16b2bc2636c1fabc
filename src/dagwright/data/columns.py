"""The common form of every source before coding: columns that can be factored or read as numbers."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from dagwright.data.bins import Scale
from dagwright.data.states import is_missing, parse_number, plain, state_key, states_of_texts
from dagwright.errors import DataError
from dagwright.sentences import Argument

Floats = npt.NDArray[np.float64]
Content = Literal["text", "boolean", "integer", "float", "date", "datetime", "declared", "mixed"]
"""What the source says the column holds; ``declared`` means that it fixes the states and their order."""

_SMALL_RANGE = 1 << 16


@dataclass(frozen=True)
class Factor:
    """Distinct values and, per cell, the position of its value; position ``len(values)`` is missing.

    ``from_text`` says that the values are the characters of a file, not yet read as numbers.
    """

    codes: npt.NDArray[Any]
    values: Sequence[Any]
    from_text: bool = False


class SourceColumn:
    """A named column of a source, evaluated only as far as asked."""

    def __init__(
        self,
        name: Any,
        content: Content,
        n_rows: int,
        factor: Callable[[], Factor],
        numbers: Callable[[], Floats] | None = None,
        scale: Scale = "number",
        ordered: bool = False,
    ) -> None:
        # Frames number their columns where they have no names.
        self.name: str = str(name) if isinstance(name, int | np.integer) else name
        self.content = content
        self.n_rows = n_rows
        self.scale = scale
        self.ordered = ordered
        self._factor = factor
        self._numbers = numbers
        self.first_row = 0
        """Where the first cell is in the file, for errors that name a row."""
        self.utc = False
        """Whether times with different offsets became UTC."""

    @cached_property
    def factor(self) -> Factor:
        """The column as distinct values and positions."""
        return self._factor()

    @cached_property
    def numbers(self) -> Floats:
        """The column as numbers, NaN where missing; refused where a value is not a number."""
        if self._numbers is not None:
            return self._numbers()
        factor = self.factor
        lookup = np.full(len(factor.values) + 1, np.nan)
        for position, value in enumerate(factor.values):
            lookup[position] = self._as_number(value)
        return lookup.take(factor.codes)

    def cells(self, first: int | None = None) -> list[Any]:
        """The values row by row as they stand in the source, None where one is missing; or the first ones."""
        values = [*self.factor.values, None]
        return [values[code] for code in self.factor.codes[:first].tolist()]

    def _as_number(self, value: Any) -> float:
        number = parse_number(value) if isinstance(value, str) else value
        if number is None or not isinstance(number, int | float):
            row = self.first_row + self._row_of(value)
            raise DataError(
                f"column {self.name!r}, row {row} (counted from 0): {value!r} is not a number, so the "
                "column cannot be continuous; make it a category, or name the value in ",
                Argument("missing_values", of="read"),
            )
        try:
            return float(number)
        except OverflowError:  # an int beyond the range of floats
            return math.inf if number > 0 else -math.inf

    def _row_of(self, value: Any) -> int:
        return int(np.flatnonzero(self.factor.codes == list(self.factor.values).index(value))[0])

    @cached_property
    def missing(self) -> int:
        """Number of missing cells."""
        if self._numbers is not None and self.content in ("integer", "float"):
            return int(np.count_nonzero(np.isnan(self.numbers)))
        return int(np.count_nonzero(self.factor.codes == len(self.factor.values)))

    def distinct_up_to(self, limit: int) -> int | None:
        """Number of distinct values, or None as soon as it is known to be larger than ``limit``."""
        if self._numbers is not None:
            head = self.numbers[:4096]
            if len(np.unique(head[~np.isnan(head)])) > limit:
                return None
        found = len(self.factor.values)
        return found if found <= limit else None


class ValuesSeen(SourceColumn):
    """The values of a column that is read in parts, each about once, to decide on its kind and states.

    Its cells are no rows, so no error may name one: values that cannot be coded pass here, and are refused
    with their row when the rows are coded.
    """

    many = False
    """Whether these are some of the values of a column of numbers, of which there are many."""
    distinct = 0
    """The number of different values; 0 if all are here."""
    identifier = ""
    """Why the whole column looks like an identifier of the rows."""

    def _as_number(self, value: Any) -> float:
        try:
            return super()._as_number(value)
        except DataError:
            return 0.0

    def distinct_up_to(self, limit: int) -> int | None:
        """Number of distinct values, or None as soon as it is known to be larger than ``limit``."""
        if self.many or self.distinct > limit:
            return None
        return max(self.distinct, len(self.factor.values)) if self.distinct else super().distinct_up_to(limit)


def array_column(
    name: str, values: npt.NDArray[Any], mask: npt.NDArray[np.bool_] | None = None
) -> SourceColumn:
    """A column of booleans, integers or floats; ``mask`` marks missing cells, as NaN does in floats."""
    kind = values.dtype.kind
    if kind == "b":
        codes = values.astype(np.uint8)
        if mask is not None and mask.any():
            codes[mask] = 2
        used = np.flatnonzero(np.bincount(codes, minlength=3)[:2]).tolist()
        return SourceColumn(
            name, "boolean", len(values), lambda: _restricted(Factor(codes, (False, True)), used)
        )
    if kind == "f":
        as_floats = np.where(mask, np.nan, values) if mask is not None else values

        def numbers() -> Floats:
            return as_floats.astype(np.float64, copy=False)

        return SourceColumn(name, "float", len(values), lambda: _float_factor(numbers()), numbers)

    def integers_as_numbers() -> Floats:
        result = values.astype(np.float64)
        if mask is not None:
            result[mask] = np.nan
        return result

    return SourceColumn(
        name, "integer", len(values), lambda: _integer_factor(values, mask), integers_as_numbers
    )


def _float_factor(values: Floats) -> Factor:
    gaps = np.isnan(values)
    distinct, inverse = np.unique(values[~gaps], return_inverse=True)
    codes = np.full(len(values), len(distinct), dtype=np.uint32)
    codes[~gaps] = inverse
    return Factor(codes, (distinct + 0.0).tolist())  # -0.0 and 0.0 are one value


def _integer_factor(values: npt.NDArray[Any], mask: npt.NDArray[np.bool_] | None) -> Factor:
    present = values if mask is None else values[~mask]
    if not present.size:
        return Factor(np.zeros(len(values), dtype=np.uint32), ())
    low, high = int(present.min()), int(present.max())
    if high - low < _SMALL_RANGE:
        # Values in a small range are counted instead of sorted.
        shifted = (present - present.dtype.type(low)).astype(np.uint32)
        seen = np.flatnonzero(np.bincount(shifted, minlength=1))
        lookup = np.zeros(high - low + 1, dtype=np.uint32)
        lookup[seen] = np.arange(len(seen))
        distinct, inverse = [low + int(offset) for offset in seen], lookup[shifted]
    else:
        unique, inverse = np.unique(present, return_inverse=True)
        distinct = unique.tolist()
    if mask is None:
        return Factor(inverse.astype(np.uint32, copy=False), distinct)
    codes = np.full(len(values), len(distinct), dtype=np.uint32)
    codes[~mask] = inverse
    return Factor(codes, distinct)


def _restricted(factor: Factor, kept: Sequence[int]) -> Factor:
    """The factor with only some of its values; cells of the others become missing."""
    if len(kept) == len(factor.values):
        return factor
    lookup = np.full(len(factor.values) + 1, len(kept), dtype=np.uint32)
    lookup[kept] = np.arange(len(kept))
    return Factor(lookup.take(factor.codes), [factor.values[i] for i in kept], factor.from_text)


def factor_of_objects(cells: Iterable[Any], n_rows: int, from_text: bool = False) -> Factor:
    """Factor any Python values; ``1``, ``1.0``, ``True`` and ``"1"`` stay apart."""
    position: dict[Any, int] = {}
    codes = np.empty(n_rows, dtype=np.int64)
    for row, cell in enumerate(cells):
        if is_missing(cell):
            codes[row] = -1
            continue
        value = plain(cell)
        codes[row] = position.setdefault(state_key(value), len(position))
    codes[codes < 0] = len(position)
    return Factor(codes, [value for _, value in position], from_text)


def object_column(name: Any, cells: Sequence[Any]) -> SourceColumn:
    """A column of arbitrary Python values."""
    try:
        factor = factor_of_objects(cells, len(cells))
    except TypeError:
        row = next(row for row, cell in enumerate(cells) if not _hashable(cell))
        raise DataError(
            f"column {name!r}, row {row} (counted from 0): a {type(cells[row]).__name__} cannot be a state; "
            "turn it into text or a number"
        ) from None
    return column_of_factor(name, factor, len(cells))


def _hashable(cell: Any) -> bool:
    try:
        hash(cell)
    except TypeError:
        return False
    return True


def column_of_factor(name: Any, factor: Factor, n_rows: int) -> SourceColumn:
    """A column whose content follows from the types of its values."""
    types = {type(value) for value in factor.values}
    if types and types <= {int, float}:
        # float() of an int beyond 2^53 rounds, which matters to no bin; as categories the ints stay exact.
        content: Content = "integer" if types == {int} else "float"
        return SourceColumn(name, content, n_rows, lambda: factor)
    if types == {bool}:
        return SourceColumn(name, "boolean", n_rows, lambda: factor)
    if types == {str}:
        return SourceColumn(name, "text", n_rows, lambda: factor)
    if types == {datetime.date} or types == {datetime.datetime}:
        return temporal_column(name, factor, n_rows)
    return SourceColumn(name, "mixed", n_rows, lambda: factor)


def without_markers(column: SourceColumn, markers: frozenset[str]) -> SourceColumn:
    """The column with texts that mark a missing cell taken as such."""
    if column.content not in ("text", "mixed", "declared"):
        return column
    factor = unmarked(column.factor, markers)
    if factor is column.factor:
        return column
    if column.content == "declared" or factor.from_text:
        return SourceColumn(column.name, column.content, column.n_rows, lambda: factor)
    return column_of_factor(column.name, factor, column.n_rows)


def unmarked(factor: Factor, markers: frozenset[str]) -> Factor:
    """The factor of the values that do not mark a missing cell; spaces around a marker do not count."""

    def marks(value: Any) -> bool:
        return isinstance(value, str) and value.strip() in markers

    return _restricted(factor, [i for i, value in enumerate(factor.values) if not marks(value)])


def temporal_column(name: Any, factor: Factor, n_rows: int) -> SourceColumn:
    """A column of dates or of times of day on dates."""
    dated = bool(factor.values) and not isinstance(factor.values[0], datetime.datetime)

    def numbers() -> Floats:
        lookup = np.full(len(factor.values) + 1, np.nan)
        for position, value in enumerate(factor.values):
            if dated:
                lookup[position] = (value - datetime.date(1970, 1, 1)).days
            else:
                lookup[position] = (
                    value.replace(tzinfo=None) - datetime.datetime(1970, 1, 1)
                ).total_seconds()
        return lookup.take(factor.codes)

    kind: Literal["date", "datetime"] = "date" if dated else "datetime"
    return SourceColumn(name, kind, n_rows, lambda: factor, numbers, kind)


def text_column(
    name: str,
    factor: Callable[[], Factor],
    n_rows: int,
    decimal: str = ".",
    numbers: Callable[[], Floats | None] | None = None,
) -> SourceColumn:
    """A column of a text file: text, or numbers if every text that marks no missing cell spells one.

    ``numbers`` may give a faster way to the numbers; it answers None if some text spells none.
    """
    if numbers is not None and (fast := numbers()) is not None:
        whole = bool(np.all(np.isnan(fast) | (fast == np.floor(fast))))
        return SourceColumn(name, "integer" if whole else "float", n_rows, factor, lambda: fast)
    known = factor()
    parsed: list[float] = []
    for text in known.values:
        number = parse_number(text, decimal)
        if number is None:
            break
        parsed.append(number)
    if not parsed or len(parsed) < len(known.values):
        return SourceColumn(name, "text", n_rows, lambda: known)
    lookup = np.array([*parsed, math.nan], dtype=np.float64)
    content: Content = "integer" if all(number.is_integer() for number in parsed) else "float"
    return SourceColumn(name, content, n_rows, lambda: known, lambda: lookup[known.codes])


def typed_values(factor: Factor) -> list[Any]:
    """The values of a factor as states, texts of a file read as numbers where nothing is lost."""
    return states_of_texts(list(factor.values)) if factor.from_text else list(factor.values)
