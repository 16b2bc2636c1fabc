"""Probabilities of paths, Markov blankets and v-structures from a weighted list of networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.search.control import Control


def unpack(rows: NDArray[np.uint64], n: int) -> NDArray[np.bool_]:
    """Bit rows (..., words) as (..., n) truths."""
    as_bytes = np.ascontiguousarray(rows.astype("<u8")).view(np.uint8)
    return np.unpackbits(as_bytes, axis=-1, bitorder="little", count=n).astype(bool)


def features(
    rows: NDArray[np.uint64],
    weights: NDArray[np.float64],
    names: Sequence[str],
    columns: Sequence[str],
    control: Control,
) -> dict[str, Any]:
    """The fields of a `Confidence` with its nodes in the order of ``columns``; none if Ctrl-C came first.

    ``rows`` are the parents of each variable of each network, (networks, variables, words), numbered as
    ``names``. The time limit is for what comes before: this takes little.
    """
    n = len(names)
    found = _core.network_features(
        np.ascontiguousarray(rows),
        np.ascontiguousarray(weights),
        threads=control.threads,
        progress=control.native_progress,
    )
    if found.stopped is not None:
        return {}
    at = np.ix_(*[[list(names).index(name) for name in columns]] * 2)
    colliders = {}
    for one in found.v_structures:
        first, last = sorted((names[one.a], names[one.b]))
        colliders[first, names[one.c], last] = min(1.0, one.weight)
    return {
        "paths": np.clip(found.paths.reshape(n, n)[at], 0.0, 1.0),
        "blankets": np.clip(found.blankets.reshape(n, n)[at], 0.0, 1.0),
        "v_structures": dict(sorted(colliders.items())),
    }
