"""A known joint distribution in the form of weighted rows."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.errors import DataError


def distribution_facts(
    probabilities: npt.ArrayLike,
    names: Sequence[str],
    states: Sequence[Sequence[Hashable]] | None,
    sample_size: float,
) -> dict[str, Any]:
    """The facts of the Table whose rows are the cells of positive probability."""
    cells = np.asarray(probabilities, dtype=np.float64)
    if cells.ndim != len(names):
        raise DataError(
            f"the distribution has {cells.ndim} axes for {len(names)} names; give one axis per name"
        )
    if cells.ndim and 0 in cells.shape:
        raise DataError(f"column {names[cells.shape.index(0)]!r} has no states")
    if not np.all(np.isfinite(cells)) or np.any(cells < 0):
        raise DataError("probabilities must be finite and not negative")
    total = math.fsum(cells.ravel().tolist())
    if abs(total - 1.0) > 1e-9:
        raise DataError(f"the probabilities sum to {total:.12g}, not to 1; divide them by their sum")
    if not (math.isfinite(sample_size) and sample_size > 0):
        raise DataError(f"sample_size must be a positive number, not {sample_size}")
    declared = [tuple(range(r)) for r in cells.shape] if states is None else [tuple(s) for s in states]
    if len(declared) != len(names):
        raise DataError(f"{len(declared)} state lists for {len(names)} names")
    for name, r, given in zip(names, cells.shape, declared, strict=True):
        if len(given) != r:
            raise DataError(f"column {name!r}: {len(given)} states for an axis of length {r}")
    occupied = np.nonzero(cells)
    return {
        "names": names,
        "columns": [positions.copy() for positions in occupied],
        "states": declared,
        "weights": cells[occupied] * sample_size,
        "notes": (f"exact joint distribution, sample size {sample_size:g}",),
    }
