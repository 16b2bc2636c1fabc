"""Horizontal places: a start by Brandes & Köpf (2002), then springs.

The start has the corrections of Brandes, Walter & Zink (2020): four assignments (aligned to upper or lower
neighbors, leftmost or rightmost) are put on top of each other and each vertex takes the mean of the two in
the middle. Then every layer in turn moves to where the squared lengths to its neighbors are least while
all distances are kept, stiffest along long edges (Gansner et al. 1993, section 4, weighs them so); this draws
together what the aligned blocks held apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from dagwright.show.layout.levels import Levels

Separation = Callable[[int, int], float]
# By the number of dummies at the ends of a segment; rounds by the number of vertices.
STIFFNESS = (1.0, 2.0, 8.0)
ROUNDS_WORK, FEWEST_ROUNDS, MOST_ROUNDS = 400_000, 24, 160


def horizontal(levels: Levels, layers: Sequence[Sequence[int]], apart: Separation) -> list[float]:
    """The center of each vertex; ``apart`` is the least distance of two neighbors of a layer."""
    conflicts = _conflicts(levels, layers)
    candidates: list[list[float]] = []
    for upwards in (True, False):
        for leftwards in (True, False):
            turned = [list(layer) if leftwards else list(reversed(layer)) for layer in layers]
            if not upwards:
                turned.reverse()
            neighbors = levels.up if upwards else levels.down
            root = _aligned(levels.size, turned, neighbors, conflicts)
            x = _compacted(levels.size, turned, root, apart)
            candidates.append(x if leftwards else [-value for value in x])
    return _relaxed(levels, layers, _balanced(candidates), apart)


def _relaxed(
    levels: Levels, layers: Sequence[Sequence[int]], start: list[float], apart: Separation
) -> list[float]:
    """Least squares within each layer by pooling neighbors that would come too close, layer after layer."""
    x = list(start)
    stiff = [
        [(other, STIFFNESS[(vertex >= levels.n) + (other >= levels.n)]) for other in near]
        for vertex, near in enumerate(
            above + below for above, below in zip(levels.up, levels.down, strict=True)
        )
    ]
    weight = [sum(one for _, one in near) for near in stiff]
    offsets = []
    for layer in layers:
        offsets.append([0.0])
        for left, right in pairwise(layer):
            offsets[-1].append(offsets[-1][-1] + apart(left, right))
    rounds = min(max(ROUNDS_WORK // levels.size, FEWEST_ROUNDS), MOST_ROUNDS)
    for turn in range(rounds):
        for k in range(levels.depth) if turn % 2 == 0 else reversed(range(levels.depth)):
            pools: list[tuple[float, float, int]] = []  # place less the offset, weight, how many
            for vertex, offset in zip(layers[k], offsets[k], strict=True):
                heavy, count = weight[vertex], 1
                mean = sum(x[other] * one for other, one in stiff[vertex]) / heavy - offset
                while pools and pools[-1][0] > mean:
                    before, more, many = pools.pop()
                    mean = (mean * heavy + before * more) / (heavy + more)
                    heavy, count = heavy + more, count + many
                pools.append((mean, heavy, count))
            flat = (mean for mean, _, count in pools for _ in range(count))
            for vertex, offset, mean in zip(layers[k], offsets[k], flat, strict=True):
                x[vertex] = mean + offset
    return x


def _conflicts(levels: Levels, layers: Sequence[Sequence[int]]) -> set[tuple[int, int]]:
    """Segments that cross one between two dummies: these yield, so that long edges stay straight."""
    place = {vertex: position for layer in layers for position, vertex in enumerate(layer)}
    marked: set[tuple[int, int]] = set()
    for upper, lower in pairwise(layers):
        left, scanned = 0, 0
        for position, vertex in enumerate(lower):
            inner = next((u for u in levels.up[vertex] if u >= levels.n), -1) if vertex >= levels.n else -1
            if inner < 0 and position < len(lower) - 1:
                continue
            right = place[inner] if inner >= 0 else len(upper)
            for below in lower[scanned : position + 1]:
                for above in levels.up[below]:
                    both_dummies = above >= levels.n and below >= levels.n
                    if not both_dummies and not left <= place[above] <= right:
                        marked.add((above, below))
            scanned, left = position + 1, right
    return marked


def _aligned(
    size: int,
    layers: Sequence[Sequence[int]],
    neighbors: Sequence[Sequence[int]],
    conflicts: set[tuple[int, int]],
) -> list[int]:
    """Blocks of vertices in one vertical line: each vertex with the median of its neighbors."""
    root, align = list(range(size)), list(range(size))
    place = [0] * size
    for layer in layers:
        for position, vertex in enumerate(layer):
            place[vertex] = position
    for layer in layers[1:]:
        reached = -1
        for vertex in layer:
            near = sorted(neighbors[vertex], key=place.__getitem__)
            if not near:
                continue
            middle = (len(near) - 1) // 2, len(near) // 2
            for median in dict.fromkeys(middle):
                other = near[median]
                if align[vertex] != vertex or reached >= place[other]:
                    continue
                if (other, vertex) in conflicts or (vertex, other) in conflicts:
                    continue
                align[other] = vertex
                root[vertex] = root[other]
                align[vertex] = root[vertex]
                reached = place[other]
    return root


def _compacted(size: int, layers: Sequence[Sequence[int]], root: list[int], apart: Separation) -> list[float]:
    """Blocks as far left as their neighbors allow, then as far right as that leaves them near others.

    Each block waits for the blocks left of it: longest paths in the block graph, twice, so that blocks that
    were pushed apart come back together.
    """
    after: dict[int, list[tuple[int, float]]] = {}
    before: dict[int, list[tuple[int, float]]] = {}
    waiting: dict[int, int] = {}
    for layer in layers:
        for vertex in layer:
            if root[vertex] == vertex:
                waiting.setdefault(vertex, 0)
        for left, right in pairwise(layer):
            a, b = root[left], root[right]
            gap = apart(left, right)
            after.setdefault(a, []).append((b, gap))
            before.setdefault(b, []).append((a, gap))
            waiting[b] = waiting.get(b, 0) + 1
    order = [block for block, count in waiting.items() if count == 0]
    for block in order:
        for other, _ in after.get(block, ()):
            waiting[other] -= 1
            if waiting[other] == 0:
                order.append(other)
    x = dict.fromkeys(order, 0.0)
    for block in order:
        for other, gap in before.get(block, ()):
            x[block] = max(x[block], x[other] + gap)
    for block in reversed(order):
        limit = min((x[other] - gap for other, gap in after.get(block, ())), default=None)
        if limit is not None:
            x[block] = max(x[block], limit)
    return [x[root[vertex]] for vertex in range(size)]


def _balanced(candidates: list[list[float]]) -> list[float]:
    spans = [max(x) - min(x) for x in candidates]
    narrow = candidates[spans.index(min(spans))]
    low, high = min(narrow), max(narrow)
    shifted = []
    for number, x in enumerate(candidates):
        delta = low - min(x) if number % 2 == 0 else high - max(x)
        shifted.append([value + delta for value in x])
    return [sum(sorted(values)[1:3]) / 2 for values in zip(*shifted, strict=True)]
