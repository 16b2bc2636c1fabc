"""The columns of a table in an order that follows from the data."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from dagwright import _core

if TYPE_CHECKING:
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
    found = native.canonical_order(_ranks(names), threads, seconds, cancel)
    return _order(names, *found, stoppable=seconds is not None or cancel is not None)


def canonical_order_of_numbers(
    names: Sequence[str],
    mixed: _core.MixedTable,
    threads: int,
    seconds: float | None,
    cancel: _core.CancelToken | None,
) -> Order:
    """The same where some columns are numbers: units and signs of the numbers do not matter."""
    moments = _core.SetMoments.of(mixed, threads)
    found = _core.canonical_order(mixed, moments, _ranks(names), threads, seconds, cancel)
    stoppable = seconds is not None or cancel is not None
    return _order(names, found.order, found.tied, found.complete, stoppable=stoppable)


def _ranks(names: Sequence[str]) -> list[int]:
    rank = {name: at for at, name in enumerate(sorted(names))}
    return [rank[name] for name in names]


def _order(
    names: Sequence[str],
    order: Sequence[int],
    ties: Sequence[Sequence[int]],
    complete: bool,
    *,
    stoppable: bool,
) -> Order:
    if not complete:
        if not stoppable:
            raise KeyboardInterrupt
        log.warning(INCOMPLETE)
        ties = []
    return Order(
        tuple(names[i] for i in order), tuple(tuple(names[i] for i in group) for group in ties), complete
    )
