"""Faults of a cluster, in words."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from dagwright.errors import DagwrightError, DataError, OptionError, shortened
from dagwright.scale import on_worker
from dagwright.scale.waiting import Patience, awaited, let_go
from dagwright.sentences import Argument
from dagwright.version import __version__

_OF_DASK = r"^(in <.*?>: |\S+ cancelled for reason: )"
"""How its errors begin: with a connection, or the key of a task."""


class WorkersKilledError(Exception):
    """A task that ended the processes of several workers, one after the other."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


@contextmanager
def reaching(what: str, tasks: Sequence[Any] = ()) -> Iterator[None]:
    """Around calls that need the scheduler: its loss is said in words, not the errors of these tasks."""
    from asyncio import CancelledError as Interrupted
    from concurrent.futures import CancelledError

    from distributed.comm.core import CommClosedError

    try:
        yield
    except DagwrightError:
        raise
    except (CommClosedError, CancelledError, Interrupted, TimeoutError, OSError) as problem:
        if any(task.status == "error" for task in tasks):
            raise
        told = re.sub(_OF_DASK, "", str(problem).partition("\n")[0]).rstrip(".")
        how = told or type(problem).__name__
        raise DataError(
            f"the scheduler of the cluster was lost while {what} ({how}); start it and call again: with ",
            Argument("checkpoint"),
            ", a run goes on where it was",
        ) from None


def gathered(
    client: Any,
    tasks: Sequence[Any],
    what: str,
    patience: Patience | None = None,
    *,
    until_stopped: bool = False,
) -> list[Any]:
    """The results of tasks; errors in words, but for a task that kills its workers."""
    from distributed import KilledWorker

    try:
        with reaching(what, tasks):
            return awaited(client, tasks, what, patience or Patience(), until_stopped=until_stopped)
    except DagwrightError:
        raise
    except KilledWorker as problem:
        raise WorkersKilledError(str(problem.task)) from None
    except Exception:
        # A worker of another version that joined later may not even understand the task.
        require_version(client)
        raise


def killed(what: str, labels: Sequence[str]) -> DataError:
    """The error for blocks that kill every worker that counts them."""
    many = f", and {len(labels) - 6} more" if len(labels) > 6 else ""
    return DataError(
        f"{what} {', '.join(labels[:6])}{many} killed several workers one after the other; it was not tried "
        "again: use smaller blocks or workers with more memory, and look at the logs of the workers"
    )


def in_words(
    client: Any,
    tasks: Sequence[Any],
    labels: Sequence[str],
    what: str,
    patience: Patience,
    again: Callable[[int], Any],
    before: Sequence[Any] = (),
) -> list[Any]:
    """The results of tasks, one for each label, before there is anything to answer; all errors in words.

    Parameters
    ----------
    again
        A new task for one of the labels.
    before
        Tasks that these depend on.
    """
    try:
        return gathered(client, tasks, f"{what} the rows", patience, until_stopped=True)
    except WorkersKilledError:
        # Dask also blames what happened to wait at the same workers, so each is tried alone.
        suspects = [at for at, task in enumerate(tasks) if task.status != "finished"]
        let_go(client, [*tasks, *before]).result()
        for at in suspects:
            try:
                gathered(client, [again(at)], f"{what} the rows", patience, until_stopped=True)
            except WorkersKilledError:
                raise killed(what, [labels[at]]) from None
        raise killed(what, [labels[at] for at in suspects]) from None
    except DagwrightError:
        raise
    except Exception as problem:
        failed = next((at for at, task in enumerate(tasks) if task.status == "error"), None)
        if failed is None:
            raise
        how = str(problem).partition("\n")[0]
        raise DataError(f"{what} {labels[failed]} failed: {type(problem).__name__}: {how}") from problem


def require_version(client: Any) -> None:
    """Refuse workers that run another version of dagwright.

    Workers that join later are checked by each task: `on_worker.require_same`.
    """
    dask = sys.modules.get("distributed")  # whoever has a client has imported it
    if dask is None or not isinstance(client, dask.Client):
        raise OptionError(
            f"client must be a Dask client, such as distributed.Client(), not {shortened(client)}"
        )
    for worker, version in client.run(on_worker.version, on_error="return").items():
        if isinstance(version, ModuleNotFoundError):
            raise OptionError(f"the workers lack a module: {version}; install dagwright on all of them")
        if isinstance(version, OSError):
            continue  # it is being lost; its tasks go to others
        if isinstance(version, BaseException):
            raise version
        if version != __version__:
            raise on_worker.other_version(worker, version, __version__)
