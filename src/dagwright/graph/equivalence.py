"""Walking between and within Markov equivalence classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from dagwright.errors import GraphError
from dagwright.graph.dag import Dag
from dagwright.graph.named_graph import Edge
from dagwright.graph.pdag import Pdag


def covered_edges(dag: Dag) -> tuple[Edge, ...]:
    """The arcs x -> y whose ends have the same other parents; reversing one keeps the class."""
    return tuple((x, y) for x, y in dag.edges if set(dag.parents(y)) - {x} == set(dag.parents(x)))


def reversals(start: Dag, end: Dag) -> list[Edge]:
    """Covered arcs to reverse one after the other, as they then point, to get from ``start`` to ``end``.

    Every graph on the way is equivalent to both, and no shorter sequence exists (Chickering 1995, Theorem 2).

    >>> reversals(Dag.parse("A -> B -> C"), Dag.parse("C -> B -> A"))
    [('A', 'B'), ('B', 'C')]
    """
    if not start.equivalent(end):
        raise GraphError("no sequence of reversals joins the two graphs because they are not equivalent")
    steps: list[Edge] = []
    current, wanted = start, set(end.edges)
    while True:
        differing = {edge for edge in current.edges if edge not in wanted}
        if not differing:
            return steps
        place = {node: position for position, node in enumerate(current.topological_order())}
        # The first child with an arc to turn, and the last of its parents among these.
        x, y = min(differing, key=lambda edge: (place[edge[1]], -place[edge[0]]))
        steps.append((x, y))
        current = current.with_edges(add=[(y, x)], remove=[(x, y)])


def upper_neighbors(graph: Dag | Pdag) -> list[Pdag]:
    """The classes one arc richer: some member of one arises from a member of this class by adding an arc.

    They come from all valid insertions of Chickering (2002, Theorem 15): x -> y is added and the nodes of T,
    neighbors of y not adjacent to x, become parents of y.
    """
    essential = graph.cpdag()
    found: dict[Pdag, None] = {}
    for x, y in _ordered_pairs(essential):
        if essential.adjacent(x, y):
            continue
        common, free = _neighbors_of(essential, y, x)
        for chosen in _subsets(free):
            clique = common | chosen
            if not _is_clique(essential, clique) or not _all_paths_meet(essential, y, x, clique):
                continue
            arcs = [(x, y), *((node, y) for node in chosen)]
            result = _changed(essential, arcs).cpdag()
            found[result] = None
    return sorted(found, key=str)


def lower_neighbors(graph: Dag | Pdag) -> list[Pdag]:
    """The classes one arc poorer: some member of one arises from a member of this class by deleting an arc.

    They come from all valid deletions of Chickering (2002, Theorem 17): the edge between x and y goes and
    the nodes of H, neighbors of y adjacent to x, become children of y and of x.
    """
    essential = graph.cpdag()
    found: dict[Pdag, None] = {}
    pairs = [*essential.directed_edges, *essential.undirected_edges]
    pairs += [(y, x) for x, y in essential.undirected_edges]
    for x, y in pairs:
        common, _ = _neighbors_of(essential, y, x)
        for chosen in _subsets(common):
            if not _is_clique(essential, common - chosen):
                continue
            arcs = [(y, node) for node in chosen]
            arcs += [(x, node) for node in chosen if node in essential.neighbors(x)]
            result = _changed(essential, arcs, without=(x, y)).cpdag()
            found[result] = None
    return sorted(found, key=str)


def _ordered_pairs(graph: Pdag) -> Iterator[Edge]:
    for a, b in combinations(sorted(graph.nodes), 2):
        yield a, b
        yield b, a


def _neighbors_of(graph: Pdag, y: str, x: str) -> tuple[frozenset[str], frozenset[str]]:
    """The undirected neighbors of y other than x: adjacent to x, and not adjacent to x."""
    others = frozenset(graph.neighbors(y)) - {x}
    adjacent = frozenset(node for node in others if graph.adjacent(node, x))
    return adjacent, others - adjacent


def _subsets(items: frozenset[str]) -> Iterator[frozenset[str]]:
    ordered = sorted(items)
    for size in range(len(ordered) + 1):
        yield from map(frozenset, combinations(ordered, size))


def _is_clique(graph: Pdag, nodes: Iterable[str]) -> bool:
    return all(graph.adjacent(a, b) for a, b in combinations(nodes, 2))


def _all_paths_meet(graph: Pdag, start: str, end: str, blockers: frozenset[str]) -> bool:
    """Whether every path from start to end without an arc against it passes through a blocker."""
    seen = {start}
    queue = [start]
    for node in queue:
        for other in (*graph.children(node), *graph.neighbors(node)):
            if other == end:
                return False
            if other not in seen and other not in blockers:
                seen.add(other)
                queue.append(other)
    return True


def _changed(graph: Pdag, arcs: list[Edge], without: Edge | None = None) -> Pdag:
    """The graph with ``arcs`` in place of whatever joined their ends, and without one edge."""
    replaced = {frozenset(arc) for arc in arcs} | ({frozenset(without)} if without else set())
    directed = [edge for edge in graph.directed_edges if frozenset(edge) not in replaced]
    undirected = [edge for edge in graph.undirected_edges if frozenset(edge) not in replaced]
    return Pdag(graph.nodes, directed + arcs, undirected)
