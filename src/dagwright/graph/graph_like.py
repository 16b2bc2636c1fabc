"""Something graph-like, made a graph: the one place for every function that takes a graph.

Graph-like are the graphs themselves; whatever holds one as ``graph``, such as a learned result or a network;
graph text; the name of a built-in network or a file; a networkx graph; a list of arcs.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Sequence
from typing import Any

from dagwright.errors import GraphError, OptionError, refuse_class, shortened, unknown_name
from dagwright.graph import notation
from dagwright.graph.conversion import networkx_edges
from dagwright.graph.dag import Dag
from dagwright.graph.holders import HoldsDag, held_graph
from dagwright.graph.mag import Mag
from dagwright.graph.mark_notation import has_marks
from dagwright.graph.named_graph import Edge
from dagwright.graph.pag import Pag
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph

AnyGraph = Dag | Pdag | Mag | Pag | UndirectedGraph
GraphLike = Any
"""What `as_graph` takes."""


def as_graph(given: GraphLike, what: str = "graph") -> AnyGraph:
    """The graph that something graph-like stands for; ``what`` names it in errors.

    >>> as_graph("A -> B"), as_graph([("A", "B")]), as_graph("[A][B|A]")
    (Dag.parse('A -> B'), Dag.parse('A -> B'), Dag.parse('A -> B'))
    """
    if isinstance(given, AnyGraph):
        return given
    refuse_class(what, given)
    held = held_graph(given)
    if isinstance(held, AnyGraph):
        return held
    if isinstance(given, str) and notation.is_graph_text(given):
        return parse_graph(given)
    if isinstance(given, str | os.PathLike):
        # `io` is above this package in the layers, so it is imported when it is needed.
        found: AnyGraph = importlib.import_module("dagwright.io").load_graph(given)
        return found
    if all(hasattr(given, part) for part in ("nodes", "edges", "is_directed")):  # networkx
        parts = networkx_edges(given)
        return _plainest(*parts) if given.is_directed() else UndirectedGraph(parts[0], parts[2])
    if isinstance(given, list | tuple) and all(map(_is_pair, given)):
        return Dag.from_edges(given)
    raise OptionError(
        f"the {what} must be a graph, a learned result, a network or graph text such as 'A -> B; C', not "
        f"{shortened(given)}"
    )


def as_dag(
    given: GraphLike,
    what: str = "graph",
    *,
    names: Iterable[str] | None = None,
    order: Sequence[str] | None = None,
    differ: str = "",
) -> Dag:
    """One DAG: the graph itself, the DAG of a learned result, or a member of a class of equivalent DAGs.

    Parameters
    ----------
    names
        All variables; the DAG has them all, those that the graph does not mention without arcs.
    order
        An order of the variables that settles which member is taken; by default ``names``, else the names.
    differ
        Why it matters which member is taken. A class of several DAGs is then refused.

    >>> as_dag("A -- B -- C"), as_dag("A -> B", names="ABC")
    (Dag.parse('A -> B; B -> C'), Dag.parse('A -> B; C'))
    """
    known = given.dag if isinstance(given, HoldsDag) else None
    graph = known if isinstance(known, Dag) else as_graph(given, what)
    columns = None if names is None else tuple(names)
    if columns is not None and set(columns) != set(graph.nodes):
        for node in graph.nodes:
            if node not in columns:
                raise unknown_name("column", node, columns)
    member = _member(graph, what, order if order is not None else columns, differ)
    if columns is None or len(member) == len(columns):
        return member
    return Dag([*member.nodes, *(name for name in columns if name not in member)], member.edges)


def _member(graph: AnyGraph, what: str, order: Sequence[str] | None, differ: str) -> Dag:
    if isinstance(graph, Dag):
        return graph
    if isinstance(graph, Mag | Pag):
        raise GraphError(
            f"the {what} is a {type(graph).__name__.upper()}, in which variables may be hidden, but a DAG is "
            "needed; give a graph with -> only"
        )
    open_edges = graph.edges if isinstance(graph, UndirectedGraph) else graph.undirected_edges
    if differ and open_edges:
        a, b = open_edges[0]
        raise GraphError(
            f"the {what} leaves the direction of {a} -- {b} open, and {differ}; give one DAG, for instance "
            f"{'graph.directed()' if isinstance(graph, UndirectedGraph) else 'graph.extension()'}"
        )
    return graph.directed(order) if isinstance(graph, UndirectedGraph) else graph.extension(order)


def parse_graph(text: str) -> Dag | Pdag | Pag:
    """The graph of a text, of the plainest kind that has its edges.

    >>> parse_graph("A -> B"), parse_graph("A -- B"), parse_graph("A o-> B")
    (Dag.parse('A -> B'), Pdag.parse('A -- B'), Pag.parse('A o-> B'))
    """
    if has_marks(text):
        return Pag.parse(text)
    said = notation.read(text)
    return _plainest(said.nodes, said.directed, said.undirected)


def _plainest(nodes: Sequence[str], directed: Sequence[Edge], undirected: Sequence[Edge]) -> Dag | Pdag:
    return Pdag(nodes, directed, undirected) if undirected else Dag(nodes, directed)


def _is_pair(item: object) -> bool:
    return isinstance(item, list | tuple) and len(item) == 2 and all(isinstance(end, str) for end in item)
