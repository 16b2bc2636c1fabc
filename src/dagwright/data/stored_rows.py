"""The rows of a table behind its schema: columns of codes or of numbers, and the weights of the rows."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from dagwright.data.bins import Bins
from dagwright.data.checks import checked_codes, checked_reals, checked_weights
from dagwright.data.fingerprint import content_hash
from dagwright.data.interventions import Masks, targets_of
from dagwright.data.origin import Kind, Origin
from dagwright.data.schema import Schema, Variable
from dagwright.data.states import Codes, gaps_of
from dagwright.data.windows import Windows
from dagwright.errors import DataError
from dagwright.sentences import Argument

Floats = npt.NDArray[np.float64]
Column = npt.NDArray[Any]
"""Codes of states, or numbers."""


class StoredRows:
    """Immutable columns, one for each variable of a schema, with weights, notes and reading options."""

    __slots__ = (
        "_N",
        "_columns",
        "_fingerprint",
        "_interventions",
        "_missing",
        "_notes",
        "_reading",
        "_schema",
        "_weights",
        "_windows",
    )
    _kept: ClassVar[tuple[str, ...]] = (
        "_schema",
        "_columns",
        "_weights",
        "_notes",
        "_reading",
        "_interventions",
        "_windows",
    )

    def _fill(
        self,
        schema: Schema,
        columns: Sequence[npt.ArrayLike],
        weights: npt.ArrayLike | None,
        notes: Sequence[str],
        reading: Mapping[str, Any],
    ) -> None:
        self._schema = schema
        self._columns = tuple(map(_checked_column, schema, columns))
        for name, column in zip(schema.names, self._columns, strict=True):
            if len(column) != len(self._columns[0]):
                raise DataError(
                    f"column {name!r} has {len(column):,} rows, "
                    f"{schema.names[0]!r} has {len(self._columns[0]):,}"
                )
        self._notes = tuple(notes)
        self._reading = dict(reading)
        self._windows: Windows | None = None
        self._weights = None if weights is None else checked_weights(weights, self.n_rows)
        self._interventions: Masks = {}
        self._forget()

    def _forget(self) -> None:
        """Set what is computed from the content on demand to 'not yet computed'."""
        self._N: float | None = None
        self._missing: dict[str, int] | None = None
        self._fingerprint: str | None = None

    @property
    def schema(self) -> Schema:
        """The variables: kind, states, cut points and scale of each column."""
        return self._schema

    @property
    def names(self) -> tuple[str, ...]:
        """Column names."""
        return self._schema.names

    @property
    def n_rows(self) -> int:
        """Number of rows, whatever their weights."""
        return len(self._columns[0]) if self._columns else 0

    @property
    def N(self) -> float:
        """Number of cases: the sum of the weights, or the number of rows."""
        if self._N is None:
            # Exact summation: the order of rows must not show in the last digit.
            self._N = float(self.n_rows) if self._weights is None else self._sum_of_weights()
        return self._N

    def _sum_of_weights(self) -> float:
        return 0.0 if self._weights is None else math.fsum(self._weights.tolist())

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """Number of states of each column, unseen declared states included; 0 for numbers."""
        return tuple(variable.cardinality for variable in self._schema)

    @property
    def states(self) -> tuple[tuple[Hashable, ...], ...]:
        """States of every column in their order; none for numbers."""
        return tuple(variable.states for variable in self._schema)

    @property
    def weights(self) -> Floats | None:
        """Frequency weights of the rows, or None."""
        return self._weights

    @property
    def windows(self) -> Windows | None:
        """The sequence, the run and the step that each row comes from, for windows of time series."""
        return self._windows

    @property
    def interventions(self) -> dict[str, npt.NDArray[np.bool_]]:
        """For each variable that an experiment set, in which rows; see `Table.with_interventions`."""
        return dict(self._interventions)

    @property
    def targets(self) -> tuple[frozenset[str], ...]:
        """The different sets of variables that were set together in some row; empty without interventions."""
        return targets_of(self)

    @property
    def kinds(self) -> dict[str, Kind]:
        """The kind of each column in the source: ``category`` or ``continuous``."""
        return {variable.name: variable.kind for variable in self._schema}

    @property
    def bins(self) -> dict[str, Bins]:
        """Cut points of the discretized columns."""
        return {variable.name: variable.bins for variable in self._schema if variable.bins is not None}

    @property
    def ordered(self) -> tuple[str, ...]:
        """The columns whose values have an order: numbers, intervals, dates, and declared ones."""
        return tuple(variable.name for variable in self._schema if variable.ordered)

    @property
    def origins(self) -> dict[str, Origin]:
        """The transform from new values of each column to its codes."""
        return {variable.name: variable.origin for variable in self._schema}

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on how the data were prepared."""
        return self._notes

    @property
    def reading(self) -> dict[str, Any]:
        """The options with which the source was opened, to read it in the same way again."""
        return dict(self._reading)

    @property
    def missing(self) -> dict[str, int]:
        """Number of missing cells of each column."""
        if self._missing is None:
            self._missing = {
                name: int(np.count_nonzero(gaps_of(column)))
                for name, column in zip(self.names, self._columns, strict=True)
            }
        return dict(self._missing)

    def knowing_gaps_of(self, other: Self) -> Self:
        """This new table, of the rows and some columns of another one, with its missing cells if counted."""
        if other._missing is not None:
            self._missing = {name: other._missing[name] for name in self.names}
        return self

    @property
    def fingerprint(self) -> str:
        """Hash of the content: names, states with their types, cells, weights, interventions and cut points.

        Equal tables have equal fingerprints on every machine and in every run.
        """
        if self._fingerprint is None:
            self._fingerprint = content_hash(self._schema, self._columns, self._weights, self._interventions)
        return self._fingerprint

    def column_index(self, name: str) -> int:
        """Position of a column."""
        return self._schema.position(name)

    def codes(self, name: str) -> Codes:
        """Read-only codes of a column of states."""
        if not self._schema[name].is_discrete:
            raise DataError(
                f"column {name!r} holds numbers and has no codes; reals({name!r}) gives them, and "
                "discretized() cuts them into intervals"
            )
        return self._columns[self.column_index(name)]

    def reals(self, name: str) -> Floats:
        """Read-only numbers of a column of numbers, NaN where missing."""
        if self._schema[name].is_discrete:
            raise DataError(
                f"column {name!r} holds states, not numbers; codes({name!r}) gives their codes, and ",
                Argument("kinds", {name: "continuous"}, of="read"),
                " reads it as numbers",
            )
        return self._columns[self.column_index(name)]

    def gaps(self, name: str) -> npt.NDArray[np.bool_]:
        """Which cells of a column are missing."""
        return gaps_of(self._columns[self.column_index(name)])

    def states_of(self, name: str) -> tuple[Hashable, ...]:
        """States of a column in their order; none for numbers."""
        return self._schema[name].states

    def __len__(self) -> int:
        return self.n_rows

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StoredRows):
            return NotImplemented
        return self is other or (
            self._schema == other._schema
            and self.n_rows == other.n_rows
            and (self._weights is None) == (other._weights is None)
            and all(map(_same_cells, self._columns, other._columns))
            and (self._weights is None or np.array_equal(self._weights, other._weights))  # type: ignore[arg-type]
            and self._interventions.keys() == other._interventions.keys()
            and all(
                np.array_equal(mask, other._interventions[name]) for name, mask in self._interventions.items()
            )
        )

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        weights = () if self._weights is None else (self._weights,)
        for array in (*self._columns, *weights, *self._interventions.values()):
            array.flags.writeable = False
        self._forget()


def _checked_column(variable: Variable, cells: npt.ArrayLike) -> Column:
    if variable.is_discrete:
        return checked_codes(variable.name, cells, variable.states)
    return checked_reals(variable.name, cells)


def _same_cells(one: Column, other: Column) -> bool:
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
