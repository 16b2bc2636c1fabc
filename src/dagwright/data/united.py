"""One look over all chunks of a source: what each column holds, and its values, as one column."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from dagwright.data.chunks import Chunk
from dagwright.data.columns import SourceColumn
from dagwright.data.dates import without_times
from dagwright.data.plan import Coding
from dagwright.data.seen import NUMBERS, Seen
from dagwright.data.states import MAX_STATES
from dagwright.errors import DataError

__all__ = ["Seen", "United", "as_texts", "merged", "united", "walked"]


@dataclass(frozen=True)
class United:
    """The columns of all chunks, and the number of their rows."""

    columns: list[SourceColumn]
    n_rows: int


def united(chunks: Iterable[Chunk], coding: Coding) -> United:
    """One walk through the chunks. Columns that turn out to be text after numbers take a second one."""
    texts: frozenset[str] = frozenset()
    while True:
        seen, n_rows, count = walked(chunks, coding.max_number_states, texts, coding)
        found, again = merged([(list(seen.values()), n_rows)] if count else [], texts)
        if not again:
            return found
        texts |= again


def merged(looks: Iterable[tuple[list[Seen], int]], texts: frozenset[str]) -> tuple[United, frozenset[str]]:
    """The columns of all parts as seen, and the columns to look at again as texts."""
    seen: dict[str, Seen] = {}
    n_rows = 0
    for columns, rows in looks:
        n_rows += rows
        if not seen:
            seen = {one.name: one for one in columns}
            continue
        names = [one.name for one in columns]
        if set(names) != seen.keys():
            raise DataError(f"the parts of the source have different columns: {_difference(names, seen)}")
        for one in columns:
            seen[one.name].join(one)
    if not n_rows:
        raise DataError("the source has no rows")
    again = frozenset(name for name, one in seen.items() if one.is_cut_short and name not in texts)
    columns_of_all: list[SourceColumn] = [] if again else [one.column() for one in seen.values()]
    return United(columns_of_all, n_rows), again


def walked(
    chunks: Iterable[Chunk], limit: int, texts: frozenset[str], coding: Coding | None = None
) -> tuple[dict[str, Seen], int, int]:
    """The content of the columns over all chunks, the number of rows and of chunks.

    Parameters
    ----------
    limit
        The number of distinct values up to which numbers are kept.
    texts
        Columns of numbers whose texts are to be kept, because other rows hold text.
    coding
        What else the options ask for: of categories all values are kept.
    """
    seen: dict[str, Seen] = {}
    n_rows = count = 0
    for chunk in chunks:
        columns = chunk.columns()
        with chunk.named():
            names = [column.name for column in columns]
            if count == 0:
                seen = {name: Seen(name, _limit(name, limit, coding)) for name in names}
            elif set(names) != seen.keys():
                raise DataError(f"its columns differ from those before it: {_difference(names, seen)}")
            for column in columns:
                seen[column.name].add(_looked_at(column, texts, coding), chunk.label)
        n_rows += columns[0].n_rows
        count += 1
    return seen, n_rows, count


def _limit(name: str, limit: int, coding: Coding | None) -> int:
    wish = None if coding is None else coding.wish(name)
    parts = coding is not None and name in coding.dates
    return MAX_STATES + 1 if wish == "category" or parts else min(limit, MAX_STATES + 1)


def _looked_at(column: SourceColumn, texts: frozenset[str], coding: Coding | None) -> SourceColumn:
    if column.name in texts and column.content in NUMBERS:
        return as_texts(column)
    if coding is not None and column.name in coding.dates:
        return without_times(column)
    return column


def _difference(names: Sequence[str], known: Collection[str]) -> str:
    extra, absent = (
        [name for name in names if name not in known],
        [name for name in known if name not in names],
    )
    found = []
    if absent:
        found.append(f"{', '.join(map(repr, absent[:6]))} {'is' if len(absent) == 1 else 'are'} not there")
    if extra:
        found.append(f"{', '.join(map(repr, extra[:6]))} {'is' if len(extra) == 1 else 'are'} new")
    return "; ".join(found)


def as_texts(column: SourceColumn) -> SourceColumn:
    """A column of a text file as its texts, although all of them spell numbers."""
    return SourceColumn(column.name, "text", column.n_rows, lambda: column.factor)
