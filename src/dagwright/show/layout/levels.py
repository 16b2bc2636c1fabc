"""A graph in layers: long arcs become chains of unit ones through dummy nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dagwright.show.layout.acyclic import Arc

Ints = NDArray[np.int64]


class Levels:
    """Vertices 0..n-1 are the nodes, the others dummies; all segments join neighbouring layers."""

    def __init__(self, rank: Sequence[int], arcs: Sequence[Arc]) -> None:
        self.n = len(rank)
        layer_of = list(rank)
        above: list[int] = []
        below: list[int] = []
        self.chains: list[list[int]] = []
        for start, end in arcs:
            chain = [start]
            for layer in range(rank[start] + 1, rank[end]):
                chain.append(len(layer_of))
                layer_of.append(layer)
            chain.append(end)
            above += chain[:-1]
            below += chain[1:]
            self.chains.append(chain)
        self.size = len(layer_of)
        self.depth = max(layer_of) + 1
        self.layer = np.array(layer_of, dtype=np.int64)
        upper, lower = np.array(above, dtype=np.int64), np.array(below, dtype=np.int64)
        self.members: list[Ints] = [np.flatnonzero(self.layer == k) for k in range(self.depth)]
        gap = self.layer[upper] if len(upper) else upper
        self.gaps: list[tuple[Ints, Ints]] = [
            (upper[gap == k], lower[gap == k]) for k in range(self.depth - 1)
        ]
        self.up: list[list[int]] = [[] for _ in range(self.size)]
        self.down: list[list[int]] = [[] for _ in range(self.size)]
        for a, b in zip(above, below, strict=True):
            self.down[a].append(b)
            self.up[b].append(a)


def crossings_between(upper: NDArray[np.float64], lower: NDArray[np.float64]) -> int:
    """How many pairs of segments cross, given the places of their ends in the two layers."""
    order = np.lexsort((lower, upper))
    ends = lower[order]
    total = 0
    for start in range(0, len(ends), 256):
        block = ends[start : start + 256]
        inside = block[:, None] > block[None, :]
        total += int(np.count_nonzero(np.triu(inside, 1)))
        total += int(np.count_nonzero(block[:, None] > ends[None, start + 256 :]))
    return total


def crossings(levels: Levels, place: NDArray[np.float64]) -> int:
    """Crossings of the whole drawing."""
    return sum(crossings_between(place[upper], place[lower]) for upper, lower in levels.gaps)
