"""How a search is steered: threads, a time limit, progress."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from dagwright.errors import OptionError

Progress = Callable[[str, int, float], None]
"""Called with the phase, the number of steps made and the best score so far."""

Stopped = Literal["deadline", "cancelled"]
"""Why a search ended early: its time limit, or Ctrl-C."""


@dataclass(frozen=True, slots=True)
class Control:
    """What is shared by all searches and belongs to none.

    Parameters
    ----------
    threads
        How many threads native code may use. The answer does not depend on it.
    time_limit
        Seconds after which a search returns the best it has; None means no limit.
    progress
        Called now and then on the calling thread.
    """

    threads: int = 1
    time_limit: float | None = None
    progress: Progress | None = None
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        if self.threads < 1:
            raise OptionError(f"threads must be at least 1, not {self.threads}")
        if self.time_limit is not None and not self.time_limit >= 0:
            raise OptionError(f"time_limit must be a number of seconds, not {self.time_limit}")

    def elapsed(self) -> float:
        """Seconds since the search began."""
        return time.monotonic() - self.started

    def seconds_left(self) -> float | None:
        """Seconds until the time limit, never negative; None without one."""
        return None if self.time_limit is None else max(0.0, self.time_limit - self.elapsed())

    def out_of_time(self) -> bool:
        """Whether the time limit has passed."""
        return self.seconds_left() == 0.0

    @contextmanager
    def watch(self) -> Iterator[Watch]:
        """Around the loop of a search in Python: Ctrl-C ends the block, and the search goes on to its answer.

        >>> with Control(time_limit=0.0).watch() as watch:
        ...     while not watch.over():
        ...         pass
        >>> watch.stopped
        'deadline'
        """
        watch = Watch(self)
        try:
            yield watch
        except KeyboardInterrupt:
            watch.stopped = "cancelled"

    def report(self, phase: str, steps: int, best: float) -> None:
        """Tell whoever listens how far the search is."""
        if self.progress is not None:
            self.progress(phase, steps, best)


class Watch:
    """Knows whether a search has to end early, and why."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self.stopped: Stopped | None = None

    def over(self) -> bool:
        """Whether the time limit has passed; if so `stopped` says it."""
        if self.stopped is None and self._control.out_of_time():
            self.stopped = "deadline"
        return self.stopped is not None
