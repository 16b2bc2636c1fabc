"""Delimited text too large for memory, in chunks that end where records end."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from dagwright.base.memory import shown_bytes
from dagwright.data.text_checks import quoting_slip
from dagwright.data.text_file import TextFile, head_bytes
from dagwright.data.text_streams import opened_text
from dagwright.errors import DataError
from dagwright.sentences import Argument

LONGEST = 1 << 25
"""Bytes of a record, at most."""
_BOM = b"\xef\xbb\xbf"


def head_of(path: Path, encoding: str | None = None) -> bytes:
    """The first lines, to find out the separator; as many as the reader in memory looks at."""
    with opened_text(path, encoding) as stream:
        return head_bytes(stream, path.name)


@dataclass(frozen=True)
class Dialect:
    """How records and fields are told apart."""

    label: str
    separator: str
    quote: str | None
    encoding: str | None = None
    width: int = 2
    """The number of columns; in a file with one, a blank line is a row."""


def text_parts(path: Path, dialect: Dialect, header: bool, size: int) -> Iterator[TextFile]:
    """The text in parts of about this many bytes, each a table of its own with the header of the file."""
    with opened_text(path, dialect.encoding) as stream:
        head, line = header_record(stream, dialect) if header else (b"", 0)
        rest, most, start = b"", max(LONGEST, size), not header
        while True:
            block = stream.read(size)
            if start:
                block, start = block.removeprefix(_BOM), False
            text = rest + block
            end = len(text) if not block else last_record_end(text, dialect)
            if end == 0:
                if len(text) > most:
                    raise _too_long(dialect, line + 1, most)
                size = max(size, len(text))  # the number of looks at a long record stays small
            text, rest = text[:end], text[end:]
            if text.strip() or (text and dialect.width == 1):
                yield TextFile(dialect.label, None, head + text, head.count(b"\n"), line)
            line += text.count(b"\n")
            if not block:
                return


def _too_long(dialect: Dialect, line: int, most: int) -> DataError:
    return DataError(
        f"{dialect.label}, line {line}: a quote that is never closed, or a row of more than "
        f"{shown_bytes(most)}; double a quote that belongs to the text, or read quotes as text with ",
        Argument("quote", None, of="read"),
    )


def header_record(stream: IO[bytes], dialect: Dialect) -> tuple[bytes, int]:
    """The first record that is not blank, and the number of the lines up to its end."""
    record: list[bytes] = []
    lines = 0

    def physical() -> Iterator[str]:
        nonlocal lines
        size = 0
        while line := stream.readline(LONGEST):
            lines, size = lines + 1, size + len(line)
            if size > LONGEST:
                raise _too_long(dialect, 1, LONGEST)
            record.append(line)
            yield line.removeprefix(_BOM if lines == 1 else b"").decode("latin-1")

    try:
        for fields in _reader(physical(), dialect):
            if fields and b"".join(record).strip():
                break
            record.clear()
    except csv.Error as problem:
        raise DataError(
            f"{dialect.label}, line {lines}: the quotes of the header cannot be read ({problem}); double a "
            "quote that belongs to the text, or read quotes as text with ",
            Argument("quote", None, of="read"),
        ) from None
    content = b"".join(record)
    return (content if not content or content.endswith(b"\n") else content + b"\n"), lines


def _reader(lines: Iterator[str], dialect: Dialect) -> Iterator[list[str]]:
    return csv.reader(
        lines,
        delimiter=dialect.separator,
        quotechar=dialect.quote or '"',
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        strict=True,
    )


def last_record_end(text: bytes, dialect: Dialect) -> int:
    """Where the last record of a text ends that begins with a record; 0 if none does.

    The time is linear in the length. Quotes are paired one after the other where they stand as RFC 4180
    wants it; a text with other quotes is split into fields, as the reader in memory does.
    """
    quote = dialect.quote
    if quote is None or quote.encode() not in text:
        return text.rfind(b"\n") + 1
    slip = quoting_slip(TextFile(dialect.label, None, text), dialect.separator, quote)
    if slip is None or slip.kind == "open":
        return _even_end(text, quote)
    if slip.kind == "after":  # an error of the part, with its line
        return text.rfind(b"\n") + 1 or len(text)
    return _end_by_fields(text, dialect)


def _even_end(text: bytes, quote: str) -> int:
    """The end of the last line with an even number of quotes up to it."""
    content = np.frombuffer(text, dtype=np.uint8)
    ends = np.flatnonzero(content == ord("\n"))
    before = np.searchsorted(np.flatnonzero(content == ord(quote)), ends)
    even = ends[before % 2 == 0]
    return int(even[-1]) + 1 if len(even) else 0


def _end_by_fields(text: bytes, dialect: Dialect) -> int:
    position = end = 0
    exhausted = False

    def lines() -> Iterator[str]:
        nonlocal position, exhausted
        for line in text.split(b"\n"):
            first, position = position == 0, position + len(line) + 1
            # The bytes of UTF-8 never look like a separator or a quote.
            yield line.removeprefix(_BOM if first else b"").decode("latin-1") + "\n"
        exhausted = True

    try:
        for _ in _reader(lines(), dialect):
            if position <= len(text) and not exhausted:
                end = position
    except csv.Error:
        # A quote that is still open at the end of the text goes on; other errors are those of the part.
        return end if exhausted else text.rfind(b"\n") + 1 or len(text)
    return end
