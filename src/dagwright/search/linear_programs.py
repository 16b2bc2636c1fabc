"""Linear programs over candidate families, solved by HiGHS or by the LP solver of SCIP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from dagwright.search.cluster_program import ClusterProgram, Floats, Mask, Numbers, Row


class LinearProgram(Protocol):
    """The relaxation over some of the families, with rows that can be added."""

    rows: list[Row]

    def add(self, rows: Sequence[Row]) -> None: ...
    def solve(self) -> tuple[Floats, Floats] | None: ...


class HighsProgram:
    """The relaxation in HiGHS; warm after every change."""

    def __init__(self, program: ClusterProgram, opened: Mask) -> None:
        import highspy

        self._highspy = highspy
        self._program = program
        self.rows: list[Row] = []
        self.columns: Numbers = np.flatnonzero(opened)
        self._place: Numbers = np.full(len(program), -1, dtype=np.int64)
        self._place[self.columns] = np.arange(len(self.columns))
        self._upper: Floats = np.ones(len(self.columns))
        self._lp = highspy.Highs()
        self._lp.setOptionValue("output_flag", False)
        self._lp.setOptionValue("threads", 1)
        self._lp.setOptionValue("presolve", "off")
        none = np.zeros(0, dtype=np.int32)
        count = len(self.columns)
        self._lp.addCols(
            count,
            program.loss[self.columns],
            np.zeros(count),
            np.ones(count),
            0,
            none,
            none,
            np.zeros(0),
        )
        for v in range(program.n):
            family = self._place[program.offsets[v] : program.offsets[v + 1]]
            own = family[family >= 0].astype(np.int32)
            self._lp.addRow(1.0, 1.0, len(own), own, np.ones(len(own)))

    def add(self, rows: Sequence[Row]) -> None:
        infinity = self._highspy.kHighsInf
        for row in rows:
            places = self._place[row.families]
            here = places >= 0
            lower, upper = (-infinity, row.bound) if row.upper else (row.bound, infinity)
            own = places[here].astype(np.int32)
            self._lp.addRow(lower, upper, len(own), own, row.coefficients[here])
            self.rows.append(row)

    def drop(self, gone: Mask) -> None:
        """Remove the rows where ``gone``."""
        places = (np.flatnonzero(gone) + self._program.n).astype(np.int32)
        self._lp.deleteRows(len(places), places)
        self.rows = [row for row, out in zip(self.rows, gone, strict=True) if not out]

    def restrict(self, opened: Mask) -> None:
        """Only the families in ``opened`` may have weight."""
        upper = opened[self.columns].astype(float)
        changed = np.flatnonzero(upper != self._upper).astype(np.int32)
        if len(changed):
            self._lp.changeColsBounds(len(changed), changed, np.zeros(len(changed)), upper[changed])
            self._upper = upper

    def solve(self, iterations: int | None = None) -> tuple[Floats, Floats] | None:
        """Weights of all families and multipliers of the rows; None if nothing is feasible."""
        status = self._highspy.HighsModelStatus
        limit = 2_000_000_000 if iterations is None else iterations
        self._lp.setOptionValue("simplex_iteration_limit", limit)
        self._lp.run()
        if self._lp.getModelStatus() == status.kInfeasible:
            return None
        solution = self._lp.getSolution()
        weights = np.zeros(len(self._program))
        weights[self.columns] = np.maximum(np.array(solution.col_value), 0.0)
        return weights, np.array(solution.row_dual)[self._program.n :]

    def basis(self) -> Any:
        return self._lp.getBasis()

    def set_basis(self, basis: Any) -> None:
        self._lp.setBasis(basis)
