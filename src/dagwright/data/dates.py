"""Dates: recognized in text, and taken apart into years, months, weekdays and the like."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

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


def recognized(column: SourceColumn, utc: bool = False) -> SourceColumn:
    """A column of text as dates, if every value is an ISO date or date-time; else the column itself.

    Date-times with one offset from UTC keep their local time; with several offsets they become UTC, and with
    ``utc`` in any case: other rows of the column have other offsets.
    """
    if column.content != "text":
        return column
    factor = column.factor
    if not factor.values or not all(isinstance(text, str) and _ISO.fullmatch(text) for text in factor.values):
        return column
    try:
        days, in_utc = _read(factor.values, utc)
    except (ValueError, OverflowError):  # 2024-02-30
        return column
    if days is None:
        return column
    position = {day: place for place, day in enumerate(sorted(set(days)))}
    lookup = np.array([*(position[day] for day in days), len(position)], dtype=np.uint32)
    found = temporal_column(column.name, Factor(lookup.take(factor.codes), list(position)), column.n_rows)
    found.utc, found.first_row = in_utc, column.first_row
    return found


def _read(texts: Sequence[str], utc: bool) -> tuple[list[Any] | None, bool]:
    """The dates that the texts spell, None where some have an offset from UTC and others have none; and
    whether they are in UTC."""
    if all(len(text) == 10 for text in texts):
        return [datetime.date.fromisoformat(text) for text in texts], utc
    times = [datetime.datetime.fromisoformat(text) for text in texts]
    offsets = {time.utcoffset() for time in times}
    if len(offsets) > 1 and None in offsets:
        return None, utc
    utc = utc or len(offsets) > 1
    if utc:
        times = [time if time.tzinfo is None else time.astimezone(datetime.UTC) for time in times]
    return [time.replace(tzinfo=None) for time in times], utc


@dataclass
class DatesSeen:
    """Whether the texts of a column are dates for `recognized`, where only some are looked at at once."""

    all_dates: bool = True
    timed: bool = False
    offsets: set[datetime.timedelta | None] = field(default_factory=set)

    def add(self, texts: Iterable[Any]) -> None:
        """Look at some of the texts."""
        for text in texts if self.all_dates else ():
            try:
                self.all_dates = isinstance(text, str) and _ISO.fullmatch(text) is not None
                if self.all_dates and len(text) == 10:
                    datetime.date.fromisoformat(text)
                    self.offsets.add(None)
                elif self.all_dates:
                    self.offsets.add(datetime.datetime.fromisoformat(text).utcoffset())
                    self.timed = True
            except (ValueError, OverflowError):
                self.all_dates = False
            if not self.all_dates:
                return

    def join(self, other: DatesSeen) -> None:
        """What both have seen."""
        self.all_dates, self.timed = self.all_dates and other.all_dates, self.timed or other.timed
        self.offsets |= other.offsets

    @property
    def content(self) -> Literal["date", "datetime"] | None:
        """What the column holds, or None if it is text."""
        if not self.all_dates or (len(self.offsets) > 1 and None in self.offsets):
            return None
        return "datetime" if self.timed else "date"


_TO_THE_HOUR = re.compile(r"(\d{4}-\d{2}-\d{2}[T ]\d{2}):[0-9:.,]+((?:Z|[+-]\d{2}(?::?00)?)?)")


def without_times(column: SourceColumn) -> SourceColumn:
    """The column with times cut to the hour, which have the same parts; what is no date stays as it is."""
    factor = column.factor
    if column.content == "datetime":
        cut = [value.replace(minute=0, second=0, microsecond=0) for value in factor.values]
    elif column.content == "text":
        # An offset of half an hour may move the hour, so that its minutes matter.
        cut = [_to_the_hour(text) for text in factor.values]
    else:
        return column
    position: dict[Any, int] = {}
    places = [position.setdefault(value, len(position)) for value in cut]
    lookup = np.array([*places, len(position)], dtype=np.uint32)
    short = Factor(lookup.take(factor.codes), list(position), factor.from_text)
    if column.content == "datetime":
        return temporal_column(column.name, short, column.n_rows)
    return SourceColumn(column.name, "text", column.n_rows, lambda: short)


def _to_the_hour(text: Any) -> Any:
    if not isinstance(text, str) or not _is_date(text):
        return text
    return _TO_THE_HOUR.sub(r"\1:00\2", text) if _TO_THE_HOUR.fullmatch(text) else text


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


def date_part(column: SourceColumn, part: str, utc: bool = False, timed: bool = False) -> SourceColumn:
    """A part of the dates of a column, as a column of its own: years as numbers, others as ordered states.

    ``timed`` says that other rows have a time of day, so that dates are midnights.
    """
    column = recognized(column, utc)
    if column.content not in ("date", "datetime"):
        example = unread_date(column)
        found = f"{example!r} is not an ISO date" if example else f"it holds {column.content}"
        raise DataError(
            f"column {column.name!r} has no {part}: {found}; write dates like 2024-02-29, or 2024-02-29 13:45"
        )
    if part == "hour" and column.content == "date" and not timed:
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
    values = seen if states is None else [states[value] for value in seen]
    content: Literal["integer", "declared"] = "integer" if states is None else "declared"
    ordered = states is not None
    made = SourceColumn(name, content, column.n_rows, lambda: Factor(codes, values), ordered=ordered)
    made.utc = column.utc
    return made


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
