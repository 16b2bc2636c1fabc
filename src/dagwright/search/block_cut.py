"""Which variables lie on a path between two neighbours: the blocks of a graph (Hopcroft & Tarjan 1973)."""

from __future__ import annotations

from collections.abc import Sequence

from dagwright.search.link_law import Pair, as_pair


def edge_blocks(around: Sequence[set[int]]) -> dict[Pair, frozenset[int]]:
    """For each link the members of its block (maximal part that no single node disconnects).

    A node lies on a simple path between the ends of a link exactly when it is in the link's block.

    >>> blocks = edge_blocks([{1, 2}, {0, 2}, {0, 1, 3}, {2}])
    >>> sorted(blocks[0, 1]), sorted(blocks[2, 3])
    ([0, 1, 2], [2, 3])
    """
    return {as_pair(*edge): members for edges, members in _blocks(around) for edge in edges}


class BlockCutTree:
    """Which nodes lie on a simple path between any two nodes.

    They are the members of the blocks on the way between the two in the tree of blocks and cut nodes.

    >>> tree = BlockCutTree([{1, 2}, {0, 2}, {0, 1, 3}, {2, 4}, {3}])
    >>> sorted(tree.between(0, 3)), sorted(tree.between(3, 4)), sorted(tree.between(1, 1))
    ([0, 1, 2, 3], [3, 4], [1])
    """

    def __init__(self, around: Sequence[set[int]]) -> None:
        self._blocks = [members for _, members in _blocks(around)]
        self._of: list[list[int]] = [[] for _ in around]
        for number, members in enumerate(self._blocks):
            for node in members:
                self._of[node].append(number)

    def between(self, x: int, y: int) -> set[int]:
        """The nodes on simple paths between two nodes, themselves included if there is one."""
        came_by: dict[int, int | None] = dict.fromkeys(self._of[x])
        queue = list(came_by)
        for block in queue:
            if y in self._blocks[block]:
                found: set[int] = set()
                at: int | None = block
                while at is not None:
                    found |= self._blocks[at]
                    at = came_by[at]
                return found if x != y else {x}
            for node in self._blocks[block]:
                if len(self._of[node]) > 1:
                    for other in self._of[node]:
                        if other not in came_by:
                            came_by[other] = block
                            queue.append(other)
        return {x} if x == y else set()


def _blocks(around: Sequence[set[int]]) -> list[tuple[list[Pair], frozenset[int]]]:
    """The links and the members of every block."""
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
