"""Cut points of a discretized column: intervals closed on the right, their names, their use on new rows."""

from __future__ import annotations

import bisect
import datetime
import itertools
import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from dagwright.data.states import MAX_STATES, Codes, code_dtype, parse_number
from dagwright.errors import DataError

Scale = Literal["number", "date", "datetime"]
"""What the numbers mean: themselves, days since 1970-01-01, or seconds since then."""

_EPOCH = datetime.datetime(1970, 1, 1)


@dataclass(frozen=True)
class Bins:
    """Strictly increasing cut points c1 < ... < ck: intervals (-inf, c1], (c1, c2], ..., (ck, inf)."""

    cuts: tuple[float, ...]
    scale: Scale = "number"

    def __post_init__(self) -> None:
        if len(self.cuts) >= MAX_STATES:
            raise DataError(
                f"{len(self.cuts):,} cut points are too many; a column has at most {MAX_STATES:,} states"
            )
        if not all(math.isfinite(cut) for cut in self.cuts):
            raise DataError(f"cut points must be finite numbers, not {list(self.cuts)}")
        if any(a >= b for a, b in itertools.pairwise(self.cuts)):
            raise DataError(f"cut points must increase strictly, not {list(self.cuts)}")

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the intervals, which double as states.

        >>> Bins((1.5, 3.0)).labels
        ('<=1.5', '(1.5, 3]', '>3')
        """
        if not self.cuts:
            return ("any",)
        ends = [number_text(cut, self.scale) for cut in self.cuts]
        middle = [f"({low}, {high}]" for low, high in itertools.pairwise(ends)]
        return (f"<={ends[0]}", *middle, f">{ends[-1]}")

    def code(self, values: npt.NDArray[np.float64]) -> Codes:
        """Bin of each value; NaN is missing, infinities fall into the outer bins."""
        found = np.searchsorted(np.asarray(self.cuts, dtype=np.float64), values, side="left")
        dtype = code_dtype(len(self.cuts) + 1)
        codes: Codes = found.astype(dtype)
        codes[np.isnan(values)] = np.iinfo(dtype).max
        return codes

    def position(self, value: object) -> int | None:
        """The interval of one value; None if it is not a number, date or time as the cut points are.

        >>> Bins((1.5, 3.0)).position(2), Bins((1.5, 3.0)).position("2")
        (1, None)
        """
        number = number_on(value, self.scale)
        return None if number is None or math.isnan(number) else bisect.bisect_left(self.cuts, number)

    def value(self, text: str) -> float | datetime.date | None:
        """The value that a text spells on the scale of the cut points, or None.

        >>> Bins((1.5, 3.0)).value("2"), Bins((19000.0,), "date").value("2024-02-29")
        (2.0, datetime.date(2024, 2, 29))
        """
        return value_of(text, self.scale)


def value_of(text: str, scale: Scale) -> float | datetime.date | None:
    """The number, date or time that a text spells, or None.

    >>> value_of("2", "number"), value_of("2024-02-29", "date")
    (2.0, datetime.date(2024, 2, 29))
    """
    if scale == "number":
        return parse_number(text)
    read = datetime.date if scale == "date" else datetime.datetime
    try:
        return read.fromisoformat(text)
    except ValueError:
        return None


def number_on(value: object, scale: Scale) -> float | None:
    """The number of a value on a scale; None for a value of another kind.

    >>> import datetime
    >>> number_on(2, "number"), number_on(datetime.date(2024, 2, 29), "date"), number_on("2", "number")
    (2.0, 19782.0, None)
    """
    if scale == "number":
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return float(value) if is_number else None  # type: ignore[arg-type]
    if isinstance(value, datetime.datetime):
        since = (value.replace(tzinfo=None) - _EPOCH).total_seconds()
        return since if scale == "datetime" else since // 86400
    if isinstance(value, datetime.date):
        days = (value - _EPOCH.date()).days
        return days * 86400.0 if scale == "datetime" else float(days)
    return None


def value_on(number: float, scale: Scale) -> float | datetime.date:
    """The number itself, or the date or time that it stands for; a date is the nearest day.

    >>> value_on(19781.6, "date"), value_on(1.5, "number")
    (datetime.date(2024, 2, 29), 1.5)
    """
    if scale == "number":
        return number
    if scale == "date":
        return (_EPOCH + datetime.timedelta(days=round(number))).date()
    return _EPOCH + datetime.timedelta(seconds=number)


def shown_number(number: float, scale: Scale = "number") -> str:
    """A number in six digits, or the nearest date or second.

    >>> shown_number(0.123456789), shown_number(19781.6, "date"), shown_number(0.4, "datetime")
    ('0.123457', '2024-02-29', '1970-01-01 00:00:00')
    """
    value = value_on(round(number) if scale == "datetime" else number, scale)
    return str(value) if isinstance(value, datetime.date) else f"{value:.6g}"


def number_text(number: float, scale: Scale = "number") -> str:
    """A number as text, or the date or time that it stands for.

    >>> number_text(3.0), number_text(0.1), number_text(19782, "date")
    ('3', '0.1', '2024-02-29')
    """
    if scale == "date":
        return (_EPOCH + datetime.timedelta(days=math.floor(number))).date().isoformat()
    if scale == "datetime":
        return (_EPOCH + datetime.timedelta(seconds=number)).isoformat(sep=" ")
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
