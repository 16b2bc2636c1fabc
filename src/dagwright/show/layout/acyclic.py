"""Arcs turned so that none closes a cycle, and the parts of a graph that hang together."""

from __future__ import annotations

from collections.abc import Sequence

Arc = tuple[int, int]


def acyclic(n: int, arcs: Sequence[Arc]) -> list[Arc]:
    """The same edges in the same order; an arc back to a node that the walk is still below is turned."""
    children: list[list[int]] = [[] for _ in range(n)]
    entered = [0] * n
    for start, end in arcs:
        children[start].append(end)
        entered[end] += 1
    finished: list[int] = []
    state = [0] * n  # 1: on the path of the walk, 2: done
    for root in sorted(range(n), key=lambda node: (entered[node] > 0, node)):
        if state[root]:
            continue
        state[root] = 1
        path = [(root, iter(children[root]))]
        while path:
            node, rest = path[-1]
            for child in rest:
                if not state[child]:
                    state[child] = 1
                    path.append((child, iter(children[child])))
                    break
            else:
                state[node] = 2
                finished.append(node)
                path.pop()
    place = [0] * n
    for position, node in enumerate(finished):
        place[node] = position
    # A node is finished after all it leads to, so an arc to a node that is finished later closes a cycle.
    return [(a, b) if place[a] > place[b] else (b, a) for a, b in arcs]


def components(n: int, arcs: Sequence[Arc]) -> list[list[int]]:
    """The connected sets of nodes, each ascending, in order of their first node."""
    parent = list(range(n))

    def find(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for start, end in arcs:
        a, b = find(start), find(end)
        parent[max(a, b)] = min(a, b)
    groups: dict[int, list[int]] = {}
    for node in range(n):
        groups.setdefault(find(node), []).append(node)
    return list(groups.values())
