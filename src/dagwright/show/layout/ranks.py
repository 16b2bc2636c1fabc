"""The layer of each node, with the least total length of the arcs.

Network simplex as in Gansner, Koutsofios, North & Vo (1993), section 2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dagwright.show.layout.acyclic import Arc

MOST_PIVOTS = 20_000


def longest_path(n: int, arcs: Sequence[Arc]) -> list[int]:
    """The least layer of each node with every arc leading down."""
    children: list[list[int]] = [[] for _ in range(n)]
    waiting = [0] * n
    for start, end in arcs:
        children[start].append(end)
        waiting[end] += 1
    rank = [0] * n
    ready = [node for node in range(n) if not waiting[node]]
    for node in ready:
        for child in children[node]:
            rank[child] = max(rank[child], rank[node] + 1)
            waiting[child] -= 1
            if not waiting[child]:
                ready.append(child)
    return rank


def ranks(n: int, arcs: Sequence[Arc]) -> list[int]:
    """Layers of a connected acyclic graph, 0 at the top, with the least sum of arc lengths."""
    if not arcs:
        return [0] * n
    simplex = _Simplex(n, arcs)
    for _ in range(MOST_PIVOTS):
        leaving = simplex.leaving()
        if leaving < 0:
            break
        simplex.exchange(leaving, simplex.entering(leaving))
    return simplex.balanced()


class _Simplex:
    """A spanning tree of tight arcs (length 1), its numbering and its cut values.

    Node v is below tree node u when ``low[u] <= lim[v] <= lim[u]``: postorder numbers, and for each node the
    least of its subtree.
    """

    def __init__(self, n: int, arcs: Sequence[Arc]) -> None:
        self.n, self.arcs = n, arcs
        self.tail = np.array([a for a, _ in arcs])
        self.head = np.array([b for _, b in arcs])
        self.rank = np.array(longest_path(n, arcs))
        self.incident: list[list[int]] = [[] for _ in range(n)]
        for number, (start, end) in enumerate(arcs):
            self.incident[start].append(number)
            self.incident[end].append(number)
        self.in_tree = np.zeros(len(arcs), dtype=bool)
        self.cut = np.zeros(len(arcs), dtype=np.int64)
        self.next = 0
        self._grow_tree()
        self._number()

    def _slack(self) -> NDArray[np.int64]:
        return np.asarray(self.rank[self.head] - self.rank[self.tail] - 1)

    def _grow_tree(self) -> None:
        """Shift the tree found so far until one more arc is tight, until it spans all nodes."""
        reached = np.zeros(self.n, dtype=bool)
        reached[0] = True
        todo = [0]
        while True:
            while todo:
                node = todo.pop()
                for number in self.incident[node]:
                    a, b = self.arcs[number]
                    other = b if a == node else a
                    if not reached[other] and self.rank[b] - self.rank[a] == 1:
                        reached[other] = self.in_tree[number] = True
                        todo.append(other)
            if reached.all():
                return
            slack = self._slack()
            across = np.flatnonzero(reached[self.tail] != reached[self.head])
            number = int(across[np.argmin(slack[across])])
            inside_tail = reached[self.tail[number]]
            self.rank[reached] += slack[number] if inside_tail else -slack[number]
            todo = [int(self.tail[number] if inside_tail else self.head[number])]

    def _number(self) -> None:
        lim, low, up = [0] * self.n, [0] * self.n, [-1] * self.n
        in_tree = self.in_tree.tolist()
        path = [(0, iter(self.incident[0]))]
        low[0] = count = 1
        while path:
            node, rest = path[-1]
            for number in rest:
                if not in_tree[number] or number == up[node]:
                    continue
                a, b = self.arcs[number]
                child = b if a == node else a
                up[child], low[child] = number, count
                path.append((child, iter(self.incident[child])))
                break
            else:
                lim[node] = count
                count += 1
                path.pop()
        # The tree arc from each node toward the root, -1 at the root itself.
        self.lim, self.low, self.up = np.array(lim), np.array(low), np.array(up)
        self._set_cut_values()

    def _set_cut_values(self) -> None:
        """Cut value of a tree arc: arcs from its tail's side to its head's, less those the other way.

        Arcs inside a side cancel, so this is the sum of (arcs out - arcs in) over the nodes of a side; in
        postorder a subtree is an interval, and its sum a difference of prefix sums.
        """
        excess = np.bincount(self.tail, minlength=self.n) - np.bincount(self.head, minlength=self.n)
        ordered = np.zeros(self.n + 1, dtype=np.int64)
        ordered[self.lim] = excess
        prefix = np.cumsum(ordered)
        nodes = np.flatnonzero(self.up >= 0)
        flow = prefix[self.lim[nodes]] - prefix[self.low[nodes] - 1]
        arcs = self.up[nodes]
        self.cut[:] = 0
        self.cut[arcs] = np.where(self.tail[arcs] == nodes, flow, -flow)

    def leaving(self) -> int:
        """A tree arc with negative cut value, searched for where the last search ended; -1 if none."""
        negative = np.flatnonzero(self.in_tree & (self.cut < 0))
        if not len(negative):
            return -1
        place = int(np.searchsorted(negative, self.next))
        self.next = int(negative[place % len(negative)]) + 1
        return self.next - 1

    def _below(self, node: int) -> NDArray[np.bool_]:
        return np.asarray((self.low[node] <= self.lim) & (self.lim <= self.lim[node]))

    def entering(self, leaving: int) -> int:
        """The shortest arc that leads from the head's side to the tail's."""
        tail, head = self.arcs[leaving]
        below_is_tail = self.lim[tail] < self.lim[head]
        inside = self._below(tail if below_is_tail else head)
        tail_side = inside if below_is_tail else ~inside
        candidates = np.flatnonzero(~tail_side[self.tail] & tail_side[self.head])
        return int(candidates[np.argmin(self._slack()[candidates])])

    def exchange(self, leaving: int, entering: int) -> None:
        tail, head = self.arcs[leaving]
        below_is_tail = self.lim[tail] < self.lim[head]
        inside = self._below(tail if below_is_tail else head)
        delta = self._slack()[entering]
        tail_side = inside if below_is_tail else ~inside
        self.rank[tail_side] -= delta
        self.in_tree[leaving], self.in_tree[entering] = False, True
        self._number()

    def balanced(self) -> list[int]:
        """Nodes with as many arcs in as out move to the emptiest of their layers (ibid., section 2.3)."""
        rank: list[int] = (self.rank - self.rank.min()).tolist()
        filled = [0] * (max(rank) + 1)
        for layer in rank:
            filled[layer] += 1
        for node in range(self.n):
            above = [rank[a] for a, b in (self.arcs[k] for k in self.incident[node]) if b == node]
            below = [rank[b] for a, b in (self.arcs[k] for k in self.incident[node]) if a == node]
            if len(above) != len(below) or not above:
                continue
            best = min(
                range(max(above) + 1, min(below)), key=lambda layer: (filled[layer], abs(layer - rank[node]))
            )
            filled[rank[node]] -= 1
            filled[best] += 1
            rank[node] = best
        return rank
