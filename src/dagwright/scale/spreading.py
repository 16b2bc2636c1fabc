"""Work that needs all rows, such as replicates, spread over the workers of a cluster."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

from dagwright.data.extras import required
from dagwright.scale.faults import WorkersKilledError, gathered, killed, reaching, require_version
from dagwright.scale.on_worker import require_same
from dagwright.scale.waiting import Lonely, Patience, let_go
from dagwright.version import __version__

Shared = TypeVar("Shared")
Item = TypeVar("Item")
Result = TypeVar("Result")
AHEAD = 2
"""Tasks that wait at each thread of the cluster."""
POLL = 0.05
"""Seconds between two looks at requests to stop."""


class Spreading(Generic[Shared]):
    """Tasks on the workers of a cluster that share one value.

    The value goes to the workers as the result of a task, so it is made again where a worker is lost, and
    each worker has it once.

    Parameters
    ----------
    what
        The work of a task, for errors: "learning replicate".
    """

    def __init__(self, client: Any, shared: Shared, what: str) -> None:
        self._wait: Any = required("distributed", "dask", "work on a cluster").wait
        require_version(client)
        self._client, self._what = client, what
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")
            self._held = client.submit(_itself, shared, __version__, pure=False)

    def results(
        self, task: Callable[[Shared, Item], Result], items: Iterable[Item], stopped: Callable[[], bool]
    ) -> Iterator[Result]:
        """The results of ``task(shared, item)`` in the order of the items; fewer after a request to stop."""
        client, left, waiting = self._client, enumerate(items), deque[tuple[int, Any]]()
        lonely = Lonely(client, Patience())
        try:
            while not stopped():
                lonely.look()
                with reaching(f"{self._what}s"):
                    ahead = AHEAD * max(1, sum(client.nthreads().values()))
                    for at, item in islice(left, max(0, ahead - len(waiting))):
                        number = item if isinstance(item, int) else at
                        task_of = (_done, task, self._held, item, __version__)
                        waiting.append((number, client.submit(*task_of, pure=False)))
                    if not waiting:
                        return
                    number, future = waiting[0]
                    try:
                        self._wait([future], timeout=POLL)
                    except TimeoutError:
                        continue
                waiting.popleft()
                try:
                    result = gathered(client, [future], f"{self._what}s")[0]
                except WorkersKilledError:
                    raise killed(self._what, [f"number {number}"]) from None
                yield result
        finally:
            let_go(client, [future for _, future in waiting])


def spread(
    client: Any,
    shared: Shared,
    task: Callable[[Shared, Item], Result],
    items: Iterable[Item],
    what: str,
    stopped: Callable[[], bool],
) -> Iterator[Result]:
    """The results of ``task(shared, item)`` for these items, in their order; each is a task on a worker."""
    return Spreading(client, shared, what).results(task, items, stopped)


def _itself(shared: Shared, sent: str) -> Shared:
    require_same(sent)
    return shared


def _done(task: Callable[[Shared, Item], Result], shared: Shared, item: Item, sent: str) -> Result:
    require_same(sent)
    return task(shared, item)
