"""The heaviest branching of a directed graph (Chu & Liu 1965, Edmonds 1967)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
NOWHERE = -np.inf


def maximum_branching(weights: Matrix, rooted: NDArray[np.bool_] | None = None) -> list[int | None]:
    """One parent or none for every node, without cycles, such that the arcs are heaviest together.

    Parameters
    ----------
    weights
        ``weights[u, v]`` of the arc u -> v; minus infinity where there is none.
    rooted
        Which nodes may be without a parent; all of them by default. A node that may not must have an arc.

    >>> maximum_branching(np.array([[-np.inf, 3.0, 1.0], [2.0, -np.inf, 5.0], [4.0, 1.0, -np.inf]]))
    [2, None, 1]
    """
    n = len(weights)
    # An arc of weight 0 from a node above all others stands for no parent.
    whole = np.full((n + 1, n + 1), NOWHERE)
    whole[:n, :n] = weights
    whole[n, :n] = 0.0 if rooted is None else np.where(rooted, 0.0, NOWHERE)
    np.fill_diagonal(whole, NOWHERE)
    parents = _arborescence(whole, n)
    return [None if parent == n else int(parent) for parent in parents[:n]]


def _arborescence(weights: Matrix, root: int) -> NDArray[np.intp]:
    """The parents in the heaviest arborescence from ``root``; the root's own entry means nothing."""
    best: NDArray[np.intp] = np.argmax(weights, axis=0)
    best[root] = root
    cycles = _cycles(best, root)
    if not cycles:
        return best
    # Each cycle becomes one node. An arc into it replaces one of its arcs, whose weight it must make up for.
    inside = [node for cycle in cycles for node in cycle]
    outside = np.setdiff1d(np.arange(len(weights)), inside)
    groups = [np.array([node]) for node in outside] + [np.array(cycle) for cycle in cycles]
    replacing = weights.copy()
    replacing[:, inside] -= weights[best[inside], inside]
    # Groups stand together in this order, so that each is one slice.
    order = np.concatenate(groups)
    starts = np.cumsum([0, *map(len, groups[:-1])])
    replacing = np.maximum.reduceat(replacing[np.ix_(order, order)], starts, axis=0)
    entries = [
        np.argmax(replacing[:, start : start + len(group)], axis=1)
        for start, group in zip(starts, groups, strict=True)
    ]
    contracted = np.maximum.reduceat(replacing, starts, axis=1)
    np.fill_diagonal(contracted, NOWHERE)
    chosen = _arborescence(contracted, int(np.searchsorted(outside, root)))
    parents = best.copy()

    def original(parent: int, child: int) -> int:
        """The node behind ``parent`` from which the arc to the node ``child`` comes."""
        group = groups[parent]
        return int(group[int(np.argmax(weights[group, child]))])

    for child, group in enumerate(groups):
        parent = int(chosen[child])
        if child < len(outside):
            if group[0] != root:
                parents[group[0]] = original(parent, int(group[0]))
        else:
            node = int(group[entries[child][parent]])
            parents[node] = original(parent, node)
    return parents


def _cycles(parents: NDArray[np.intp], root: int) -> list[list[int]]:
    """The cycles of a graph in which every node but the root has one parent, each from its first node."""
    seen = [0] * len(parents)
    cycles = []
    for start in range(len(parents)):
        walk = []
        node = start
        while node != root and not seen[node]:
            seen[node] = start + 1
            walk.append(node)
            node = int(parents[node])
        if node != root and seen[node] == start + 1:
            cycles.append(walk[walk.index(node) :])
    return cycles
