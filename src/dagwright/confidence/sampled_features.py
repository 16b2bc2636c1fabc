"""Probabilities of paths, Markov blankets and v-structures from a weighted list of networks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MOST_WORK = 2e10
"""Multiplications beyond which paths, blankets and v-structures are left out."""


def affordable(networks: int, n: int) -> bool:
    """Whether looking at every path of so many networks is a matter of seconds."""
    return networks * float(n) ** 3 * max(1, n.bit_length()) <= MOST_WORK


def unpack(rows: NDArray[np.uint64], n: int) -> NDArray[np.bool_]:
    """Bit rows of parents, (..., n, words), as matrices (..., parent, child)."""
    as_bytes = np.ascontiguousarray(rows.astype("<u8")).view(np.uint8)
    bits = np.unpackbits(as_bytes, axis=-1, bitorder="little", count=n)
    return np.swapaxes(bits, -1, -2).astype(bool)


def paths(networks: NDArray[np.bool_], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of the networks with a directed path from i to j."""
    n = networks.shape[1]
    total = np.zeros((n, n))
    for start in range(0, len(networks), 1024):
        reach = networks[start : start + 1024].astype(np.float32)
        length = 1
        while length < n:
            reach = np.minimum(reach + reach @ reach, 1.0)
            length *= 2
        total += np.tensordot(weights[start : start + 1024], reach, 1)
    return _probabilities(total)


def blankets(networks: NDArray[np.bool_], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of the networks with j among the parents, children or children's parents of i."""
    n = networks.shape[1]
    total = np.zeros((n, n))
    for start in range(0, len(networks), 1024):
        arcs = networks[start : start + 1024].astype(np.float32)
        turned = np.swapaxes(arcs, 1, 2)
        total += np.tensordot(weights[start : start + 1024], (arcs + turned + arcs @ turned) > 0, 1)
    return _probabilities(total)


def v_structures(
    networks: NDArray[np.bool_], weights: NDArray[np.float64], names: Sequence[str]
) -> dict[tuple[str, str, str], float]:
    """The weight of the networks with a -> c <- b and no link between a and b, by (a, c, b)."""
    n = networks.shape[1]
    total = np.zeros((n, n, n))
    for start in range(0, len(networks), 1024):
        arcs = networks[start : start + 1024]
        apart = ~(arcs | np.swapaxes(arcs, 1, 2))
        share = weights[start : start + 1024]
        for c in range(n):
            into = arcs[:, :, c]
            both = into[:, :, None] & into[:, None, :] & apart
            total[c] += np.tensordot(share, both, 1)
    found = {}
    for c, a, b in np.argwhere(total > 0):
        if names[a] < names[b]:
            found[names[a], names[c], names[b]] = min(1.0, float(total[c, a, b]))
    return dict(sorted(found.items()))


def _probabilities(total: NDArray[np.float64]) -> NDArray[np.float64]:
    np.fill_diagonal(total, 0.0)
    return np.clip(total, 0.0, 1.0)
