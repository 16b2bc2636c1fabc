"""Rows on a Dask cluster: coded and counted by its workers; only counts travel."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
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
from dagwright.scale.on_worker import BlockFacts, Part, Rows
from dagwright.sentences import Argument

BRANCHES = 8
"""Answers that one task adds."""


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
        self._groups: list[tuple[str | None, list[int]]] = []
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

    def groups(self) -> list[tuple[str | None, list[int]]]:
        """The blocks that each worker holds."""
        workers = frozenset(self.client.scheduler_info()["workers"])
        if not self._groups or workers != self.workers:
            held = self.client.who_has(self.blocks)
            by_worker: dict[str | None, list[int]] = {}
            for at, block in enumerate(self.blocks):
                places = [place for place in held.get(block.key, ()) if place in workers]
                by_worker.setdefault(min(places) if places else None, []).append(at)
            self._groups, self.workers = sorted(by_worker.items(), key=lambda one: one[1][0]), workers
        return self._groups

    def worker_bytes(self) -> int:
        """Bytes of rows and bitmaps at the worker that holds most."""
        rows = [sum(self.facts[at].n_bytes for at in members) for _, members in self.groups()]
        return max(rows) + int(on_worker.KEPT_MIB * 2**20)

    def cells(self, questions: Sequence[Question]) -> Sequence[CellCounts]:
        queries = [(list(variables), list(known)) for variables, known in questions]

        def count(members: Sequence[int]) -> tuple[Any, ...]:
            blocks = [self.blocks[at] for at in members]
            keys, starts = [block.key for block in blocks], [self.starts[at] for at in members]
            return (on_worker.answers, blocks, keys, starts, self.rows, queries)

        add = partial(on_worker.added, cardinalities=self.rows.cardinalities, queries=queries)
        found: Sequence[CellCounts] = self._summed(count, add, "counting")
        self.sets += len(queries)
        return found

    def ranges(self, places: Sequence[int]) -> list[tuple[float, float]]:
        """The least and the largest value of the columns of numbers among these columns, in order."""
        numbers = [at for at, numeric in enumerate(self.rows.numeric) if numeric]
        return [
            (min(one.ranges[own][0] for one in self.facts), max(one.ranges[own][1] for one in self.facts))
            for own in (numbers.index(at) for at in places if self.rows.numeric[at])
        ]

    def moments(self, places: Sequence[int]) -> _core.SetMoments:
        self._require_complete(places)
        found = self._sums(on_worker.moments, places, self.ranges(places))
        moments: _core.SetMoments = found.moments()
        return moments

    def powers(self, places: Sequence[int], means: Sequence[float], power: int) -> list[float]:
        found: list[float] = self._sums(
            on_worker.powers, places, self.ranges(places), list(means), power
        ).means()
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

    def _sums(self, task: Callable[..., Any], places: Sequence[int], *further: Any) -> Any:
        """The sums of a task over all blocks, for some columns."""
        chosen = list(places)

        def take(members: Sequence[int]) -> tuple[Any, ...]:
            blocks, starts = [self.blocks[at] for at in members], [self.starts[at] for at in members]
            return (task, blocks, starts, self.rows, chosen, *further)

        return self._summed(take, on_worker.merged, "summing")

    def _summed(
        self,
        work: Callable[[Sequence[int]], tuple[Any, ...]],
        add: Callable[[Sequence[Any]], Any],
        what: str,
    ) -> Any:
        """One task for each worker, of the blocks it holds; the results are added as a tree."""
        with reaching(what):
            groups = self.groups()
            firsts = [
                self.client.submit(
                    *work(members),
                    workers=None if worker is None else [worker],
                    allow_other_workers=worker is not None,
                    pure=False,
                )
                for worker, members in groups
            ]
        tasks = firsts
        while len(tasks) > BRANCHES:
            tasks = [
                self.client.submit(add, tasks[at : at + BRANCHES], pure=False)
                for at in range(0, len(tasks), BRANCHES)
            ]
        try:
            parts = gathered(self.client, tasks, what)
        except WorkersKilledError as problem:
            keys = [first.key for first in firsts]
            suspects = groups[keys.index(problem.key)][1] if problem.key in keys else range(len(self.blocks))
            raise self._culprit(work, suspects, what) from None
        self.batches += 1
        self.bytes_moved += sum(map(on_worker.size_of, parts))
        total = add(parts)
        if self.listener is not None:
            self.listener()
        return total

    def _culprit(
        self, work: Callable[[Sequence[int]], tuple[Any, ...]], suspects: Sequence[int], what: str
    ) -> DataError:
        """The error that names the block of which a task kills every worker: each is tried once alone."""
        for at in suspects:
            try:
                gathered(self.client, [self.client.submit(*work([at]), pure=False)], what)
            except WorkersKilledError:
                return killed(what, [self.labels[at]])
        return killed(what, [self.labels[at] for at in suspects])

    def resampled(self, seed: int, number: int) -> ClusterRows:
        draw = (seed, number)
        drawn = ClusterRows(self.client, self._schema, self.blocks, self.labels, self.facts, draw)
        if all(drawn.rows.numeric):
            drawn._total = drawn.moments([0]).matrix.N
        else:
            (_, counts), *_ = drawn.cells([([], [])])
            drawn._total = float(counts[0])
        return drawn


def is_on_cluster(source: Any) -> bool:
    """Whether workers can open the source themselves: a Dask dataframe, or files."""
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
