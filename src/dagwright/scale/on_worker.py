"""The tasks of the workers of a cluster: look at a block of rows, code it, sum over it. Pure functions."""

from __future__ import annotations

import pickle
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright import _core
from dagwright.data.chunks import Wanted
from dagwright.data.on_disk import coded_chunk
from dagwright.data.schema import Schema
from dagwright.data.source import Question
from dagwright.data.states import code_dtype, gaps_of
from dagwright.data.table import Table
from dagwright.data.united import Seen, walked
from dagwright.errors import DataError, OptionError
from dagwright.scale.coded_block import BlockFacts, CodedBlock, whole_rows
from dagwright.scale.packed_cells import PackedCells
from dagwright.scale.parts import Part, part_of_folder
from dagwright.scale.text_blocks import Marks, marks_of
from dagwright.version import __version__

KEPT_MIB = 256.0
"""Memory for bitmaps that a worker keeps from batch to batch, where its configuration does not say."""
ENGINES = 3
"""Engines that count the same blocks, for the rows themselves and bootstrap replicates."""
_LOCK = threading.Lock()


@dataclass(frozen=True)
class Rows:
    """The facts that tasks of one table share: its columns, its unit of weight, its bootstrap replicate.

    ``cardinalities`` has 0 for numbers; ``version`` is that of the client, which each task compares.
    """

    cardinalities: tuple[int, ...]
    numeric: tuple[bool, ...]
    unit: float
    draw: tuple[int, int] | None = None
    version: str = __version__

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
    engines: OrderedDict[str, _core.BlockCells] = field(default_factory=OrderedDict, repr=False)
    """What counts them, by the bootstrap replicate: kept from batch to batch, and never sent."""

    def __reduce__(self) -> tuple[Any, ...]:
        return HeldBlocks, (self.blocks, self.starts)


@dataclass(frozen=True)
class Answer:
    """Sums over blocks."""

    value: Any
    """`PackedCells`, or sums of numbers: what has ``like()`` and ``merge(other)``."""
    moved: bool
    """Whether some task ran elsewhere than asked, so that blocks are held elsewhere by now."""


@dataclass
class Tally:
    """A number of rows."""

    rows: int = 0

    def like(self) -> Tally:
        """None of them yet."""
        return Tally()

    def merge(self, other: Tally) -> None:
        """Add the rows of other blocks."""
        self.rows += other.rows


@dataclass
class CellMoments:
    """For each of several lists of columns the sums of products in each cell that occurs."""

    groups: list[dict[tuple[int, ...], _core.MomentBlocks]] = field(default_factory=list)

    def like(self) -> CellMoments:
        """Of the same columns, over no rows yet."""
        return CellMoments([{} for _ in self.groups])

    def merge(self, other: CellMoments) -> None:
        """Add the sums over other rows."""
        for own, more in zip(self.groups, other.groups, strict=True):
            for cell, sums in more.items():
                if cell not in own:
                    own[cell] = sums.like()  # the results of other tasks must stay as they are
                own[cell].merge(sums)


@dataclass
class CellSpans:
    """For each of several lists of columns the least and the largest number in each cell that occurs."""

    groups: list[dict[tuple[int, ...], list[tuple[float, float]]]] = field(default_factory=list)

    def like(self) -> CellSpans:
        """Of the same columns, over no rows yet."""
        return CellSpans([{} for _ in self.groups])

    def merge(self, other: CellSpans) -> None:
        """Take in other rows."""
        for own, more in zip(self.groups, other.groups, strict=True):
            for cell, spans in more.items():
                known = own.get(cell, spans)
                own[cell] = [(min(a, c), max(b, d)) for (a, b), (c, d) in zip(known, spans, strict=True)]


def version() -> str:
    """The version of dagwright on this worker."""
    return __version__


def other_version(worker: str, theirs: str, ours: str) -> OptionError:
    """The error for a worker with another version than the client."""
    return OptionError(
        f"the worker {worker} has dagwright {theirs}, and this is {ours}; install the same version everywhere"
    )


def require_same(sent: str) -> None:
    """Refuse a task from a client with another version; workers may have joined after the client looked."""
    if sent != __version__:
        raise other_version(_address() or "that got the task", __version__, sent)


@contextmanager
def _opening(part: Part) -> Iterator[None]:
    """Around the reading of a file: a worker that has not got it says so."""
    require_same(part.version)
    try:
        yield
    except OSError as problem:
        if part.file is None:
            raise
        raise DataError(
            f"the worker {_address()} cannot open {str(part.file.path)!r} ({problem.strerror or problem}); "
            "every worker needs it under this path, for example on a shared file system"
        ) from None


def surveyed(part: Part, frame: Any, wanted: Wanted, texts: frozenset[str]) -> tuple[list[Seen], int]:
    """The content of the columns of a block, and the number of its rows."""
    with _opening(part):
        limit = wanted.coding.max_number_states
        seen, n_rows, _ = walked(part.chunks(frame, wanted), limit, texts, wanted.coding)
    return list(seen.values()), n_rows


def marks(part: Part) -> Marks:
    """The quotes and line ends in a stretch of text."""
    assert part.file is not None and part.text is not None
    with _opening(part):
        return marks_of(part.file.path, part.text)


def coded(part: Part, frame: Any, wanted: Wanted, entries: Sequence[Any]) -> CodedBlock:
    """A block in the states that all blocks share."""
    schema = Schema.of_entries(entries)
    empty, names = Table.from_schema(schema), [str(at) for at in range(len(schema))]
    with _opening(part):
        pieces = [coded_chunk(chunk, empty, names, wanted.coding)[0] for chunk in part.chunks(frame, wanted)]
    columns = [
        np.concatenate([np.empty(0, _dtype(variable)), *(piece[name] for piece in pieces)])
        for variable, name in zip(schema, names, strict=True)
    ]
    weights = None
    if wanted.coding.weights is not None:
        weights = np.concatenate([np.empty(0), *(piece["weights.f8"] for piece in pieces)])
    return CodedBlock.of(columns, weights)


def _dtype(variable: Any) -> npt.DTypeLike:
    return code_dtype(variable.cardinality) if variable.is_discrete else np.float64


def opened(part: Part, fingerprint: str) -> CodedBlock:
    """A range of rows of a converted folder, which this worker opens itself."""
    with _opening(part):
        return CodedBlock.of(*part_of_folder(part, fingerprint))


def without_gaps(block: CodedBlock, places: Sequence[int], sent: str) -> CodedBlock:
    """Some columns of the rows that have no missing cell in any of them."""
    require_same(sent)
    whole = whole_rows(block, places)
    columns = [block.columns[at] for at in places]
    if whole.all():
        return CodedBlock.of(columns, block.weights)
    weights = None if block.weights is None else block.weights[whole]
    return CodedBlock.of([column[whole] for column in columns], weights)


def with_gap_states(
    block: CodedBlock, places: Sequence[int], states: Sequence[int | None], sent: str
) -> CodedBlock:
    """Some columns; of those with a number of states, missing cells are the last one."""
    require_same(sent)
    columns: list[npt.NDArray[Any]] = []
    for at, count in zip(places, states, strict=True):
        column = block.columns[at]
        if count is not None:
            gaps, column = gaps_of(column), column.astype(code_dtype(count))
            column[gaps] = count - 1
        columns.append(column)
    return CodedBlock.of(columns, block.weights)


def facts(block: CodedBlock) -> BlockFacts:
    """The facts of a block."""
    return block.facts


def held(
    blocks: list[CodedBlock], starts: list[int], known: Sequence[tuple[str, tuple[int, int]]]
) -> HeldBlocks:
    """Blocks at one worker. Those that were made again must be what they were.

    ``known`` are their labels and the hashes of their content.
    """
    for block, (label, content) in zip(blocks, known, strict=True):
        if block.facts.content != content:
            raise DataError(
                f"{label} was read again, because a worker was lost, and has other rows now; leave the files "
                "as they are during a run, and call again"
            )
    return HeldBlocks(blocks, starts)


def answers(held: HeldBlocks, worker: str | None, rows: Rows, asked: bytes) -> Answer:
    """The cells of a batch of sets, added over these blocks; ``asked`` are the questions, pickled.

    A graph of tasks that holds the questions themselves is walked by every process that it passes.
    """
    require_same(rows.version)
    questions: Sequence[Question] = pickle.loads(asked)
    coded = [at for at, numeric in enumerate(rows.numeric) if not numeric]
    key = repr(rows.draw)
    with _LOCK:
        engine = held.engines.get(key)
        if engine is not None:
            held.engines.move_to_end(key)
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
            kept_mib(),
        )
        with _LOCK:
            held.engines[key] = engine
            while len(held.engines) > ENGINES:
                held.engines.popitem(last=False)
    place = {at: own for own, at in enumerate(coded)}
    queries = [
        ([place[v] for v in variables], sorted(place[v] for v in known)) for variables, known in questions
    ]
    found = engine.answers(queries, own_threads())
    return Answer(PackedCells.of([(cells.codes, cells.units) for cells in found]), _elsewhere(worker))


def moments(held: HeldBlocks, worker: str | None, rows: Rows, asked: bytes) -> Answer:
    """Sums of the products of columns, over these blocks; ``asked`` are the columns, and the ranges of the
    numbers in all rows."""
    require_same(rows.version)
    places, ranges = pickle.loads(asked)
    sums = _core.MomentBlocks([_core.Grid(*one) for one in ranges])
    return _over_blocks(sums, held, worker, rows, places)


def powers(held: HeldBlocks, worker: str | None, rows: Rows, asked: bytes) -> Answer:
    """Sums of a power of the numbers in some columns; see `PowerSums`."""
    require_same(rows.version)
    places, ranges, means, power = pickle.loads(asked)
    sums = _core.PowerSums([_core.Grid(*one) for one in ranges], means, power)
    return _over_blocks(sums, held, worker, rows, places)


def _over_blocks(
    sums: Any, held: HeldBlocks, worker: str | None, rows: Rows, places: Sequence[int]
) -> Answer:
    for block, start in zip(held.blocks, held.starts, strict=True):
        sums.add(rows.mixed(block, start, places), own_threads())
    return Answer(sums, _elsewhere(worker))


def complete_rows(held: HeldBlocks, worker: str | None, rows: Rows, asked: bytes) -> Answer:
    """How many rows have no missing cell in some columns."""
    require_same(rows.version)
    places = pickle.loads(asked)
    found = Tally(sum(int(np.count_nonzero(whole_rows(block, places))) for block in held.blocks))
    return Answer(found, _elsewhere(worker))


def cell_spans(held: HeldBlocks, worker: str | None, rows: Rows, asked: bytes) -> Answer:
    """The range of numbers in each cell of other columns.

    ``asked`` lists, for each group, its columns of states and its columns of numbers.
    """
    require_same(rows.version)
    groups = pickle.loads(asked)
    found = CellSpans([{} for _ in groups])
    for block, start in zip(held.blocks, held.starts, strict=True):
        weights = block.drawn(start, rows.draw)
        own = CellSpans([{} for _ in groups])
        for (discrete, numbers), cells in zip(groups, own.groups, strict=True):
            columns = [block.columns[at] for at in numbers]
            for cell, members in _cells([block.columns[at] for at in discrete], weights, block.facts.n_rows):
                cells[cell] = [(float(one[members].min()), float(one[members].max())) for one in columns]
        found.merge(own)
    return Answer(found, _elsewhere(worker))


def cell_moments(held: HeldBlocks, worker: str | None, rows: Rows, asked: bytes) -> Answer:
    """Sums of the products of numbers in each cell of other columns.

    ``asked`` lists, for each group, its columns of states, its columns of numbers, and the ranges of these
    numbers, in all rows or by cell.
    """
    require_same(rows.version)
    groups = pickle.loads(asked)
    found: list[dict[tuple[int, ...], _core.MomentBlocks]] = [{} for _ in groups]
    for block, start in zip(held.blocks, held.starts, strict=True):
        weights = block.drawn(start, rows.draw)
        for (discrete, numbers, ranges), cells in zip(groups, found, strict=True):
            columns = [block.columns[at] for at in discrete]
            for cell, members in _cells(columns, weights, block.facts.n_rows):
                if cell not in cells:
                    ends = ranges[cell] if isinstance(ranges, dict) else ranges
                    cells[cell] = _core.MomentBlocks([_core.Grid(*one) for one in ends])
                table = _core.MixedTable.from_columns(
                    [[np.ascontiguousarray(block.columns[at][members])] for at in numbers],
                    [None] * len(numbers),
                    len(members),
                    None if weights is None else np.ascontiguousarray(weights[members]),
                    rows.unit,
                )
                cells[cell].add(table, own_threads())
    return Answer(CellMoments(found), _elsewhere(worker))


def _cells(
    columns: Sequence[npt.NDArray[Any]], weights: npt.NDArray[np.float64] | None, n_rows: int
) -> Iterator[tuple[tuple[int, ...], npt.NDArray[np.intp]]]:
    """The states of each cell that occurs, and its rows in order; rows of weight 0 do not occur."""
    rows = np.arange(n_rows) if weights is None else np.flatnonzero(weights > 0)
    cell = np.zeros(len(rows), dtype=np.int64)
    for column in columns:  # numbered anew each time, so that no product overflows
        own = column if weights is None else column[rows]
        _, cell = np.unique(cell * (int(own.max(initial=0)) + 1) + own, return_inverse=True)
    order = np.argsort(cell, kind="stable")
    edges = np.flatnonzero(np.diff(cell[order])) + 1
    for places in np.split(rows[order], edges) if len(rows) else []:
        yield tuple(int(column[places[0]]) for column in columns), places


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
    return _address() != worker


def _address() -> str | None:
    """The address of the worker that runs this task; None outside of workers."""
    try:
        from distributed import get_worker

        return str(get_worker().address)
    except (ImportError, ValueError):
        return None


def own_threads() -> int:
    """The threads of the worker that runs this task."""
    try:
        from distributed import get_worker

        return max(1, int(get_worker().state.nthreads))
    except (ImportError, ValueError):
        return 1


def kept_mib() -> float:
    """Memory for bitmaps here, in MiB: ``dagwright.kept-mib`` in the configuration of Dask."""
    try:
        import dask

        return max(1.0, float(dask.config.get("dagwright.kept-mib", KEPT_MIB)))
    except (ImportError, TypeError, ValueError):
        return KEPT_MIB
