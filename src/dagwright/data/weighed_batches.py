"""Sums over weighted rows on disk, with the weights of one batch in memory at a time.

The core copies the weights that it is given, so it is given those of a batch. The sums are exact, hence the
same as those of all rows at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dagwright import _core
from dagwright.data.source import signatures

if TYPE_CHECKING:
    from dagwright.data.placed_rows import PlacedRows
    from dagwright.data.schema import Schema

WEIGHT_BYTES = 64
"""Memory for the weight of a row while weights are added or checked."""


class WeighedBatches:
    """The sums of a table whose rows are weighted or drawn; its variables are complete."""

    def __init__(self, table: PlacedRows, threads: int) -> None:
        self.table, self.threads = table, threads
        self.unit = table.unit_of_weight

    @property
    def schema(self) -> Schema:
        return self.table.schema

    def cells(self, questions: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Sequence[Any]:
        """The cells of each set of columns and their counts in units."""
        names = self.schema.names
        found = [
            self.table.select([names[at] for at in own]).native.cells(list(range(len(own))), ())
            for own, _ in questions
        ]
        return [(cells.codes, cells.units) for cells in found]

    def powers(self, places: Sequence[int], means: Sequence[float], power: int) -> Sequence[float]:
        """Means of a power of the numbers in these columns; see `PowerSums`."""
        grids = _core.grids_of(self._mixed(places, 0, self.table.n_rows, weighted=False))
        found: Sequence[float] = self._added(_core.PowerSums(grids, means, power), places).means()
        return found

    def moments(self) -> _core.SetMoments:
        """Means and covariances of all columns."""
        places = range(len(self.schema))
        grids = _core.grids_of(self._mixed(places, 0, self.table.n_rows, weighted=False))
        found: _core.SetMoments = self._added(_core.MomentBlocks(grids), places).moments()
        return found

    def signatures(self) -> list[list[float]]:
        """Invariants of each column."""
        return signatures(self, range(len(self.schema)))  # type: ignore[arg-type]

    def _added(self, sums: Any, places: Sequence[int]) -> Any:
        for first, end in self.table.spans(WEIGHT_BYTES):
            sums.add(self._mixed(places, first, end, weighted=True), self.threads)
        return sums

    def _mixed(self, places: Sequence[int], first: int, end: int, *, weighted: bool) -> _core.MixedTable:
        variables = [self.schema.variables[at] for at in places]
        cells = [
            (self.table.codes if variable.is_discrete else self.table.reals)(variable.name)[first:end]
            for variable in variables
        ]
        return _core.MixedTable.from_columns(
            [[column] for column in cells],
            [variable.cardinality if variable.is_discrete else None for variable in variables],
            end - first,
            self.table.weights_within(first, end) if weighted else None,
            self.unit if weighted else 0.0,
        )
