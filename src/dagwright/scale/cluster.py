"""Rows on a Dask cluster: coded and counted by its workers; only counts travel."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dagwright.data.chunks import CELLS, files_of
from dagwright.data.extras import required
from dagwright.data.from_file import format_of
from dagwright.data.on_disk import without_weights
from dagwright.data.plan import coded_columns, planned_columns, split_options
from dagwright.data.schema import Schema
from dagwright.data.source import CellCounts, Question
from dagwright.data.table import Table
from dagwright.data.united import merged
from dagwright.errors import DagwrightError, DataError, OptionError
from dagwright.scale import on_worker
from dagwright.scale.on_worker import Part
from dagwright.sentences import Argument
from dagwright.version import __version__

BRANCHES = 8
"""Answers that one task adds."""


class ClusterRows:
    """Rows that the workers of a cluster hold as results of tasks, so a lost worker's blocks are made again.

    Each batch of sets is one task for each worker; their counts are added as a tree.
    """

    def __init__(
        self,
        client: Any,
        schema: Schema,
        blocks: Sequence[Any],
        labels: Sequence[str],
        facts: Sequence[tuple[int, list[int], float, str]],
        draw: tuple[int, int] | None = None,
        total: float | None = None,
    ) -> None:
        self.client, self._schema, self.blocks, self.labels = client, schema, list(blocks), list(labels)
        self.facts, self.draw = list(facts), draw
        self._total = sum(total for _, _, total, _ in facts) if total is None else total
        self.starts = [sum(rows for rows, *_ in self.facts[:at]) for at in range(len(self.facts))]
        self.states = [variable.cardinality for variable in schema]
        self.batches = 0
        self._groups: list[tuple[str | None, list[int]]] = []
        self._workers: frozenset[str] = frozenset()

    @property
    def schema(self) -> Schema:
        return self._schema

    @property
    def n_rows(self) -> int:
        return sum(rows for rows, *_ in self.facts)

    @property
    def N(self) -> float:
        return self._total

    @property
    def missing(self) -> Mapping[str, int]:
        return {
            name: sum(gaps[at] for _, gaps, *_ in self.facts) for at, name in enumerate(self._schema.names)
        }

    @property
    def fingerprint(self) -> str:
        content = json.dumps([self._schema.entries(), [content for *_, content in self.facts]])
        return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()

    def groups(self) -> list[tuple[str | None, list[int]]]:
        """The blocks that each worker holds."""
        workers = frozenset(self.client.scheduler_info()["workers"])
        if not self._groups or workers != self._workers:
            held = self.client.who_has(self.blocks)
            by_worker: dict[str | None, list[int]] = {}
            for at, block in enumerate(self.blocks):
                places = [place for place in held.get(block.key, ()) if place in workers]
                by_worker.setdefault(min(places) if places else None, []).append(at)
            self._groups, self._workers = sorted(by_worker.items(), key=lambda one: one[1][0]), workers
        return self._groups

    def cells(self, questions: Sequence[Question]) -> Sequence[CellCounts]:
        self.batches += 1
        asked = [(list(variables), list(known)) for variables, known in questions]
        tasks = [
            self.client.submit(
                on_worker.answers,
                [self.blocks[at] for at in members],
                [self.blocks[at].key for at in members],
                [self.starts[at] for at in members],
                self.states,
                asked,
                self.draw,
                None,
                workers=None if worker is None else [worker],
                allow_other_workers=worker is not None,
                pure=False,
            )
            for worker, members in self.groups()
        ]
        while len(tasks) > BRANCHES:
            tasks = [
                self.client.submit(on_worker.added, tasks[at : at + BRANCHES], self.states, asked, pure=False)
                for at in range(0, len(tasks), BRANCHES)
            ]
        return on_worker.added(self.gathered(tasks, "counting"), self.states, asked)

    def gathered(self, tasks: Sequence[Any], what: str) -> list[Any]:
        """The results of tasks; errors in words."""
        return _gathered(self.client, tasks, self.labels, what)

    def resampled(self, seed: int, number: int) -> ClusterRows:
        draw = (seed, number)
        drawn = ClusterRows(self.client, self._schema, self.blocks, self.labels, self.facts, draw)
        (_, counts), *_ = drawn.cells([([], [])])
        drawn._total = float(counts[0])
        return drawn


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
    _require_version(client)
    parts, frames = _parts(source, client, how)
    labels = [part.label for part in parts]
    texts: frozenset[str] = frozenset()
    while True:
        looks = [
            client.submit(on_worker.surveyed, part, frame, how, coding.max_number_states, texts, pure=False)
            for part, frame in zip(parts, frames, strict=True)
        ]
        found, again = merged(_gathered(client, looks, labels, "looking at"), texts)
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
    facts = _gathered(
        client, [client.submit(on_worker.facts, block, pure=False) for block in blocks], labels, "coding"
    )
    return Table.of_source(ClusterRows(client, schema, blocks, labels, facts), notes=notes)


def _require_version(client: Any) -> None:
    try:
        found = client.run(on_worker.version)
    except ModuleNotFoundError as problem:
        raise OptionError(f"the workers lack a module: {problem}; install dagwright on all of them") from None
    for worker, version in found.items():
        if version != __version__:
            raise OptionError(
                f"the worker {worker} has dagwright {version}, and this is {__version__}; install the same "
                "version everywhere"
            )


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


def _gathered(client: Any, tasks: Sequence[Any], labels: Sequence[str], what: str) -> list[Any]:
    from distributed import KilledWorker
    from distributed.comm.core import CommClosedError

    try:
        return list(client.gather(list(tasks)))
    except DagwrightError:
        raise
    except KilledWorker as problem:
        raise DataError(
            f"{what} killed several workers one after the other ({problem}); the blocks are "
            f"{', '.join(labels[:6])}; use smaller blocks or workers with more memory"
        ) from None
    except (CommClosedError, TimeoutError, OSError) as problem:
        raise DataError(
            f"the scheduler of the cluster was lost while {what} the rows ({problem}); start it and learn "
            "again"
        ) from None
