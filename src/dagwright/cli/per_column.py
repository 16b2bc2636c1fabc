"""Options that hold for one column or for all: 'age=EqualWidth(bins=5)', 'EqualWidth(bins=5)'."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from typing import Any

from dagwright.errors import OptionError

NAMED = re.compile(r"(?P<column>.+?)=(?P<value>\w+(?:\(.*\))?|[\d.eE+-]+)", re.DOTALL)
METHOD = re.compile(r"\w+(?:\(.*\))?|[\d.eE+-]+", re.DOTALL)


def for_columns(texts: Sequence[str] | None, option: str, read: Callable[[str], Any]) -> Any:
    """One value for all columns, or {column: value}; None if the option was not given."""
    if not texts:
        return None
    if len(texts) == 1 and METHOD.fullmatch(texts[0]):
        return read(texts[0])
    named = [NAMED.fullmatch(text) for text in texts]
    if not all(named):
        raise OptionError(f"{option} is given once for all columns, or as COLUMN=... for each that needs it")
    return {match["column"]: read(match["value"]) for match in named if match is not None}


def kinds(texts: Sequence[str] | None) -> dict[str, str] | None:
    """{column: kind} from texts such as "age=continuous"."""
    if not texts:
        return None
    return dict(_split(text, "--kind", "age=continuous") for text in texts)


def states(texts: Sequence[str] | None) -> dict[str, list[str | int | float]] | None:
    """{column: its states in order} from texts such as "size=small,medium,large"; numbers are numbers."""
    if not texts:
        return None
    listed = (_split(text, "--states", "size=small,medium,large") for text in texts)
    return {
        column: _as_numbers(next(csv.reader([values], skipinitialspace=True))) for column, values in listed
    }


def dates(texts: Sequence[str] | None) -> dict[str, list[str]] | None:
    """{column: parts of its dates} from texts such as "day=month" and "day=year,weekday"."""
    if not texts:
        return None
    listed = (_split(text, "--dates", "day=month") for text in texts)
    return {column: [part.strip() for part in parts.split(",")] for column, parts in listed}


def number_of(option: str) -> Callable[[str], float]:
    """What reads the number of an option, or an error that says what stands there instead."""

    def number(text: str) -> float:
        try:
            return float(text)
        except ValueError:
            raise OptionError(f"{option} takes a number, not {text!r}") from None

    return number


def _split(text: str, option: str, example: str) -> tuple[str, str]:
    column, equals, value = text.rpartition("=")
    if not equals or not column or not value:
        raise OptionError(f"{option} is written like {example}, not {text!r}")
    return column, value


def _as_numbers(texts: list[str]) -> list[str | int | float]:
    for kind in (int, float):
        try:
            return [kind(text) for text in texts]
        except ValueError:
            continue
    return list(texts)
