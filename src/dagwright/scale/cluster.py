"""Rows on a Dask cluster: coded and counted by its workers; only counts travel."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from dagwright import _core
from dagwright.data.chunks import CELLS, files_of
from dagwright.data.extras import required
from dagwright.data.from_file import format_of
from dagwright.data.on_disk import without_weights
from dagwright.data.plan import coded_columns, planned_columns, split_options
from dagwright.data.schema import Schema
from dagwright.data.source import CellCounts, Question
from dagwright.data.table import Table
from dagwright.data.united import merged
from dagwright.errors import DataError, OptionError
from dagwright.scale import on_worker
from dagwright.scale.faults import WorkersKilledError, gathered, in_words, killed, reaching, require_version
from dagwright.scale.on_worker import Answer, BlockFacts, Part, Rows
from dagwright.scale.packed_cells import PackedCells
from dagwright.sentences import Argument

BRANCHES = 8
"""Answers that one task adds."""


@dataclass(frozen=True)
class Group:
    """Blocks at one worker."""

    worker: str | None
    """Its address; None for blocks that no worker holds now."""
    members: list[int]
    held: Any
    """The future of the blocks together."""


class ClusterRows:
    """Rows that the workers of a cluster hold as results of tasks, so a lost worker's blocks are made again.

    Each batch of sets is one task for each worker; their counts are added as a tree. Of numbers, the sums of
    products travel.
    """

    def __init__(
        self,
        client: Any,
        schema: Schema,
        blocks: Sequence[Any],
        labels: Sequence[str],
        facts: Sequence[BlockFacts],
        draw: tuple[int, int] | None = None,
    ) -> None:
        self.client, self._schema, self.blocks, self.labels = client, schema, list(blocks), list(labels)
        self.facts = list(facts)
        self.starts = list(accumulate((one.n_rows for one in self.facts), initial=0))[:-1]
        self._total = float(sum(one.total for one in self.facts))
        self.whole = draw is not None or all(one.whole for one in self.facts)
        self.rows = Rows(
            tuple(variable.cardinality for variable in schema),
            tuple(not variable.is_discrete for variable in schema),
            _core.Table.unit_for(self._total, self.whole),
            draw,
        )
        self.batches, self.sets, self.bytes_moved = 0, 0, 0
        self.listener: Callable[[], None] | None = None
        self._groups: list[Group] = []
        self._last: Any = None
        """The tasks of the last batch: word that they may be forgotten must not go before the next batch."""
        self.workers: frozenset[str] = frozenset()

    @property
    def schema(self) -> Schema:
        return self._schema

    @property
    def n_rows(self) -> int:
        return sum(one.n_rows for one in self.facts)

    @property
    def N(self) -> float:
        return self._total

    @property
    def missing(self) -> Mapping[str, int]:
        return {
            name: sum(one.missing[at] for one in self.facts) for at, name in enumerate(self._schema.names)
        }

    @property
    def fingerprint(self) -> str:
        content = json.dumps([self._schema.entries(), [one.content for one in self.facts]])
        return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()

    def groups(self) -> list[Group]:
        """The blocks by the workers that hold them, as far as the last answers tell."""
        if not self._groups:
            self.workers = frozenset(self.client.nthreads())
            held = self.client.who_has(self.blocks)
            by_worker: dict[str | None, list[int]] = {}
            loads = dict.fromkeys(self.workers, 0)
            for at, block in enumerate(self.blocks):
                places = [place for place in held.get(block.key, ()) if place in self.workers]
                place = min(places, key=lambda one: (loads[one], one)) if places else None
                if place is not None:
                    loads[place] += self.facts[at].n_rows
                by_worker.setdefault(place, []).append(at)
            groups = sorted(by_worker.items(), key=lambda one: one[1][0])
            self._groups = [self._group(worker, members) for worker, members in groups]
        return self._groups

    def _group(self, worker: str | None, members: list[int]) -> Group:
        blocks, starts = [self.blocks[at] for at in members], [self.starts[at] for at in members]
        at = {} if worker is None else {"workers": [worker], "allow_other_workers": True}
        token = uuid.uuid4().hex
        return Group(
            worker, members, self.client.submit(on_worker.held, blocks, starts, token, pure=False, **at)
        )

    def worker_bytes(self) -> int:
        """Bytes of rows and bitmaps at the worker that holds most."""
        rows = [sum(self.facts[at].n_bytes for at in group.members) for group in self.groups()]
        return max(rows) + int(on_worker.KEPT_MIB * 2**20)

    def cells(self, questions: Sequence[Question]) -> Sequence[CellCounts]:
        asked = [(list(variables), list(known)) for variables, known in questions]
        found: PackedCells = self._summed(on_worker.answers, asked, "counting")
        self.sets += len(asked)
        return found.unpacked()

    def ranges(self, places: Sequence[int]) -> list[tuple[float, float]]:
        """The least and the largest value of the columns of numbers among these columns, in order."""
        numbers = [at for at, numeric in enumerate(self.rows.numeric) if numeric]
        return [
            (min(one.ranges[own][0] for one in self.facts), max(one.ranges[own][1] for one in self.facts))
            for own in (numbers.index(at) for at in places if self.rows.numeric[at])
        ]

    def moments(self, places: Sequence[int]) -> _core.SetMoments:
        self._require_complete(places)
        asked = (list(places), self.ranges(places))
        moments: _core.SetMoments = self._summed(on_worker.moments, asked, "summing").moments()
        return moments

    def powers(self, places: Sequence[int], means: Sequence[float], power: int) -> list[float]:
        asked = (list(places), self.ranges(places), list(means), power)
        found: list[float] = self._summed(on_worker.powers, asked, "summing").means()
        return found

    def _require_complete(self, places: Sequence[int]) -> None:
        gaps = [name for at, name in enumerate(self._schema.names) if at in places and self.missing[name]]
        if gaps:
            raise DataError(
                f"missing values among numbers need the rows in one place, and {gaps[0]!r} has "
                f"{self.missing[gaps[0]]:,}; read the rows with ",
                Argument("engine", "disk", of="read"),
                ", or leave the column out",
            )

    def _summed(self, task: Callable[..., Answer], asked: Any, what: str) -> Any:
        """One task for each worker, of the blocks it holds; the results are added as a tree."""
        with reaching(what):
            groups = self.groups()
            firsts = tasks = self._submitted(task, groups, asked)
            while len(tasks) > BRANCHES:
                branches = [tasks[at : at + BRANCHES] for at in range(0, len(tasks), BRANCHES)]
                tasks = self.client.map(on_worker.joined, branches, pure=False)
        self._last = (firsts, tasks)
        try:
            parts = gathered(self.client, tasks, what)
        except WorkersKilledError as problem:
            keys = [first.key for first in firsts]
            among = (
                groups[keys.index(problem.key)].members if problem.key in keys else range(len(self.blocks))
            )
            raise self._culprit(task, asked, among, what) from None
        self.batches += 1
        self.bytes_moved += sum(map(on_worker.size_of, parts))
        total = on_worker.joined(parts)
        if total.moved:
            self._groups = []
        if self.listener is not None:
            self.listener()
        return total.value

    def _submitted(self, task: Callable[..., Answer], groups: Sequence[Group], asked: Any) -> list[Any]:
        """The tasks of a batch, in one message to the scheduler: it holds back a second one for a while."""
        # Tasks go where their input is; one that may go to some workers only is never moved to an idle one.
        workers = [group.worker for group in groups if group.worker is not None]
        at = {"workers": workers, "allow_other_workers": True} if workers else {}
        many, packed = len(groups), pickle.dumps(asked)
        found: list[Any] = self.client.map(
            task,
            [group.held for group in groups],
            [group.worker for group in groups],
            [self.rows] * many,
            [packed] * many,
            pure=False,
            **at,
        )
        return found

    def _culprit(
        self, task: Callable[..., Answer], asked: Any, suspects: Sequence[int], what: str
    ) -> DataError:
        """The error that names the block of which a task kills every worker: each is tried once alone."""
        for at in suspects:
            try:
                gathered(self.client, self._submitted(task, [self._group(None, [at])], asked), what)
            except WorkersKilledError:
                return killed(what, [self.labels[at]])
        return killed(what, [self.labels[at] for at in suspects])

    def resampled(self, seed: int, number: int) -> ClusterRows:
        draw = (seed, number)
        drawn = ClusterRows(self.client, self._schema, self.blocks, self.labels, self.facts, draw)
        drawn._groups, drawn.workers = self._groups, self.workers
        if all(drawn.rows.numeric):
            drawn._total = drawn.moments([0]).matrix.N
        else:
            (_, counts), *_ = drawn.cells([([], [])])
            drawn._total = float(counts[0])
        return drawn


def is_on_cluster(source: Any) -> bool:
    """Whether workers can open the source themselves: a Dask dataframe, or files."""
    if isinstance(source, list | tuple):
        return bool(source) and all(isinstance(one, str | os.PathLike) for one in source)
    return hasattr(source, "to_delayed") or isinstance(source, str | os.PathLike)


def cluster_table(source: Any, client: Any, **reading: Any) -> Table:
    """The table of rows on a cluster: a Dask dataframe, or files that every worker can open.

    Parameters
    ----------
    client
        A ``distributed.Client``.
    reading
        Options of `read`.
    """
    required("distributed", "dask", "learning on a cluster")
    how, coding = split_options(reading, "learn()")
    if coding.rare is not None or coding.discretize is not None:
        raise OptionError(Argument("discretize"), " and ", Argument("rare"), " need all rows in one place")
    require_version(client)
    parts, frames = _parts(source, client, how)
    labels = [part.label for part in parts]
    texts: frozenset[str] = frozenset()
    while True:
        looks = [
            client.submit(on_worker.surveyed, part, frame, how, coding.max_number_states, texts, pure=False)
            for part, frame in zip(parts, frames, strict=True)
        ]
        found, again = merged(in_words(client, looks, labels, "looking at"), texts)
        if not again:
            break
        texts |= again
    shown = without_weights(coding)
    schema, _, notes = coded_columns(planned_columns(found.columns, how, shown), shown)
    entries = schema.entries()
    blocks = [
        client.submit(on_worker.coded, part, frame, how, coding, entries, pure=False)
        for part, frame in zip(parts, frames, strict=True)
    ]
    facts = in_words(
        client, [client.submit(on_worker.facts, block, pure=False) for block in blocks], labels, "coding"
    )
    return Table.of_source(ClusterRows(client, schema, blocks, labels, facts), notes=notes)


def _parts(source: Any, client: Any, how: Any) -> tuple[list[Part], list[Any]]:
    """The blocks of a source, and for a dataframe the futures of its parts."""
    if hasattr(source, "to_delayed"):
        frames = client.compute(source.to_delayed())
        return [Part(f"part {at} of the dataframe") for at in range(len(frames))], list(frames)
    if not isinstance(source, str | os.PathLike | list | tuple):
        raise OptionError(
            Argument("client"),
            " goes with a Dask dataframe or with files that every worker can open, not "
            f"{type(source).__name__}",
        )
    parts: list[Part] = []
    for path in files_of(source):
        parts += _parts_of_file(path.resolve(), how.format or format_of(path))
    return parts, [None] * len(parts)


def _parts_of_file(path: Path, form: str) -> list[Part]:
    if form != "parquet":
        return [Part(path.name, str(path))]
    import polars as pl

    try:
        scan = pl.scan_parquet(path)
        rows, width = int(scan.select(pl.len()).collect().item()), len(scan.collect_schema().names())
    except pl.exceptions.PolarsError as problem:
        raise DataError(f"{path.name} cannot be read: {str(problem).partition(chr(10))[0]}") from None
    step = max(1, CELLS // max(width, 1))
    return [Part(path.name, str(path), first, min(step, rows - first)) for first in range(0, rows, step)]
