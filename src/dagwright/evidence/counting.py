"""A table as scores and tests see it: its counts, its missing-value policy and the threads to use."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.data import Table, read, read_to_learn
from dagwright.data.missing import OF_QUESTIONS, apply_policy, require_complete
from dagwright.data.states import missing_code
from dagwright.errors import OptionError
from dagwright.evidence.protocols import KnownColumns, Measure, SetFit
from dagwright.evidence.threads import available_threads
from dagwright.graph.holders import HasDistribution

MeasureKind = Literal["multinomial", "dirichlet", "adaptive", "nml"]


def countable(table: Table) -> Table:
    """The table as counting takes it: columns of numbers are cut into intervals, which its notes say."""
    return table.discretized()


def learnable_table(
    data: Any,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    named: Iterable[str] = (),
    **reading: Any,
) -> Table:
    """The columns to learn from: identifiers are left out unless ``columns`` or ``named`` have them.

    Takes what `as_rows` takes; ``reading`` are further options of `read`. Numbers stay numbers.
    """
    if isinstance(data, HasDistribution):
        raise OptionError(
            f"a {type(data).__name__} has no rows: give it as the oracle of a constraint-based search, as in "
            "learn(oracle=network, search=PC()), or say how many rows its distribution stands for: "
            "network.distribution(sample_size=1000)"
        )
    source = as_rows(data) if isinstance(data, Measure | Counting) else data
    return read_to_learn(source, frozenset(named), columns=columns, exclude=exclude, **reading)


def as_table(data: Any, columns: Iterable[str] | None = None) -> Table:
    """A Table, a `Counting` over one, a network with parameters, or anything that `dagwright.read` takes.

    A network stands for its joint distribution, with a sample size of 1. Only these columns are read. Columns
    of numbers are cut into intervals.
    """
    return countable(as_rows(data, columns))


def as_rows(data: Any, columns: Iterable[str] | None = None) -> Table:
    """As `as_table`, with columns of numbers left as they are."""
    if isinstance(data, HasDistribution):
        table: Table = data.distribution()
        return table
    if isinstance(data, Measure):
        raise OptionError(
            f"{type(data).__name__} is a measure, and this counts cells itself: give it data, or choose "
            "LogLik, AIC, BIC, Penalized, MDL, GSquare or Threshold"
        )
    if isinstance(data, Counting):
        return data.table
    return data if isinstance(data, Table) else read(data, columns=columns)


def as_counting(data: Any) -> Counting | Measure:
    """Data as counts; a measure as it is."""
    return data if isinstance(data, Measure) and not isinstance(data, Counting) else Counting.of(data)


def asked_rows(data: Any, names: Iterable[str]) -> Table:
    """Rows for a question about some columns: gaps and numbers in others are none of its business."""
    wanted = sorted(frozenset(names), key=str)
    rows = as_rows(data, wanted)
    others = [name for name in rows.names if name not in wanted]
    if any(rows.missing[name] or not rows.schema[name].is_discrete for name in others):
        return rows.select(wanted)
    return rows


def counting_of(data: Any, names: Iterable[str], missing: str | None) -> Counting:
    """Counts for a question about some columns."""
    return Counting(asked_rows(data, names), missing=missing, offers=OF_QUESTIONS)


class Counting:
    """Counts of a table. The memo belongs to the table, so every score and test on it shares one.

    Parameters
    ----------
    data
        A Table or anything that `dagwright.read` takes.
    missing
        Policy for missing cells: None refuses them, "drop", "state", or, for tests only, "available".
    threads
        None means as many as this process may use.
    offers
        The policies that the caller takes and an error names.
    sample_size
        The N of penalties, where these rows are only some of those that a graph is judged by.
    """

    def __init__(
        self,
        data: Any,
        *,
        missing: str | None = None,
        threads: int | None = None,
        offers: Collection[str] = (),
        sample_size: float | None = None,
    ) -> None:
        if threads is not None and threads < 1:
            raise OptionError(f"threads must be at least 1, not {threads}")
        taken = offers if missing is None else offers or OF_QUESTIONS
        self.table = apply_policy(as_table(data), missing, offers=taken)
        self.threads = threads or available_threads()
        self.N = self.table.N if sample_size is None else sample_size

    @staticmethod
    def of(data: Any) -> Counting:
        return data if isinstance(data, Counting) else Counting(data)

    @property
    def names(self) -> tuple[str, ...]:
        return self.table.names

    @cached_property
    def cardinalities(self) -> tuple[int, ...]:
        return self.table.cardinalities

    @cached_property
    def incomplete(self) -> frozenset[int]:
        """Columns with missing cells."""
        return frozenset(i for i, name in enumerate(self.names) if self.table.missing[name])

    @cached_property
    def fractional(self) -> bool:
        """Whether some weight is not a whole number, so that chi-squared levels are only approximate."""
        return self.table.fractional

    def require_complete(self) -> None:
        require_complete(self.table)

    def measure(self, kind: MeasureKind, ess: float = 0.0) -> NativeMeasure:
        """Evidence of sets of columns."""
        return NativeMeasure(self, self.counting_measure(kind, ess))

    def counting_measure(self, kind: MeasureKind, ess: float = 0.0) -> _core.CountingMeasure:
        """The same in the core."""
        return _core.CountingMeasure(self.table.native, _core.MeasureKind[kind], ess)

    def cells(
        self, variables: Sequence[int], rows: KnownColumns | None = None
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
        """The occurring cells in the order of their codes (one row each), and their counts."""
        found = self.table.native.cells(list(variables), sorted(rows or ()))
        occurring = found.units > 0  # rows of weight zero are listed too
        return found.codes[occurring], found.counts[occurring]

    def contingency_table(self, variables: Sequence[int]) -> NDArray[np.float64]:
        """Counts of all cells, one axis per variable in the order given."""
        table = np.zeros([self.cardinalities[v] for v in variables])
        codes, counts = self.cells(variables)
        if len(counts):
            table[tuple(codes.T.astype(np.intp))] = counts if variables else counts[0]
        return table

    def rows_known(self, rows: KnownColumns | None) -> float:
        """N over the rows on which all these columns are known."""
        if not rows:
            return self.N
        if rows not in self._known and (self.table.blocks is not None or not self.table.has_rows):
            _, counts = self.cells((), rows)
            self._known[rows] = float(counts.sum())
        if rows not in self._known:
            whole = np.ones(self.table.n_rows, dtype=np.bool_)
            for column in rows:
                codes = self.table.codes(self.names[column])
                whole &= codes != missing_code(codes)
            weights = self.table.weights
            self._known[rows] = float(whole.sum() if weights is None else math.fsum(weights[whole].tolist()))
        return self._known[rows]

    @cached_property
    def _known(self) -> dict[KnownColumns, float]:
        return {}


class MeasuredRows(Protocol):
    """Rows as a measure of the core knows them: a `Counting`, or `Numbers`."""

    threads: int

    @property
    def N(self) -> float: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def cardinalities(self) -> tuple[int, ...]: ...


class NativeMeasure:
    """A measure of the core in the shape of the `Measure` protocol."""

    def __init__(self, counting: MeasuredRows, native: _core.Measure) -> None:
        self.counting = counting
        self.native = native

    @property
    def N(self) -> float:
        return self.counting.N

    @property
    def cardinalities(self) -> tuple[int, ...]:
        return self.counting.cardinalities

    @property
    def names(self) -> tuple[str, ...]:
        return self.counting.names

    def evidence(self, sets: Sequence[Iterable[int]], rows: KnownColumns | None = None) -> list[SetFit]:
        found = self.native.evidence([sorted(s) for s in sets], sorted(rows or ()), self.counting.threads)
        return list(map(SetFit, found.fit.tolist(), found.dim.tolist()))
