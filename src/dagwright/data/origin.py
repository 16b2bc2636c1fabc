"""What a column was before it was coded, as far as new rows must know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from dagwright.data.bins import Bins

Kind = Literal["category", "continuous"]


@dataclass(frozen=True)
class Origin:
    """Where the codes of a column come from.

    ``bins`` are the cut points of a continuous column; ``other`` is the state that took in the rare values
    of a category and will take in unknown ones; ``identifier`` says why the column looks like an identifier
    of the rows, which learning leaves out, and is empty for all other columns. ``missing_values`` are the
    texts that marked a missing cell, if the caller named them.
    """

    bins: Bins | None = None
    other: str | None = None
    identifier: str = field(default="", compare=False)
    missing_values: tuple[str, ...] = field(default=(), compare=False)

    @property
    def kind(self) -> Kind:
        """What the column was in the source."""
        return "category" if self.bins is None else "continuous"

    @property
    def matters(self) -> bool:
        """Whether new rows need it: a plain category needs only its states."""
        return self.bins is not None or self.other is not None or bool(self.missing_values)


CATEGORY = Origin()


def origin_entry(origin: Origin | None) -> dict[str, Any]:
    """The fields of an origin for JSON.

    They are ``cuts`` and ``scale`` of a discretised column, ``other`` of a grouped one, ``missing_values``.
    """
    entry: dict[str, Any] = {}
    if origin is not None and origin.bins is not None:
        entry |= {"cuts": list(origin.bins.cuts), "scale": origin.bins.scale}
    if origin is not None and origin.other is not None:
        entry["other"] = origin.other
    if origin is not None and origin.missing_values:
        entry["missing_values"] = list(origin.missing_values)
    return entry


def origin_of(entry: dict[str, Any]) -> Origin | None:
    """The origin of the fields, or None if there are none."""
    bins = Bins(tuple(map(float, entry["cuts"])), entry.get("scale", "number")) if "cuts" in entry else None
    marks = tuple(str(mark) for mark in entry.get("missing_values", ()))
    origin = Origin(bins, entry.get("other"), missing_values=marks)
    return origin if origin.matters else None
