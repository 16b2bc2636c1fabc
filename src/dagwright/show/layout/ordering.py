"""The order within each layer: few crossings.

Sweeps by barycentres (Sugiyama et al. 1981) from several starts, then each vertex moves to the best place
among its layer with both neighbouring layers fixed (sifting, Matuszewski, Schönfeld & Molitor 1999).
Crossing numbers of all pairs of a layer come from one matrix product, so the moves cost little.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dagwright.show.layout.levels import Ints, Levels, crossings

Floats = NDArray[np.float64]
SWEEPS = 16
SIFTINGS = 12
WIDEST = 1_600  # layers with more vertices are ordered by barycentres alone
WORK = 30_000  # vertices over all starts


def ordered(levels: Levels) -> list[list[int]]:
    """The vertices of each layer from left to right; the same for the same layers every time."""
    best: list[Ints] = []
    least = -1
    starts = int(np.clip(WORK // max(levels.size, 1), 1, 16))
    rng = np.random.default_rng(0)
    for start in range(starts):
        place = _start(levels, start, rng)
        _sweep(levels, place, downwards=start % 2 == 0)
        found = _sift(levels, place)
        if least < 0 or found < least:
            least, best = found, [_in_order(members, place) for members in levels.members]
        if least == 0:
            break
    return [layer.tolist() for layer in best]


def _in_order(members: Ints, place: Floats) -> Ints:
    return members[np.argsort(place[members], kind="stable")]


def _start(levels: Levels, number: int, rng: np.random.Generator) -> Floats:
    """Depth first from the top or from the bottom; later starts in random order."""
    place = np.zeros(levels.size)
    if number > 1:
        for members in levels.members:
            place[members] = rng.permutation(len(members))
        return place
    following = levels.down if number == 0 else levels.up
    ends = levels.up if number == 0 else levels.down
    seen = [False] * levels.size
    count = 0
    for root in range(levels.size):
        if seen[root] or ends[root]:
            continue
        todo = [root]
        while todo:
            vertex = todo.pop()
            if seen[vertex]:
                continue
            seen[vertex] = True
            place[vertex] = count
            count += 1
            todo += reversed(following[vertex])
    for members in levels.members:
        place[_in_order(members, place)] = np.arange(len(members))
    return place


def _sweep(levels: Levels, place: Floats, *, downwards: bool) -> None:
    """Barycentre sweeps in both directions; leaves the best order met in ``place``."""
    best, least = place.copy(), crossings(levels, place)
    idle = 0
    for sweep in range(SWEEPS):
        if (sweep % 2 == 0) == downwards:
            for k in range(1, levels.depth):
                upper, lower = levels.gaps[k - 1]
                _by_barycentre(levels.members[k], lower, place[upper], place, reverse=sweep % 4 > 1)
        else:
            for k in range(levels.depth - 2, -1, -1):
                upper, lower = levels.gaps[k]
                _by_barycentre(levels.members[k], upper, place[lower], place, reverse=sweep % 4 > 1)
        found = crossings(levels, place)
        if found < least:
            best, least, idle = place.copy(), found, 0
        else:
            idle += 1
        if idle > 5 or least == 0:
            break
    place[:] = best


def _by_barycentre(members: Ints, ends: Ints, others: Floats, place: Floats, *, reverse: bool) -> None:
    """Sort a layer by the mean place of its neighbours; ties keep their order, or turn it."""
    total = np.bincount(ends, weights=others, minlength=len(place))[members]
    degree = np.bincount(ends, minlength=len(place))[members]
    value = np.where(degree > 0, total / np.maximum(degree, 1), place[members])
    tie = -place[members] if reverse else place[members]
    place[members[np.lexsort((tie, value))]] = np.arange(len(members))


def _sift(levels: Levels, place: Floats) -> int:
    """Layer by layer, move each vertex to its best place, until nothing improves; the crossings left."""
    total = crossings(levels, place)
    for sweep in range(SIFTINGS):
        gained = 0
        layers = range(levels.depth) if sweep % 2 == 0 else range(levels.depth - 1, -1, -1)
        for k in layers:
            if 1 < len(levels.members[k]) <= WIDEST:
                gained += _sift_layer(levels, k, place)
        total -= gained
        if not gained:
            break
    return total


def _pair_crossings(levels: Levels, k: int, order: Ints, place: Floats) -> NDArray[np.float32]:
    """Entry (u, v): crossings of the segments of u with those of v when u is left of v."""
    column = np.zeros(levels.size, dtype=np.int64)
    column[order] = np.arange(len(order))
    result = np.zeros((len(order), len(order)), dtype=np.float32)
    for near, own in ((k - 1, 1), (k, 0)):
        if not 0 <= near < levels.depth - 1:
            continue
        pair = levels.gaps[near]
        rows, others = column[pair[own]], place[pair[1 - own]].astype(np.int64)
        joined = np.zeros((len(order), int(others.max()) + 1 if len(others) else 1), dtype=np.float32)
        np.add.at(joined, (rows, others), 1.0)
        result += joined @ (np.cumsum(joined, axis=1) - joined).T
    return result


def _sift_layer(levels: Levels, k: int, place: Floats) -> int:
    order = _in_order(levels.members[k], place)
    cost = _pair_crossings(levels, k, order, place)
    change = cost - cost.T  # what it costs more to have the row left of the column
    count = len(order)
    at = np.arange(count)
    gained = 0
    for vertex in range(count):
        position = int(np.flatnonzero(at == vertex)[0])
        # Passing those on the left one by one, and those on the right.
        left = np.cumsum(change[vertex, at[:position][::-1]])
        right = np.cumsum(change[at[position + 1 :], vertex])
        best_left = float(left.min()) if len(left) else 0.0
        best_right = float(right.min()) if len(right) else 0.0
        if min(best_left, best_right) >= 0:
            continue
        if best_left <= best_right:
            target = position - 1 - int(left.argmin())
        else:
            target = position + 1 + int(right.argmin())
        gained -= int(min(best_left, best_right))
        at = np.insert(np.delete(at, position), target, vertex)
    if gained:
        place[order[at]] = np.arange(count)
    return gained
