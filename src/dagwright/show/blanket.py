"""A node and what shields it from all others: parents, children and the other parents of the children."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dagwright.errors import unknown_name
from dagwright.graph.dag import Dag
from dagwright.graph.marked_graph import MarkedGraph
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph
from dagwright.show.diagram import KeyEntry, NodeLook


def blanket_view(graph: Any, targets: Sequence[str]) -> tuple[Any, dict[str, str]]:
    """The part of a graph around some nodes, and the tones that tell who is who.

    In a class of graphs the neighbors across undecided edges count as parents and as children; of a graph
    without directions or with circles only the neighbors are taken.
    """
    for target in targets:
        if target not in graph:
            raise unknown_name("node", target, graph.nodes)
    tones: dict[str, str] = {}
    for target in targets:
        children = _after(graph, target)
        for child in children:
            for other in _before(graph, child):
                tones.setdefault(other, "purple")
        tones.update(dict.fromkeys(children, "green"))
        tones.update(dict.fromkeys(_before(graph, target), "blue"))
    tones.update(dict.fromkeys(targets, "orange"))
    kept = [node for node in graph.nodes if node in tones]
    inside = set(kept)
    if isinstance(graph, Dag):
        part: Any = graph.subgraph(kept)
    elif isinstance(graph, UndirectedGraph):
        part = UndirectedGraph(kept, (edge for edge in graph.edges if inside.issuperset(edge)))
    elif isinstance(graph, MarkedGraph):
        part = type(graph)(kept, (edge for edge in graph.edges if inside.issuperset((edge[0], edge[2]))))
    else:
        part = Pdag(
            kept,
            (edge for edge in graph.directed_edges if inside.issuperset(edge)),
            (edge for edge in graph.undirected_edges if inside.issuperset(edge)),
        )
    return part, tones


def blanket_key(graph: Any, tones: Mapping[str, str]) -> tuple[KeyEntry, ...]:
    """The legend of the tones of a view."""
    near = "neighbors" if isinstance(graph, UndirectedGraph | MarkedGraph) else "parents"
    words = {
        "orange": "asked for",
        "blue": near,
        "green": "children",
        "purple": "other parents of the children",
    }
    used = set(tones.values())
    return tuple(KeyEntry(text, NodeLook("", tone)) for tone, text in words.items() if tone in used)


def _after(graph: Any, node: str) -> tuple[str, ...]:
    if isinstance(graph, UndirectedGraph | MarkedGraph):
        return ()
    return tuple(graph.children(node)) + (tuple(graph.neighbors(node)) if isinstance(graph, Pdag) else ())


def _before(graph: Any, node: str) -> tuple[str, ...]:
    if isinstance(graph, UndirectedGraph | MarkedGraph):
        return tuple(graph.neighbors(node))
    return tuple(graph.parents(node)) + (tuple(graph.neighbors(node)) if isinstance(graph, Pdag) else ())
