"""One acyclic network from the probabilities of edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagwright.errors import CycleError
from dagwright.graph.dag import Dag
from dagwright.knowledge import Knowledge, ResolvedKnowledge, as_knowledge
from dagwright.knowledge.orientation import Arc, Orientation

if TYPE_CHECKING:
    from dagwright.confidence.confidence import Confidence


def consensus(confidence: Confidence, threshold: float | None, knowledge: Knowledge | None) -> Dag:
    """Take the required arcs, then edges in order of strength: the more probable direction if allowed."""
    resolved = as_knowledge(knowledge).resolve(confidence.nodes)
    graph = _required(confidence, resolved)
    edges = confidence.significant_edges() if threshold is None else confidence.edges(threshold)
    for start, end, *_ in edges:
        if graph.adjacent(start, end):
            continue
        for arc in ((start, end), (end, start)):
            grown = _with_arc(graph, arc, resolved)
            if grown is not None:
                graph = grown
                break
    resolved.require(graph)
    return graph


def _required(confidence: Confidence, resolved: ResolvedKnowledge) -> Dag:
    """The required edges; an edge that may point either way takes the likelier direction where possible."""

    def lead(edge: Arc) -> float:
        return confidence.direction(*edge) - confidence.direction(*reversed(edge))

    arcs, bounds = list(resolved.required_arcs), resolved.max_parents
    # The clearest direction first: what is fixed later has to fit.
    waiting = sorted(resolved.required_links, key=lambda edge: (-abs(lead(edge)), edge))
    while waiting:
        edge = waiting.pop(0)
        likelier = edge if lead(edge) >= 0 else edge[::-1]
        fits = not Orientation([*arcs, likelier], waiting, bounds).stuck
        arcs.append(likelier if fits else likelier[::-1])
    return Dag(confidence.nodes, arcs)


def _with_arc(graph: Dag, arc: tuple[str, str], resolved: ResolvedKnowledge) -> Dag | None:
    start, end = arc
    most = resolved.max_parents_of(end)
    if not resolved.allows_arc(start, end) or (most is not None and len(graph.parents(end)) >= most):
        return None
    try:
        return graph.with_edges(add=[arc])
    except CycleError:
        return None
