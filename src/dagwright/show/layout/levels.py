"""A graph in layers: long arcs become chains of unit ones through dummy nodes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from dagwright import _core
from dagwright.show.layout.acyclic import Arc

# Comparisons of pairs of vertices for all starts of the ordering: about a second.
EFFORT = 3e7


class Levels:
    """Vertices 0..n-1 are the nodes, the others dummies; all segments join neighboring layers."""

    def __init__(self, rank: Sequence[int], arcs: Sequence[Arc]) -> None:
        self.n = len(rank)
        self.layer = list(rank)
        self.chains: list[list[int]] = []
        for start, end in arcs:
            chain = [start]
            for layer in range(rank[start] + 1, rank[end]):
                chain.append(len(self.layer))
                self.layer.append(layer)
            self.chains.append([*chain, end])
        self.size = len(self.layer)
        self.depth = max(self.layer) + 1
        self.segments = [pair for chain in self.chains for pair in pairwise(chain)]
        self.up: list[list[int]] = [[] for _ in range(self.size)]
        self.down: list[list[int]] = [[] for _ in range(self.size)]
        for a, b in self.segments:
            self.down[a].append(b)
            self.up[b].append(a)

    def ordered(self) -> _core.LayerOrder:
        """The vertices of each layer from left to right with few crossings, and how many are left."""
        return _core.order_layers(self.layer, self.segments, EFFORT)
