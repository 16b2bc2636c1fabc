"""Which variables lie on a path between two neighbors: the blocks of a graph (Hopcroft & Tarjan 1973)."""

from __future__ import annotations

from collections.abc import Sequence

from dagwright.search.independence.numbered_knowledge import Pair, as_pair


def edge_blocks(around: Sequence[set[int]]) -> dict[Pair, frozenset[int]]:
    """For each edge the members of its block (maximal part that no single node disconnects).

    A node lies on a simple path between the ends of an edge exactly when it is in the edge's block.

    >>> blocks = edge_blocks([{1, 2}, {0, 2}, {0, 1, 3}, {2}])
    >>> sorted(blocks[0, 1]), sorted(blocks[2, 3])
    ([0, 1, 2], [2, 3])
    """
    return {as_pair(*edge): members for edges, members in _blocks(around) for edge in edges}


def _blocks(around: Sequence[set[int]]) -> list[tuple[list[Pair], frozenset[int]]]:
    """The edges and the members of every block."""
    depth = [-1] * len(around)
    low = [0] * len(around)
    blocks: list[tuple[list[Pair], frozenset[int]]] = []
    stack: list[Pair] = []

    def close(until: Pair) -> None:
        edges: list[Pair] = []
        while True:
            edges.append(stack.pop())
            if edges[-1] == until:
                break
        blocks.append((edges, frozenset(v for edge in edges for v in edge)))

    for root in range(len(around)):
        if depth[root] >= 0:
            continue
        depth[root] = low[root] = 0
        path = [(root, -1, iter(sorted(around[root])))]
        while path:
            node, parent, rest = path[-1]
            for near in rest:
                if near == parent:
                    continue
                if depth[near] < 0:
                    stack.append((node, near))
                    depth[near] = low[near] = depth[node] + 1
                    path.append((near, node, iter(sorted(around[near]))))
                    break
                if depth[near] < depth[node]:
                    stack.append((node, near))
                    low[node] = min(low[node], depth[near])
            else:
                path.pop()
                if parent >= 0:
                    low[parent] = min(low[parent], low[node])
                    if low[node] >= depth[parent]:
                        close((parent, node))
    return blocks
