"""The edges of any kind of graph, each from the node that should stand higher to the lower one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from dagwright.confidence import Confidence
from dagwright.errors import NoExtensionError, OptionError
from dagwright.graph.dag import Dag
from dagwright.graph.holders import held_graph
from dagwright.graph.mark_notation import MarkedEdge
from dagwright.graph.marked_graph import MarkedGraph
from dagwright.graph.named_graph import Edge
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph
from dagwright.show.diagram import EdgeLook, Mark
from dagwright.show.layout.acyclic import acyclic
from dagwright.show.layout.ranks import longest_path

UNDECIDED, HIDDEN, INTERVENED = "purple", "orange", "green"
SURE = 2 / 3
"""A confidence shows an arrow where at least this share of the graphs that have the edge have it."""


def graph_of(thing: Any, threshold: float | None = None) -> Any:
    """The graph itself, or that of a network, a result or a confidence: there the edges above a threshold."""
    if isinstance(thing, Confidence):
        return _sure_directions(thing, thing.consensus(0.5 if threshold is None else threshold))
    graph = held_graph(thing)
    if isinstance(graph, Dag | Pdag | UndirectedGraph | MarkedGraph):
        return graph
    raise OptionError(
        f"a {type(thing).__name__} has no graph to draw; give a graph, a network, a result of learn() or a "
        "confidence"
    )


def _sure_directions(confidence: Confidence, dag: Dag) -> Dag | Pdag:
    """The network with the arrows of the edges that point one way often enough."""
    unsure = [arc for arc in dag.edges if confidence.direction(*arc) < SURE]
    return Pdag(dag.nodes, set(dag.edges) - set(unsure), unsure) if unsure else dag


def edges_of(graph: Any) -> tuple[EdgeLook, ...]:
    """One line for each edge, with its marks; an edge without a direction has none."""
    if isinstance(graph, Dag):
        return tuple(EdgeLook(a, b, title=f"{a} → {b}") for a, b in graph.edges)
    if isinstance(graph, UndirectedGraph):
        order = _breadth_first(graph.nodes, graph.edges)
        return tuple(_plain(a, b, order) for a, b in graph.edges)
    if isinstance(graph, MarkedGraph):
        return tuple(_marked_edges(graph))
    try:
        order = _places(graph.extension().topological_order())
    except NoExtensionError:
        order = _places(Dag(graph.nodes, graph.directed_edges).topological_order())
    directed = (EdgeLook(a, b, title=f"{a} → {b}") for a, b in graph.directed_edges)
    undirected = (_plain(a, b, order, UNDECIDED) for a, b in graph.undirected_edges)
    return (*directed, *undirected)


def _marked_edges(graph: MarkedGraph) -> Iterable[EdgeLook]:
    """Tails, arrowheads and circles as they are; what leads one way leads down."""
    number = {node: at for at, node in enumerate(graph.nodes)}

    def leads(edge: MarkedEdge) -> bool:
        start, _, end = edge
        return graph.mark(start, end) == "arrow" != graph.mark(end, start)

    arcs = [(number[a], number[b]) for a, _, b in filter(leads, graph.edges)]
    depth = longest_path(len(number), acyclic(len(number), arcs))
    for edge in graph.edges:
        start, arrow, end = edge
        if not leads(edge) and (depth[number[end]], end) < (depth[number[start]], start):
            start, end = end, start
        first, last = _MARKS[graph.mark(end, start)], _MARKS[graph.mark(start, end)]
        hidden = first == last == "arrow"
        words = f"{edge[0]} {arrow} {edge[2]}"
        yield EdgeLook(start, end, first, last, color=HIDDEN if hidden else "link", title=words)


_MARKS: dict[str | None, Mark] = {"arrow": "arrow", "tail": "none", "circle": "circle"}


def _plain(a: str, b: str, order: Mapping[str, int], color: str = "link") -> EdgeLook:
    start, end = (a, b) if order[a] < order[b] else (b, a)
    return EdgeLook(start, end, end_mark="none", color=color, title=f"{a} – {b}")


def _places(order: Iterable[str]) -> dict[str, int]:
    return {node: place for place, node in enumerate(order)}


def _breadth_first(nodes: Iterable[str], edges: Iterable[Edge]) -> dict[str, int]:
    """Nodes by their distance from one that lies in the middle of each part: keeps the layers few."""
    near: dict[str, list[str]] = {node: [] for node in nodes}
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    order: dict[str, int] = {}
    for root in sorted(near, key=lambda node: (-len(near[node]), node)):
        waiting = deque([root] if root not in order else [])
        while waiting:
            node = waiting.popleft()
            if node in order:
                continue
            order[node] = len(order)
            waiting.extend(sorted(near[node]))
    return order
