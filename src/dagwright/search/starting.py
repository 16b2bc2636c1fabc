"""The graph to begin a search from: one DAG over the columns that obeys the knowledge."""

from __future__ import annotations

from collections.abc import Sequence

from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import AnyGraph, GraphLike, as_dag, as_graph
from dagwright.graph.holders import HoldsDag
from dagwright.graph.pdag import Pdag
from dagwright.knowledge import ResolvedKnowledge, apply_knowledge


def given_start(start: GraphLike | None) -> AnyGraph | None:
    """The graph that the caller gave to begin from; of a learned result its DAG."""
    known = start.dag if isinstance(start, HoldsDag) else None
    return known if isinstance(known, Dag) or start is None else as_graph(start, "starting graph")


def starting_dag(start: AnyGraph | None, names: Sequence[str], knowledge: ResolvedKnowledge) -> Dag | None:
    """The DAG for a given graph; None if none was given.

    Columns that the graph does not mention have no arcs. Of a class of DAGs a member is taken that obeys the
    knowledge; ``names``, the variables in canonical order, settle which.
    """
    if start is None:
        return None
    if isinstance(start, Pdag) and set(start.nodes) <= set(names):
        whole = Pdag(names, start.directed_edges, start.undirected_edges)
        applied = apply_knowledge(whole, knowledge)
        start = whole if applied.conflicts else applied.graph
    dag = as_dag(start, "starting graph", names=names)
    knowledge.require(dag)
    return dag
