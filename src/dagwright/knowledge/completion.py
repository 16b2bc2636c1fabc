"""Background knowledge applied to a partially directed graph, with what followed from it (Meek 1995)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dagwright.errors import GraphError, NoExtensionError
from dagwright.graph.graph_like import GraphLike, as_graph
from dagwright.graph.marked_graph import MarkedGraph
from dagwright.graph.pdag import Pdag
from dagwright.knowledge.components import strongly_connected
from dagwright.knowledge.given import as_knowledge
from dagwright.knowledge.orientation import Arc
from dagwright.knowledge.resolved import ResolvedKnowledge


@dataclass(frozen=True, slots=True)
class AppliedKnowledge:
    """A graph that obeys the knowledge, and where each of its directions comes from.

    `by_data` were directed before and are still; `by_knowledge` are directed (or added) because the knowledge
    says so; `by_rules` follow from both by Meek's four rules. `conflicts` lists where the knowledge overruled
    the graph it was applied to, and what could not be reconciled.
    """

    graph: Pdag
    by_data: tuple[Arc, ...]
    by_knowledge: tuple[Arc, ...]
    by_rules: tuple[Arc, ...]
    conflicts: tuple[str, ...]


def apply_knowledge(pdag: GraphLike, knowledge: Any) -> AppliedKnowledge:
    """Direct the edges that the knowledge decides and complete the orientation.

    The graph follows the knowledge: an edge it forbids is removed, one it requires is added, an arc against
    it is turned, and each such case is listed in `conflicts`. An edge whose only allowed direction would
    close a cycle with other decided arcs is removed; an arc of the graph that would close one loses its
    direction.

    >>> from dagwright.knowledge import Knowledge
    >>> chain = Pdag(["A", "B", "C"], undirected=[("A", "B"), ("B", "C")])
    >>> applied = apply_knowledge(chain, Knowledge(forbidden=["B -> A"]))
    >>> applied.by_knowledge, applied.by_rules
    ((('A', 'B'),), (('B', 'C'),))
    """
    shape = as_graph(pdag)
    if isinstance(shape, MarkedGraph):
        raise GraphError(f"knowledge is applied to a class of DAGs, not to a {type(shape).__name__}")
    pdag = Pdag(shape.nodes, shape._directed, shape._undirected)
    known = (
        knowledge if isinstance(knowledge, ResolvedKnowledge) else as_knowledge(knowledge).resolve(pdag.nodes)
    )
    conflicts: list[str] = []
    given = set(pdag.directed_edges)
    pairs = _reconciled_pairs(known, pdag, conflicts)
    decided, removed = _decided_arcs(known, pairs, conflicts)
    pairs -= removed
    for tail, head in sorted(decided, key=lambda arc: arc[::-1]):
        if (head, tail) in given:
            conflicts.append(f"{head} -> {tail} is turned: {known.reason(head, tail)}")
    kept = {arc for arc in given if arc in decided or (_pair(*arc) in pairs and arc[::-1] not in decided)}
    for tail, head in sorted(_arcs_on_cycles(kept | decided) - decided):
        kept.discard((tail, head))
        conflicts.append(f"{tail} -> {head} loses its direction: it would close a cycle with the knowledge")
    directed = kept | decided
    links = pairs - {_pair(*arc) for arc in directed}
    graph = Pdag(pdag.nodes, sorted(directed), sorted(links))
    try:
        graph = graph.closed()
    except NoExtensionError as error:
        conflicts.append(str(error))
    known_colliders = set(pdag.v_structures())
    for tail, middle, other in graph.v_structures():
        if (tail, middle, other) not in known_colliders:
            conflicts.append(f"{tail} -> {middle} <- {other} is a collider that the graph did not have")
    conflicts.extend(map(str, known.check(graph)))
    return AppliedKnowledge(
        graph,
        by_data=tuple(sorted(kept)),
        by_knowledge=tuple(sorted(decided - kept)),
        by_rules=tuple(sorted(set(graph.directed_edges) - directed)),
        conflicts=tuple(conflicts),
    )


def _pair(one: str, other: str) -> Arc:
    return (one, other) if one < other else (other, one)


def _reconciled_pairs(known: ResolvedKnowledge, pdag: Pdag, conflicts: list[str]) -> set[Arc]:
    """The adjacent pairs: those of the graph, without the forbidden ones, with the required ones."""
    pairs = set()
    for one, other in sorted(_pair(*edge) for edge in (*pdag.directed_edges, *pdag.undirected_edges)):
        if known.allows_arc(one, other) or known.allows_arc(other, one):
            pairs.add((one, other))
        else:
            conflicts.append(f"{one} -- {other} is removed: {known.reason(one, other)}")
    for edges, arrow in ((known.required_arcs, "->"), (known.required_links, "--")):
        for one, other in edges:
            if _pair(one, other) not in pairs:
                pairs.add(_pair(one, other))
                conflicts.append(f"{one} {arrow} {other} is added: it is required")
    return pairs


def _decided_arcs(
    known: ResolvedKnowledge, pairs: set[Arc], conflicts: list[str]
) -> tuple[set[Arc], set[Arc]]:
    """The arcs with only one way allowed, and the pairs to remove because they would close a cycle."""
    one_way = [
        arc
        for one, other in sorted(pairs)
        for arc in ((one, other), (other, one))
        if known.allows_arc(*arc) and not known.allows_arc(*arc[::-1])
    ]
    decided = set(one_way)
    if not _arcs_on_cycles(decided):
        return decided, set()
    required = set(known.required_arcs)
    decided = {arc for arc in one_way if arc in required}
    removed = set()
    for tail, head in one_way:
        if _arcs_on_cycles(decided | {(tail, head)}):
            removed.add(_pair(tail, head))
            conflicts.append(
                f"{tail} -- {head} is removed: its only allowed direction, {tail} -> {head}, closes a cycle"
            )
        else:
            decided.add((tail, head))
    return decided, removed


def _arcs_on_cycles(arcs: Iterable[Arc]) -> set[Arc]:
    after: dict[str, list[str]] = {}
    for tail, head in arcs:
        after.setdefault(tail, []).append(head)
    home = {node: at for at, part in enumerate(strongly_connected(after)) for node in part}
    return {(tail, head) for tail, heads in after.items() for head in heads if home[tail] == home[head]}
