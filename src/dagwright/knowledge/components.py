"""Strongly connected components: the sets of nodes that can reach each other along arcs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", int, str)


def strongly_connected(after: Mapping[Node, Sequence[Node]]) -> list[list[Node]]:
    """The components of a graph given by its lists of successors, in linear time (Tarjan 1972)."""
    found: list[list[Node]] = []
    index: dict[Node, int] = {}
    lowest: dict[Node, int] = {}
    path: list[Node] = []  # nodes whose component is still open
    is_open: set[Node] = set()
    for root in after:
        if root in index:
            continue
        work: list[tuple[Node, Iterator[Node]]] = []
        entering: Node | None = root
        while entering is not None or work:
            if entering is not None:
                index[entering] = lowest[entering] = len(index)
                path.append(entering)
                is_open.add(entering)
                work.append((entering, iter(after.get(entering, ()))))
                entering = None
            here, successors = work[-1]
            for there in successors:
                if there not in index:
                    entering = there
                    break
                if there in is_open:
                    lowest[here] = min(lowest[here], index[there])
            if entering is not None:
                continue
            work.pop()
            if work:
                above = work[-1][0]
                lowest[above] = min(lowest[above], lowest[here])
            if lowest[here] == index[here]:
                component: list[Node] = []
                while not component or component[-1] != here:
                    component.append(path.pop())
                is_open.difference_update(component)
                found.append(component)
    return found
