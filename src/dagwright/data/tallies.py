"""Weighted counts that do not depend on the order of rows, and n log n."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dagwright.data.columns import Floats

Counts = npt.NDArray[np.float64]


def tally(cells: npt.NDArray[np.intp], weights: Floats | None, length: int) -> Counts:
    """The weight of each cell number; equal cells are added from the smallest weight on."""
    if weights is None:
        return np.bincount(cells, minlength=length).astype(np.float64)
    order = np.lexsort((weights, cells))
    return np.bincount(cells[order], weights[order], minlength=length).astype(np.float64)


def n_log_n(counts: Counts) -> Counts:
    """n log n in nats, 0 for 0."""
    result: Counts = counts * np.log(np.where(counts > 0, counts, 1.0))
    return result
