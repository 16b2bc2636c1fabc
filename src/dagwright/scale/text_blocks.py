"""Delimited text in blocks of whole records, which workers find by their own stretch of the file alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dagwright.data.chunks import Chunk, Wanted
from dagwright.data.columns import SourceColumn
from dagwright.data.listing import Listed
from dagwright.data.sniff import sniff
from dagwright.data.sources import Opening
from dagwright.data.text_chunks import Dialect, head_of, header_record
from dagwright.data.text_file import TextFile

MOST_TEXT = 1 << 26
"""Bytes of a block of text."""
LEAST_TEXT = 1 << 21
"""Bytes of a block of text that are worth a task."""
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Text:
    """A stretch of a file of delimited text."""

    begin: int
    end: int
    header: bytes
    how: Opening
    """With the separator and the decimal mark of the file."""
    header_lines: int = 0
    lines_before: int = 0
    """The lines of the file before the stretch."""
    at_record: bool = False
    """Whether a record is known to begin at its first byte."""


@dataclass(frozen=True)
class State:
    """What a stretch of text holds if it begins outside quotes, or within."""

    first_end: int | None
    """Where its first record ends, from its first byte; None if none does."""
    lines: int
    """The lines up to there."""
    regular: bool
    """Whether every quote stands where RFC 4180 wants it."""


@dataclass(frozen=True)
class Marks:
    """The quotes and lines of a stretch of text."""

    quotes: int
    lines: int
    outside: State
    inside: State


def text_step(files: Sequence[Path], pieces: int) -> int:
    """How many bytes of text a block has."""
    return min(MOST_TEXT, max(LEAST_TEXT, -(-sum(path.stat().st_size for path in files) // pieces)))


def stretches(path: Path, how: Opening, step: int) -> list[Text]:
    """Equal stretches of a file, which begin and end anywhere; none where the file is small or packed."""
    size = path.stat().st_size
    if size <= step or path.suffix in (".gz", ".zst"):
        return []
    look = sniff(TextFile(path.name, None, head_of(path)), how)
    decimal = how.decimal or ("," if any(one.decimal == "," for one in look.columns) else None)
    own = replace(how, separator=look.separator, decimal=decimal)
    with path.open("rb") as stream:
        header, lines = b"", 0
        if how.header:
            header, lines = header_record(stream, Dialect(path.name, look.separator, how.quote))
        else:
            stream.seek(len(_BOM) if stream.read(len(_BOM)) == _BOM else 0)
        begin = stream.tell()
    return [
        Text(a, b, header, own, header.count(b"\n"), lines, at_record=a == begin)
        for a, b in pairwise([*range(begin, size, step), size])
    ]


def marks_of(path: Path, text: Text) -> Marks:
    """Look at a stretch, and at the bytes beside it."""
    before = min(1, text.begin)
    with path.open("rb") as stream:
        stream.seek(text.begin - before)
        content = np.frombuffer(stream.read(text.end - text.begin + before + 1), dtype=np.uint8)
    own = content[before : before + text.end - text.begin]
    ends = np.flatnonzero(own == ord("\n"))
    if text.how.quote is None:
        state = _state(ends, ends, regular=True)
        return Marks(0, len(ends), state, state)
    quotes = np.flatnonzero(own == ord(text.how.quote))
    outside = np.searchsorted(quotes, ends) % 2 == 0
    beside = _Beside(content, before, text)
    return Marks(
        len(quotes),
        len(ends),
        _state(ends[outside], ends, regular=beside.regular(quotes[::2], quotes[1::2])),
        _state(ends[~outside], ends, regular=beside.regular(quotes[1::2], quotes[::2])),
    )


def _state(records: npt.NDArray[np.intp], lines: npt.NDArray[np.intp], *, regular: bool) -> State:
    """The state of a stretch with these ends of records and of lines."""
    if not len(records):
        return State(None, 0, regular)
    return State(int(records[0]) + 1, int(np.searchsorted(lines, records[0])) + 1, regular)


@dataclass(frozen=True)
class _Beside:
    """A stretch with the bytes beside it."""

    content: npt.NDArray[np.uint8]
    before: int
    """How many bytes stand before it."""
    text: Text

    def regular(self, opening: npt.NDArray[np.intp], closing: npt.NDArray[np.intp]) -> bool:
        """Whether opening quotes follow, and closing ones precede, a separator, a line end or a quote."""
        how = self.text.how
        assert how.separator is not None and how.quote is not None
        around = np.array([ord(one) for one in (how.separator, "\n", "\r", how.quote)], np.uint8)
        if self.text.at_record:
            opening = opening[opening != 0]
        ahead = self.content[opening + self.before - 1]
        after = closing + self.before + 1
        behind = self.content[after[after < len(self.content)]]
        return bool(np.isin(ahead, around).all() and np.isin(behind, around).all())


def cut_at_records(texts: Sequence[Text], marks: Sequence[Marks]) -> list[Text] | None:
    """The stretches of a file, moved to where records end; None where its quotes leave that open.

    The number of quotes before a stretch tells whether it begins within quotes.
    """
    inside, begin, line = False, texts[0].begin, texts[0].lines_before
    found: list[Text] = []
    lines = line
    for at, (text, own) in enumerate(zip(texts, marks, strict=True)):
        state = own.inside if inside else own.outside
        if not state.regular:
            return None
        if at and state.first_end is not None:
            edge = text.begin + state.first_end
            found.append(replace(text, begin=begin, end=edge, lines_before=line, at_record=True))
            begin, line = edge, lines + state.lines
        lines += own.lines
        inside ^= own.quotes % 2 == 1
    if inside:
        return None
    found.append(replace(texts[-1], begin=begin, lines_before=line, at_record=True))
    return [text for text in found if text.begin < text.end]


def text_chunk(one: Listed, text: Text, first: int, wanted: Wanted) -> Chunk | None:
    """The records of a stretch as rows; None where it is blank."""
    with one.path.open("rb") as stream:
        stream.seek(text.begin)
        records = stream.read(text.end - text.begin)
    if not records.strip():
        return None
    part = TextFile(one.path.name, None, text.header + records, text.header_lines, text.lines_before)
    made: list[list[SourceColumn]] = []

    def columns() -> list[SourceColumn]:
        from dagwright.data.from_csv import csv_columns

        if not made:
            found = csv_columns(part, text.how)
            names = [column.name for column in found]
            outside = [name for name, _ in one.partitions if name not in names]
            made.append(wanted.picked(found + one.columns(outside, found[0].n_rows)))
        return made[0]

    return Chunk(one.path.name, first, columns)
