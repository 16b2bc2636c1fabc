"""The Table: coded columns with named states, the one form in which data reach counting."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from dagwright import _core
from dagwright.data.bins import Bins
from dagwright.data.canonical import Canonical, canonical_order
from dagwright.data.checks import checked_codes, checked_names, checked_weights
from dagwright.data.fingerprint import content_hash
from dagwright.data.origin import CATEGORY, Kind, Origin
from dagwright.data.shown_rows import FEW_ROWS, shown_rows
from dagwright.data.states import Codes, checked_states, missing_code, shown_states, state_key
from dagwright.errors import DataError, unknown_name
from dagwright.graph.viewable import Viewable
from dagwright.wording import counted

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

MEMO_MIB = 512.0
"""Default bound on the memory that remembers evidence."""
_KEPT = ("_names", "_codes", "_states", "_weights", "_origins", "_notes", "_reading", "_memo_mib")


class Table(Viewable):
    """Immutable table of discrete columns.

    Cells are codes: position of the state in the column's declared order, or 255 (``uint8``) respectively
    65535 (``uint16``, columns of more than 255 states) for a missing cell. States that are declared but
    never occur count as states.

    Parameters
    ----------
    names, codes, states
        Per column: its name, its codes and its states in order.
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
    """

    __slots__ = (
        "_N",
        "_canonical",
        "_codes",
        "_fingerprint",
        "_index",
        "_memo_mib",
        "_missing",
        "_names",
        "_native",
        "_notes",
        "_origins",
        "_reading",
        "_states",
        "_weights",
    )

    def __init__(
        self,
        names: Sequence[str],
        codes: Sequence[npt.ArrayLike],
        states: Sequence[Sequence[Hashable]],
        *,
        weights: npt.ArrayLike | None = None,
        origins: Mapping[str, Origin] | None = None,
        notes: Sequence[str] = (),
        reading: Mapping[str, Any] | None = None,
    ) -> None:
        self._names = checked_names(names)
        if not len(names) == len(codes) == len(states):
            raise DataError(
                f"{len(names)} names, {len(codes)} code columns and {len(states)} state lists do not match"
            )
        self._states = tuple(checked_states(n, s) for n, s in zip(self._names, states, strict=True))
        self._codes = tuple(map(checked_codes, self._names, codes, self._states))
        for name, column in zip(self._names, self._codes, strict=True):
            if len(column) != len(self._codes[0]):
                raise DataError(
                    f"column {name!r} has {len(column):,} rows, "
                    f"{self._names[0]!r} has {len(self._codes[0]):,}"
                )
        self._origins = tuple((origins or {}).get(name, CATEGORY) for name in self._names)
        self._notes = tuple(notes)
        self._reading = dict(reading or {})
        self._memo_mib = MEMO_MIB
        self._weights = None if weights is None else checked_weights(weights, self.n_rows)
        self._forget()

    def _forget(self) -> None:
        """Set what is computed from the content on demand to 'not yet computed'."""
        self._index = {name: position for position, name in enumerate(self._names)}
        self._N: float | None = None
        self._missing: dict[str, int] | None = None
        self._fingerprint: str | None = None
        self._native: _core.CellSums | None = None
        self._canonical: Canonical | None = None

    # What the table holds

    @property
    def names(self) -> tuple[str, ...]:
        """Column names."""
        return self._names

    @property
    def n_rows(self) -> int:
        """Number of rows, whatever their weights."""
        return len(self._codes[0]) if self._codes else 0

    @property
    def N(self) -> float:
        """Number of cases: the sum of the weights, or the number of rows."""
        if self._N is None:
            # Exact summation: the order of rows must not show in the last digit.
            self._N = float(self.n_rows) if self._weights is None else math.fsum(self._weights.tolist())
        return self._N

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """Number of states of each column, declared states that never occur included."""
        return tuple(len(states) for states in self._states)

    @property
    def states(self) -> tuple[tuple[Hashable, ...], ...]:
        """States of every column in their order."""
        return self._states

    @property
    def weights(self) -> npt.NDArray[np.float64] | None:
        """Frequency weights of the rows, or None."""
        return self._weights

    @property
    def kinds(self) -> dict[str, Kind]:
        """What each column was in the source: ``category`` or ``continuous``."""
        return {name: origin.kind for name, origin in self.origins.items()}

    @property
    def bins(self) -> dict[str, Bins]:
        """Cut points of the discretized columns."""
        return {name: origin.bins for name, origin in self.origins.items() if origin.bins is not None}

    @property
    def ordered(self) -> tuple[str, ...]:
        """The columns whose states have an order: intervals, numbers, dates, and declared ones."""
        return tuple(x for x, origin in self.origins.items() if origin.orders(self.states_of(x)))

    @property
    def origins(self) -> dict[str, Origin]:
        """What new rows of each column must go through to get their codes."""
        return dict(zip(self._names, self._origins, strict=True))

    @property
    def notes(self) -> tuple[str, ...]:
        """What was done to the data on the way here."""
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
                name: int(np.count_nonzero(codes == missing_code(codes)))
                for name, codes in zip(self._names, self._codes, strict=True)
            }
        return dict(self._missing)

    @property
    def fingerprint(self) -> str:
        """Hash of the content: names, states with their types, codes, weights and cut points.

        Equal tables have equal fingerprints on every machine and in every run.
        """
        if self._fingerprint is None:
            self._fingerprint = content_hash(
                self._names, self._codes, self._states, self._origins, self._weights
            )
        return self._fingerprint

    @property
    def native(self) -> _core.CellSums:
        """The counting engine over these columns and its memo, shared by every score and test."""
        if self._native is None:
            columns = _core.Table.from_codes(
                list(self._codes), list(self.cardinalities), self.n_rows, self._weights
            )
            self._native = _core.CellSums(columns, self._memo_mib)
        return self._native

    def canonical(
        self, threads: int = 1, seconds: float | None = None, cancel: _core.CancelToken | None = None
    ) -> Canonical:
        """The columns in an order that follows from the data, and the groups only their names tell apart.

        Searches work on this table, so that the order in which columns and rows came in cannot matter.
        """
        if self._canonical is None:
            order = canonical_order(self._names, self.native, threads, seconds, cancel)
            found = Canonical(self.select(order.names), order.ties, order.complete)
            if not found.complete:
                return found
            self._canonical = found
        return self._canonical

    def column_index(self, name: str) -> int:
        """Position of a column."""
        try:
            return self._index[name]
        except (KeyError, TypeError):
            raise unknown_name("column", name, self._names) from None

    def codes(self, name: str) -> Codes:
        """Read-only codes of a column."""
        return self._codes[self.column_index(name)]

    def states_of(self, name: str) -> tuple[Hashable, ...]:
        """States of a column in their order."""
        return self._states[self.column_index(name)]

    # New tables from this one

    def _with(self, **changes: Any) -> Table:
        """A copy with some facts replaced by facts already known to be sound."""
        result = object.__new__(Table)
        result.__setstate__(self.__getstate__() | {f"_{fact}": value for fact, value in changes.items()})
        return result

    def select(self, names: Iterable[str]) -> Table:
        """The named columns, in the order given."""
        chosen = checked_names(tuple(names))
        positions = [self.column_index(name) for name in chosen]
        return self._with(
            names=chosen,
            codes=tuple(self._codes[i] for i in positions),
            states=tuple(self._states[i] for i in positions),
            origins=tuple(self._origins[i] for i in positions),
        )

    def rename(self, mapping: Mapping[str, str]) -> Table:
        """The same columns under other names."""
        for name in mapping:
            self.column_index(name)
        return self._with(names=checked_names([mapping.get(name, name) for name in self._names]))

    def take(self, rows: npt.ArrayLike) -> Table:
        """The given rows (positions, repeats allowed, or a mask); states and bins stay as they are."""
        chosen = np.asarray(rows)
        if chosen.size == 0 and chosen.dtype != np.bool_:
            chosen = chosen.astype(np.intp)
        if chosen.ndim != 1 or chosen.dtype.kind not in "biu":
            raise DataError("rows must be a one-dimensional array of positions or a mask of booleans")
        if chosen.dtype == np.bool_ and len(chosen) != self.n_rows:
            raise DataError(f"the mask has {len(chosen):,} entries for {self.n_rows:,} rows")
        positions = chosen.dtype != np.bool_ and chosen.size > 0
        if positions and not -self.n_rows <= chosen.min() <= chosen.max() < self.n_rows:
            raise DataError(f"row positions must lie between 0 and {self.n_rows - 1}")
        return self._with(
            codes=tuple(codes[chosen] for codes in self._codes),
            weights=None if self._weights is None else self._weights[chosen],
        )

    def with_weights(self, weights: npt.ArrayLike | None) -> Table:
        """The same rows under other weights; None removes them."""
        return self._with(weights=None if weights is None else checked_weights(weights, self.n_rows))

    def with_memo(self, mib: float) -> Table:
        """The same data with another bound on the memory that remembers evidence (default 512 MiB)."""
        if not mib > 0:
            raise DataError(f"the memo needs a positive size in MiB, not {mib}")
        return self._with(memo_mib=float(mib))

    def with_codes(
        self,
        codes: Sequence[npt.ArrayLike],
        states: Sequence[Sequence[Hashable]],
        weights: npt.ArrayLike | None = None,
    ) -> Table:
        """Other rows and states under the names and origins of this table."""
        fresh = Table(self._names, codes, states, weights=weights)
        return self._with(codes=fresh._codes, states=fresh._states, weights=fresh._weights)

    def with_notes(self, *notes: str) -> Table:
        """The same data with further notes on what was done to them."""
        return self._with(notes=(*self._notes, *notes))

    def with_expected_cells(self, native: _core.Table) -> Table:
        """The same rows, counted with their missing cells in shares as ``native`` has them.

        Such a table is for counting only: its codes are still those with gaps.
        """
        result = self._with()
        result._native = _core.CellSums(native, self._memo_mib)
        result._missing = dict.fromkeys(self._names, 0)
        return result

    def complete(self, policy: Literal["drop", "state"]) -> Table:
        """Without missing cells: rows with gaps dropped, or gaps as a state of their own."""
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
        """The cells of a column as state names, None where missing."""
        lookup = np.empty(missing_code(self.codes(name)) + 1, dtype=object)
        lookup[: len(self.states_of(name))] = np.fromiter(self.states_of(name), dtype=object)
        result: list[Any] = lookup[self.codes(name)].tolist()
        return result

    def to_dict(self) -> dict[str, list[Any]]:
        """Every column decoded."""
        return {name: self.decode(name) for name in self._names}

    def to_pandas(self) -> pd.DataFrame:
        """A pandas frame of categoricals that keep the order of states, also of those that never occur."""
        from dagwright.data.export import to_pandas

        return to_pandas(self)

    def to_polars(self) -> pl.DataFrame:
        """A polars frame: text states as Enum, numbers and booleans as such."""
        from dagwright.data.export import to_polars

        return to_polars(self)

    # As a value

    def __len__(self) -> int:
        return self.n_rows

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self is other or (
            self._names == other._names
            and self.n_rows == other.n_rows
            and [list(map(state_key, states)) for states in self._states]
            == [list(map(state_key, states)) for states in other._states]
            and self._origins == other._origins
            and (self._weights is None) == (other._weights is None)
            and all(map(np.array_equal, self._codes, other._codes))
            and (self._weights is None or np.array_equal(self._weights, other._weights))  # type: ignore[arg-type]
        )

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _KEPT}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        for array in (*self._codes, *(() if self._weights is None else (self._weights,))):
            array.flags.writeable = False
        self._forget()

    def __copy__(self) -> Table:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        return self

    def __repr__(self) -> str:
        gaps = sum(self.missing.values())
        head = f"Table: {counted(self.n_rows, 'row')}, {counted(len(self._names), 'column')}"
        head += f", weights sum to {self.N:g}" if self._weights is not None else ""
        head += f", {gaps:,} missing cells" if gaps else ""
        shown = self._names[:20]
        width = max(map(len, shown), default=0)
        lines = [
            f"  {name:<{width}}  {counted(len(states), 'state')}: {shown_states(states)}"
            for name, states in zip(shown, self._states, strict=False)
        ]
        more = [f"  and {len(self._names) - 20} more columns"] if len(self._names) > 20 else []
        rows = shown_rows(self.to_dict()) if 0 < self.n_rows <= FEW_ROWS else []
        return "\n".join([head, *lines, *more, *rows])
