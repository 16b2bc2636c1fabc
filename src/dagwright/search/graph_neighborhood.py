"""The graphs one move away from a DAG: the steps that hill climbing can take."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import as_dag
from dagwright.knowledge import Knowledge, ResolvedKnowledge
from dagwright.knowledge.given import as_knowledge


class GraphNeighbor(NamedTuple):
    """A move ("add", "delete" or "reverse"), the arc it concerns, and the graph after it."""

    move: str
    start: str
    end: str
    graph: Dag


def graph_neighbors(
    dag: Dag, knowledge: Knowledge | None = None, *, max_parents: int | None = None
) -> Iterator[GraphNeighbor]:
    """Every DAG that differs from ``dag`` by one arc added, deleted or reversed, and obeys the knowledge.

    Additions come first, then deletions, then reversals, each by child and parent in the order of the nodes.

    Parameters
    ----------
    dag
        The graph to move from; it must obey the knowledge.
    knowledge
        What must and must not be in the graphs.
    max_parents
        Most parents a node may have; None means no bound.

    >>> for one in graph_neighbors(Dag.parse("A -> B; C"), Knowledge(forbidden=["C -> *", "* -> C"])):
    ...     print(one.move, one.start, one.end, "gives", one.graph)
    delete A B gives A; B; C
    reverse A B gives B -> A; C
    """
    dag = as_dag(dag)
    said = as_knowledge(knowledge)
    if max_parents is not None:
        said += Knowledge(max_parents=max_parents)
    resolved = said.resolve(dag.nodes)
    resolved.require(dag)
    return allowed_neighbors(dag, resolved)


def allowed_neighbors(dag: Dag, resolved: ResolvedKnowledge) -> Iterator[GraphNeighbor]:
    """`graph_neighbors` under knowledge that is resolved already."""
    required = frozenset(resolved.required_arcs)
    kept = required | frozenset(resolved.required_links) | {edge[::-1] for edge in resolved.required_links}
    below = {name: frozenset(dag.descendants(name)) for name in dag.nodes}
    pairs = [(start, end) for end, start in permutations(dag.nodes, 2)]
    present = frozenset(dag.edges)
    arcs = [arc for arc in pairs if arc in present]

    def room(child: str) -> bool:
        most = resolved.max_parents_of(child)
        return most is None or len(dag.parents(child)) < most

    for start, end in pairs:
        if (
            not dag.adjacent(start, end)
            and start not in below[end]
            and resolved.allows_arc(start, end)
            and room(end)
        ):
            yield GraphNeighbor("add", start, end, dag.with_edges(add=[(start, end)]))
    for start, end in arcs:
        if (start, end) not in kept:
            yield GraphNeighbor("delete", start, end, dag.with_edges(remove=[(start, end)]))
    for start, end in arcs:
        around = any(end in below[child] for child in dag.children(start) if child != end)
        if (start, end) not in required and resolved.allows_arc(end, start) and room(start) and not around:
            turned = dag.with_edges(remove=[(start, end)], add=[(end, start)])
            yield GraphNeighbor("reverse", start, end, turned)
