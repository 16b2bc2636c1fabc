"""Moments of numbers in each cell of discrete parents: exact sums over batches of rows.

The sums are those of the core (`MomentBlocks`), so neither the order of the rows nor the size of the batches
changes a bit, and rows on disk are read in two passes: one for the range of each cell, one for its sums.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.data.elsewhere import places_of
from dagwright.data.source import CellMomentSource
from dagwright.model.gaussian.least_squares import Moments
from dagwright.model.tables.checks import Floats

if TYPE_CHECKING:
    from dagwright.data import Table

ROW_BYTES = 48
"""Memory for a row of a batch beside its numbers: its cell, its place in the order of cells, its weight."""


@dataclass(frozen=True)
class _Batch:
    """Rows in the order of their cells: which cells occur, and where each begins and ends."""

    cells: NDArray[np.intp]
    bounds: NDArray[np.intp]
    columns: list[Floats]
    weights: Floats | None


def cell_moments(
    table: Table,
    numbers: Sequence[str],
    given: Sequence[str],
    sizes: Sequence[int],
    left_out: NDArray[np.bool_] | None = None,
) -> list[Moments]:
    """The moments of these columns in each cell.

    Parameters
    ----------
    table
        Complete rows.
    given, sizes
        The columns whose states make the cells, and how many states each has.
    left_out
        Rows that do not count.
    """
    cells = math.prod(sizes)
    nothing = Moments(0.0, np.zeros(len(numbers)), np.zeros((len(numbers),) * 2))
    source: object = table.source
    if isinstance(source, CellMomentSource):
        places = places_of(table)
        asked = tuple([places[table.column_index(name)] for name in names] for names in (given, numbers))
        (group,) = source.cell_moments([(asked[0], asked[1])], by_cell=True)
        elsewhere = {
            int(np.ravel_multi_index(cell, tuple(sizes))) if given else 0: _moments(one.matrix)
            for cell, one in group.items()
        }
        return [elsewhere.get(cell, nothing) for cell in range(cells)]
    spans = list(table.spans(16 * len(numbers) + ROW_BYTES))
    kept = [_batch(table, span, numbers, given, sizes, left_out) for span in spans[: len(spans) == 1]]

    def batches() -> Iterator[_Batch]:
        yield from kept or (_batch(table, span, numbers, given, sizes, left_out) for span in spans)

    least = np.full((cells, len(numbers)), np.inf)
    largest = -least
    for batch in batches():
        for at, column in enumerate(batch.columns):
            if len(batch.cells):
                starts = batch.bounds[:-1]
                low, high = np.minimum.reduceat(column, starts), np.maximum.reduceat(column, starts)
                least[batch.cells, at] = np.minimum(least[batch.cells, at], low)
                largest[batch.cells, at] = np.maximum(largest[batch.cells, at], high)
    sums: dict[int, _core.MomentBlocks] = {}
    unit = table.unit_of_weight
    for batch in batches():
        for cell, start, end in zip(
            batch.cells.tolist(), batch.bounds[:-1].tolist(), batch.bounds[1:].tolist(), strict=True
        ):
            rows = _core.MixedTable.from_columns(
                [[column[start:end]] for column in batch.columns],
                [None] * len(numbers),
                end - start,
                None if batch.weights is None else batch.weights[start:end],
                unit,
            )
            if cell not in sums:
                ends = zip(least[cell].tolist(), largest[cell].tolist(), strict=True)
                sums[cell] = _core.MomentBlocks([_core.Grid(*one) for one in ends])
            sums[cell].add(rows)
    return [_moments(sums[cell].matrix()) if cell in sums else nothing for cell in range(cells)]


def _moments(found: _core.MomentMatrix) -> Moments:
    return Moments(found.N, found.means, found.covariance * found.N)


def _batch(
    table: Table,
    span: tuple[int, int],
    numbers: Sequence[str],
    given: Sequence[str],
    sizes: Sequence[int],
    left_out: NDArray[np.bool_] | None,
) -> _Batch:
    rows = slice(*span)
    weights = table.weights_within(*span)
    columns: list[Any] = [table.reals(name)[rows] for name in numbers]
    place = (
        np.ravel_multi_index(tuple(table.codes(name)[rows].astype(np.intp) for name in given), tuple(sizes))
        if given
        else None
    )
    counted = None if weights is None else weights > 0
    if left_out is not None:
        counted = ~left_out[rows] if counted is None else counted & ~left_out[rows]
    if counted is not None and counted.all():
        counted = None
    order: Any = counted
    cells, bounds = np.zeros(1, dtype=np.intp), np.array([0, span[1] - span[0]])
    if place is not None:
        size = math.prod(sizes)
        place = place.astype(np.min_scalar_type(size))  # short numbers are sorted by counting
        order = np.argsort(place, kind="stable")
        if counted is not None:
            order = order[counted[order]]
        place = place[order]
        starts = np.flatnonzero(np.r_[len(place) > 0, place[1:] != place[:-1]])
        cells, bounds = place[starts].astype(np.intp), np.r_[starts, len(place)]
    elif counted is not None:
        bounds = np.array([0, np.count_nonzero(counted)])
    if order is not None:
        columns = [column[order] for column in columns]
        weights = None if weights is None else weights[order]
    if bounds[-1] == 0:
        cells, bounds = cells[:0], bounds[-1:]
    return _Batch(cells, bounds, columns, weights)
