"""How far long work is: one meaning per field, so that nothing but a score is shown as one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dagwright import _core

__all__ = ["Event", "Progress", "Traffic"]


@dataclass(frozen=True, slots=True)
class Traffic:
    """The cost of counting so far, where rows are on disk or on a cluster.

    Attributes
    ----------
    batches
        Batches of sets that the cluster was asked for; on disk the sets that were counted.
    rows_per_second
        Rows that were looked at for a set, over all sets, in a second of the run.
    bytes_moved
        Bytes of counts and sums that came from the workers.
    workers
        Workers of the cluster; 0 on disk.
    seconds_left
        Seconds until the end of the phase at the pace so far, where its end is known.
    """

    batches: int
    rows_per_second: float
    bytes_moved: int = 0
    workers: int = 0
    seconds_left: float | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """How far a long call is; the function given as ``progress=`` is called with such events.

    Attributes
    ----------
    phase
        What is being done.
    done, total, unit
        How much is done, how much there will be at the end of the phase where that is known, and what is
        counted.
    best
        The score of the best network so far, where there is one; never anything else.
    bound
        A proven upper bound of the score of any network, where one is known.
    error
        The largest standard error of what is estimated.
    traffic
        The cost of counting so far, where rows are on disk or on a cluster.

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


Progress = Callable[[Event], None]
"""Called with how far the work is, now and then and on the calling thread."""


def native_event(told: _core.Event) -> Event:
    """An event of the core."""
    return Event(told.phase, told.done, total=told.total, unit=told.unit, best=told.best, bound=told.bound)
