"""One look over all chunks of a source: what each column holds, and its values, as one column."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.data.chunks import Chunk
from dagwright.data.coding import REPEATS
from dagwright.data.columns import Content, Factor, SourceColumn
from dagwright.data.states import MAX_STATES, state_key
from dagwright.errors import DataError

NUMBERS: tuple[Content, ...] = ("integer", "float", "date", "datetime")


@dataclass
class Seen:
    """The values of a column seen so far."""

    name: str
    limit: int
    """More distinct numbers than this are not kept."""
    contents: set[Content] = field(default_factory=set)
    scale: Any = "number"
    ordered: bool = False
    n_rows: int = 0
    present: int = 0
    from_text: bool = False
    many: bool = False
    """Numbers of which there are too many to keep."""
    values: dict[Any, Any] = field(default_factory=dict)
    numbers: dict[Any, float] = field(default_factory=dict)
    head: npt.NDArray[np.float64] | None = None

    def add(self, column: SourceColumn) -> None:
        """Take in the column of one chunk."""
        self.n_rows += column.n_rows
        known = column.n_rows - column.missing
        if known == 0 and column.content not in ("declared", "boolean"):
            return
        self.present += known
        self.contents.add(column.content)
        self.scale, self.ordered = column.scale, self.ordered or column.ordered
        numeric = column.content in NUMBERS
        if numeric and self.head is None:
            self.head = column.numbers
        if numeric and (self.many or column.distinct_up_to(self.limit) is None):
            self.many = True
            self.values.clear()
            return
        factor = column.factor
        self.from_text = self.from_text or factor.from_text
        for value in factor.values:
            self.values.setdefault(state_key(value), value)
        if numeric:
            # numbers of the values, in the order of the factor
            first = np.full(len(factor.values) + 1, -1, dtype=np.int64)
            first[factor.codes[::-1]] = np.arange(len(factor.codes))[::-1]
            for position, value in enumerate(factor.values):
                if first[position] >= 0:
                    self.numbers[state_key(value)] = float(column.numbers[first[position]])
            if len(self.values) > self.limit:
                self.many = True
                self.values.clear()
        elif len(self.values) > MAX_STATES + 1:
            raise DataError(
                f"column {self.name!r} has more than {MAX_STATES:,} distinct values after {self.n_rows:,} "
                "rows; leave it out, or group its values first"
            )

    def join(self, other: Seen) -> None:
        """Take in what was seen in other rows."""
        self.contents |= other.contents
        self.n_rows += other.n_rows
        self.present += other.present
        self.ordered, self.from_text = self.ordered or other.ordered, self.from_text or other.from_text
        self.scale = other.scale if self.head is None else self.scale
        self.head = other.head if self.head is None else self.head
        self.many = self.many or other.many
        self.values = (
            {}
            if self.many
            else self.values | {key: value for key, value in other.values.items() if key not in self.values}
        )
        self.numbers |= other.numbers
        if not self.many and self.head is not None and len(self.values) > self.limit:
            self.many, self.values = True, {}

    def content(self) -> Content:
        """The content of the whole column."""
        kinds = self.contents
        if len(kinds) <= 1:
            return next(iter(kinds), "text")
        if kinds == {"integer", "float"}:
            return "float"
        if "text" in kinds and kinds <= {"text", "integer", "float"} and self.from_text:
            return "text"
        raise DataError(f"column {self.name!r} holds {' and '.join(sorted(kinds))} in different parts")

    def column(self) -> SourceColumn:
        """A short column with the same values, which decides kind and states as the whole one would."""
        content = self.content()
        if self.many:
            assert self.head is not None
            head = self.head
            return SourceColumn(
                self.name, content, self.n_rows, lambda: _sorted_factor(head), lambda: head, self.scale
            )
        values = list(self.values.values())
        factor = Factor(np.arange(len(values)), values, self.from_text)
        if content not in NUMBERS:
            return SourceColumn(
                self.name, content, self.n_rows, lambda: factor, None, self.scale, self.ordered
            )
        distinct = np.array([self.numbers[key] for key in self.values], dtype=np.float64)
        # As many cells as decide whether values repeat.
        cells = np.resize(distinct, min(self.present, REPEATS * max(len(distinct), 1)))
        return SourceColumn(self.name, content, self.n_rows, lambda: factor, lambda: cells, self.scale)


def _sorted_factor(numbers: npt.NDArray[np.float64]) -> Factor:
    known = ~np.isnan(numbers)
    distinct, inverse = np.unique(numbers[known], return_inverse=True)
    codes = np.full(len(numbers), len(distinct), dtype=np.uint32)
    codes[known] = inverse
    return Factor(codes, distinct.tolist())


@dataclass(frozen=True)
class United:
    """The columns of all chunks, and the number of their rows."""

    columns: list[SourceColumn]
    n_rows: int


def united(chunks: Iterable[Chunk], limit: int) -> United:
    """One walk through the chunks. Columns that turn out to be text after numbers take a second one."""
    texts: frozenset[str] = frozenset()
    while True:
        seen, n_rows, count = walked(chunks, limit, texts)
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
        if [one.name for one in columns] != list(seen):
            odd = sorted({one.name for one in columns} ^ set(seen)) or [one.name for one in columns]
            raise DataError(
                f"the parts of the source have different columns: {', '.join(map(repr, odd[:6]))}"
            )
        for one in columns:
            seen[one.name].join(one)
    if not n_rows:
        raise DataError("the source has no rows")
    again = frozenset(
        name for name, one in seen.items() if one.many and "text" in one.contents and name not in texts
    )
    return United([] if again else [one.column() for one in seen.values()], n_rows), again


def walked(chunks: Iterable[Chunk], limit: int, texts: frozenset[str]) -> tuple[dict[str, Seen], int, int]:
    """The content of the columns over all chunks, the number of rows and of chunks."""
    seen: dict[str, Seen] = {}
    n_rows = count = 0
    for chunk in chunks:
        columns = chunk.columns()
        with chunk.named():
            names = [column.name for column in columns]
            if count == 0:
                seen = {name: Seen(name, limit) for name in names}
            elif names != list(seen):
                odd = sorted(set(names) ^ set(seen)) or names
                raise DataError(f"its columns differ from those before it: {', '.join(map(repr, odd[:6]))}")
            for column in columns:
                as_text = column.name in texts and column.content in NUMBERS
                seen[column.name].add(as_texts(column) if as_text else column)
        n_rows += columns[0].n_rows
        count += 1
    return seen, n_rows, count


def as_texts(column: SourceColumn) -> SourceColumn:
    """A column of a text file as its texts, although all of them spell numbers."""
    return SourceColumn(column.name, "text", column.n_rows, lambda: column.factor)
