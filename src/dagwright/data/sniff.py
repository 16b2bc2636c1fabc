"""Guess the form of a delimited text: separator, names, and which columns hold numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from dagwright.data.sources import Opening
from dagwright.data.states import MISSING_MARKERS, parse_number
from dagwright.data.text_file import TextFile
from dagwright.errors import DataError

_SEPARATORS = (",", ";", "\t", "|", " ")
_SAMPLE_ROWS = 1000
_MANY = 50


@dataclass(frozen=True)
class ColumnLook:
    """Facts about a column from its first rows."""

    decimal: str
    numbers: bool
    """Numbers with many distinct values: read as they are, not through a dictionary."""


@dataclass(frozen=True)
class Look:
    """How to read a delimited text."""

    separator: str
    names: tuple[str, ...]
    columns: tuple[ColumnLook, ...]
    has_rows: bool


def sniff(text: TextFile, how: Opening) -> Look:
    """Look at the first lines."""
    head = text.head()
    if not head.strip():
        raise DataError(f"{text.label} is empty")
    separator = how.separator or ("\t" if how.format == "tsv" else _likely_separator(head, how.quote))
    try:
        rows = _rows(head, separator, how.quote)
    except csv.Error as problem:
        raise DataError(f"{text.label} cannot be split into fields by {separator!r}: {problem}") from None
    if not rows:
        raise DataError(f"{text.label} is empty")
    first, sample = (rows[0], rows[1:]) if how.header else ([], rows)
    width = len(rows[0])
    names = tuple(name or f"V{i}" for i, name in enumerate(first or [""] * width, start=1))
    markers = markers_of(how)
    looks = tuple(
        _look(sorted({row[i] for row in sample if len(row) == width}), markers, how.decimal)
        for i in range(width)
    )
    return Look(separator, names, looks, bool(sample))


def markers_of(how: Opening) -> frozenset[str]:
    """The texts that mark a missing cell."""
    return frozenset((*MISSING_MARKERS, *(how.missing_values or ())))


def _rows(head: str, separator: str, quote: str | None) -> list[list[str]]:
    lines = csv.reader(
        io.StringIO(head, newline=""),
        delimiter=separator,
        quotechar=quote or '"',
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
    )
    rows: list[list[str]] = []
    for row in lines:
        if row:
            rows.append(row)
        if len(rows) > _SAMPLE_ROWS:
            break
    return rows


def _likely_separator(head: str, quote: str | None) -> str:
    """The candidate that splits most lines into one and the same number of fields, at least two."""
    best, best_rank = ",", (0.0, 1)
    for candidate in _SEPARATORS:
        try:
            widths = [len(row) for row in _rows(head, candidate, quote)]
        except csv.Error:  # a whole wide line as one field
            continue
        width = widths[0] if widths else 1
        agreeing = sum(other == width for other in widths) / max(len(widths), 1)
        if width > 1 and agreeing > 0.5 and (agreeing, width) > best_rank:
            best, best_rank = candidate, (agreeing, width)
    return best


def _look(values: Sequence[str], markers: frozenset[str], decimal: str | None) -> ColumnLook:
    known = [value for value in values if value.strip() not in markers]
    for mark in (decimal,) if decimal else (".", ","):
        if known and all(parse_number(value, mark) is not None for value in known):
            return ColumnLook(mark, len(known) > _MANY)
    return ColumnLook(decimal or ".", False)
