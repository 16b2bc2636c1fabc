"""The content of one column over many chunks of rows: its kinds of values, and each value about once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.data.coding import REPEATS
from dagwright.data.columns import Content, Factor, SourceColumn, ValuesSeen
from dagwright.data.dates import DatesSeen
from dagwright.data.distinct import DistinctValues, RowNumbers
from dagwright.data.identifiers import texts_naming_rows
from dagwright.data.states import MAX_STATES, state_key
from dagwright.errors import DataError

NUMBERS: tuple[Content, ...] = ("integer", "float", "date", "datetime")
HEAD = 1 << 10
"""Numbers that are kept of a column with many."""


@dataclass
class Seen:
    """The values of a column seen so far.

    Parameters
    ----------
    limit
        More distinct numbers than this are not kept. Texts are kept up to `MAX_STATES`, and counted beyond.
    """

    name: str
    limit: int
    contents: dict[Content, str] = field(default_factory=dict)
    """The kinds of content, each with the file where it was seen first."""
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
    rows: RowNumbers = field(default_factory=RowNumbers)
    texts: DistinctValues | None = None
    """All texts, once there are too many to keep."""
    dates: DatesSeen | None = None
    """Whether these texts are dates."""

    def add(self, column: SourceColumn, label: str = "") -> None:
        """Take in the column of one chunk."""
        self.n_rows += column.n_rows
        known = column.n_rows - column.missing
        if known == 0 and (column.content in NUMBERS or not column.factor.values):
            return
        self.present += known
        self.contents.setdefault(column.content, label)
        self.scale, self.ordered = column.scale, self.ordered or column.ordered
        if column.content in NUMBERS:
            self._add_numbers(column)
        else:
            self._add_values(column)

    def _add_numbers(self, column: SourceColumn) -> None:
        if self.head is None:
            self.head = column.numbers[~np.isnan(column.numbers)][:HEAD].copy()
        if column.content == "integer":
            self.rows.add(column.numbers)
        if not self._keeps_all and (self.many or column.distinct_up_to(self.limit) is None):
            self._drop_numbers()
            return
        factor = column.factor
        if self.texts is not None:
            self._count(factor.values)
            return
        self._keep(factor)
        first = np.full(len(factor.values) + 1, -1, dtype=np.int64)
        first[factor.codes[::-1]] = np.arange(len(factor.codes))[::-1]
        for position, value in enumerate(factor.values):
            if first[position] >= 0:
                self.numbers[state_key(value)] = float(column.numbers[first[position]])
        self._bound()

    def _add_values(self, column: SourceColumn) -> None:
        factor = column.factor
        if self.texts is not None:
            self._count(factor.values)
        self._keep(factor)
        self._bound()

    def _keep(self, factor: Factor) -> None:
        self.from_text = self.from_text or factor.from_text
        if self.texts is None:
            for value in factor.values:
                self.values.setdefault(state_key(value), value)

    def _bound(self) -> None:
        """Drop what is too much to keep."""
        if {"integer", "float"} <= self.contents.keys() and not self.from_text:
            # 1 of a column of integers and 1.0 of one of floats are one value.
            self.numbers = {state_key(float(value)): self.numbers[key] for key, value in self._typed()}
            self.values = {state_key(float(value)): float(value) for value in self.values.values()}
        if self.contents.keys() <= set(NUMBERS) and not self._keeps_all:
            if len(self.values) > self.limit:
                self._drop_numbers()
        elif self.texts is None and len(self.values) > MAX_STATES + 1:
            self._count(self.values.values())

    @property
    def _keeps_all(self) -> bool:
        """Whether numbers may be states, however many."""
        return self.limit > MAX_STATES

    def _typed(self) -> list[tuple[Any, Any]]:
        return [(key, value) for key, value in self.values.items() if key in self.numbers]

    def _drop_numbers(self) -> None:
        self.many = True
        self.values.clear()
        self.numbers.clear()

    def _count(self, values: Any) -> None:
        """Count texts that are too many to keep, and look whether they are dates."""
        if self.texts is None:
            self.texts, self.dates = DistinctValues(), DatesSeen()
        self.texts.add(values)
        if self.dates is not None:
            self.dates.add(values)

    def join(self, other: Seen) -> None:
        """Take in what was seen in other rows."""
        self.contents = {**other.contents, **self.contents}
        self.n_rows += other.n_rows
        self.present += other.present
        self.ordered, self.from_text = self.ordered or other.ordered, self.from_text or other.from_text
        self.scale = other.scale if self.scale == "number" else self.scale
        self.head = other.head if self.head is None else self.head
        self.rows.join(other.rows)
        self.many = self.many or other.many
        if other.texts is not None and self.texts is None:
            self._count(self.values.values())
        elif self.texts is not None and other.texts is None:
            self._count(other.values.values())
        if self.texts is not None and other.texts is not None:
            self.texts.join(other.texts)
            if self.dates is not None and other.dates is not None:
                self.dates.join(other.dates)
        if self.many:
            self._drop_numbers()
            return
        if self.texts is None:
            for key, value in other.values.items():
                self.values.setdefault(key, value)
        self.numbers |= other.numbers
        self._bound()

    def content(self) -> Content:
        """The content of the whole column."""
        kinds = self.contents.keys()
        if len(kinds) <= 1:
            return next(iter(kinds), "text")
        if kinds == {"integer", "float"}:
            return "float"
        if "text" in kinds and kinds <= {"text", "integer", "float"} and self.from_text:
            return "text"
        found = " and ".join(
            f"{kind} in {label}" if label else kind for kind, label in sorted(self.contents.items())
        )
        raise DataError(f"column {self.name!r} holds {found}; write it with one type")

    @property
    def is_cut_short(self) -> bool:
        """Whether texts came after numbers that were not kept, so that another look must keep them."""
        return self.many and "text" in self.contents

    def column(self) -> ValuesSeen:
        """A short column with the same values, which decides kind and states as the whole one would."""
        content = self.content()
        dated = None if self.dates is None else self.dates.content
        if content == "text" and dated is not None:
            found = self._of_dates(dated)
        elif self.many:
            assert self.head is not None
            found = self._of_numbers(content, self.head)
        else:
            found = self._of_values(content)
        found.identifier = self._identifier(content) if dated is None else ""
        found.distinct = 0 if self.texts is None else self.texts.count
        return found

    def _identifier(self, content: Content) -> str:
        if content == "integer":
            return self.rows.reason
        if content not in ("text", "mixed", "declared"):
            return ""
        return texts_naming_rows(len(self.values) if self.texts is None else self.texts.count, self.present)

    def _of_dates(self, content: Content) -> ValuesSeen:
        assert self.dates is not None
        column = self._of_numbers(content, np.zeros(1))
        column.scale = "date" if content == "date" else "datetime"
        column.utc = len(self.dates.offsets) > 1
        return column

    def _of_numbers(self, content: Content, head: npt.NDArray[np.float64]) -> ValuesSeen:
        column = ValuesSeen(self.name, content, self.n_rows, lambda: _factor(head), lambda: head, self.scale)
        column.many = True
        return column

    def _of_values(self, content: Content) -> ValuesSeen:
        values = list(self.values.values())
        factor = Factor(np.arange(len(values)), values, self.from_text)
        if content not in NUMBERS:
            return ValuesSeen(self.name, content, self.n_rows, lambda: factor, None, self.scale, self.ordered)
        distinct = np.array([self.numbers[key] for key in self.values if key in self.numbers])
        # As many cells as decide whether values repeat.
        cells = np.resize(distinct, min(self.present, REPEATS * max(len(distinct), 1)))
        return ValuesSeen(self.name, content, self.n_rows, lambda: factor, lambda: cells, self.scale)


def _factor(numbers: npt.NDArray[np.float64]) -> Factor:
    distinct, inverse = np.unique(numbers, return_inverse=True)
    return Factor(inverse.astype(np.uint32), distinct.tolist())
