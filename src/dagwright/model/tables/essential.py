"""Edges that carry no information (Jensen & Nielsen 2007, Prop. 7.2).

An edge B -> A is essential if P(A | B, C) differs for two states of B under some configuration C of the other
parents; one that is not can be removed without changing the distribution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dagwright.model.tables.checks import Floats

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork


class InessentialEdge(NamedTuple):
    """An arc and the largest difference in the child's probabilities that its parent makes."""

    parent: str
    child: str
    difference: float


def edge_strength(table: Floats, axis: int) -> float:
    """The largest |P(a | b, c) - P(a | b', c)| over the states b, b' of one parent and all c."""
    return float(np.max(np.ptp(table, axis=axis))) if table.size else 0.0


def inessential_edges(network: BayesianNetwork, tolerance: float = 0.0) -> tuple[InessentialEdge, ...]:
    """Arcs whose parent changes the child's probabilities by at most ``tolerance``, sorted by name."""
    found = []
    for child in network.nodes:
        for axis, parent in enumerate(network.parents(child)):
            difference = edge_strength(network.table(child), axis)
            if difference <= tolerance:
                found.append(InessentialEdge(parent, child, difference))
    return tuple(sorted(found))
