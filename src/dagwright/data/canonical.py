"""The columns of a table in an order that follows from the data."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dagwright import _core
from dagwright.base.numbering import Numbering

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
        """The warning that a result should give about this order."""
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
    rows_set: Mapping[str, float],
) -> Order:
    """The order of the columns; when stopped, the order by what each column is alone.

    Among columns that the cells cannot tell apart, those that an experiment set in more rows come later.

    Without a time limit or a token such an order is of no use, and Ctrl-C ends the call.
    """
    found = native.canonical_order(_ranks(names, rows_set), threads=threads, seconds=seconds, cancel=cancel)
    return _order(names, found, rows_set, stoppable=seconds is not None or cancel is not None)


def canonical_order_of_numbers(
    names: Sequence[str],
    signatures: list[list[float]],
    moments: _core.SetMoments,
    threads: int,
    seconds: float | None,
    cancel: _core.CancelToken | None,
    rows_set: Mapping[str, float],
) -> Order:
    """The same where some columns are numbers: units and signs of the numbers do not matter."""
    found = _core.canonical_order(
        signatures, moments, _ranks(names, rows_set), threads=threads, seconds=seconds, cancel=cancel
    )
    return _order(names, found, rows_set, stoppable=seconds is not None or cancel is not None)


def _ranks(names: Sequence[str], rows_set: Mapping[str, float]) -> list[int]:
    ordered = sorted(names, key=lambda name: (rows_set.get(name, 0.0), name))
    return Numbering(ordered).number_all(names)


def _order(
    names: Sequence[str], found: _core.CanonicalOrder, rows_set: Mapping[str, float], *, stoppable: bool
) -> Order:
    if not found.complete:
        if not stoppable:
            raise KeyboardInterrupt
        log.warning(INCOMPLETE)
    ties = found.tied if found.complete else []
    told_apart = [
        tuple(names[i] for i in group if rows_set.get(names[i], 0.0) == amount)
        for group in ties
        for amount in sorted({rows_set.get(names[i], 0.0) for i in group})
    ]
    return Order(
        tuple(names[i] for i in found.order),
        tuple(group for group in told_apart if len(group) > 1),
        found.complete,
    )
