"""Slow, plain twins of the native graph routines, written from the definitions. The tests compare the two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise, product

from dagwright.errors import CycleError, GraphError
from dagwright.graph.dag import Dag
from dagwright.graph.edge_marks import ARROW, CIRCLE, TAIL
from dagwright.graph.mag import Mag
from dagwright.graph.mark_notation import ARROWS
from dagwright.graph.named_graph import Edge
from dagwright.graph.oracle import Oracle, as_oracle
from dagwright.graph.pag import Pag
from dagwright.graph.pdag import Pdag
from dagwright.graph.query import Names, Query, name_set
from dagwright.graph.separation import separated_all
from dagwright.graph.undirected import UndirectedGraph


def ancestral_set(dag: Dag, nodes: Names) -> set[str]:
    """The nodes and all their ancestors."""
    found = set(name_set(nodes))
    pending = list(found)
    while pending:
        for parent in dag.parents(pending.pop()):
            if parent not in found:
                found.add(parent)
                pending.append(parent)
    return found


def d_separated(dag: Dag, x: Names, y: Names, given: Names = ()) -> bool:
    """Separation in the moral graph of the ancestors of all nodes named (Lauritzen et al. 1990)."""
    x, y, given = name_set(x), name_set(y), name_set(given)
    relevant = ancestral_set(dag, x | y | given)
    links: dict[str, set[str]] = {node: set() for node in relevant}
    for node in relevant:
        family = (node, *dag.parents(node))
        for a, b in combinations(family, 2):
            links[a].add(b)
            links[b].add(a)
    seen, pending = set(x), list(x)
    while pending:
        for other in links[pending.pop()] - seen - given:
            seen.add(other)
            pending.append(other)
    return not seen & y


def skeleton_by_definition(source: Oracle | Dag | UndirectedGraph) -> UndirectedGraph:
    """Two variables are adjacent if no set of the others separates them (Pearl 1988, section 3.3)."""
    oracle = as_oracle(source)
    links = []
    for a, b in combinations(sorted(oracle.nodes), 2):
        others = [name for name in sorted(oracle.nodes) if name not in (a, b)]
        sets = [given for size in range(len(others) + 1) for given in combinations(others, size)]
        if not any(verdict.independent for verdict in oracle.test([Query(a, b, given) for given in sets])):
            links.append((a, b))
    return UndirectedGraph(oracle.nodes, links)


def blanket_by_definition(source: Oracle | Dag | UndirectedGraph, target: str) -> list[frozenset[str]]:
    """The smallest sets that make the target independent of all the rest; one, unless the answers tie."""
    oracle = as_oracle(source)
    others = [name for name in sorted(oracle.nodes) if name != target]
    for size in range(len(others)):
        sets = [frozenset(members) for members in combinations(others, size)]
        verdicts = oracle.test([Query(target, set(others) - members, members) for members in sets])
        found = [members for members, verdict in zip(sets, verdicts, strict=True) if verdict.independent]
        if found:
            return found
    return [frozenset(others)]


def orientations(nodes: Iterable[str], edges: Iterable[Edge]) -> Iterator[Dag]:
    """Every DAG with the given skeleton."""
    names = list(nodes)
    for arcs in product(*((edge, edge[::-1]) for edge in edges)):
        try:
            yield Dag(names, arcs)
        except CycleError:
            continue


def members(graph: Dag | Pdag) -> list[Dag]:
    """All DAGs with the skeleton and the v-structures of the graph that keep its arcs (of a Pdag)."""
    kept = set(graph.directed_edges) if isinstance(graph, Pdag) else set()
    wanted = set(graph.v_structures())
    return [
        dag
        for dag in orientations(graph.nodes, graph.skeleton().edges)
        if kept.issubset(dag.edges) and set(dag.v_structures()) == wanted
    ]


def common_arcs(dags: list[Dag]) -> Pdag:
    """The graph that directs the arcs on which DAGs agree: for a whole class, the essential graph."""
    shared = set(dags[0].edges).intersection(*(dag.edges for dag in dags))
    links = [edge for edge in dags[0].edges if edge not in shared]
    return Pdag(dags[0].nodes, shared, links)


def adjustment_is_valid(dag: Dag, x: str, y: str, given: Iterable[str]) -> bool:
    """Whether adjusting for ``given`` yields p(y | do(x)): Shpitser et al. (2010), path by path."""
    blocked = set(given)
    for path in _paths(dag, x, y):
        causal = all(b in dag.children(a) for a, b in pairwise(path))
        if causal:
            if any(blocked & {node, *dag.descendants(node)} for node in path[1:]):
                return False
        elif _is_open(dag, path, blocked):
            return False
    return True


def _paths(dag: Dag, x: str, y: str) -> Iterator[list[str]]:
    pending = [[x]]
    while pending:
        path = pending.pop()
        for other in (*dag.parents(path[-1]), *dag.children(path[-1])):
            if other == y:
                yield [*path, y]
            elif other not in path:
                pending.append([*path, other])


def _is_open(dag: Dag, path: list[str], given: set[str]) -> bool:
    for before, node, after in zip(path, path[1:], path[2:], strict=False):
        collider = before in dag.parents(node) and after in dag.parents(node)
        if collider != bool(given & ({node, *dag.descendants(node)} if collider else {node})):
            return False
    return True


def m_separated(mag: Mag, x: str, y: str, given: Names = ()) -> bool:
    """No path between the two is open: Richardson & Spirtes (2002), path by path."""
    known = name_set(given)

    def arrow(a: str, b: str) -> bool:
        return mag.mark(a, b) == "arrow"

    above = set(known)
    while True:
        more = {a for a, b in mag.directed_edges if b in above} - above
        if not more:
            break
        above |= more

    def is_open(path: list[str]) -> bool:
        return all(
            node in above if arrow(before, node) and arrow(after, node) else node not in known
            for before, node, after in zip(path, path[1:], path[2:], strict=False)
        )

    pending = [[x]]
    while pending:
        path = pending.pop()
        for other in mag.neighbors(path[-1]):
            if other == y and is_open([*path, y]):
                return False
            if other not in (*path, y):
                pending.append([*path, other])
    return True


def separations_of(graph: Dag | Mag) -> tuple[bool, ...]:
    """The answers to all questions about two nodes, given any others."""
    names = sorted(graph.nodes)
    queries = [
        Query(a, b, given)
        for a, b in combinations(names, 2)
        for given in subsets(name for name in names if name not in (a, b))
    ]
    return tuple(separated_all(graph, queries))


def subsets(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """All subsets, the smallest first."""
    members = list(names)
    for size in range(len(members) + 1):
        yield from combinations(members, size)


def ancestral_graphs(nodes: Iterable[str], links: Iterable[Edge]) -> Iterator[Mag]:
    """Every maximal ancestral graph with the given edges."""
    names, pairs = list(nodes), list(links)
    for arrows in product(("->", "<-", "<->", "--"), repeat=len(pairs)):
        try:
            mag = Mag(names, [(a, arrow, b) for (a, b), arrow in zip(pairs, arrows, strict=True)])
        except GraphError:
            continue
        if mag.is_maximal():
            yield mag


def common_marks(mags: list[Mag]) -> Pag:
    """The graph with the marks on which graphs agree: for a whole class, its partial ancestral graph."""

    def shared(a: str, b: str) -> int:
        marks = {mag.mark(a, b) for mag in mags}
        return {"arrow": ARROW, "tail": TAIL}[str(marks.pop())] if len(marks) == 1 else CIRCLE

    return Pag(mags[0].nodes, [(a, ARROWS[shared(b, a), shared(a, b)], b) for a, _, b in mags[0].edges])


def structural_intervention_distance(truth: Dag, guess: Dag) -> int:
    """Peters & Bühlmann (2015), pair by pair."""
    wrong = 0
    for x in truth.nodes:
        parents = guess.parents(x)
        for y in truth.nodes:
            if y == x:
                continue
            if y in parents:
                wrong += y in truth.descendants(x)
            else:
                wrong += not adjustment_is_valid(truth, x, y, parents)
    return wrong
