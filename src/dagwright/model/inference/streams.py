"""Answers about each row of a table on disk, a batch of rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeGuard, TypeVar

import numpy as np
import numpy.typing as npt

from dagwright.data import Table
from dagwright.data.scratch_files import mapped_columns
from dagwright.errors import ImpossibleEvidenceError

Answer = TypeVar("Answer")
CELL_BYTES = 64
"""Bytes of memory for each cell of a batch: copies of the cell, and intermediate results of its row."""


def is_on_disk(data: Any) -> TypeGuard[Table]:
    """Whether the rows are to be taken batch by batch."""
    return isinstance(data, Table) and data.blocks is not None


def by_batch(table: Table, answer: Callable[[Table], Answer]) -> Iterator[Answer]:
    """The answers about the batches of a table on disk."""
    assert table.blocks is not None
    first = 0
    for part in table.batches(table.blocks.batch(CELL_BYTES * len(table.names))):
        try:
            yield answer(part)
        except ImpossibleEvidenceError as problem:
            if not first:
                raise
            raise ImpossibleEvidenceError(
                f"in the rows from {first:,} on: {problem}", evidence=problem.evidence
            ) from None
        first += part.n_rows


def array_by_batch(table: Table, answer: Callable[[Table], npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """An answer for each row."""
    return np.concatenate(list(by_batch(table, answer)))


def table_by_batch(table: Table, answer: Callable[[Table], Table]) -> Table:
    """The batches of other rows as one table on disk, in temporary files."""
    batches = by_batch(table, answer)
    first = next(batches)

    def cells(part: Table) -> list[npt.NDArray[Any]]:
        return [part.codes(one.name) if one.is_discrete else part.reals(one.name) for one in first.schema]

    def parts() -> Iterator[list[npt.NDArray[Any]]]:
        yield cells(first)
        yield from map(cells, batches)

    columns = mapped_columns(parts(), [column.dtype for column in cells(first)], table.n_rows)
    return table._with(schema=first.schema, columns=tuple(columns), interventions={})
