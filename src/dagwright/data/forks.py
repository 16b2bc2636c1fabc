"""Whether polars can be used in this process: its threads do not survive a fork."""

from __future__ import annotations

import os
import sys

from dagwright.errors import DataError


class _Memory:
    lost_threads = False


def _in_child() -> None:
    _Memory.lost_threads = _Memory.lost_threads or "polars" in sys.modules


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


def polars_is_usable() -> bool:
    """False in a forked child of a process that had imported polars: its calls would never return."""
    return not _Memory.lost_threads


def require_usable_polars(what: str) -> None:
    """Refuse what only polars can read, where it would never return."""
    if not polars_is_usable():
        raise DataError(
            f"{what} cannot be read in this process: it was forked from one that had loaded polars, and the "
            "threads of polars do not survive a fork; read the data before the fork, or start processes with "
            "the method 'spawn' or 'forkserver'"
        )
