"""Weights given for rows on disk: copied to a file without a name, a batch at a time, and mapped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.data.checks import checked_weights, require_countable
from dagwright.data.scratch_files import mapped_scratch
from dagwright.errors import DataError


def weights_on_disk(weights: Any, n_rows: int, spans: Iterable[tuple[int, int]]) -> npt.NDArray[np.float64]:
    """Read-only weights, checked like those in memory; the file goes with the last array that maps it."""
    given = weights if isinstance(weights, np.ndarray | list | tuple) else np.asarray(weights)
    if np.ndim(given[:1]) != 1 or len(given) != n_rows:
        raise DataError(f"{np.size(given):,} weights for {n_rows:,} rows; give one weight per row")
    sums = []

    def parts() -> Iterator[npt.NDArray[np.float64]]:
        for first, end in spans:
            part = checked_weights(given[first:end], end - first, first)
            sums.append(float(part.sum()))
            yield part
        require_countable(math.fsum(sums))

    return mapped_scratch(parts(), "<f8", n_rows)
