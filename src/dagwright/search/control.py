"""How a search is steered: threads, a time limit, progress, a request to stop."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, runtime_checkable

from dagwright._core import CancelToken, Listener, Stop
from dagwright.errors import OptionError
from dagwright.evidence.threads import available_threads
from dagwright.graph.dag import Dag
from dagwright.search.events import Event, Progress, native_event

__all__ = ["CancelToken", "Control", "Event", "Improving", "Progress", "Stopped", "Watch"]

INTERVAL = 0.05
"""The least number of seconds between two events of a call of the core, and before its first network."""
BETWEEN_NETWORKS = 0.5
"""The least number of seconds between two networks that a search shows."""

Stopped = Literal["deadline", "cancelled"]
"""Why a search ended early: its time limit, or a request (Ctrl-C is one)."""
BestGraph = Callable[[Dag, float], None]
"""Called with the best network so far and its score."""


@runtime_checkable
class ShowsNetworks(Protocol):
    """A function for progress that also wants to see the best network so far."""

    def best_graph(self, dag: Dag, score: float, /) -> None: ...


DagOf = Callable[[Sequence[Sequence[int]]], Dag]
"""Makes a network of the numbers of each variable's parents."""


def stopped_by(stop: Stop | None) -> Stopped | None:
    """Why the core stopped, if it did."""
    if stop is None:
        return None
    return "deadline" if stop == Stop.deadline else "cancelled"


@dataclass(frozen=True, slots=True)
class Control:
    """The state that all searches share: deadline, cancel token, progress, threads.

    Parameters
    ----------
    threads
        How many threads native code may use. The answer does not depend on it.
    time_limit
        Seconds after which a search returns the best it has; None means no limit.
    progress
        Called now and then on the calling thread.
    cancel
        A request to stop, which any thread can make. Ctrl-C makes it, and all work under this control and
        under controls made from it stops.
    best_graph
        Called on the calling thread with the best network so far and its score, at most twice a second;
        by searches that have one on their way.
    best
        The best network of all searches of this run, see `keeping_best`.
    """

    threads: int = 1
    time_limit: float | None = None
    progress: Progress | None = None
    started: float = field(default_factory=time.monotonic)
    cancel: CancelToken = field(default_factory=CancelToken)
    best_graph: BestGraph | None = None
    best: BestSoFar | None = None

    def __post_init__(self) -> None:
        if self.threads < 1:
            raise OptionError(f"threads must be at least 1, not {self.threads}")
        if self.time_limit is not None and not self.time_limit >= 0:
            raise OptionError(f"time_limit must be a number of seconds, not {self.time_limit}")

    @staticmethod
    def of(
        threads: int | None,
        time_limit: float | None,
        progress: Progress | None,
        cancel: CancelToken | None = None,
    ) -> Control:
        """From the arguments of a public function: by default all threads and a token of its own.

        A ``progress`` that has a method ``best_graph(dag, score)`` is also shown the best network so far.
        """
        return Control(
            available_threads() if threads is None else threads,
            time_limit,
            progress,
            cancel=CancelToken() if cancel is None else cancel,
            best_graph=progress.best_graph if isinstance(progress, ShowsNetworks) else None,
        )

    @property
    def native_progress(self) -> Listener | None:
        """The listener for the core: it turns native events into Python events."""
        tell = self.progress
        return None if tell is None else Listener(lambda told: tell(native_event(told)), INTERVAL)

    def native_progress_of(self, dag_of: DagOf) -> Listener | None:
        """`native_progress` for a search that also shows its best network; ``dag_of`` names its variables."""
        tell, show = self.progress, self.best_graph
        if tell is None or show is None:
            return self.native_progress
        return Listener(
            lambda told: tell(native_event(told)),
            INTERVAL,
            best_graph=lambda score, parents: show(dag_of(parents), score),
            between_networks=BETWEEN_NETWORKS,
        )

    def elapsed(self) -> float:
        """Seconds since the search began."""
        return time.monotonic() - self.started

    def seconds_left(self) -> float | None:
        """Seconds until the time limit, never negative; None without one."""
        return None if self.time_limit is None else max(0.0, self.time_limit - self.elapsed())

    def stopped(self) -> Stopped | None:
        """Why to stop now, if at all."""
        if self.cancel.cancelled:
            return "cancelled"
        return "deadline" if self.seconds_left() == 0.0 else None

    def interrupted(self) -> Stopped:
        """Ctrl-C was caught: ask all other work under this control to stop too."""
        self.cancel.cancel()
        return "cancelled"

    def within(self, phase: str) -> Control:
        """For a search on other rows, as a part of this one: its scores are none of the scores here."""
        listener = self.progress
        if listener is None:
            return self

        def tell(event: Event) -> None:
            listener(replace(event, phase=f"{phase}: {event.phase}", best=None, bound=None))

        return replace(self, progress=tell, best_graph=None, best=None)

    def keeping_best(self) -> Control:
        """For several searches of one problem, one after the other.

        Every event names the best score of all of them, and networks are shown if they score more than those
        before, whichever search found them.
        """
        if self.best is not None or self.progress is None:
            return self
        best = BestSoFar(self.progress, self.best_graph)
        show = None if self.best_graph is None else best.show
        return replace(self, progress=best.tell, best_graph=show, best=best)

    def keep(self, score: float, dag: Callable[[], Dag]) -> None:
        """One of the searches has found a network; ``dag`` is called only where it is the best and shown."""
        if self.best is not None and self.best.offer(score, dag):
            self.report("network found", 1, "networks", best=score)

    def on_one_thread(self) -> Control:
        """For one of several jobs side by side: the same request to stop, and the time that is left."""
        return Control(1, self.seconds_left(), cancel=self.cancel)

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
            watch.stopped = self.interrupted()

    def report(
        self,
        phase: str,
        done: int,
        unit: str,
        *,
        total: int | None = None,
        best: float | None = None,
        error: float | None = None,
        log_score: float | None = None,
    ) -> None:
        """Tell whoever listens how far the work is.

        Parameters
        ----------
        done, unit, total
            How much is done, what is counted, and how much there will be, where that is known.
        best
            The score of the best network so far; only a score.
        error
            The largest standard error of what is estimated.
        log_score
            The mean over Markov chains of the unnormalized log posterior of their states.
        """
        if self.progress is not None:
            known = best is not None and math.isfinite(best)
            self.progress(
                Event(
                    phase,
                    done,
                    total=total,
                    unit=unit,
                    best=best if known else None,
                    error=error,
                    log_score=log_score,
                )
            )


class Improving:
    """Shows the networks of a search in Python: each better than those before, and at most two a second.

    Parameters
    ----------
    above
        What the first network must score more than: the score of one that was shown before.
    """

    def __init__(
        self,
        show: BestGraph | None,
        above: float = -math.inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._show, self._shown, self._clock = show, above, clock
        self._next = clock() + INTERVAL  # what is quicker needs no picture

    def offer(self, score: float, dag: Callable[[], Dag]) -> None:
        """``dag`` is called only where the network is shown."""
        if self._show is None or not score > self._shown or self._clock() < self._next:
            return
        self._next, self._shown = self._clock() + BETWEEN_NETWORKS, score
        self._show(dag(), score)


class BestSoFar:
    """The best network that the searches of a run have found, for those who watch."""

    def __init__(self, tell: Progress, show: BestGraph | None) -> None:
        self._tell, self._shown = tell, Improving(show)
        self._score, self._dag = -math.inf, Dag([])

    def offer(self, score: float, dag: Callable[[], Dag]) -> bool:
        """Whether this network is the best so far; then it is kept."""
        if not score > self._score:
            return False
        self._score, self._dag = score, dag()
        return True

    def tell(self, event: Event) -> None:
        """Pass on an event with the best score, and show the network if it was not shown."""
        best = self._score if event.best is None else max(event.best, self._score)
        self._tell(replace(event, best=best if math.isfinite(best) else None))
        if math.isfinite(self._score):
            self._shown.offer(self._score, lambda: self._dag)

    def show(self, dag: Dag, score: float) -> None:
        """Show a network that a search is at, if it is the best so far."""
        if self.offer(score, lambda: dag):
            self._shown.offer(score, lambda: dag)


class Watch:
    """Knows whether a search has to end early, and why."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self.stopped: Stopped | None = None

    def over(self) -> bool:
        """Whether to end; if so `stopped` says why."""
        if self.stopped is None:
            self.stopped = self._control.stopped()
        return self.stopped is not None
