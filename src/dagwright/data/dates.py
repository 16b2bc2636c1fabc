"""Dates: recognized in text, and taken apart into years, months, weekdays and the like."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dagwright.data.columns import Factor, SourceColumn, temporal_column
from dagwright.errors import DataError, OptionError

_ISO = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?"
)
_LOOKS_DATED = re.compile(r"\d{4}([-./])\d{1,2}\1\d{1,2}([T ].*)?|\d{1,2}([-./])\d{1,2}\3\d{2,4}([T ].*)?")
_LOOKED_AT = 100
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

Dates = Mapping[str, str | Sequence[str]]
"""The parts to take from columns of dates, by the name of the column."""


def _month(day: datetime.date) -> int:
    return day.month - 1


def _hour(day: datetime.date) -> int:
    return day.hour if isinstance(day, datetime.datetime) else 0


_NAMED_PARTS: dict[str, tuple[Callable[[datetime.date], int], Sequence[Any]]] = {
    "quarter": (lambda day: _month(day) // 3, ("Q1", "Q2", "Q3", "Q4")),
    "month": (_month, _MONTHS),
    "weekday": (datetime.date.weekday, _WEEKDAYS),
    "day": (lambda day: day.day - 1, tuple(range(1, 32))),
    "hour": (_hour, tuple(range(24))),
}
"""For each part the position of a date in its list of states. The year is a number and has no list."""
PARTS = ("year", *_NAMED_PARTS)


def recognized(column: SourceColumn) -> SourceColumn:
    """A column of text as dates, if every value is an ISO date or date-time; else the column itself.

    Date-times with one offset from UTC keep their local time; with several offsets they become UTC.
    """
    if column.content != "text":
        return column
    factor = column.factor
    if not factor.values or not all(isinstance(text, str) and _ISO.fullmatch(text) for text in factor.values):
        return column
    try:
        days = _read(factor.values)
    except (ValueError, OverflowError):  # 2024-02-30
        return column
    if days is None:
        return column
    position = {day: place for place, day in enumerate(sorted(set(days)))}
    lookup = np.array([*(position[day] for day in days), len(position)], dtype=np.uint32)
    return temporal_column(column.name, Factor(lookup.take(factor.codes), list(position)), column.n_rows)


def _read(texts: Sequence[str]) -> list[Any] | None:
    """The dates that the texts spell; None where some have an offset from UTC and others have none."""
    if all(len(text) == 10 for text in texts):
        return [datetime.date.fromisoformat(text) for text in texts]
    times = [datetime.datetime.fromisoformat(text) for text in texts]
    offsets = {time.utcoffset() for time in times}
    if len(offsets) > 1 and None in offsets:
        return None
    if len(offsets) > 1:
        times = [time.astimezone(datetime.UTC) for time in times]
    return [time.replace(tzinfo=None) for time in times]


def unread_date(column: SourceColumn) -> str | None:
    """The first value of a column of text that looks like dates, but is not read as such; None for others."""
    if column.content != "text":
        return None
    values = column.factor.values
    sample = values[:_LOOKED_AT]
    if not len(sample) or not all(isinstance(text, str) and _LOOKS_DATED.fullmatch(text) for text in sample):
        return None
    return next((text for text in values if not _is_date(text)), None)


def _is_date(text: str) -> bool:
    try:
        datetime.datetime.fromisoformat(text)
    except ValueError:
        return False
    return _ISO.fullmatch(text) is not None


def parts_of(dates: Dates) -> dict[str, tuple[str, ...]]:
    """The parts to take from each column, checked."""
    wanted = {
        name: (parts,) if isinstance(parts, str) else tuple(dict.fromkeys(parts))
        for name, parts in dates.items()
    }
    for name, parts in wanted.items():
        for part in parts:
            if part not in PARTS:
                raise OptionError(f"dates[{name!r}] is {part!r}; choose from {', '.join(map(repr, PARTS))}")
        if not parts:
            raise OptionError(f"dates[{name!r}] names no part; choose from {', '.join(map(repr, PARTS))}")
    return wanted


def part_name(column: str, part: str) -> str:
    """The name of the column that holds a part of the dates of another."""
    return f"{column}_{part}"


def date_part(column: SourceColumn, part: str) -> SourceColumn:
    """A part of the dates of a column, as a column of its own: years as numbers, others as ordered states."""
    column = recognized(column)
    if column.content not in ("date", "datetime"):
        example = unread_date(column)
        found = f"{example!r} is not an ISO date" if example else f"it holds {column.content}"
        raise DataError(
            f"column {column.name!r} has no {part}: {found}; write dates like 2024-02-29, or 2024-02-29 13:45"
        )
    if part == "hour" and column.content == "date":
        raise DataError(f"column {column.name!r} has no hour: its dates have no time of day")
    name, factor = part_name(column.name, part), column.factor
    if part == "year":
        found_in, states = [day.year for day in factor.values], None
    else:
        find, states = _NAMED_PARTS[part]
        found_in = [find(day) for day in factor.values]
    seen = sorted(set(found_in))
    place = {value: code for code, value in enumerate(seen)}
    lookup = np.array([*(place[value] for value in found_in), len(seen)], dtype=np.uint32)
    codes = lookup.take(factor.codes)
    if states is None:
        return SourceColumn(name, "integer", column.n_rows, lambda: Factor(codes, seen))
    values = [states[value] for value in seen]
    return SourceColumn(name, "declared", column.n_rows, lambda: Factor(codes, values), ordered=True)


def with_parts(columns: Sequence[SourceColumn], parts: Mapping[str, Sequence[str]]) -> list[SourceColumn]:
    """The columns, those of ``parts`` replaced by the parts of their dates."""
    result: list[SourceColumn] = []
    for column in columns:
        wanted = parts.get(column.name)
        result += [column] if wanted is None else [date_part(column, part) for part in wanted]
    names = [column.name for column in columns if column.name not in parts]
    for name, wanted in parts.items():
        for part in wanted:
            if part_name(name, part) in names:
                raise DataError(
                    f"the {part} of {name!r} would be called {part_name(name, part)!r}, as another column "
                    "is; rename or exclude that column"
                )
    return result
