"""Slow, plain NumPy twins of what the core does for networks, for comparison in the tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork

MASK = 2**64 - 1


def splitmix(state: int) -> int:
    """The number SplitMix64 gives in this state (Steele, Lea & Flood 2014)."""
    z = (state + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def sample_codes(network: BayesianNetwork, rows: int, seed: int) -> dict[str, NDArray[np.int64]]:
    """The rows that logic sampling draws for a 64-bit seed."""
    codes: dict[str, NDArray[np.int64]] = {}
    streams = {node: rank for rank, node in enumerate(sorted(network.nodes))}
    for node in network.graph.topological_order():
        key = splitmix(seed ^ splitmix(streams[node]))
        drawn = np.zeros(rows, dtype=np.int64)
        for row in range(rows):
            u = splitmix((key + row * 0x9E3779B97F4A7C15) & MASK) >> 1
            place = tuple(codes[parent][row] for parent in network.parents(node))
            probabilities = network.table(node)[place].tolist()
            total, last = 0.0, max(k for k, p in enumerate(probabilities) if p > 0)
            for k, p in enumerate(probabilities[:last]):
                total += p
                if u >= min(int(total * 2.0**63), 2**63):
                    drawn[row] = k + 1
        codes[node] = drawn
    return codes
