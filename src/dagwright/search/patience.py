"""How long a call waits for the workers of a cluster: as its time limit and its cancel token say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dagwright.data import Table
from dagwright.scale import ClusterRows, Patience
from dagwright.search.control import Control


def patience_of(control: Control) -> Patience:
    """Stops waiting when the call has to stop, and tells its listener what it waits for."""

    def alone(seconds: int) -> None:
        control.report("waiting for workers", seconds, "seconds")

    def done(what: str, blocks: int, total: int) -> None:
        control.report(what, blocks, "blocks", total=total)

    heard = control.progress is not None
    return Patience(control.stopped, alone if heard else None, done if heard else None, control.interrupted)


@contextmanager
def attending(data: Any, control: Control) -> Iterator[None]:
    """Within the block, rows on a cluster are waited for as this control says."""
    source: object = data.source if isinstance(data, Table) else None
    if not isinstance(source, ClusterRows):
        yield
        return
    before, source.patience = source.patience, patience_of(control)
    try:
        yield
    finally:
        source.patience = before
