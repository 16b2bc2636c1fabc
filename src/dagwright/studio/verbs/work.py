"""The context of a verb: a way to report progress, and a request to stop."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dagwright.search.control import CancelToken, Event

EVERY = 0.1
"""Seconds between two events."""


@dataclass
class Work:
    """One call: `progress` is what the library's functions take, `cancel` likewise."""

    cancel: CancelToken
    tell: Callable[[dict[str, Any]], None]
    began: float = field(default_factory=time.monotonic)
    told: float = -math.inf

    def progress(self, event: Event) -> None:
        """Tell the server how far the work is, a few times a second."""
        at = time.monotonic()
        if at - self.told < EVERY:
            return
        self.told = at
        self.tell(as_values(event, at - self.began))


def as_values(event: Event, seconds: float) -> dict[str, Any]:
    """An event as the page gets it.

    >>> as_values(Event("resampling", 20, total=200, unit="replicates", error=0.1), 1.0)["total"]
    200
    """
    return {
        "phase": event.phase,
        "done": event.done,
        "total": event.total,
        "unit": event.unit,
        "best": event.best,
        "error": event.error,
        "seconds": seconds,
    }
