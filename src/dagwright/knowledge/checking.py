"""The post-condition: does a graph obey the knowledge, and if not, where and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dagwright.errors import KnowledgeError
from dagwright.graph.dag import Dag
from dagwright.graph.marked_graph import MarkedGraph
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph
from dagwright.knowledge.orientation import Arc, Orientation

if TYPE_CHECKING:
    from dagwright.knowledge.resolved import ResolvedKnowledge

Graph = Dag | Pdag | UndirectedGraph | MarkedGraph


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken statement: what is wrong in the graph, and the statement that says so."""

    problem: str
    reason: str

    def __str__(self) -> str:
        return f"{self.problem} ({self.reason})"


def edges_of(graph: Graph) -> tuple[tuple[Arc, ...], tuple[Arc, ...]]:
    """The directed and the undirected edges of a graph of any kind."""
    if isinstance(graph, Dag):
        return graph.edges, ()
    if isinstance(graph, Pdag):
        return graph.directed_edges, graph.undirected_edges
    if isinstance(graph, MarkedGraph):
        others = [(start, end) for start, arrow, end in graph.edges if arrow != "->"]
        return graph.directed_edges, tuple(others)
    return (), graph.edges


def violations(known: ResolvedKnowledge, graph: Graph) -> list[Violation]:
    """Every violation, sorted by what it is about.

    In a partially directed graph an edge whose direction the knowledge decides must be directed. In an
    undirected graph directions and parent bounds do not apply: adjacencies are checked. In a graph with
    hidden variables a forbidden arc a -> b leaves only an arrowhead at a, since a is not a cause of b, and
    parent bounds do not apply, since the parents that they count may be hidden.
    """
    if set(graph.nodes) != set(known.names):
        odd = sorted(set(graph.nodes) ^ set(known.names))
        raise KnowledgeError(f"the graph and the knowledge have different variables: {', '.join(odd)}")
    if known.native.empty():
        return []
    arcs, links = edges_of(graph)
    oriented = not isinstance(graph, UndirectedGraph | MarkedGraph)
    found = [
        Violation(f"{tail} -> {head} is in the graph", str(known.reason(tail, head)))
        for tail, head in arcs
        if not known.allows_arc(tail, head)
    ]
    for one, other in links:
        found.extend(_link_violations(known, one, other, oriented=oriented))
    present = {frozenset(edge) for edge in (*arcs, *links)}
    for tail, head in known.required_arcs:
        if frozenset((tail, head)) not in present:
            found.append(Violation(f"{tail} -> {head} is not in the graph", str(known.reason(tail, head))))
    for one, other in known.required_links:
        if frozenset((one, other)) not in present:
            found.append(
                Violation(f"{one} -- {other} is not in the graph", str(known.link_reason(one, other)))
            )
    if isinstance(graph, MarkedGraph):
        found.extend(_mark_violations(known, graph))
    if oriented:
        found.extend(_bound_violations(known, arcs, links))
    return sorted(found, key=lambda violation: (violation.problem, violation.reason))


def _mark_violations(known: ResolvedKnowledge, graph: MarkedGraph) -> list[Violation]:
    found = []
    for start, arrow, end in graph.edges:
        for tail, head in ((start, end), (end, start)):
            if (
                known.allows_arc(head, tail)
                and not known.allows_arc(tail, head)
                and graph.mark(head, tail) != "arrow"
                and (tail, arrow, head) != (start, "->", end)
            ):
                found.append(
                    Violation(
                        f"{start} {arrow} {end} has no arrowhead at {tail}", str(known.reason(tail, head))
                    )
                )
    wanted = set(known.required_arcs) - set(graph.directed_edges)
    found += [
        Violation(f"{tail} -> {head} has other marks in the graph", str(known.reason(tail, head)))
        for tail, head in sorted(wanted)
        if graph.adjacent(tail, head)
    ]
    return found


def _link_violations(known: ResolvedKnowledge, one: str, other: str, *, oriented: bool) -> list[Violation]:
    refused = [arc for arc in ((one, other), (other, one)) if not known.allows_arc(*arc)]
    if len(refused) == 2:
        reasons = dict.fromkeys(str(known.reason(*arc)) for arc in refused)
        return [Violation(f"{one} -- {other} is in the graph", "; ".join(reasons))]
    if refused and oriented:
        tail, head = refused[0]
        return [
            Violation(f"{one} -- {other} is not directed {head} -> {tail}", str(known.reason(tail, head)))
        ]
    return []


def _bound_violations(
    known: ResolvedKnowledge, arcs: tuple[Arc, ...], links: tuple[Arc, ...]
) -> list[Violation]:
    bounds = known.max_parents
    if not bounds:
        return []
    counts = Counter(head for _, head in arcs)
    found = [
        Violation(f"{child} has {count} parents", f"max_parents: at most {bounds[child]}")
        for child, count in counts.items()
        if count > bounds.get(child, count)
    ]
    if not found and links:
        stuck = Orientation(arcs, links, bounds).stuck
        over = sorted(child for child in stuck if child in bounds)
        if over:
            problem = f"the edges between {', '.join(sorted(stuck))} cannot be oriented without a cycle"
            found.append(Violation(problem, f"max_parents of {', '.join(over)}"))
    return found
