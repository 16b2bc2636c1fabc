"""Answers of learners on numbers as JSON, and their distance from the graph that made the data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.linear import Drawn

Answer = dict[str, list[list[str]]]


def essential(graph: Any) -> Answer:
    """An essential graph of dagwright."""
    return {
        "directed": [list(edge) for edge in graph.directed_edges],
        "undirected": [list(edge) for edge in graph.undirected_edges],
    }


def of_dag(arcs: Iterable[Iterable[str]]) -> Answer:
    """A directed acyclic graph, which stands for its equivalence class."""
    return {"dag": [list(arc) for arc in arcs]}


def of_causal_learn(graph: Any) -> Answer:
    """A graph of causal-learn."""
    directed, undirected = [], []
    for edge in graph.get_graph_edges():
        pair = [edge.get_node1().get_name(), edge.get_node2().get_name()]
        (directed if "ARROW" in str(edge.get_endpoint2()) else undirected).append(pair)
    return {"directed": directed, "undirected": undirected}


def compared(drawn: Drawn, answer: Answer) -> tuple[float, float, float]:
    """The distance of essential graphs, and precision and recall of adjacencies."""
    from dagwright import Dag, Pdag, compare

    truth = Dag(list(drawn.columns), drawn.arcs)
    if "dag" in answer:
        estimate = Dag(truth.nodes, [(a, b) for a, b in answer["dag"]]).cpdag()
    else:
        estimate = Pdag(
            truth.nodes, [(a, b) for a, b in answer["directed"]], [(a, b) for a, b in answer["undirected"]]
        )
    true, found = ({frozenset(edge) for edge in graph.skeleton().edges} for graph in (truth, estimate))
    common = len(true & found)
    return compare(truth, estimate).shd, common / max(len(found), 1), common / max(len(true), 1)
