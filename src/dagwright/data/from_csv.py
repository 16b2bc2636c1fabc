"""Delimited text, by polars (the default) or by the standard library."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright.data.columns import Factor, Floats, SourceColumn, factor_of_objects, text_column, unmarked
from dagwright.data.forks import polars_is_usable
from dagwright.data.sniff import Look, markers_of, sniff
from dagwright.data.sources import Opening
from dagwright.data.states import parse_number
from dagwright.data.text_checks import all_lines_have, quoting_slip
from dagwright.data.text_file import TextFile
from dagwright.errors import DataError
from dagwright.sentences import Argument

if TYPE_CHECKING:
    import polars as pl


def csv_columns(text: TextFile, how: Opening, look: Look | None = None) -> list[SourceColumn]:
    """The columns of a delimited text; a part of a file is read as a look at its beginning says."""
    look = sniff(text, how) if look is None else replace(look, has_rows=True)
    if not look.has_rows:
        raise DataError(f"{text.label} has a header but no rows")
    markers = markers_of(how)
    if how.engine == "python" or not polars_is_usable() or _needs_the_plain_reader(text, how, look):
        columns = _python_columns(text, how, look, markers)
    else:
        frame = _polars_frame(text, how, look)
        columns = [
            _series_column(series, column.decimal, markers)
            for series, column in zip(frame.get_columns(), look.columns, strict=True)
        ]
    for column, name in zip(columns, look.names, strict=True):
        column.name = name
    return columns


def _needs_the_plain_reader(text: TextFile, how: Opening, look: Look) -> bool:
    """Whether the text has quotes that polars misreads; slips that leave the meaning open are refused."""
    if how.quote is None or not text.contains(how.quote):
        return False
    slip = quoting_slip(text, look.separator, how.quote)
    if slip is None:
        return False
    if slip.kind == "inside":
        return True
    problem = "text after a closing quote" if slip.kind == "after" else "a quote that is never closed"
    raise DataError(
        f"{text.label}, line {text.line(slip.line)}: {problem}; double a quote that belongs to the text, or "
        "read quotes as text with ",
        Argument("quote", None, of="read"),
    )


def _polars_frame(text: TextFile, how: Opening, look: Look) -> pl.DataFrame:
    import polars as pl

    # Dictionaries of 16 bits are fastest; a column of more distinct texts needs the texts themselves.
    for dictionaries in (True, False):
        try:
            frame = _parse(text, how, look, dictionaries=dictionaries)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as problem:
            message = str(problem)
            if dictionaries and "categories" in message:
                continue
            if "utf-8" in message.lower() and (broken := text.broken_byte()) is not None:
                raise broken from None
            _check_widths(text, how, look)
            raise DataError(f"{text.label} cannot be read: {message.partition(chr(10))[0]}") from None
        break
    return _without_short_rows(frame, text, how, look)


def _parse(text: TextFile, how: Opening, look: Look, *, dictionaries: bool) -> pl.DataFrame:
    import polars as pl

    def dtype(numbers: bool) -> Any:
        if numbers or not dictionaries or not hasattr(pl, "Categories"):
            return pl.String()
        return pl.Categorical(pl.Categories.random("dagwright", physical=pl.UInt16))

    return pl.read_csv(
        text.path if text.path is not None else text.content,
        has_header=how.header,
        separator=look.separator,
        quote_char=how.quote,
        schema_overrides=[dtype(column.numbers) for column in look.columns],
    )


def _without_short_rows(frame: pl.DataFrame, text: TextFile, how: Opening, look: Look) -> pl.DataFrame:
    """Refuse rows with too few fields, which polars fills up, and leave out blank lines.

    Such a row has nothing in the last column, so most files need no second look; others are cleared by
    counting separators; what remains is read line by line.
    """
    width = len(look.names)
    if width == 1 or not frame.to_series(-1).null_count():
        return frame
    quoted = how.quote is not None and text.contains(how.quote)
    if not quoted and all_lines_have(text, look.separator, width - 1):
        return frame
    blank = _check_widths(text, how, look)
    if not blank:
        return frame
    keep = np.ones(max(frame.height, blank[-1] + 1), dtype=np.bool_)
    keep[blank] = False
    return frame.filter(keep[: frame.height])


def _check_widths(text: TextFile, how: Opening, look: Look) -> list[int]:
    """Refuse the first row of another width, by its line; return the positions of blank rows."""
    width = len(look.names)
    blank: list[int] = []
    before = 0
    for row, (line, fields) in enumerate(_lines(text, how, look)):
        if not fields:
            blank.append(row)
        elif len(fields) != width:
            raise DataError(
                f"{text.label}, line {text.line(before + 1)}: {len(fields)} fields where the first line has "
                f"{width}; check the separator (taken to be {look.separator!r}) and the quoting"
            )
        before = line
    if not how.header:
        return blank
    above = next((i for i, row in enumerate(blank) if row != i), len(blank))  # blank lines above the header
    return [row - above - 1 for row in blank[above:]]


def _lines(text: TextFile, how: Opening, look: Look) -> Any:
    with text.open() as stream:
        wrapped = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
        reader = csv.reader(
            wrapped,
            delimiter=look.separator,
            quotechar=how.quote or '"',
            quoting=csv.QUOTE_MINIMAL if how.quote else csv.QUOTE_NONE,
            strict=True,
        )
        try:
            for fields in reader:
                yield reader.line_num, fields
        except UnicodeDecodeError:
            raise text.broken_byte() or DataError(f"{text.label} is not UTF-8") from None
        except csv.Error as problem:
            raise DataError(f"{text.label}, line {text.line(reader.line_num)}: {problem}") from None


def _python_columns(text: TextFile, how: Opening, look: Look, markers: frozenset[str]) -> list[SourceColumn]:
    _check_widths(text, how, look)
    width = len(look.names)
    found = [fields for _, fields in _lines(text, how, look)]
    if how.header:  # blank lines may stand above it
        del found[: next(row for row, fields in enumerate(found) if fields) + 1]
    rows = [fields for fields in found if fields or width == 1]
    cells = list(zip(*(fields or [""] for fields in rows), strict=True))

    def column(position: int) -> SourceColumn:
        n_rows = len(cells[position])
        factor = unmarked(factor_of_objects(cells[position], n_rows, from_text=True), markers)
        return text_column("", lambda: factor, n_rows, look.columns[position].decimal)

    return [column(position) for position in range(width)]


def _series_column(series: pl.Series, decimal: str, markers: frozenset[str]) -> SourceColumn:
    import polars as pl

    from dagwright.data.from_polars import text_factor

    def factor() -> Factor:
        found = text_factor(series)
        return unmarked(Factor(found.codes, found.values, from_text=True), markers)

    def numbers() -> Floats | None:
        return _parsed_numbers(series, decimal, markers)

    fast = numbers if series.dtype == pl.String else None
    return text_column(series.name, factor, len(series), decimal, fast)


def _parsed_numbers(series: pl.Series, decimal: str, markers: frozenset[str]) -> Floats | None:
    """All texts as numbers at once, or None if one of them spells none."""
    import polars as pl

    texts = series.str.strip_chars()
    numeric = [mark for mark in markers if parse_number(mark, decimal) is not None]
    if numeric:  # "-9" marks a gap and would be read as a number
        texts = texts.set(texts.is_in(numeric).fill_null(False), None)
    if decimal != ".":
        if texts.str.contains(".", literal=True).any():
            return None
        texts = texts.str.replace(decimal, ".", literal=True)
    numbers = texts.cast(pl.Float64, strict=False)
    unread = texts.filter((numbers.is_null() | numbers.is_nan()) & texts.is_not_null())
    if not set(unread.unique().to_list()) <= markers:
        return None
    return numbers.fill_null(float("nan")).to_numpy()
