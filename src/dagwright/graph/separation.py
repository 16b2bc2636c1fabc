"""Separation questions in batches, and all minimal separators of a pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dagwright import _core
from dagwright.graph.dag import Dag
from dagwright.graph.mag import Mag
from dagwright.graph.query import Query
from dagwright.graph.undirected import UndirectedGraph


def separated_all(graph: Dag | Mag | UndirectedGraph, queries: Iterable[Query]) -> list[bool]:
    """Answer many separation queries in one native call: d-separation in a DAG, m-separation in a MAG.

    >>> separated_all(Dag.parse("A -> B -> C"), [Query("A", "C"), Query("A", "C", "B")])
    [False, True]
    """
    if isinstance(graph, Mag):
        return graph.m_separated_all(list(queries))
    answer = _core.d_separated if isinstance(graph, Dag) else _core.undirected_separated
    return answer(graph._native, graph._numbered(queries))


def minimal_separators(
    graph: Dag | Mag | UndirectedGraph, x: str, y: str, within: Iterable[str] | None = None
) -> Iterator[frozenset[str]]:
    """Every minimal set that separates ``x`` from ``y``, none if they are adjacent.

    In a DAG these are the minimal separators in the moral graph of the ancestors of both, in a MAG in its
    augmented graph (van der Zander, Liśkiewicz & Textor 2014). They are listed from those near ``x`` to those
    near ``y``: each further one puts a node of an earlier one on the side of ``x`` (Kloks & Kratsch 1998).

    Parameters
    ----------
    within
        The nodes that a separator may hold; all by default. The others are taken out, and their neighbors
        joined.

    >>> dag = Dag.parse("A -> B -> D; A -> C -> D")
    >>> [sorted(found) for found in minimal_separators(dag, "A", "D")]
    [['B', 'C']]
    """
    Query(x, y)
    if graph.adjacent(x, y):
        return
    if isinstance(graph, Dag):
        moral = graph.ancestral((x, y)).moral()
    else:
        moral = graph.augmented((x, y)) if isinstance(graph, Mag) else graph
    around = {node: frozenset(moral.neighbors(node)) for node in moral.nodes}
    if within is not None:
        around = _contracted(around, {x, y, *within})
        if y in around[x]:
            return
    first = _border_of_side(around, y, around[x])
    seen = {first}
    queue = [first]
    for separator in queue:
        yield separator
        for node in sorted(separator):
            if y in around[node]:
                continue
            further = _border_of_side(around, y, separator | around[node])
            if further not in seen:
                seen.add(further)
                queue.append(further)


def _border_of_side(around: dict[str, frozenset[str]], start: str, removed: frozenset[str]) -> frozenset[str]:
    """The removed nodes adjacent to what can be reached from ``start`` without them."""
    seen = {start}
    queue = [start]
    border = set()
    for node in queue:
        for other in around[node]:
            if other in removed:
                border.add(other)
            elif other not in seen:
                seen.add(other)
                queue.append(other)
    return frozenset(border)


def _contracted(around: dict[str, frozenset[str]], kept: set[str]) -> dict[str, frozenset[str]]:
    """The graph of the kept nodes, joined where a path leads from one to the other through the rest."""
    joined = {node: set(others) for node, others in around.items()}
    for node in sorted(joined.keys() - kept):
        others = joined.pop(node)
        for other in others:
            joined[other] |= others
            joined[other] -= {node, other}
    return {node: frozenset(others) for node, others in joined.items()}
