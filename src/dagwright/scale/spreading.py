"""Work that needs all rows, such as replicates, spread over the workers of a cluster."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from dagwright.data.extras import required
from dagwright.scale.faults import WorkersKilledError, gathered, killed, require_version

Result = TypeVar("Result")
AHEAD = 2
"""Tasks that wait at each thread of the cluster."""
POLL = 0.05
"""Seconds between two looks at requests to stop."""


def spread(
    client: Any,
    shared: Any,
    task: Callable[[Any, int], Result],
    numbers: Iterable[int],
    what: str,
    stopped: Callable[[], bool],
) -> Iterator[Result]:
    """The results of ``task(shared, number)`` for these numbers, in their order; each is a task on a worker.

    ``shared`` goes to the workers as the result of a task, so it is made again where a worker is lost.
    """
    wait: Any = required("distributed", "dask", "work on a cluster").wait
    require_version(client)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph")
        held = client.submit(_itself, shared, pure=False)
    left, waiting = iter(numbers), deque[tuple[int, Any]]()
    try:
        while not stopped():
            ahead = AHEAD * max(1, sum(client.nthreads().values()))
            for number in islice(left, max(0, ahead - len(waiting))):
                waiting.append((number, client.submit(task, held, number, pure=False)))
            if not waiting:
                return
            number, future = waiting[0]
            try:
                wait([future], timeout=POLL)
            except TimeoutError:
                continue
            waiting.popleft()
            try:
                yield gathered(client, [future], what)[0]
            except WorkersKilledError:
                raise killed(what, [f"number {number}"]) from None
    finally:
        client.cancel([future for _, future in waiting])


def _itself(shared: Any) -> Any:
    return shared
