"""Progress with the traffic of counting, where rows are on disk or on a cluster."""

from __future__ import annotations

import time
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from dagwright.data import Table
from dagwright.data.source import MeteredSource
from dagwright.search.control import Control, Event
from dagwright.search.events import Traffic


class Meter:
    """Adds to each event of a run what counting has taken so far; also an event for each batch of a cluster.

    ``control`` is the control to run under: the given one, where nobody listens or rows are in memory.
    """

    def __init__(self, control: Control, table: Table) -> None:
        self._tables = [table]
        source: Any = table.source
        self._source: MeteredSource | None = source if isinstance(source, MeteredSource) else None
        self._listener = control.progress
        self._phase, self._phase_began, self._began = "", time.monotonic(), time.monotonic()
        heard = control.progress is not None and (table.blocks is not None or self._source is not None)
        self.control = replace(control, progress=self._tell) if heard else control

    def watch(self, table: Table) -> None:
        """Count the sets of this table too."""
        self._tables.append(table)

    def __enter__(self) -> Self:
        if self._source is not None and self._listener is not None:
            self._source.listener = self._batch
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._source is not None:
            self._source.listener = None

    def _tell(self, event: Event) -> None:
        assert self._listener is not None
        now = time.monotonic()
        if event.phase != self._phase:
            self._phase, self._phase_began = event.phase, now
        left = None
        if event.total is not None and 0 < event.done <= event.total:
            left = (now - self._phase_began) * (event.total / event.done - 1.0)
        self._listener(replace(event, traffic=self._traffic(left)))

    def _batch(self) -> None:
        """A batch was counted; searches do not tell of each."""
        assert self._listener is not None and self._source is not None
        self._listener(Event("counting", self._source.batches, unit="batches", traffic=self._traffic(None)))

    def _traffic(self, left: float | None) -> Traffic:
        seconds, source = max(time.monotonic() - self._began, 1e-9), self._source
        sets = sum(table.sets_counted for table in self._tables) if source is None else source.sets
        rows = sets * self._tables[0].n_rows / seconds
        if source is None:
            return Traffic(sets, rows, seconds_left=left)
        return Traffic(source.batches, rows, source.bytes_moved, len(source.workers), left)
