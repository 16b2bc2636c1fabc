"""The relaxation of the cluster program, solved by HiGHS or by the LP solver within SCIP."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from dagwright.search.integer_program.cluster_program import ClusterProgram, Floats, Mask, Numbers, Row


class Relaxation(Protocol):
    """A linear program over some of the families; rows come and go, families are closed and opened."""

    @property
    def rows(self) -> list[Row]: ...

    @property
    def columns(self) -> Numbers: ...

    def add(self, rows: Sequence[Row]) -> None: ...

    def drop(self, gone: Mask) -> None: ...

    def restrict(self, opened: Mask) -> None: ...

    def solve(self, *, iterations: int | None = None, seconds: float | None = None) -> Solution | None: ...


Solution = tuple[Floats, Floats]
"""The weight of every family, and the multiplier of every row."""


class _Columns:
    """Which families are columns, where, and which of them may have weight."""

    def __init__(self, program: ClusterProgram, opened: Mask) -> None:
        self.program = program
        self.rows: list[Row] = []
        self.columns: Numbers = np.flatnonzero(opened)
        self.place: Numbers = np.full(len(program), -1, dtype=np.int64)
        self.place[self.columns] = np.arange(len(self.columns))
        self.upper: Floats = np.ones(len(self.columns))

    def of_child(self, child: int) -> Numbers:
        places = self.place[self.program.offsets[child] : self.program.offsets[child + 1]]
        return places[places >= 0]

    def entries(self, row: Row) -> tuple[Numbers, Floats]:
        places = self.place[row.families]
        here = places >= 0
        return places[here], row.coefficients[here]

    def weights(self, values: Sequence[float]) -> Floats:
        weights = np.zeros(len(self.program))
        weights[self.columns] = np.maximum(np.array(values), 0.0)
        return weights

    def changed(self, opened: Mask) -> Numbers:
        """Columns whose upper bound is another now; `upper` holds the new bounds."""
        upper = opened[self.columns].astype(np.float64)
        changed: Numbers = np.flatnonzero(upper != self.upper)
        self.upper = upper
        return changed

    def forget(self, gone: Mask) -> Numbers:
        """Take rows off the list; their numbers among all rows of the solver."""
        self.rows = [row for row, out in zip(self.rows, gone, strict=True) if not out]
        return np.flatnonzero(gone) + self.program.n


class _WithRows(ABC):
    """The base of the relaxations: the columns and the list of rows."""

    _at: _Columns
    _infinity: float

    @property
    def rows(self) -> list[Row]:
        return self._at.rows

    @property
    def columns(self) -> Numbers:
        return self._at.columns

    def add(self, rows: Sequence[Row]) -> None:
        for row in rows:
            lower, upper = (-self._infinity, row.bound) if row.upper else (row.bound, self._infinity)
            self._add_row(lower, upper, *self._at.entries(row))
        self._at.rows.extend(rows)

    @abstractmethod
    def _add_row(self, lower: float, upper: float, places: Numbers, coefficients: Floats) -> None:
        """Give the solver one row."""


class HighsRelaxation(_WithRows):
    """The relaxation in HiGHS."""

    def __init__(self, program: ClusterProgram, opened: Mask) -> None:
        import highspy

        self._highspy = highspy
        self._at = _Columns(program, opened)
        self._drops = 0
        self._lp = highspy.Highs()
        self._infinity = highspy.kHighsInf
        for option, value in (("output_flag", False), ("threads", 1), ("presolve", "off")):
            self._lp.setOptionValue(option, value)
        none, count = np.zeros(0, dtype=np.int32), len(self.columns)
        losses, zeros, ones = program.loss[self.columns], np.zeros(count), np.ones(count)
        self._lp.addCols(count, losses, zeros, ones, 0, none, none, np.zeros(0))
        for child in range(program.n):
            own = self._at.of_child(child).astype(np.int32)
            self._lp.addRow(1.0, 1.0, len(own), own, np.ones(len(own)))

    def _add_row(self, lower: float, upper: float, places: Numbers, coefficients: Floats) -> None:
        self._lp.addRow(lower, upper, len(places), places.astype(np.int32), coefficients)

    def drop(self, gone: Mask) -> None:
        numbers = self._at.forget(gone).astype(np.int32)
        self._lp.deleteRows(len(numbers), numbers)
        self._drops += 1

    def restrict(self, opened: Mask) -> None:
        """Only the families in ``opened`` may have weight."""
        changed = self._at.changed(opened).astype(np.int32)
        if len(changed):
            self._lp.changeColsBounds(len(changed), changed, np.zeros(len(changed)), self._at.upper[changed])

    def solve(self, *, iterations: int | None = None, seconds: float | None = None) -> Solution | None:
        """None if nothing is feasible. Stopped early, weights and multipliers are those reached."""
        limit = self._highspy.kHighsIInf if iterations is None else iterations
        self._lp.setOptionValue("simplex_iteration_limit", limit)
        # The clock of HiGHS runs on from solve to solve.
        end = self._infinity if seconds is None else self._lp.getRunTime() + seconds
        self._lp.setOptionValue("time_limit", end)
        self._lp.run()
        if self._lp.getModelStatus() == self._highspy.HighsModelStatus.kInfeasible:
            return None
        solution = self._lp.getSolution()
        return self._at.weights(solution.col_value), np.array(solution.row_dual)[self._at.program.n :]

    def basis(self) -> Basis:
        return Basis(self, self._drops, self._lp.getBasis())

    def set_basis(self, basis: Basis) -> None:
        """Take up a basis of this relaxation; rows added since are slack in it. Others are of no use here."""
        if basis.owner is not self or basis.drops != self._drops:
            return
        statuses = basis.statuses
        missing = len(self.rows) + self._at.program.n - len(statuses.row_status)
        if missing:
            padded = self._highspy.HighsBasis()
            padded.col_status = statuses.col_status
            padded.row_status = statuses.row_status + [self._highspy.HighsBasisStatus.kBasic] * missing
            padded.valid = True
            statuses = padded
        self._lp.setBasis(statuses)


class Basis(NamedTuple):
    """Where a relaxation stood, and how often it had lost rows by then."""

    owner: HighsRelaxation
    drops: int
    statuses: Any


class ScipRelaxation(_WithRows):
    """The relaxation in the LP solver that comes with SCIP."""

    def __init__(self, program: ClusterProgram, opened: Mask) -> None:
        from pyscipopt import LP

        self._at = _Columns(program, opened)
        self._lp = LP("families")
        self._infinity = self._lp.infinity()
        count = len(self.columns)
        self._lp.addCols(
            [[] for _ in range(count)], program.loss[self.columns].tolist(), [0.0] * count, [1.0] * count
        )
        for child in range(program.n):
            self._lp.addRow([(int(place), 1.0) for place in self._at.of_child(child)], 1.0, 1.0)

    def _add_row(self, lower: float, upper: float, places: Numbers, coefficients: Floats) -> None:
        self._lp.addRow(list(zip(places.tolist(), coefficients.tolist(), strict=True)), lower, upper)

    def drop(self, gone: Mask) -> None:
        for number in self._at.forget(gone)[::-1].tolist():
            self._lp.delRows(number, number)

    def restrict(self, opened: Mask) -> None:
        """Only the families in ``opened`` may have weight."""
        for column in self._at.changed(opened).tolist():
            self._lp.chgBound(column, 0.0, float(self._at.upper[column]))

    def solve(self, *, iterations: int | None = None, seconds: float | None = None) -> Solution | None:
        """None if nothing is feasible. Stopped early, weights and multipliers are those reached."""
        from pyscipopt import SCIP_LPPARAM

        self._lp.setIntParam(SCIP_LPPARAM.LPITLIM, 2**31 - 1 if iterations is None else iterations)
        self._lp.setRealParam(SCIP_LPPARAM.LPTILIM, 1e20 if seconds is None else max(seconds, 1e-3))
        self._lp.solve(dual=True)
        if not self._lp.isOptimal() and not self._lp.isDualFeasible():
            return None
        return self._at.weights(self._lp.getPrimal()), np.array(self._lp.getDual())[self._at.program.n :]
