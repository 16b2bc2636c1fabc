"""Graphs as the page gets them: nodes, edges with the marks at their ends, and what is known of each edge."""

from __future__ import annotations

from typing import Any

from dagwright.confidence import Confidence
from dagwright.graph import Dag, Mag, Pag, Pdag, UndirectedGraph
from dagwright.knowledge import Knowledge
from dagwright.learning.edge_evidence import EvidenceCard
from dagwright.show.graph_edges import HIDDEN, UNDECIDED, edges_of

KINDS: dict[Any, str] = {Dag: "dag", Pdag: "cpdag", Pag: "pag", Mag: "mag", UndirectedGraph: "undirected"}
NOTHING_KNOWN = {
    "strength": None,
    "direction": None,
    "bits": None,
    "gain": None,
    "p_value": None,
    "decided_by": None,
}


def graph_document(
    graph: Any,
    *,
    knowledge: Knowledge | None = None,
    cards: tuple[EvidenceCard, ...] = (),
    confidence: Confidence | None = None,
) -> dict[str, Any]:
    """A graph with what is known of its edges."""
    required = _required(graph, knowledge)
    by_pair = {frozenset((card.start, card.end)): card for card in cards}
    edges = []
    for edge in edges_of(graph):
        pair = frozenset((edge.start, edge.end))
        known = {**NOTHING_KNOWN, **_from_card(by_pair.get(pair))}
        if confidence is not None:
            known |= {
                "strength": confidence.strength(edge.start, edge.end),
                "direction": confidence.direction(edge.start, edge.end),
            }
        edges.append(
            {
                "from": edge.start,
                "to": edge.end,
                "from_mark": edge.start_mark,
                "to_mark": edge.end_mark,
                "undecided": edge.color == UNDECIDED,
                "hidden": edge.color == HIDDEN,
                "given": pair in required,
                **known,
            }
        )
    return {"kind": KINDS[type(graph)], "nodes": list(graph.nodes), "edges": edges}


def _required(graph: Any, knowledge: Knowledge | None) -> set[frozenset[str]]:
    if not knowledge:
        return set()
    resolved = knowledge.resolve(graph.nodes)
    return {frozenset(pair) for pair in (*resolved.required_arcs, *resolved.required_links)}


def _from_card(card: EvidenceCard | None) -> dict[str, Any]:
    if card is None:
        return {}
    return {
        "bits": card.bits,
        "gain": card.gains.get("BIC"),
        "p_value": card.p_value,
        "decided_by": card.decided_by,
        "strength": card.strength,
        "direction": card.direction,
    }
