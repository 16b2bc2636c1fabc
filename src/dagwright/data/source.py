"""Rows that are elsewhere: what an object must answer so that learning can work on it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from dagwright import _core
from dagwright.data.schema import Schema

Question = tuple[Sequence[int], Sequence[int]]
"""Columns to count, by position in the schema, and the columns that must be known in a row that counts."""
CellCounts = tuple[npt.NDArray[np.uint32], npt.NDArray[Any]]
"""The states of each cell that occurs, one row each in lexicographic order, and how often it occurs."""
CellMoments = Mapping[tuple[int, ...], _core.SetMoments]
"""The moments of some columns of numbers in each cell of others that occurs."""


@runtime_checkable
class Source(Protocol):
    """Rows that a table can stand for without having them. Structural: nothing to inherit.

    Counts of blocks of rows add up, so an object that has its rows on other machines answers each batch with
    the sums over its blocks. ``Table.of_source(source)`` is the table to learn from: every search, score and
    test works on it that needs no rows. A source whose weights are fractional has an attribute ``whole`` that
    is False; its counts are float64, or uint64 in the unit of the sum of all weights.
    """

    @property
    def schema(self) -> Schema:
        """The columns; all of them hold states, unless this is a `NumberSource`."""
        ...

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        ...

    @property
    def N(self) -> float:
        """The number of cases: that of the rows, or the sum of their weights."""
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


@runtime_checkable
class NumberSource(Source, Protocol):
    """A source that has columns of numbers too: sums of their products and powers add up over blocks."""

    def ranges(self, places: Sequence[int]) -> Sequence[tuple[float, float]]:
        """The least and the largest value of the columns of numbers among these columns, in order."""
        ...

    def moments(self, places: Sequence[int]) -> _core.SetMoments:
        """Means and covariances of these columns, from the sums of ``MomentBlocks`` over all rows."""
        ...

    def powers(self, places: Sequence[int], means: Sequence[float], power: int) -> Sequence[float]:
        """The means of ``PowerSums`` over all rows, for the columns of numbers among these columns."""
        ...


@runtime_checkable
class CellMomentSource(NumberSource, Protocol):
    """A source that knows moments in cells too, which conditional Gaussian measures need."""

    def cell_moments(
        self, groups: Sequence[tuple[Sequence[int], Sequence[int]]], *, by_cell: bool = False
    ) -> Sequence[CellMoments]:
        """For each group of columns of states and columns of numbers the moments in each cell.

        Numbers are rounded within their range in all rows, or with ``by_cell`` in the cell.
        """
        ...


@runtime_checkable
class GapSource(Source, Protocol):
    """A source that can complete its rows where they are."""

    def incomplete_rows(self, places: Sequence[int]) -> int:
        """How many rows have a missing cell in some of these columns."""
        ...

    def without_gaps(self, places: Sequence[int]) -> Source:
        """These columns of the rows that are complete in them."""
        ...

    def with_gap_states(self, places: Sequence[int], schema: Schema) -> Source:
        """These columns as ``schema`` has them: where a column has gaps, its last state is for them."""
        ...


@runtime_checkable
class MeteredSource(Protocol):
    """A source that knows what its answers took, and tells a listener of every batch."""

    batches: int
    sets: int
    bytes_moved: int
    listener: Callable[[], None] | None

    @property
    def workers(self) -> Collection[str]: ...

    def worker_bytes(self) -> int:
        """Bytes of rows and bitmaps at the worker that holds most."""
        ...


@runtime_checkable
class WeightedSource(Protocol):
    """A source that says whether its weights are whole numbers."""

    @property
    def whole(self) -> bool:
        """False where some weight is a fraction."""
        ...


@runtime_checkable
class NamedSource(Protocol):
    """A source that says who has the rows, for errors."""

    @property
    def called(self) -> str:
        """The subject of a sentence, such as "the cluster"."""
        ...


def has_whole_weights(source: Source) -> bool:
    """Whether the weights of a source are whole numbers."""
    return not isinstance(source, WeightedSource) or source.whole


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
    whole, total = has_whole_weights(source), source.N
    if not whole:
        (_, counts), *_ = source.cells([((), ())])
        if counts.dtype == np.uint64:  # in units, whose sum is the total that counts add up to
            total = float(int(counts.sum())) * _core.Table.unit_for(total, whole)
    return _core.PythonCells(
        ChosenColumns(source, places),
        cardinalities=states,
        incomplete=gaps,
        total=total,
        most_cells=float(source.n_rows),
        whole=whole,
    )


def signatures(source: NumberSource, places: Sequence[int]) -> list[list[float]]:
    """Invariants of each column of a source, for the canonical order; the same as those of the core."""
    coded = [at for at in places if source.schema.variables[at].is_discrete]
    found: dict[int, list[float]] = {}
    for at, (codes, counts) in zip(coded, source.cells([((at,), ()) for at in coded]), strict=True):
        states = source.schema.variables[at].cardinality
        units = np.zeros(states)
        units[codes[:, 0]] = counts
        found[at] = [-1.0, float(states), *sorted(units.tolist(), reverse=True)]
    numbers = [at for at in places if at not in found]
    means: Sequence[float] = [0.0] * len(numbers)
    means = source.powers(numbers, means, 1)
    shapes = zip(*(source.powers(numbers, means, power) for power in (2, 3, 4)), strict=True)
    found.update(zip(numbers, (_core.number_signature(*shape) for shape in shapes), strict=True))
    return [found[at] for at in places]


def keeper_of(source: object) -> str:
    """Who has the rows, for errors: what the source says, or else its class."""
    return source.called if isinstance(source, NamedSource) else type(source).__name__
