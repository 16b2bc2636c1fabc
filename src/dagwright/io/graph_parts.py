"""Graphs as the lists of nodes and edges that files hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from dagwright.errors import DagwrightError, FormatError
from dagwright.graph import Dag, Pdag, UndirectedGraph

Graph = Dag | Pdag | UndirectedGraph
Kind = Literal["dag", "pdag", "undirected"]
Pair = tuple[str, str]


@dataclass
class GraphParts:
    """Nodes in order, arcs and undirected edges; ``kind`` is empty where a file does not tell it."""

    nodes: dict[str, None] = field(default_factory=dict)
    directed: list[Pair] = field(default_factory=list)
    undirected: list[Pair] = field(default_factory=list)
    kind: Kind | Literal[""] = ""

    def renamed(self, names: dict[str, str]) -> GraphParts:
        """The same graph with true names in place of those of the file; names that are not given stay."""

        def pairs(edges: Iterable[Pair]) -> list[Pair]:
            return [(names.get(start, start), names.get(end, end)) for start, end in edges]

        nodes = [names.get(node, node) for node in self.nodes]
        if len(set(nodes)) < len(nodes):
            raise FormatError("two nodes have the same name")
        return GraphParts(dict.fromkeys(nodes), pairs(self.directed), pairs(self.undirected), self.kind)

    def graph(self) -> Graph:
        """The graph; where no kind is told, the most special one that fits."""
        for start, end in (*self.directed, *self.undirected):
            self.nodes.setdefault(start)
            self.nodes.setdefault(end)
        directed, undirected = list(dict.fromkeys(self.directed)), list(dict.fromkeys(self.undirected))
        kind = self.kind or ("undirected" if undirected and not directed else "pdag" if undirected else "dag")
        try:
            if kind == "pdag" or (directed and undirected):
                return Pdag(self.nodes, directed, undirected)
            return (
                UndirectedGraph(self.nodes, undirected) if kind == "undirected" else Dag(self.nodes, directed)
            )
        except DagwrightError as problem:
            raise FormatError(str(problem)) from None


def parts_of(graph: Graph) -> GraphParts:
    """The lists of a graph."""
    nodes = dict.fromkeys(graph.nodes)
    if isinstance(graph, Dag):
        return GraphParts(nodes, list(graph.edges), [], "dag")
    if isinstance(graph, UndirectedGraph):
        return GraphParts(nodes, [], list(graph.edges), "undirected")
    return GraphParts(nodes, list(graph.directed_edges), list(graph.undirected_edges), "pdag")


def known_kind(word: str) -> Kind | Literal[""]:
    """The kind that a word in a file names, if it does."""
    return word if word in ("dag", "pdag", "undirected") else ""  # type: ignore[return-value]
