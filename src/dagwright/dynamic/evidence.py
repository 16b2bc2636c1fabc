"""Observations of one sequence: a row for each step, missing cells where nothing was seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.data import Table
from dagwright.dynamic.structure import Structure
from dagwright.errors import DataError


@dataclass(frozen=True)
class Evidence:
    """Observed values: codes of states and numbers by series and step, and of static columns."""

    steps: int
    cells: Mapping[str, npt.NDArray[np.float64]]
    static: Mapping[str, float]

    def at(self, name: str, step: int) -> float | None:
        """The code or number of a series at a step; None if it was not seen."""
        if step >= self.steps:
            return None
        cell = float(self.cells[name][step])
        return None if np.isnan(cell) else cell

    def row(self, step: int) -> dict[str, float]:
        """All that was seen of the series at a step."""
        return {name: cell for name in self.cells if (cell := self.at(name, step)) is not None}

    @staticmethod
    def of(structure: Structure, given: Any) -> Evidence:
        """The evidence of what `Table.encode` takes, with a row for each step.

        A static column may also be a single value of a mapping.
        """
        if given is None:
            return Evidence(0, {name: np.empty(0) for name in structure.series}, {})
        template = Table.from_schema(structure.variables)
        if isinstance(given, Table) and given.windows is not None:
            raise DataError("give the series themselves as evidence, with a row for each step, not windows")
        table = template.encode(_spread(structure, given), absent="missing")
        cells = {}
        for variable in structure.variables:
            name = variable.name
            column = table.codes(name) if variable.is_discrete else table.reals(name)
            cells[name] = np.where(table.gaps(name), np.nan, column.astype(np.float64))
        static = {}
        for name in structure.static:
            column = cells.pop(name)
            values = np.unique(column[~np.isnan(column)])
            if len(values) > 1:
                raise DataError(f"the static column {name!r} changes within the evidence; it is one sequence")
            if len(values):
                static[name] = float(values[0])
        return Evidence(table.n_rows, cells, static)


def _spread(structure: Structure, given: Any) -> Any:
    if not isinstance(given, Mapping):
        return given
    rows = {len(values) for name, values in given.items() if name in structure.series}
    if len(rows) != 1:
        return given
    single = [name for name in structure.static if name in given and np.ndim(given[name]) == 0]
    return {**given, **{name: [given[name]] * next(iter(rows)) for name in single}}
