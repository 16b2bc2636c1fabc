"""The context of a verb: a way to report progress, and a request to stop."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dagwright.graph import Dag
from dagwright.search.control import CancelToken, Event
from dagwright.show.placing import place
from dagwright.studio.verbs.graphs import graph_document

EVERY = 0.1
"""Seconds between two events."""
Positions = dict[str, tuple[float, float]]


@dataclass
class Work:
    """One call: `progress` is what the library's functions take, `cancel` likewise.

    ``tell`` sends the server a message of a kind, "progress" or "network".
    """

    cancel: CancelToken
    tell: Callable[[str, dict[str, Any]], None]
    began: float = field(default_factory=time.monotonic)
    told: float = -math.inf

    def progress(self, event: Event) -> None:
        """Tell the server how far the work is, a few times a second."""
        at = time.monotonic()
        if at - self.told < EVERY:
            return
        self.told = at
        self.tell("progress", as_values(event, at - self.began))

    def progress_with_networks(self, positions: Positions) -> NetworkListener:
        """`progress` that also tells of the best network so far; nodes with a position keep it."""
        return NetworkListener(self, positions)


class NetworkListener:
    """Tells the server how far a search is, and of its best network with places that stay."""

    def __init__(self, work: Work, positions: Positions) -> None:
        self._work, self._positions = work, positions

    def __call__(self, event: Event) -> None:
        self._work.progress(event)

    def best_graph(self, dag: Dag, score: float) -> None:
        """The first network places all nodes that have no place; later ones move none."""
        if not set(dag.nodes) <= set(self._positions):
            self._positions = place(dag, kept=self._positions).positions
        found = {"score": score, "graph": graph_document(dag), "positions": self._positions}
        self._work.tell("network", {**found, "seconds": time.monotonic() - self._work.began})


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
        "log_score": event.log_score,
        "seconds": seconds,
    }
