"""Rows that are elsewhere: what an object must answer so that learning can work on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from dagwright import _core
from dagwright.data.schema import Schema

Question = tuple[Sequence[int], Sequence[int]]
"""Columns to count, by position in the schema, and the columns that must be known in a row that counts."""
CellCounts = tuple[npt.NDArray[np.uint32], npt.NDArray[Any]]
"""The states of each cell that occurs, one row each in lexicographic order, and how often it occurs."""


@runtime_checkable
class Source(Protocol):
    """Rows of states that a table can stand for without having them. Structural: nothing to inherit.

    Counts of blocks of rows add up, so an object that has its rows on other machines answers each batch with
    the sums over its blocks. ``Table.of_source(source)`` is the table to learn from: every search, score and
    test works on it that needs no rows.
    """

    @property
    def schema(self) -> Schema:
        """The columns; all of them hold states."""
        ...

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        ...

    @property
    def N(self) -> float:
        """The number of cases: that of the rows, or the sum of their weights, which are whole numbers."""
        ...

    @property
    def missing(self) -> Mapping[str, int]:
        """The number of missing cells of each column."""
        ...

    @property
    def fingerprint(self) -> str:
        """A text that is the same for the same content only."""
        ...

    def cells(self, questions: Sequence[Question]) -> Sequence[CellCounts]:
        """The cells of each set, for a whole batch at once; counts are uint64."""
        ...

    def resampled(self, seed: int, number: int) -> Source:
        """Bootstrap replicate ``number``, by Poisson weights of the rows; see `PoissonBootstrap`."""
        ...


class ChosenColumns:
    """The questions of a table about some columns of a source, under the numbers of the source."""

    def __init__(self, source: Source, places: Sequence[int]) -> None:
        self.source, self.places = source, tuple(places)

    def cells(self, questions: Sequence[Question]) -> Sequence[CellCounts]:
        at = self.places
        return self.source.cells(
            [([at[v] for v in variables], sorted(at[v] for v in known)) for variables, known in questions]
        )


def source_cells(source: Source, places: Sequence[int]) -> _core.CellSource:
    """The cells of some columns of a source for the core, one call for each batch."""
    names = source.schema.names
    states = [source.schema.variables[at].cardinality for at in places]
    gaps = [source.missing[names[at]] > 0 for at in places]
    return _core.PythonCells(ChosenColumns(source, places), states, gaps, source.N, float(source.n_rows))
