"""Where the cells of a column come from, as far as new rows must know."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, get_args

from dagwright.data.bins import Bins, Scale
from dagwright.errors import OptionError
from dagwright.sentences import Argument

Kind = Literal["category", "continuous"]


@dataclass(frozen=True)
class Origin:
    """Where the cells of a column come from.

    ``bins`` are the cut points of a continuous column; ``other`` is the state that took in the rare values
    of a category and will take in unknown ones; ``identifier`` says why the column looks like an identifier
    of the rows, which learning leaves out, and is empty for all other columns. ``missing_values`` are the
    texts that marked a missing cell, if the caller named them. ``ordered`` marks a category whose states
    were declared to have an order. ``part_of`` names the column of dates and the part of them that the
    column holds, such as ("day", "month"). ``scale`` says what the numbers of a continuous column count:
    ``"date"`` is days and ``"datetime"`` is seconds since 1970-01-01. ``utc`` says that times with different
    offsets became UTC. ``why`` is the reason for the kind that
    reading chose.
    """

    bins: Bins | None = None
    other: str | None = None
    identifier: str = field(default="", compare=False)
    missing_values: tuple[str, ...] = field(default=(), compare=False)
    ordered: bool = False
    part_of: tuple[str, str] | None = None
    scale: Scale = "number"
    utc: bool = field(default=False, compare=False)
    why: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.scale not in get_args(Scale):
            raise OptionError(Argument("scale", self.scale), "; choose 'number', 'date' or 'datetime'")

    @property
    def matters(self) -> bool:
        """Whether it says more than that the column is plain."""
        return self != PLAIN or bool(self.missing_values) or self.utc

    def orders(self, states: Sequence[Hashable]) -> bool:
        """Whether the states have an order: intervals, numbers, dates, and what was declared to have one."""
        natural = all(isinstance(one, int | float | date) and not isinstance(one, bool) for one in states)
        return self.bins is not None or self.ordered or (natural and self.other is None)


PLAIN = Origin()


def origin_entry(origin: Origin | None) -> dict[str, Any]:
    """The fields of an origin for JSON.

    They are ``cuts`` and ``scale`` of a discretized column, ``other`` of a grouped one, ``missing_values``,
    ``ordered`` of a category whose states have an order, ``part_of`` of a part of dates, ``scale`` of dates
    and times that are numbers, and ``utc`` of times that became UTC.
    """
    entry: dict[str, Any] = {}
    if origin is not None and origin.bins is not None:
        entry |= {"cuts": list(origin.bins.cuts), "scale": origin.bins.scale}
    if origin is not None and origin.scale != "number":
        entry["scale"] = origin.scale
    if origin is not None and origin.other is not None:
        entry["other"] = origin.other
    if origin is not None and origin.missing_values:
        entry["missing_values"] = list(origin.missing_values)
    if origin is not None and origin.ordered:
        entry["ordered"] = True
    if origin is not None and origin.part_of is not None:
        entry["part_of"] = list(origin.part_of)
    if origin is not None and origin.utc:
        entry["utc"] = True
    return entry


def origin_of(entry: dict[str, Any]) -> Origin | None:
    """The origin of the fields, or None if there are none."""
    bins = Bins(tuple(map(float, entry["cuts"])), entry.get("scale", "number")) if "cuts" in entry else None
    marks = tuple(str(mark) for mark in entry.get("missing_values", ()))
    ordered = entry.get("ordered") is True
    column, part = entry.get("part_of", ("", ""))
    origin = Origin(
        bins,
        entry.get("other"),
        missing_values=marks,
        ordered=ordered,
        part_of=(str(column), str(part)) if part else None,
        scale="number" if bins is not None else entry.get("scale", "number"),
        utc=entry.get("utc") is True,
    )
    return origin if origin.matters else None
