"""What a verb gets beside its arguments: a way to tell how far it is, and a request to stop."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dagwright.search.control import CancelToken

Event = dict[str, Any]
EVERY = 0.1
"""Seconds between two events."""
OF_TOTAL = re.compile(r"^(\w+) of ([\d,]+)$")


@dataclass
class Work:
    """One call: `progress` is what the library's functions take, `cancel` likewise."""

    cancel: CancelToken
    tell: Callable[[Event], None]
    began: float = field(default_factory=time.monotonic)
    told: float = -math.inf

    def progress(self, phase: str, steps: int, best: float) -> None:
        """Tell the server how far the work is, a few times a second."""
        at = time.monotonic()
        if at - self.told < EVERY:
            return
        self.told = at
        self.tell(event(phase, steps, best, at - self.began))


def event(phase: str, steps: int, best: float, seconds: float) -> Event:
    """An event as the page gets it: a score is a score, and a share of replicates is none.

    >>> event("replicates of 200", 20, 0.1, 1.0)["total"], event("climbing", 3, -9.5, 1.0)["best"]
    (200, -9.5)
    """
    counted = OF_TOTAL.match(phase)
    number = best if math.isfinite(best) else None
    return {
        "phase": phase,
        "done": steps,
        "total": int(counted[2].replace(",", "")) if counted else None,
        "unit": counted[1] if counted else "steps",
        "best": None if counted else number,
        "error": number if counted else None,
        "seconds": seconds,
    }
