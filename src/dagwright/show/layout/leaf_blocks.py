"""The many leaves of one node in a block of columns, where one row of them would be too wide to read.

The leaves of a column hang from one line, each by a short branch, as in an index.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from dagwright.show.layout.acyclic import Arc
from dagwright.show.layout.routes import Point

LIMIT, ASPECT = 1600.0, 2.4
"""A row of leaves wider than this many pixels becomes a block about so many times wider than high."""
INDENT, TURN = 22.0, 7.0
Size = tuple[float, float]


@dataclass(frozen=True)
class LeafBlock:
    """Leaves of one node, all below it or all above it, column by column.

    Attributes
    ----------
    hub, leaves, edges
        Numbers of the node, of its leaves and of the edges between them.
    below
        Whether the edges lead from the hub to the leaves.
    cell
        Width and height of the place of a leaf.
    rows
        Leaves in a column.
    """

    hub: int
    leaves: tuple[int, ...]
    edges: tuple[int, ...]
    below: bool
    cell: Size
    rows: int

    @property
    def size(self) -> Size:
        columns = math.ceil(len(self.leaves) / self.rows)
        return columns * self.cell[0], self.rows * self.cell[1]

    def centers(self, middle: Point, sizes: Sequence[Size]) -> list[Point]:
        """Where the leaves stand, each at the left of its place but for the line it hangs from."""
        return [
            (self._left(at, middle) + INDENT + sizes[leaf][0] / 2, self._height(at, middle))
            for at, leaf in enumerate(self.leaves)
        ]

    def routes(self, start: Point, middle: Point) -> list[tuple[Point, ...]]:
        """From the hub to each leaf; reversed for leaves above it."""
        edge = middle[1] + self.size[1] / 2 * (-1 if self.below else 1)
        found: list[tuple[Point, ...]] = []
        for at in range(len(self.leaves)):
            x, y = self._left(at, middle) + INDENT / 3, self._height(at, middle)
            corner = y - TURN if self.below else y + TURN
            half = (start[1] + edge) / 2
            end = (self._left(at, middle) + INDENT, y)
            found.append(
                (
                    *(start, (start[0], half), (x, half), (x, edge)),
                    *((x, (2 * edge + corner) / 3), (x, (edge + 2 * corner) / 3), (x, corner)),
                    *((x, y), (x, y), end),
                )
            )
        return found if self.below else [route[::-1] for route in found]

    def _left(self, at: int, middle: Point) -> float:
        return middle[0] - self.size[0] / 2 + at // self.rows * self.cell[0]

    def _height(self, at: int, middle: Point) -> float:
        return middle[1] - self.size[1] / 2 + (at % self.rows + 0.5) * self.cell[1]


def leaf_blocks(sizes: Sequence[Size], edges: Sequence[Arc], gap: float) -> list[LeafBlock]:
    """The blocks that a graph needs; none for most."""
    degree = [0] * len(sizes)
    for arc in edges:
        for node in arc:
            degree[node] += 1
    groups: dict[tuple[int, bool], list[tuple[int, int]]] = defaultdict(list)
    for number, (start, end) in enumerate(edges):
        if degree[end] == 1 < degree[start]:
            groups[start, True].append((end, number))
        elif degree[start] == 1 < degree[end]:
            groups[end, False].append((start, number))
    found = []
    for (hub, below), members in groups.items():
        widest = max(sizes[leaf][0] for leaf, _ in members)
        highest = max(sizes[leaf][1] for leaf, _ in members)
        if sum(sizes[leaf][0] + gap for leaf, _ in members) <= LIMIT:
            continue
        cell = widest + INDENT + gap, highest + 0.5 * gap
        rows = math.ceil(math.sqrt(len(members) * cell[0] / cell[1] / ASPECT))
        columns = math.ceil(len(members) / rows)
        leaves, numbers = zip(*members, strict=True)
        found.append(LeafBlock(hub, leaves, numbers, below, cell, math.ceil(len(members) / columns)))
    return found
