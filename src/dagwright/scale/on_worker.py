"""The tasks of the workers of a cluster: look at a block of rows, code it, sum over it. Pure functions."""

from __future__ import annotations

import hashlib
import pickle
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright import _core
from dagwright.data.chunks import Chunk, chunked
from dagwright.data.on_disk import coded_chunk
from dagwright.data.plan import Coding
from dagwright.data.schema import Schema
from dagwright.data.source import Question
from dagwright.data.sources import Opening, as_opened, open_source
from dagwright.data.states import gaps_of
from dagwright.data.table import Table
from dagwright.data.united import Seen, walked
from dagwright.scale.packed_cells import PackedCells
from dagwright.version import __version__

KEPT_MIB = 256.0
"""Memory for bitmaps that a worker keeps from batch to batch."""
SHOWN = 4096
"""Numbers of a block that travel, to decide about the kind of a column."""
_ENGINES: OrderedDict[tuple[str, str], _core.BlockCells] = OrderedDict()
_LOCK = threading.Lock()


@dataclass(frozen=True)
class Part:
    """A block before it is coded: rows of a file, or a part of a dataframe."""

    label: str
    path: str = ""
    first: int = 0
    rows: int | None = None
    """How many rows from the first on; None for all of the file."""

    def chunks(self, frame: Any, how: Opening) -> Iterator[Chunk]:
        """The rows in chunks; ``frame`` is the part of a dataframe."""
        if not self.path:
            yield Chunk(self.label, 0, lambda: as_opened(open_source(frame), how))
        elif self.rows is None:
            yield from chunked(Path(self.path), how)
        else:
            import polars as pl

            from dagwright.data.from_polars import polars_columns

            scan = pl.scan_parquet(self.path).slice(self.first, self.rows)
            yield Chunk(self.label, self.first, lambda: as_opened(polars_columns(scan.collect()), how))


@dataclass(frozen=True)
class BlockFacts:
    """The facts of a block that the client needs."""

    n_rows: int
    missing: tuple[int, ...]
    """By column."""
    total: Fraction
    """The sum of the weights, or the number of rows."""
    whole: bool
    """Whether all weights are whole numbers."""
    ranges: tuple[tuple[float, float], ...]
    """The least and the largest value of each column of numbers, in order."""
    content: str
    """A hash of the rows."""
    n_bytes: int


@dataclass(frozen=True)
class CodedBlock:
    """Rows as codes and numbers."""

    columns: list[npt.NDArray[Any]]
    weights: npt.NDArray[np.float64] | None
    facts: BlockFacts

    def drawn(self, start: int, draw: tuple[int, int] | None) -> npt.NDArray[np.float64] | None:
        """The weights in a bootstrap replicate, of rows whose numbers begin at ``start``; else their own."""
        if draw is None:
            return self.weights
        return _core.poisson_weights(*draw, start, start + self.facts.n_rows, self.weights)


@dataclass(frozen=True)
class Rows:
    """The facts that tasks of one table share: its columns, its unit of weight, its bootstrap replicate.

    ``cardinalities`` has 0 for numbers.
    """

    cardinalities: tuple[int, ...]
    numeric: tuple[bool, ...]
    unit: float
    draw: tuple[int, int] | None = None

    def mixed(self, block: CodedBlock, start: int, places: Sequence[int]) -> _core.MixedTable:
        """Some columns of a block in the core."""
        return _core.MixedTable.from_columns(
            [[block.columns[at]] for at in places],
            [None if self.numeric[at] else self.cardinalities[at] for at in places],
            block.facts.n_rows,
            block.drawn(start, self.draw),
            self.unit,
        )


@dataclass(frozen=True)
class HeldBlocks:
    """The blocks that one worker holds: a result of a task itself, so that a batch has one input."""

    blocks: list[CodedBlock]
    starts: list[int]
    """The numbers of the first rows."""
    token: str
    """What tells groups of blocks apart, so that engines are kept from batch to batch."""


@dataclass(frozen=True)
class Answer:
    """Sums over blocks."""

    value: Any
    """`PackedCells`, or sums of numbers: what has ``like()`` and ``merge(other)``."""
    moved: bool
    """Whether some task ran elsewhere than asked, so that blocks are held elsewhere by now."""


def version() -> str:
    """The version of dagwright on this worker."""
    return __version__


def surveyed(
    part: Part, frame: Any, how: Opening, limit: int, texts: frozenset[str]
) -> tuple[list[Seen], int]:
    """The content of the columns of a block, and the number of its rows."""
    seen, n_rows, _ = walked(part.chunks(frame, how), limit, texts)
    for one in seen.values():
        one.head = None if one.head is None else one.head[:SHOWN].copy()
    return list(seen.values()), n_rows


def coded(part: Part, frame: Any, how: Opening, coding: Coding, entries: Sequence[Any]) -> CodedBlock:
    """A block in the states that all blocks share."""
    schema = Schema.of_entries(entries)
    empty, names = Table.from_schema(schema), [str(at) for at in range(len(schema))]
    pieces: list[dict[str, npt.NDArray[Any]]] = []
    for chunk in part.chunks(frame, how):
        cells, _ = coded_chunk(chunk, empty, names, coding)
        pieces.append(cells)
    columns = [np.concatenate([piece[name] for piece in pieces]) for name in names]
    weights = None
    if coding.weights is not None:
        weights = np.concatenate([piece["weights.f8"] for piece in pieces])
    digest = hashlib.blake2b(digest_size=16)
    arrays = (*columns, *(() if weights is None else (weights,)))
    for array in arrays:
        digest.update(np.ascontiguousarray(array).data)
    numbers = [column for column, variable in zip(columns, schema, strict=True) if not variable.is_discrete]
    facts = BlockFacts(
        n_rows=len(columns[0]),
        missing=tuple(int(np.count_nonzero(gaps_of(column))) for column in columns),
        total=Fraction(len(columns[0])) if weights is None else exact_sum(weights),
        whole=weights is None or bool(np.all(weights == np.floor(weights))),
        ranges=tuple(_range(column) for column in numbers),
        content=digest.hexdigest(),
        n_bytes=sum(array.nbytes for array in arrays),
    )
    return CodedBlock(columns, weights, facts)


def _range(numbers: npt.NDArray[np.float64]) -> tuple[float, float]:
    known = numbers[~np.isnan(numbers)]
    return (float(known.min()), float(known.max())) if len(known) else (np.inf, -np.inf)


def exact_sum(values: npt.NDArray[np.float64]) -> Fraction:
    """The sum without rounding, so that sums of blocks add up to the sum of all."""
    mantissas, exponents = np.frexp(values)
    wholes = np.ldexp(mantissas, 53).astype(np.int64)
    total = Fraction(0)
    for exponent in np.unique(exponents):
        own = wholes[exponents == exponent]
        units = (int((own >> 26).sum()) << 26) + int((own & (2**26 - 1)).sum())
        total += units * Fraction(2) ** (int(exponent) - 53)
    return total


def facts(block: CodedBlock) -> BlockFacts:
    """The facts of a block."""
    return block.facts


def held(blocks: list[CodedBlock], starts: list[int], token: str) -> HeldBlocks:
    """Blocks at one worker."""
    return HeldBlocks(blocks, starts, token)


def answers(held: HeldBlocks, worker: str | None, rows: Rows, asked: bytes) -> Answer:
    """The cells of a batch of sets, added over these blocks; ``asked`` are the questions, pickled.

    A graph of tasks that holds the questions themselves is walked by every process that it passes.
    """
    questions: Sequence[Question] = pickle.loads(asked)
    coded = [at for at, numeric in enumerate(rows.numeric) if not numeric]
    key = (held.token, repr(rows.draw))
    with _LOCK:
        engine = _ENGINES.get(key)
        if engine is not None:
            _ENGINES.move_to_end(key)
    if engine is None:
        engine = _core.BlockCells.of_tables(
            [
                _core.Table.from_codes(
                    [block.columns[at] for at in coded],
                    [rows.cardinalities[at] for at in coded],
                    block.facts.n_rows,
                    block.drawn(start, rows.draw),
                    rows.unit,
                )
                for block, start in zip(held.blocks, held.starts, strict=True)
            ],
            KEPT_MIB,
        )
        with _LOCK:
            _ENGINES[key] = engine
            while len(_ENGINES) > 3:
                _ENGINES.popitem(last=False)
    place = {at: own for own, at in enumerate(coded)}
    queries = [
        ([place[v] for v in variables], sorted(place[v] for v in known)) for variables, known in questions
    ]
    found = engine.answers(queries, own_threads())
    return Answer(PackedCells.of([(cells.codes, cells.units) for cells in found]), _elsewhere(worker))


def moments(held: HeldBlocks, worker: str | None, rows: Rows, asked: bytes) -> Answer:
    """Sums of the products of columns, over these blocks; ``asked`` are the columns, and the ranges of the
    numbers in all rows."""
    places, ranges = pickle.loads(asked)
    sums = _core.MomentBlocks([_core.Grid(*one) for one in ranges])
    return _over_blocks(sums, held, worker, rows, places)


def powers(held: HeldBlocks, worker: str | None, rows: Rows, asked: bytes) -> Answer:
    """Sums of a power of the numbers in some columns; see `PowerSums`."""
    places, ranges, means, power = pickle.loads(asked)
    sums = _core.PowerSums([_core.Grid(*one) for one in ranges], means, power)
    return _over_blocks(sums, held, worker, rows, places)


def _over_blocks(
    sums: Any, held: HeldBlocks, worker: str | None, rows: Rows, places: Sequence[int]
) -> Answer:
    for block, start in zip(held.blocks, held.starts, strict=True):
        sums.add(rows.mixed(block, start, places), own_threads())
    return Answer(sums, _elsewhere(worker))


def merged(parts: Sequence[Any]) -> Any:
    """Sums of several groups of blocks, added."""
    total = parts[0].like()  # the results of other tasks must stay as they are
    for part in parts:
        total.merge(part)
    return total


def joined(parts: Sequence[Answer]) -> Answer:
    """Answers of several workers, added."""
    if len(parts) == 1:
        return parts[0]
    return Answer(merged([part.value for part in parts]), any(part.moved for part in parts))


def size_of(answer: Answer) -> int:
    """The bytes of an answer that travel."""
    value = answer.value
    return value.nbytes if isinstance(value, PackedCells) else len(pickle.dumps(value))


def _elsewhere(worker: str | None) -> bool:
    """Whether this task runs at another worker."""
    from distributed import get_worker

    return bool(get_worker().address != worker)


def own_threads() -> int:
    """The threads of the worker that runs this task."""
    try:
        from distributed import get_worker

        return max(1, int(get_worker().state.nthreads))
    except (ImportError, ValueError):
        return 1
