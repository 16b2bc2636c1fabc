"""The graphs of a result: the answer, a member of its class, and the directions that are decided."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dagwright.base.wording import count_of
from dagwright.graph.dag import Dag
from dagwright.graph.pag import Pag
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph
from dagwright.knowledge import Knowledge, apply_knowledge
from dagwright.knowledge.checking import edges_of

Answer = Dag | Pdag | Pag | UndirectedGraph


def essential_graph(
    graph: Answer, knowledge: Knowledge | None, targets: Iterable[Iterable[str]] = ()
) -> Pdag | Pag | UndirectedGraph:
    """The directions of a DAG that its class, interventions and knowledge decide; others as they are."""
    if not isinstance(graph, Dag):
        return graph
    essential = graph.cpdag(map(frozenset, targets))
    if not knowledge:
        return essential
    return apply_knowledge(essential, knowledge).graph


def written_graphs(graph: Answer, dag: Dag | None, essential: Pdag | Pag | UndirectedGraph) -> dict[str, Any]:
    """The edges of a result: a class also has the arcs of a member, a DAG its essential graph."""
    if isinstance(graph, Dag):
        arcs, undecided = edges_of(essential) if isinstance(essential, Pdag) else ((), ())
        return {
            "edges": [list(edge) for edge in graph.edges],
            "essential": {
                "edges": [list(edge) for edge in arcs],
                "undirected": [list(edge) for edge in undecided],
            },
        }
    if isinstance(graph, Pag):
        return {"marked": [list(edge) for edge in graph.edges]}
    directed, edges = edges_of(graph)
    return {
        "kind": "undirected" if isinstance(graph, UndirectedGraph) else "class",
        "edges": [list(edge) for edge in directed],
        "undirected": [list(edge) for edge in edges],
        "member": None if dag is None else [list(edge) for edge in dag.edges],
    }


def read_graphs(document: dict[str, Any]) -> tuple[Answer, Dag | None]:
    """The answer and a member of its class."""

    def pairs(field: str) -> list[tuple[str, str]]:
        return [(start, end) for start, end in document[field]]

    nodes = document["nodes"]
    if "marked" in document:
        return Pag(nodes, [(start, arrow, end) for start, arrow, end in document["marked"]]), None
    if "undirected" not in document:
        dag = Dag(nodes, pairs("edges"))
        return dag, dag
    member = None if document["member"] is None else Dag(nodes, pairs("member"))
    if document.get("kind") == "undirected":
        return UndirectedGraph(nodes, pairs("undirected")), member
    return Pdag(nodes, pairs("edges"), pairs("undirected")), member


def counted_edges(graph: Answer) -> str:
    """How many edges a graph has, in words: arcs, and edges without a direction."""
    if isinstance(graph, (Pag, UndirectedGraph)):
        return count_of(len(graph.edges), "edge")
    arcs, edges = edges_of(graph)
    undecided = f"{count_of(len(edges), 'edge')} of undecided direction"
    return f"{count_of(len(arcs), 'arc')} and {undecided}" if edges else count_of(len(arcs), "arc")
