"""Progress of long calls, as events with one meaning for each field."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Traffic:
    """The cost of counting so far, where rows are on disk or on a cluster.

    Attributes
    ----------
    batches
        Batches of sets counted on the cluster; on disk, the sets counted.
    rows_per_second
        Rows counted per second, where a row counts once for each set.
    bytes_moved
        Bytes of counts and sums received from the workers.
    workers
        The number of workers of the cluster; 0 on disk.
    seconds_left
        The estimated seconds to the end of the phase; None if its end is not known.
    """

    batches: int
    rows_per_second: float
    bytes_moved: int = 0
    workers: int = 0
    seconds_left: float | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """The progress of a long call, as the function given as ``progress=`` receives it.

    Attributes
    ----------
    phase
        The current step, such as "scoring parent sets".
    done, total, unit
        The amount of work done, the amount at the end of the phase (None if unknown), and its unit.
    best
        The score of the best network so far; None before there is one.
    bound
        A proven upper bound on the score of any network; None if there is none.
    error
        The largest standard error of the estimates.
    traffic
        The cost of counting so far, where rows are on disk or on a cluster.
    log_score
        The mean over Markov chains of the unnormalized log posterior of their states: of networks, of orders
        or of partitions.

    >>> Event("scoring parent sets", 3, total=8, unit="variables", best=-10.5)
    Event(phase='scoring parent sets', done=3, total=8, unit='variables', best=-10.5, ...)
    """

    phase: str
    done: int
    total: int | None = None
    unit: str = "steps"
    best: float | None = None
    bound: float | None = None
    error: float | None = None
    traffic: Traffic | None = None
    log_score: float | None = None


Progress = Callable[[Event], None]
"""Receives the events, on the calling thread."""

_LISTENER: ContextVar[Progress | None] = ContextVar("listener", default=None)


@contextlib.contextmanager
def telling(progress: Progress | None) -> Iterator[None]:
    """A block in which reading tells how far it is; None leaves the listener as it was.

    For work that begins with reading, so that not every function on the way passes a listener.
    """
    token = _LISTENER.set(progress if progress is not None else _LISTENER.get())
    try:
        yield
    finally:
        _LISTENER.reset(token)


def listener() -> Progress | None:
    """Whom to tell how far reading is."""
    return _LISTENER.get()
