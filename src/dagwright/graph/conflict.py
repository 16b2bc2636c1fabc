"""Why a partially directed graph has no consistent extension, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from dagwright import _core
from dagwright.graph.undirected import UndirectedGraph

if TYPE_CHECKING:
    from dagwright.graph.pdag import Pdag


def explain_no_extension(graph: Pdag) -> str:
    """One sentence that names the edges in conflict.

    All arcs that follow from the given ones are added first. The obstacle is then a cycle, an edge that
    cannot point either way, a new v-structure, or a chordless cycle of undirected edges.
    """
    prefix = "no DAG agrees with this graph: "
    blocked = _blocked_edge(graph)
    if blocked:
        return prefix + blocked
    closed = _core.meek_closure(graph._native)
    cycle = graph._nodes.name_all(_core.find_cycle(closed))
    if cycle:
        return f"{prefix}its directed edges force the cycle {' -> '.join((*cycle, cycle[0]))}"
    given = set(graph.v_structures())
    for a, c, b in map(graph._nodes.name_all, _core.v_structures(closed)):
        if (a, c, b) not in given:
            return f"{prefix}its directed edges force the new v-structure {a} -> {c} <- {b}"
    edges = UndirectedGraph(graph.nodes, graph._nodes.edges(closed.undirected()))
    if not edges.is_chordal():
        hole = _chordless_cycle(edges)
        text = " -- ".join((*hole, hole[0]))
        return f"{prefix}the undirected cycle {text} has no chord, so every direction makes a v-structure"
    left = set(range(len(closed))).difference(_core.sink_order(graph._native))
    stuck = ", ".join(graph._nodes.name_all(sorted(left)))
    return f"{prefix}none of the nodes {stuck} can come last among them without a new v-structure"


def _blocked_edge(graph: Pdag) -> str | None:
    """An undirected edge of which each direction makes a new v-structure with an arc already there."""
    for a, b in graph.undirected_edges:
        reasons = []
        for start, end in ((a, b), (b, a)):
            against = [p for p in graph.parents(end) if p != start and not graph.adjacent(p, start)]
            if against:
                reasons.append(
                    f"{start} -> {end} would make the v-structure {start} -> {end} <- {against[0]}"
                )
        if len(reasons) == 2:
            return f"{a} -- {b} cannot point either way, {reasons[0]} and {reasons[1]}"
    return None


def _chordless_cycle(graph: UndirectedGraph) -> tuple[str, ...]:
    """A chordless cycle of at least four nodes through some node and two of its non-adjacent neighbors."""
    for middle in sorted(graph.nodes):
        around = graph.neighbors(middle)
        for i, start in enumerate(around):
            for end in around[i + 1 :]:
                if graph.adjacent(start, end):
                    continue
                banned = {middle, *around} - {start, end}
                path = _shortest_path(graph, start, end, banned)
                if path:
                    return (middle, *path)
    return ()


def _shortest_path(graph: UndirectedGraph, start: str, end: str, banned: Iterable[str]) -> tuple[str, ...]:
    came_from = {start: ""}
    seen = {start, *banned}
    queue = [start]
    for node in queue:
        for other in graph.neighbors(node):
            if other in seen:
                continue
            seen.add(other)
            came_from[other] = node
            queue.append(other)
    if end not in came_from:
        return ()
    path = [end]
    while path[-1] != start:
        path.append(came_from[path[-1]])
    return tuple(reversed(path))
