"""Cut points and grouped values of a node as JSON entries."""

from __future__ import annotations

from typing import Any

from dagwright.data import Bins, Origin


def origin_entry(origin: Origin | None) -> dict[str, Any]:
    """The fields of an origin: ``cuts`` and ``scale`` of a discretised node, ``other`` of a grouped one."""
    entry: dict[str, Any] = {}
    if origin is not None and origin.bins is not None:
        entry |= {"cuts": list(origin.bins.cuts), "scale": origin.bins.scale}
    if origin is not None and origin.other is not None:
        entry["other"] = origin.other
    return entry


def origin_of(entry: dict[str, Any]) -> Origin | None:
    """The origin of the fields, or None if there are none."""
    bins = Bins(tuple(map(float, entry["cuts"])), entry.get("scale", "number")) if "cuts" in entry else None
    other = entry.get("other")
    return Origin(bins, other) if bins is not None or other is not None else None
