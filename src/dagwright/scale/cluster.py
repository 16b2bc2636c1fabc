"""Rows on a Dask cluster: coded and counted by its workers; only counts travel."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from dagwright import _core
from dagwright.data.schema import Schema
from dagwright.data.source import CellCounts, CellMoments, Question
from dagwright.errors import DataError
from dagwright.scale import on_worker
from dagwright.scale.coded_block import BlockFacts
from dagwright.scale.faults import WorkersKilledError, gathered, in_words, killed, reaching
from dagwright.scale.on_worker import Answer, Rows, Tally
from dagwright.scale.packed_cells import PackedCells
from dagwright.scale.waiting import Patience
from dagwright.sentences import Argument

BRANCHES = 8
"""Answers that one task adds."""
SETS = 1 << 15
"""Sets of a batch: a search may ask for all pairs of thousands of variables at once."""


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

    called = "the cluster"

    def __init__(
        self,
        client: Any,
        schema: Schema,
        blocks: Sequence[Any],
        labels: Sequence[str],
        facts: Sequence[BlockFacts],
        draw: tuple[int, int] | None = None,
        patience: Patience | None = None,
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
        self.patience = patience or Patience()
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
        # Blocks add up, so the same rows in other files or blocks have the same fingerprint.
        alone = sum(one.content[0] for one in self.facts) % 2**64
        numbered = sum(
            one.content[1] + start * one.content[0]
            for one, start in zip(self.facts, self.starts, strict=True)
        )
        content = json.dumps([self._schema.entries(), self.n_rows, alone, numbered % 2**64])
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
        known = [(self.labels[at], self.facts[at].content) for at in members]
        at = {} if worker is None else {"workers": [worker], "allow_other_workers": True}
        held = self.client.submit(on_worker.held, blocks, starts, known, pure=False, **at)
        return Group(worker, members, held)

    def worker_bytes(self) -> int:
        """Bytes of rows and bitmaps at the worker that holds most."""
        rows = [sum(self.facts[at].n_bytes for at in group.members) for group in self.groups()]
        return max(rows) + int(on_worker.kept_mib() * 2**20)

    def cells(self, questions: Sequence[Question]) -> Sequence[CellCounts]:
        found: list[CellCounts] = []
        for first in range(0, len(questions), SETS):
            asked = [(list(variables), list(known)) for variables, known in questions[first : first + SETS]]
            cells: PackedCells = self._summed(on_worker.answers, asked, "counting")
            self.sets += len(asked)
            found += cells.unpacked()
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
        asked = (list(places), self.ranges(places))
        moments: _core.SetMoments = self._summed(on_worker.moments, asked, "summing").moments()
        return moments

    def powers(self, places: Sequence[int], means: Sequence[float], power: int) -> list[float]:
        asked = (list(places), self.ranges(places), list(means), power)
        found: list[float] = self._summed(on_worker.powers, asked, "summing").means()
        return found

    def cell_moments(
        self, groups: Sequence[tuple[Sequence[int], Sequence[int]]], *, by_cell: bool = False
    ) -> list[CellMoments]:
        """For each group of columns of states and columns of numbers the moments in each cell."""
        for states, numbers in groups:
            self._require_complete([*states, *numbers])
        asked = [(list(states), list(numbers)) for states, numbers in groups]
        ranges: Sequence[Any]
        if by_cell:
            spans: on_worker.CellSpans = self._summed(on_worker.cell_spans, asked, "summing")
            ranges = spans.groups
        else:
            ranges = [self.ranges(numbers) for _, numbers in asked]
        whole = [(*group, span) for group, span in zip(asked, ranges, strict=True)]
        found: on_worker.CellMoments = self._summed(on_worker.cell_moments, whole, "summing")
        self.sets += len(asked)
        return [{cell: sums.moments() for cell, sums in cells.items()} for cells in found.groups]

    # Missing values

    def incomplete_rows(self, places: Sequence[int]) -> int:
        """How many rows have a missing cell in some of these columns."""
        if not any(one.missing[at] for one in self.facts for at in places):
            return 0
        found: Tally = self._summed(on_worker.complete_rows, list(places), "counting")
        return self.n_rows - found.rows

    def without_gaps(self, places: Sequence[int]) -> ClusterRows:
        """These columns of the rows that are complete in them, as blocks of their own at the workers."""
        return self._derived(on_worker.without_gaps, self._schema, places)

    def with_gap_states(self, places: Sequence[int], schema: Schema) -> ClusterRows:
        """These columns as ``schema`` has them: where a column has gaps, its last state is for them."""
        missing = self.missing
        states = [
            variable.cardinality if missing[self._schema.names[at]] else None
            for at, variable in zip(places, schema, strict=True)
        ]
        return self._derived(on_worker.with_gap_states, schema, places, states)

    def _derived(
        self, task: Callable[..., Any], schema: Schema, places: Sequence[int], *options: Any
    ) -> ClusterRows:
        names = self._schema.names
        own = schema if len(options) else schema.select([names[at] for at in places])

        def made(at: int) -> Any:
            return self.client.submit(
                task, self.blocks[at], list(places), *options, self.rows.version, pure=False
            )

        def look(block: Any) -> Any:
            return self.client.submit(on_worker.facts, block, pure=False)

        with reaching("coding the rows"):
            blocks = [made(at) for at in range(len(self.blocks))]
            looks = [look(block) for block in blocks]
        facts = in_words(
            self.client, looks, self.labels, "coding", self.patience, lambda at: look(made(at)), blocks
        )
        return ClusterRows(self.client, own, blocks, self.labels, facts, patience=self.patience)

    def _require_complete(self, places: Sequence[int]) -> None:
        gaps = [name for at, name in enumerate(self._schema.names) if at in places and self.missing[name]]
        if gaps:
            raise DataError(
                f"missing values among numbers need the rows in one place, and {gaps[0]!r} has "
                f"{self.missing[gaps[0]]:,}; choose ",
                Argument("missing", "drop"),
                ", read the rows with ",
                Argument("engine", "disk", of="read"),
                ", or leave the column out",
            )

    def _summed(self, task: Callable[..., Answer], asked: Any, what: str) -> Any:
        """One task for each worker, of the blocks it holds; the results are added as a tree.

        Ctrl-C asks the search to stop; the batch is counted, so that it ends with numbers that are right.
        """
        try:
            return self._asked(task, asked, what)
        except KeyboardInterrupt:
            if self.patience.interrupted is None or self.patience.stopped() is not None:
                raise
            self.patience.interrupted()
            return self._asked(task, asked, what)

    def _asked(self, task: Callable[..., Answer], asked: Any, what: str) -> Any:
        with reaching(f"{what} the rows"):
            groups = self.groups()
            firsts = tasks = self._submitted(task, groups, asked)
            while len(tasks) > BRANCHES:
                branches = [tasks[at : at + BRANCHES] for at in range(0, len(tasks), BRANCHES)]
                tasks = self.client.map(on_worker.joined, branches, pure=False)
        self._last = (firsts, tasks)
        try:
            parts = gathered(self.client, tasks, f"{what} the rows", self.patience)
        except WorkersKilledError as problem:
            blamed = [
                group.members for first, group in zip(firsts, groups, strict=True) if first.key == problem.key
            ]
            raise self._culprit(task, asked, blamed[0] if blamed else [], what) from None
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
        self, task: Callable[..., Answer], asked: Any, blamed: Sequence[int], what: str
    ) -> DataError:
        """The error that names the block that kills every worker. Each block is tried once by itself.

        Dask also blames what happened to wait at the same workers, so others are tried after the blamed.
        """
        every = range(len(self.blocks))
        for at in sorted(every, key=lambda at: at not in blamed):
            try:
                one = self._submitted(task, [self._group(None, [at])], asked)
                gathered(self.client, one, f"{what} the rows", self.patience)
            except WorkersKilledError:
                return killed(what, [self.labels[at]])
        return killed(what, [self.labels[at] for at in blamed or every])

    def resampled(self, seed: int, number: int) -> ClusterRows:
        draw = (seed, number)
        drawn = ClusterRows(
            self.client, self._schema, self.blocks, self.labels, self.facts, draw, self.patience
        )
        drawn._groups, drawn.workers = self._groups, self.workers
        if all(drawn.rows.numeric):
            drawn._total = drawn.moments([0]).matrix.N
        else:
            (_, counts), *_ = drawn.cells([([], [])])
            drawn._total = float(counts[0])
        return drawn
