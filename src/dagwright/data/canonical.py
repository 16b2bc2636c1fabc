"""The columns of a table in an order that follows from the data."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dagwright import _core
    from dagwright.data.table import Table

log = logging.getLogger("dagwright")

INCOMPLETE = (
    "stopped before the columns were in canonical order: names decide between columns of equal distribution, "
    "so renaming columns can change the result"
)
"""The warning where time or a request to stop left only the order by single columns."""


class Canonical(NamedTuple):
    """A table in canonical order, the groups that only names tell apart, and whether the order is final."""

    table: Table
    ties: tuple[tuple[str, ...], ...]
    complete: bool

    @property
    def caution(self) -> list[str]:
        """What a result should say about this order."""
        return [] if self.complete else [INCOMPLETE]


class Order(NamedTuple):
    """The names behind a `Canonical`."""

    names: tuple[str, ...]
    ties: tuple[tuple[str, ...], ...]
    complete: bool


def canonical_order(
    names: Sequence[str],
    native: _core.CellSums,
    threads: int,
    seconds: float | None,
    cancel: _core.CancelToken | None,
) -> Order:
    """The order of the columns; when stopped, the order by what each column is alone.

    Without a time limit or a token nobody could go on with such an order, and Ctrl-C ends the call.
    """
    rank = {name: at for at, name in enumerate(sorted(names))}
    order, ties, complete = native.canonical_order([rank[name] for name in names], threads, seconds, cancel)
    if not complete:
        if seconds is None and cancel is None:
            raise KeyboardInterrupt
        log.warning(INCOMPLETE)
        ties = []
    return Order(
        tuple(names[i] for i in order), tuple(tuple(names[i] for i in group) for group in ties), complete
    )
