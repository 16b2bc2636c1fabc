"""The Table: columns of coded states and of numbers, the form in which data reach scores and tests."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from dagwright import _core
from dagwright.data.canonical import Canonical, canonical_order, canonical_order_of_numbers
from dagwright.data.checks import checked_names, checked_rows
from dagwright.data.interventions import checked_masks
from dagwright.data.origin import PLAIN, Origin
from dagwright.data.placed_rows import PlacedRows
from dagwright.data.schema import Continuous, Discrete, Schema
from dagwright.data.shown_rows import shown_table
from dagwright.data.source import NumberSource, Source
from dagwright.data.windows import Windows, moment_of
from dagwright.errors import DataError
from dagwright.graph.viewable import Viewable

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from dagwright.data.discretize import Rule


class Table(PlacedRows, Viewable):
    """Immutable table of columns that hold states or numbers.

    A state is stored as its code: its position in the column's declared order, or 255 (``uint8``)
    respectively 65535 (``uint16``, columns of more than 255 states) for a missing cell. States that are
    declared but never occur count as states. Numbers are ``float64``, NaN for a missing cell, never infinite.

    Parameters
    ----------
    names, columns, states
        Per column: its name, its codes and its states in order. A column of numbers has None in place of
        states.
    weights
        Frequency weight of each row; ``N`` is their sum.
    origins
        Cut points and grouped values of the columns that have them.
    notes
        What was done to the data on the way here, one sentence each.
    reading
        The options with which the source was opened, without the defaults.

    >>> table = Table(["rain", "lawn"], [[0, 1, 1], [1, 0, 255]], [["no", "yes"], ["dry", "wet"]])
    >>> table.N, table.cardinalities, table.missing
    (3.0, (2, 2), {'rain': 0, 'lawn': 1})
    >>> Table(["drops"], [[0.5, 1.25]], [None]).schema.kind
    'continuous'
    """

    __slots__ = ("_canonical", "_discretized")

    def __init__(
        self,
        names: Sequence[str],
        columns: Sequence[npt.ArrayLike],
        states: Sequence[Sequence[Hashable] | None],
        *,
        weights: npt.ArrayLike | None = None,
        origins: Mapping[str, Origin] | None = None,
        notes: Sequence[str] = (),
        reading: Mapping[str, Any] | None = None,
    ) -> None:
        if not len(names) == len(columns) == len(states):
            counts = f"{len(names)} names, {len(columns)} columns and {len(states)} state lists"
            raise DataError(f"{counts} do not match")
        known = origins or {}
        self._in_memory()
        self._fill(
            Schema(
                Continuous(name, origin=known.get(name, PLAIN))
                if own is None
                else Discrete(name, own, known.get(name, PLAIN))
                for name, own in zip(checked_names(names), states, strict=True)
            ),
            columns,
            weights,
            notes,
            reading or {},
        )

    @classmethod
    def from_schema(
        cls,
        schema: Schema,
        columns: Sequence[npt.ArrayLike] | None = None,
        *,
        weights: npt.ArrayLike | None = None,
        notes: Sequence[str] = (),
        reading: Mapping[str, Any] | None = None,
    ) -> Table:
        """A table of these variables; without columns it has no rows.

        Parameters
        ----------
        columns
            Per variable its codes, respectively its numbers.

        >>> Table.from_schema(Schema([Continuous("x")]), [[1.5, 2.5]]).reals("x")
        array([1.5, 2.5])
        """
        result = object.__new__(cls)
        rows = [np.empty(0, dtype=np.uint8)] * len(schema) if columns is None else columns
        if len(rows) != len(schema):
            raise DataError(f"{len(rows)} columns for a schema of {len(schema)} variables")
        result._in_memory()
        result._fill(schema, rows, weights, notes, reading or {})
        return result

    @classmethod
    def of_source(cls, source: Source, *, notes: Sequence[str] = ()) -> Table:
        """A table whose rows are elsewhere: ``source`` counts them, batch by batch; see `Source`."""
        for variable in source.schema:
            if not (variable.is_discrete or isinstance(source, NumberSource)):
                raise DataError(f"column {variable.name!r} holds numbers, and this source counts states only")
        result = cls.from_schema(source.schema, notes=notes)
        result._source, result._places = source, tuple(range(len(source.schema)))
        return result

    def _forget(self) -> None:
        super()._forget()
        self._canonical: Canonical | None = None
        self._discretized: Table | None = None

    # What is computed from the rows

    def canonical(
        self, threads: int = 1, seconds: float | None = None, cancel: _core.CancelToken | None = None
    ) -> Canonical:
        """The columns in an order computed from the data, and the groups that only names distinguish.

        Searches work on this table, so that the order in which columns and rows came in cannot matter.
        Where some columns are numbers, their shapes and correlations decide, whatever their units.
        """
        if self._canonical is None:
            if all(variable.is_discrete for variable in self._schema):
                order = canonical_order(self.names, self.native, threads, seconds, cancel, self._rows_set)
            else:
                order = canonical_order_of_numbers(
                    self.names,
                    self.signatures(threads),
                    self.moments(threads),
                    threads,
                    seconds,
                    cancel,
                    self._rows_set,
                )
            table = self.select(order.names).remembering(self._memory).with_moments_of(self)
            found = Canonical(table.beginning_with(self), order.ties, order.complete)
            if not found.complete:
                return found
            self._canonical = found
        return self._canonical

    # New tables from this one

    def _with(self, **changes: Any) -> Table:
        """A copy with some facts replaced by facts already known to be sound."""
        result = object.__new__(Table)
        result.__setstate__(self.__getstate__() | {f"_{fact}": value for fact, value in changes.items()})
        return result

    def select(self, names: Iterable[str]) -> Table:
        """The named columns, in the order given."""
        schema = self._schema.select(names)
        at = [self.column_index(name) for name in schema.names]
        return self._with(
            schema=schema,
            columns=tuple(self._columns[i] for i in at),
            interventions={name: mask for name, mask in self._interventions.items() if name in schema.names},
            places=() if self._source is None else tuple(self._places[i] for i in at),
        ).knowing_gaps_of(self)

    def rename(self, mapping: Mapping[str, str]) -> Table:
        """The same columns under other names."""
        if self._windows is not None and any(
            moment_of(old) != moment_of(new) for old, new in mapping.items()
        ):
            raise DataError("the names of windows say the steps of time; rename the columns before lagged()")
        masks = {mapping.get(name, name): mask for name, mask in self._interventions.items()}
        return self._with(
            schema=self._schema.rename(mapping), interventions={name: masks[name] for name in sorted(masks)}
        )

    def take(self, rows: npt.ArrayLike) -> Table:
        """The given rows (positions, repeats allowed, or a mask); states and bins stay as they are."""
        chosen = checked_rows(rows, self.n_rows)
        if self._source is not None:
            if chosen.size:
                self._require_rows()
            return self._with(source=None, places=())
        weights = self.weights
        if self._blocks is not None:
            kept = np.count_nonzero(chosen) if chosen.dtype == np.bool_ else len(chosen)
            self._blocks.require_memory("these rows in memory", int(kept), self._columns)
        return self._with(
            columns=tuple(column[chosen] for column in self._columns),
            weights=None if weights is None else weights[chosen],
            windows=None if self._windows is None else self._windows.take(chosen),
            interventions={name: mask[chosen] for name, mask in self._interventions.items()},
            blocks=None,
            draw=None,
        )

    def lagged(
        self,
        lags: int = 1,
        *,
        time: str | None = None,
        sequence: str | None = None,
        static: Iterable[str] = (),
        contemporaneous: bool = True,
        gaps: Literal["break", "error"] = "break",
        step: float | None = None,
        skip: int | None = None,
    ) -> Table:
        """Windows of time series: each row holds a step, and ``lags`` steps before it.

        The column ``x`` becomes ``x[t]``, ``x[t-1]`` and so on. All lags have the same windows. No window
        crosses from one sequence to another or over a gap in time. Learning from windows obeys time: only
        columns of the current step have parents.

        Parameters
        ----------
        lags
            How many steps before the current one.
        time
            The column of times: numbers or dates, in any order. A time that occurs twice in a sequence is
            refused. Dates on one day of the month are counted in months. None means that the rows are in
            order, without gaps.
        sequence
            The column that identifies sequences, such as patients; None means one sequence.
        static
            Columns that do not change within a sequence; they have no lags and no parents.
        contemporaneous
            Whether columns of the current step may be parents of each other.
        gaps
            What a step that is longer or shorter than the usual one does: "break" the sequence into runs, or
            raise an "error". If no length of step is usual, the times are refused as irregular.
        step
            The length of a step (for dates days, for date-times seconds); by default the most common one.
        skip
            The number of steps at the beginning of each run at which no window ends; at least ``lags``, which
            is the default. With the same ``skip``, tables of different lags have the same windows, so that
            their scores compare.

        >>> table = Table(["t", "x"], [[1, 2, 3, 5, 6], [10, 20, 30, 50, 60]], [None, None])
        >>> table.lagged(1, time="t").to_dict()
        {'x[t]': [20.0, 30.0, 60.0], 'x[t-1]': [10.0, 20.0, 50.0]}
        """
        from dagwright.data.lagging import lagged

        return lagged(
            self,
            lags=lags,
            time=time,
            sequence=sequence,
            static=static,
            contemporaneous=contemporaneous,
            gaps=gaps,
            step=step,
            skip=skip,
        )

    def with_windows(self, windows: Windows | None) -> Table:
        """The same rows with the sequences, runs and steps that they come from; None removes them."""
        if windows is not None and len(windows.run) != self.n_rows:
            raise DataError(f"{len(windows.run):,} windows for {self.n_rows:,} rows; give one for each row")
        return self._with(windows=windows)

    def discretized(self, rule: Rule | Mapping[str, Rule] | None = None) -> Table:
        """The table with its numbers discretized; the cut points are in the schema.

        Parameters
        ----------
        rule
            One rule for all columns of numbers, or rules by name; other columns then stay numbers. None is
            three intervals of equal frequency.

        >>> table = Table(["x"], [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]], [None])
        >>> table.discretized().states_of("x")
        ('<=2', '(2, 4]', '>4')
        """
        from dagwright.data.cutting import cut_table, wanted_columns

        wanted = wanted_columns(self._schema, rule)
        if not wanted:
            return self
        if rule is None and self._discretized is not None:
            return self._discretized
        variables, columns, notes = cut_table(self, wanted, rule)
        result = self._with(schema=Schema(variables), columns=tuple(columns), notes=(*self._notes, *notes))
        if rule is None:
            self._discretized = result
        return result

    def with_weights(self, weights: npt.ArrayLike | None) -> Table:
        """The same rows under other weights; None removes them."""
        return self._with(weights=None if weights is None else self._own_weights(weights), draw=None)

    def with_memo(self, mib: float) -> Table:
        """The same data with another limit on the cache of counts (default 512 MiB)."""
        if not mib > 0:
            raise DataError(f"the memo needs a positive size in MiB, not {mib}")
        return self._with(memo_mib=float(mib))

    def with_codes(
        self,
        columns: Sequence[npt.ArrayLike],
        states: Sequence[Sequence[Hashable]],
        weights: npt.ArrayLike | None = None,
        interventions: Mapping[str, npt.ArrayLike] | None = None,
    ) -> Table:
        """Other rows and states under the names and origins of this table; numbers stay numbers."""
        schema = Schema(
            Discrete(known.name, own, known.origin) if known.is_discrete else known
            for known, own in zip(self._schema, states, strict=True)
        )
        fresh = Table.from_schema(schema, columns, weights=weights)
        windows = self._windows if fresh.n_rows == self.n_rows else None
        masks = checked_masks(interventions or {}, schema.names, fresh.n_rows)
        return self._with(
            schema=schema,
            columns=fresh._columns,
            weights=fresh._weights,
            windows=windows,
            interventions=masks,
        )

    def with_notes(self, *notes: str) -> Table:
        """The same data with further notes on what was done to them."""
        return self._with(notes=(*self._notes, *notes)).knowing_gaps_of(self)

    def with_expected_cells(self, native: _core.Table) -> Table:
        """The same rows, counted with their missing cells in shares as ``native`` has them.

        Such a table is for counting only: its codes are still those with gaps.
        """
        result = self._with()
        result._native = _core.CellSums(native, self._memo_mib)
        result._missing = dict.fromkeys(self.names, 0)
        return result

    def complete(self, policy: Literal["drop", "state"]) -> Table:
        """The table without missing cells: incomplete rows dropped, or missing as a state of its own."""
        from dagwright.data.missing import complete

        return complete(self, policy)

    def encode(
        self,
        data: Any,
        *,
        absent: Literal["error", "missing", "leave out"] = "error",
        unknown_states: Literal["error", "ignore"] = "error",
        **reading: Any,
    ) -> Table:
        """New rows in the states and bins of this table.

        Parameters
        ----------
        data
            A Table or anything that :func:`dagwright.data.read` takes; further columns are ignored.
        absent
            What to do about an absent column: refuse, take its cells as missing, or leave it out.
        unknown_states
            What to do with a state that this table does not know: refuse, or take the cell as missing.
        reading
            How to open the source, and the column of ``weights``, as in :func:`dagwright.data.read`.
        """
        from dagwright.data.encode import encode

        return encode(self, data, absent=absent, unknown_states=unknown_states, **reading)

    @classmethod
    def from_distribution(
        cls,
        probabilities: npt.ArrayLike,
        names: Sequence[str],
        states: Sequence[Sequence[Hashable]] | None = None,
        sample_size: float = 1.0,
    ) -> Table:
        """A known joint distribution as a table: one row per cell of positive probability p, weight N*p.

        This is the infinite sample of Cowell (2001): every count is exact, and ``sample_size`` enters
        only through penalties and degrees of evidence.

        Parameters
        ----------
        probabilities
            One axis per name, one position per state; sums to 1.

        >>> Table.from_distribution([[0.4, 0.1], [0.1, 0.4]], ["a", "b"], sample_size=10).weights
        array([4., 1., 1., 4.])
        """
        from dagwright.data.distribution import distribution_facts

        return cls(**distribution_facts(probabilities, names, states, sample_size))

    # Back to values

    def decode(self, name: str) -> list[Any]:
        """The cells of a column as states, numbers or dates, None where missing.

        The list is in memory. For rows on disk, `decode` and the ``to_`` methods do not check ``memory_mib``;
        `batches` gives parts of the rows.
        """
        from dagwright.data.export import decoded

        return decoded(self, name)

    def to_dict(self) -> dict[str, list[Any]]:
        """Every column decoded, in memory."""
        return {name: self.decode(name) for name in self.names}

    def to_pandas(self) -> pd.DataFrame:
        """A pandas frame in memory: numbers as such, states as categoricals with their order, also unseen."""
        from dagwright.data.export import to_pandas

        return to_pandas(self)

    def to_polars(self) -> pl.DataFrame:
        """A polars frame in memory: text states as Enum; numbers, dates and booleans as such."""
        from dagwright.data.export import to_polars

        return to_polars(self)

    # As a value

    def __copy__(self) -> Table:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        return self

    def __repr__(self) -> str:
        return shown_table(self)
