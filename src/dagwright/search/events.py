"""Events of searches, in Python and in the core."""

from __future__ import annotations

from dagwright import _core
from dagwright.base.events import Event, Progress, Traffic

__all__ = ["Event", "Progress", "Traffic", "native_event"]


def native_event(told: _core.Event) -> Event:
    """An event of the core."""
    return Event(told.phase, told.done, total=told.total, unit=told.unit, best=told.best, bound=told.bound)
