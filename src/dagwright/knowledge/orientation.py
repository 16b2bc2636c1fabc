"""Acyclic orientation of edges within parent bounds, next to arcs that are already fixed."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence

Arc = tuple[str, str]


class Orientation:
    """An acyclic orientation of `links` that keeps `arcs` and lets no child have more parents than its bound.

    Some node must come last, and all its edges then point at it. Any node that could come last may be taken:
    moving it to the end of a valid order keeps the order valid, because the other nodes only lose parents. So
    taking such nodes one by one either orders all nodes or proves that no orientation exists; the nodes that
    remain are in `stuck`. Of several such nodes the last in `order` is taken (by default the last name), so
    that a free edge points at the node that is later in `order`.
    """

    def __init__(
        self,
        arcs: Iterable[Arc],
        links: Iterable[Arc],
        bounds: Mapping[str, int],
        order: Sequence[str] | None = None,
    ) -> None:
        children: dict[str, set[str]] = {}
        around: dict[str, set[str]] = {}
        fixed = list(arcs)
        for tail, head in fixed:
            children.setdefault(tail, set()).add(head)
        for one, other in (*fixed, *links):
            around.setdefault(one, set()).add(other)
            around.setdefault(other, set()).add(one)
        priority = {node: -at for at, node in enumerate(sorted(around) if order is None else order)}

        def could_be_last(node: str) -> bool:
            return len(around[node]) <= bounds.get(node, len(around)) and not children.get(node)

        oriented: list[Arc] = []
        waiting = [(priority[node], node) for node in around if could_be_last(node)]
        heapq.heapify(waiting)
        queued = {node for _, node in waiting}
        while waiting:
            _, last = heapq.heappop(waiting)
            for other in around.pop(last):
                oriented.append((other, last))
                around[other].discard(last)
                children.get(other, set()).discard(last)
                if other not in queued and could_be_last(other):
                    queued.add(other)
                    heapq.heappush(waiting, (priority[other], other))
        self.stuck = frozenset(around)
        """The nodes no valid orientation can order; empty when there is one."""
        self.arcs = tuple(sorted(oriented))
        """Every edge with its direction, when nothing is stuck."""
