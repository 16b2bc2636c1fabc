"""The tasks of the workers of a cluster: look at a block of rows, code it, count its cells."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright import _core
from dagwright.data.chunks import Chunk, chunked
from dagwright.data.on_disk import coded_chunk
from dagwright.data.plan import Coding
from dagwright.data.schema import Schema
from dagwright.data.source import CellCounts, Question
from dagwright.data.sources import Opening, as_opened, open_source
from dagwright.data.states import gaps_of
from dagwright.data.table import Table
from dagwright.data.united import Seen, walked
from dagwright.errors import DataError
from dagwright.version import __version__

SHOWN = 4096
"""Numbers of a block that travel, to decide about the kind of a column."""
_ENGINES: OrderedDict[tuple[str, ...], _core.BlockCells] = OrderedDict()
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
class CodedBlock:
    """Rows as codes."""

    columns: list[npt.NDArray[Any]]
    weights: npt.NDArray[np.float64] | None
    n_rows: int
    missing: list[int]
    total: float
    content: str
    """A hash of the rows."""

    def facts(self) -> tuple[int, list[int], float, str]:
        """The facts for the client: rows, missing cells by column, N, content."""
        return self.n_rows, self.missing, self.total, self.content


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
        if np.any(weights != np.floor(weights)):
            raise DataError(f"{part.label}: weights on a cluster must be whole numbers")
    digest = hashlib.blake2b(digest_size=16)
    for array in (*columns, *(() if weights is None else (weights,))):
        digest.update(np.ascontiguousarray(array).data)
    return CodedBlock(
        columns,
        weights,
        len(columns[0]),
        [int(np.count_nonzero(gaps_of(column))) for column in columns],
        float(len(columns[0]) if weights is None else weights.sum()),
        digest.hexdigest(),
    )


def facts(block: CodedBlock) -> tuple[int, list[int], float, str]:
    """The facts of a block."""
    return block.facts()


def answers(
    blocks: Sequence[CodedBlock],
    tokens: Sequence[str],
    starts: Sequence[int],
    cardinalities: Sequence[int],
    questions: Sequence[Question],
    draw: tuple[int, int] | None,
    threads: int | None,
) -> list[CellCounts]:
    """The cells of a batch of sets, added over these blocks.

    Parameters
    ----------
    tokens
        What tells the blocks apart, so that engines are kept from batch to batch.
    starts
        The numbers of the first rows.
    draw
        The seed and the number of a bootstrap replicate.
    """
    key = (*tokens, repr(draw))
    with _LOCK:
        engine = _ENGINES.get(key)
        if engine is not None:
            _ENGINES.move_to_end(key)
    if engine is None:
        tables = []
        for block, start in zip(blocks, starts, strict=True):
            weights = block.weights
            if draw is not None:
                weights = _core.poisson_weights(*draw, start, start + block.n_rows, weights)
            tables.append(
                _core.Table.from_codes(block.columns, list(cardinalities), block.n_rows, weights, 1.0)
            )
        engine = _core.BlockCells.of_tables(tables)
        with _LOCK:
            _ENGINES[key] = engine
            while len(_ENGINES) > 3:
                _ENGINES.popitem(last=False)
    asked = [(list(variables), sorted(known)) for variables, known in questions]
    return [(codes, counts) for codes, counts in engine.answers(asked, threads or _own_threads())]


def _own_threads() -> int:
    try:
        from distributed import get_worker

        return max(1, int(get_worker().state.nthreads))
    except (ImportError, ValueError):
        return 1


def added(
    parts: Sequence[Sequence[CellCounts]], cardinalities: Sequence[int], asked: Sequence[Question]
) -> list[CellCounts]:
    """The cells of several groups of blocks, added."""
    if len(parts) == 1:
        return list(parts[0])
    return [
        _sum([part[at] for part in parts], [cardinalities[v] for v in question[0]])
        for at, question in enumerate(asked)
    ]


def _sum(cells: Sequence[CellCounts], states: Sequence[int]) -> CellCounts:
    codes = np.concatenate([one for one, _ in cells])
    counts = np.concatenate([one for _, one in cells])
    if not states:
        return codes[:1], np.array([counts.sum()], dtype=np.uint64)
    # Cells in lexicographic order: the last column is the least significant.
    order = np.lexsort(codes.T[::-1])
    codes, counts = codes[order], counts[order]
    first = np.ones(len(codes), dtype=np.bool_)
    first[1:] = np.any(codes[1:] != codes[:-1], axis=1)
    starts = np.flatnonzero(first)
    sums = np.add.reduceat(counts, starts) if len(starts) else counts
    return np.ascontiguousarray(codes[starts]), sums.astype(np.uint64, copy=False)
