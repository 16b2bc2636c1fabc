"""The number of orders that a network fits."""

from __future__ import annotations

from dagwright.base.numbering import Numbering
from dagwright.graph.dag import Dag


def linear_extensions(dag: Dag) -> int:
    """The number of orders that a network fits, for up to about 20 nodes.

    >>> linear_extensions(Dag.parse("A -> C; B -> C"))
    2
    """
    number = Numbering(dag.nodes).number
    parents = [sum(1 << number[parent] for parent in dag.parents(name)) for name in dag.nodes]
    ways = {0: 1}
    for _ in dag.nodes:
        grown: dict[int, int] = {}
        for placed, count in ways.items():
            for at, needed in enumerate(parents):
                if not placed >> at & 1 and not needed & ~placed:
                    grown[placed | 1 << at] = grown.get(placed | 1 << at, 0) + count
        ways = grown
    return ways[(1 << len(parents)) - 1]
