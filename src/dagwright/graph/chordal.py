"""Chordal graphs: an order without fill-in, cliques with their separators, and an equivalent DAG.

All by maximum cardinality search (Tarjan & Yannakakis 1984): next comes a node with the most neighbors among
those that came before. In a chordal graph the earlier neighbors of every node form a clique.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dagwright.errors import GraphError
from dagwright.graph.dag import Dag

if TYPE_CHECKING:
    from dagwright.graph.undirected import UndirectedGraph


@dataclass(frozen=True, slots=True)
class CliqueSequence:
    """The maximal cliques of a chordal graph in an order with the running intersection property.

    Attributes
    ----------
    cliques
        Each sorted by name.
    separators
        For each clique its nodes that also are in earlier cliques; all of these are in one of them. That of
        the first clique, and of each that starts a new component, is empty.
    """

    cliques: tuple[tuple[str, ...], ...]
    separators: tuple[tuple[str, ...], ...]


def perfect_order(graph: UndirectedGraph, ties: Sequence[str] | None = None) -> tuple[str, ...]:
    """Maximum cardinality search; ties by an order of the nodes, or by name. Perfect exactly if chordal."""
    names = graph._nodes
    ordered = names.numbering.names if ties is None else names.name_all(np.argsort(names.places(ties)))
    count = dict.fromkeys(ordered, 0)
    order = []
    while count:
        node = max(count, key=count.__getitem__)  # the first of the largest
        del count[node]
        order.append(node)
        for other in graph.neighbors(node):
            if other in count:
                count[other] += 1
    return tuple(order)


def equivalent_dag(graph: UndirectedGraph, ties: Sequence[str] | None = None) -> Dag:
    """The DAG along a perfect order: without v-structures, so it has the same independences."""
    place = {node: at for at, node in enumerate(_checked_order(graph, ties))}
    return Dag(graph.nodes, [(a, b) if place[a] < place[b] else (b, a) for a, b in graph.edges])


def clique_sequence(graph: UndirectedGraph) -> CliqueSequence:
    """The maximal cliques and their separators, in a perfect order (Blair & Peyton 1993)."""
    seen: set[str] = set()
    cliques: list[set[str]] = []
    separators: list[set[str]] = []
    largest = -1
    for node in _checked_order(graph):
        before = seen & set(graph.neighbors(node))
        # A clique is complete when the next node has not more earlier neighbors than the one before it had.
        if len(before) > largest and cliques:
            cliques[-1].add(node)
        else:
            cliques.append(before | {node})
            separators.append(before)
        largest = len(before)
        seen.add(node)
    return CliqueSequence(
        tuple(tuple(sorted(members)) for members in cliques),
        tuple(tuple(sorted(members)) for members in separators),
    )


def _checked_order(graph: UndirectedGraph, ties: Sequence[str] | None = None) -> tuple[str, ...]:
    if not graph.is_chordal():
        raise GraphError(
            "the graph has a cycle of four or more nodes without a chord, so it is not decomposable; "
            "only chordal graphs have an equivalent DAG and closed-form parameters"
        )
    return perfect_order(graph, ties)
