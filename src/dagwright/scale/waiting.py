"""Waiting for the workers of a cluster: who has to know of it, and when to give up."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYetError
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from dagwright.errors import NotFinishedError

log = logging.getLogger("dagwright")

POLL = 0.1
"""Seconds between two looks at requests to stop."""
QUIET = 1.0
"""Seconds between two looks at the workers; a cluster without any for so long is mentioned."""


@dataclass(frozen=True)
class Patience:
    """How long a call waits for a cluster.

    Parameters
    ----------
    stopped
        Why to stop now, "deadline" or "cancelled"; None to go on.
    tell
        Called once a second with the number of seconds for which there has been no worker.
    done
        Called while rows are read, with what workers do, how many blocks are done, and of how many.
    interrupted
        Called at Ctrl-C while workers count: ``stopped`` then tells to stop, and the batch is waited for.
        Without it, and at a second Ctrl-C, the wait ends at once.
    """

    stopped: Callable[[], str | None] = lambda: None
    tell: Callable[[int], None] | None = None
    done: Callable[[str, int, int], None] | None = None
    interrupted: Callable[[], object] | None = None

    def __call__(self, seconds: float) -> None:
        """There has been no worker for this long."""
        if self.tell is not None:
            self.tell(int(seconds))
        elif int(seconds) == int(QUIET):
            log.warning("waiting for workers: the cluster has none")


def awaited(
    client: Any, tasks: Sequence[Any], what: str, patience: Patience, *, until_stopped: bool = False
) -> list[Any]:
    """The results of tasks.

    A request to stop ends the wait where no worker is left, or with ``until_stopped`` in any case: a batch of
    counts ends soon, and the search then stops with the best graph so far.
    """
    found = _in_loop(client, client.gather(list(tasks), asynchronous=True))
    lonely, told = Lonely(client, patience), -1
    try:
        while True:
            try:
                results: list[Any] = found.result(POLL)
                return results
            except NotYetError:
                if found.done():
                    raise  # of the tasks themselves
            except KeyboardInterrupt:
                if until_stopped or patience.interrupted is None or patience.stopped() is not None:
                    raise
                patience.interrupted()
            lonely.look()
            if until_stopped and patience.done is not None:
                ready = sum(task.done() for task in tasks)
                if ready != told:
                    told = ready
                    patience.done(what, ready, len(tasks))
            stopped = patience.stopped()
            if stopped is not None and (lonely.now() or until_stopped):
                raise _not_finished(stopped, what, without_workers=lonely.now())
    finally:
        if not found.done():
            found.cancel()
            let_go(client, tasks)


def let_go(client: Any, tasks: Sequence[Any]) -> Future[None]:
    """Ask the scheduler to cancel tasks, where it is still there; wait for that with ``result()``."""

    async def cancelled() -> None:
        with suppress(OSError):
            await client.cancel(list(tasks), asynchronous=True)

    return _in_loop(client, cancelled())


def _in_loop(client: Any, work: Any) -> Future[Any]:
    """Run a coroutine in the event loop of the client."""
    import asyncio  # whoever has a client has imported it

    return asyncio.run_coroutine_threadsafe(work, client.loop.asyncio_loop)


class Lonely:
    """Looks once a second whether the cluster has workers, and says so where it has none."""

    def __init__(self, client: Any, patience: Patience) -> None:
        self._client, self._patience = client, patience
        self._looked = time.monotonic()
        self._since: float | None = None

    def look(self) -> None:
        """Look, if it is time to."""
        now = time.monotonic()
        if now - self._looked < QUIET:
            return
        before, self._looked = self._looked, now
        if not self.now():
            self._since = None
            return
        self._since = before if self._since is None else self._since
        self._patience(now - self._since)

    def now(self) -> bool:
        """Whether there is no worker."""
        return not self._client.nthreads()


def _not_finished(stopped: str, what: str, *, without_workers: bool) -> NotFinishedError:
    why = "the time limit ended the call" if stopped == "deadline" else "the call was cancelled"
    if without_workers:
        return NotFinishedError(
            f"{why} while it waited for workers: the cluster has none for {what}; start some, for example "
            "with cluster.scale(2), and call again"
        )
    return NotFinishedError(f"{why} while {what}, before any network was found")
