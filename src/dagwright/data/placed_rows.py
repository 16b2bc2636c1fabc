"""Where the rows of a table are: in memory, in mapped files, or with a source that counts them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from dagwright import _core
from dagwright.base.numbering import Numbering
from dagwright.data.blocks import ROWS_AT_ONCE
from dagwright.data.checks import checked_weights
from dagwright.data.evidence_memory import EvidenceMemory, take_over
from dagwright.data.experiment_rows import ExperimentRows
from dagwright.data.schema import Schema
from dagwright.data.source import NumberSource, Source, has_whole_weights, keeper_of, signatures, source_cells
from dagwright.data.states import Codes
from dagwright.data.stored_rows import Floats
from dagwright.data.weighed_batches import WEIGHT_BYTES, WeighedBatches
from dagwright.errors import DataError

if TYPE_CHECKING:
    from dagwright.data.blocks import Blocks


MEMO_MIB = 512.0
"""Default bound on the memory that remembers evidence."""


class PlacedRows(ExperimentRows):
    """Columns with the engine that counts them, wherever their rows are."""

    __slots__ = (
        "_before",
        "_blocks",
        "_draw",
        "_drawn",
        "_memo_mib",
        "_memory",
        "_mixed",
        "_moments",
        "_native",
        "_places",
        "_source",
    )
    _kept: ClassVar[tuple[str, ...]] = (
        *ExperimentRows._kept,
        "_memo_mib",
        "_blocks",
        "_draw",
        "_source",
        "_places",
    )

    @classmethod
    def of_mapped(
        cls,
        schema: Schema,
        columns: Sequence[npt.NDArray[Any]],
        weights: Floats | None,
        blocks: Blocks,
        *,
        notes: Sequence[str],
        reading: Mapping[str, Any],
        missing: Mapping[str, int],
        fingerprint: str,
    ) -> Self:
        """A table of columns in mapped files, whose content was checked when they were written."""
        result = object.__new__(cls)
        result.__setstate__(
            {
                "_schema": schema,
                "_columns": tuple(columns),
                "_weights": weights,
                "_notes": tuple(notes),
                "_reading": dict(reading),
                "_windows": None,
                "_interventions": {},
                "_memo_mib": min(MEMO_MIB, max(blocks.memory_mib / 4, 1.0)),
                "_blocks": blocks,
                "_draw": None,
                "_source": None,
                "_places": (),
            }
        )
        result._missing, result._fingerprint = dict(missing), fingerprint
        return result

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        if self._blocks is not None:
            self._blocks.require_memory("a pickle of these rows", self.n_rows, self._columns)
        return super().__reduce_ex__(protocol)

    def _in_memory(self) -> None:
        self._blocks: Blocks | None = None
        self._draw: tuple[int, int] | None = None
        self._source: Source | None = None
        self._places: tuple[int, ...] = ()
        self._memo_mib: float = MEMO_MIB

    def _forget(self) -> None:
        super()._forget()
        self._native: _core.CellSums | None = None
        self._before: tuple[_core.CellSums, Numbering] | None = None
        self._mixed: _core.MixedTable | None = None
        self._drawn: Floats | None = None
        self._moments: _core.SetMoments | None = None
        self._memory: EvidenceMemory | None = None

    @property
    def memory(self) -> EvidenceMemory | None:
        """Where the engines of this table keep what they counted for another run; None for nowhere."""
        return self._memory

    def remembering(self, memory: EvidenceMemory | None) -> Self:
        """The same table, with engines that keep what they count in ``memory``; other rows do not."""
        if memory is None:
            return self
        result = self._with()
        result._memory = memory
        result._missing, result._fingerprint, result._N = self._missing, self._fingerprint, self._N
        return result

    @property
    def native(self) -> _core.CellSums:
        """The counting engine over these columns and its memo, shared by every score and test."""
        if self._native is None:
            engine = self._engine()
            if self._memory is not None:
                engine = self._memory.adopt("cells", self.names, engine)
            if self._before is not None:
                take_over(engine, self._schema.numbering, *self._before)
            self._native, self._before = engine, None
        return self._native

    def beginning_with(self, other: PlacedRows) -> Self:
        """This new table, with an engine that begins with what is counted of the same rows and columns."""
        if other._native is not None:
            self._before = other._native, other._schema.numbering
        return self

    def _engine(self) -> _core.CellSums:
        if self._source is not None:
            return _core.CellSums(source_cells(self._source, self._places), self._memo_mib)
        columns = _core.Table.from_codes(
            [self.codes(name) for name in self.names],
            list(self.cardinalities),
            self.n_rows,
            self._weights,
        )
        if self._blocks is None:
            return _core.CellSums(columns, self._memo_mib)
        return _core.CellSums(self._blocks.cells(columns, self._draw), self._memo_mib)

    @property
    def has_rows(self) -> bool:
        """Whether the rows are here, in memory or on disk, or with a `Source` that counts them."""
        return self._source is None

    @property
    def source(self) -> Source | None:
        """The object that counts the rows, where they are elsewhere."""
        return self._source

    @property
    def sets_counted(self) -> int:
        """The number of sets whose cells were counted so far."""
        return 0 if self._native is None else int(self._native.statistics().counted)

    @property
    def n_rows(self) -> int:
        """Number of rows, whatever their weights."""
        return super().n_rows if self._source is None else self._source.n_rows

    @property
    def missing(self) -> dict[str, int]:
        """Number of missing cells of each column."""
        if self._missing is None and self._source is not None:
            names = self._source.schema.names
            self._missing = {
                own: self._source.missing[names[at]] for own, at in zip(self.names, self._places, strict=True)
            }
        return super().missing

    @property
    def fingerprint(self) -> str:
        """Hash of the content: names, states with their types, cells, weights and cut points.

        Equal tables have equal fingerprints on every machine and in every run.
        """
        if self._fingerprint is None and self._source is not None:
            chosen = repr((self._source.fingerprint, self._places, self.names))
            self._fingerprint = hashlib.blake2b(chosen.encode(), digest_size=16).hexdigest()
        return super().fingerprint

    def codes(self, name: str) -> Codes:
        """Read-only codes of a column of states."""
        self._require_rows()
        return super().codes(name)

    def reals(self, name: str) -> Floats:
        """Read-only numbers of a column of numbers, NaN where missing."""
        self._require_rows()
        return super().reals(name)

    def _require_rows(self) -> None:
        if self._source is not None:
            raise DataError(
                "this needs the rows themselves, and they are not here: "
                f"{keeper_of(self._source)} only counts them; use a method that needs no rows, such as "
                "learn() with HillClimb(), GES() or PC(), or read the rows"
            )

    @property
    def blocks(self) -> Blocks | None:
        """How the rows are counted block by block, for rows on disk; None for rows in memory."""
        return self._blocks

    @property
    def mixed(self) -> _core.MixedTable:
        """Codes and numbers in the core, for measures of numbers."""
        self._require_rows()
        if self._mixed is None:
            self._mixed = _core.MixedTable.from_columns(
                [[column] for column in self._columns],
                [variable.cardinality if variable.is_discrete else None for variable in self._schema],
                self.n_rows,
                self.weights,
            )
        return self._mixed

    @property
    def weights(self) -> Floats | None:
        """Frequency weights of the rows, or None."""
        if self._draw is None:
            return self._weights
        if self._drawn is None:
            if self._blocks is not None:
                self._blocks.require_bytes("the weights of the rows of a replicate", 8 * self.n_rows)
            self._drawn = _core.poisson_weights(*self._draw, 0, self.n_rows, self._weights)
        return self._drawn

    @property
    def N(self) -> float:
        """Number of cases: the sum of the weights, or the number of rows."""
        if self._N is None and self._source is not None:
            self._N = self._source.N
        if self._N is None and self._draw is not None:
            self._N = self.native.total if not self._schema.continuous else self._sum_of_weights()
        return super().N

    def _sum_of_weights(self) -> float:
        # In memory, weights are a list for a moment; on disk this holds one batch.
        parts = (self.weights_within(*span) for span in self.spans(WEIGHT_BYTES))
        return math.fsum(weight for part in parts if part is not None for weight in part.tolist())

    def moments(self, threads: int = 1) -> _core.SetMoments:
        """Means and covariances of numbers and of indicators of states, in one pass over the rows."""
        if self._moments is None:
            source = self._number_source
            if source is not None:
                self._moments = source.moments(self._places)
            elif self._weighed_in_batches:
                self._moments = WeighedBatches(self, threads).moments()
            else:
                self._moments = _core.SetMoments.of(self.mixed, threads)
        return self._moments

    @property
    def _weighed_in_batches(self) -> bool:
        # The core copies the weights that it is given; variables with gaps need all rows at once.
        weighted = self._weights is not None or self._draw is not None
        return self._blocks is not None and weighted and not any(self.missing.values())

    def with_moments_of(self, other: Self) -> Self:
        """This table, of the same rows and some of the columns of another one, with its moments if known."""
        # Moments of batches know no table whose columns could be reordered; another pass is quick.
        if other._moments is not None and self._source is None and not self._weighed_in_batches:
            order = [other.column_index(name) for name in self.names]
            self._moments = other._moments.reordered(self.mixed, order)
        return self

    @property
    def _number_source(self) -> NumberSource | None:
        # Whether an object follows a protocol takes long to find out, and None is asked about often.
        return None if self._source is None or not isinstance(self._source, NumberSource) else self._source

    def signatures(self, threads: int = 1) -> list[list[float]]:
        """Invariants of each column, whatever its name and unit; see `canonical`."""
        if (source := self._number_source) is not None:
            return signatures(source, self._places)
        if self._weighed_in_batches:
            return WeighedBatches(self, threads).signatures()
        return _core.signatures(self.mixed, threads)

    def ends(self, name: str) -> tuple[float, float] | None:
        """The least and the largest number of a column, the other way round if there is none.

        None where the rows are with a source that does not tell.
        """
        if self._source is None:
            numbers = self.reals(name)
            return float(np.fmin.reduce(numbers, initial=np.inf)), float(
                np.fmax.reduce(numbers, initial=-np.inf)
            )
        if (source := self._number_source) is None:
            return None
        ((least, largest),) = source.ranges([self._places[self.column_index(name)]])
        return float(least), float(largest)

    def is_constant(self, name: str) -> bool:
        """Whether a column of numbers has one value at most where it is known."""
        if self._source is None:
            numbers = self.reals(name)
            if len(numbers) > 1 and (numbers[0] < numbers[1] or numbers[0] > numbers[1]):
                return False
        elif self._number_source is None:
            self._require_rows()
        ends = self.ends(name)
        return ends is not None and ends[0] >= ends[1]

    @property
    def fractional(self) -> bool:
        """Whether some weight is not a whole number."""
        if self._source is not None:
            return not has_whole_weights(self._source)
        if self._draw is not None or self._weights is None:
            return False  # what is drawn is whole
        parts = (self._weights[first:end] for first, end in self.spans(WEIGHT_BYTES))
        return any(bool(np.any(part != np.floor(part))) for part in parts)

    @property
    def unit_of_weight(self) -> float:
        """What sums over batches count weights in: 1 if all are whole, else an exact power of two."""
        return 2.0 ** (math.frexp(max(self.N, 1e-300))[1] - 61) if self.fractional else 1.0

    def spans(self, bytes_per_row: float) -> Iterator[tuple[int, int]]:
        """Where batches of rows begin and end, so that one with its copies is within the memory limit."""
        rows = ROWS_AT_ONCE if self._blocks is None else self._blocks.batch(bytes_per_row)
        for first in range(0, self.n_rows, rows):
            yield first, min(first + rows, self.n_rows)

    def weights_within(self, first: int, end: int) -> Floats | None:
        """The weights of some rows, without those of the others in memory."""
        if self._draw is None:
            return None if self._weights is None else self._weights[first:end]
        means = None if self._weights is None else self._weights[first:end]
        return _core.poisson_weights(*self._draw, first, end, means)

    def _own_weights(self, weights: npt.ArrayLike) -> Floats:
        """Checked weights for these rows, where the rows are."""
        self._require_rows()
        if self._blocks is None:
            return checked_weights(weights, self.n_rows)
        from dagwright.data.weights_on_disk import weights_on_disk

        return weights_on_disk(weights, self.n_rows, self.spans(WEIGHT_BYTES))

    def resampled(self, seed: int, number: int) -> Self:
        """Bootstrap replicate ``number``: the weight of each row is Poisson distributed around its weight.

        The weight of a row follows from the seed, the number and the position of the row alone, so rows on
        disk need not be in memory, and blocks of any size give the same replicate.
        """
        if self._source is not None:
            return self._with(source=self._source.resampled(seed, number))
        if self._blocks is not None:
            return self._with(draw=(seed, number))
        drawn = _core.poisson_weights(seed, number, 0, self.n_rows, self._weights)
        return self._with(weights=checked_weights(drawn, self.n_rows))

    def batches(self, rows: int = 1 << 18) -> Iterator[Self]:
        """The rows as tables in memory, this many at a time: to predict or complete rows on disk.

        >>> from dagwright import Table
        >>> table = Table(["x"], [[0, 1, 1, 0, 1]], [["no", "yes"]])
        >>> [len(part) for part in table.batches(2)]
        [2, 2, 1]
        """
        if rows < 1:
            raise DataError(f"a batch needs at least one row, got {rows}")
        self._require_rows()
        for first in range(0, self.n_rows, rows):
            yield self.take(np.arange(first, min(first + rows, self.n_rows)))
