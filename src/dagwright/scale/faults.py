"""Faults of a cluster, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from dagwright.errors import DataError, OptionError
from dagwright.scale import on_worker
from dagwright.sentences import Argument
from dagwright.version import __version__


class WorkersKilledError(Exception):
    """A task that ended the processes of several workers, one after the other."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


@contextmanager
def reaching(what: str) -> Iterator[None]:
    """Around calls that need the scheduler: its loss is said in words."""
    from concurrent.futures import CancelledError

    from distributed.comm.core import CommClosedError

    try:
        yield
    except (CommClosedError, CancelledError, TimeoutError, OSError) as problem:
        how = str(problem).partition("\n")[0] or type(problem).__name__
        raise DataError(
            f"the scheduler of the cluster was lost while {what} the rows ({how}); start it and learn again: "
            "with ",
            Argument("checkpoint"),
            ", a run goes on where it was",
        ) from None


def gathered(client: Any, tasks: Sequence[Any], what: str) -> list[Any]:
    """The results of tasks; errors in words, but for a task that kills its workers."""
    from distributed import KilledWorker

    try:
        with reaching(what):
            return list(client.gather(list(tasks)))
    except KilledWorker as problem:
        raise WorkersKilledError(str(problem.task)) from None


def killed(what: str, labels: Sequence[str]) -> DataError:
    """The error for blocks of which a task kills every worker that it runs on."""
    many = f", and {len(labels) - 6} more" if len(labels) > 6 else ""
    return DataError(
        f"{what} {', '.join(labels[:6])}{many} killed several workers one after the other; it was not tried "
        "again: use smaller blocks or workers with more memory, and look at the logs of the workers"
    )


def in_words(client: Any, tasks: Sequence[Any], labels: Sequence[str], what: str) -> list[Any]:
    """The results of tasks, one for each label; all errors in words."""
    try:
        return gathered(client, tasks, what)
    except WorkersKilledError as problem:
        keys = [task.key for task in tasks]
        raise killed(what, [labels[keys.index(problem.key)]] if problem.key in keys else labels) from None


def require_version(client: Any) -> None:
    """Refuse workers that run another version of dagwright."""
    for worker, version in client.run(on_worker.version, on_error="return").items():
        if isinstance(version, ModuleNotFoundError):
            raise OptionError(f"the workers lack a module: {version}; install dagwright on all of them")
        if isinstance(version, OSError):
            continue  # it is being lost; its tasks go to others
        if isinstance(version, BaseException):
            raise version
        if version != __version__:
            raise OptionError(
                f"the worker {worker} has dagwright {version}, and this is {__version__}; install the same "
                "version everywhere"
            )
