"""From the graphs of the replicates to how often each feature occurs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagwright.base.numbering import Numbering
from dagwright.confidence import Confidence
from dagwright.evidence.bound import Bound, is_equivalent
from dagwright.graph.dag import Dag
from dagwright.graph.pag import Pag
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph
from dagwright.knowledge import ResolvedKnowledge, apply_knowledge

Pair = tuple[int, int]
Graph = Dag | Pdag | Pag | UndirectedGraph


class ReplicateGraph(NamedTuple):
    """The graph of one replicate, by the numbers of the columns."""

    directed: tuple[Pair, ...]
    undirected: tuple[Pair, ...]

    @staticmethod
    def checked(parts: Any, n: int) -> ReplicateGraph:
        """From a file: pairs of different columns, each pair once; ValueError for anything else."""
        directed, undirected = ([tuple(pair) for pair in part] for part in parts)
        seen = set()
        for pair in (*directed, *undirected):
            a, b = pair
            if not (type(a) is int and type(b) is int and 0 <= a < n and 0 <= b < n) or a == b:
                raise ValueError(f"an edge must join two of {n} columns, got {pair!r:.40}")
            seen.add(frozenset(pair))
        if len(seen) < len(directed) + len(undirected):
            raise ValueError("two columns are joined twice")
        return ReplicateGraph(tuple(directed), tuple(undirected))

    def named(self, names: Sequence[str]) -> Pdag:
        """The graph over the columns of these names."""
        directed, undirected = ([(names[a], names[b]) for a, b in part] for part in self)
        return Pdag(names, directed, undirected)


def as_class(graph: Graph, bound: Bound, resolved: ResolvedKnowledge) -> Graph:
    """The graph with only those directions that the score or the knowledge decides."""
    if not isinstance(graph, Dag) or not is_equivalent(bound):
        return graph
    essential = graph.cpdag(bound.targets)
    return essential if resolved.native.empty() else apply_knowledge(essential, resolved).graph


def numbered(graph: Graph, names: Sequence[str]) -> ReplicateGraph:
    """The edges by the numbers of their ends, sorted."""
    at = Numbering(names).number
    directed: Iterable[tuple[str, str]] = ()
    undirected: Iterable[tuple[str, str]] = ()
    if isinstance(graph, Dag):
        directed = graph.edges
    elif isinstance(graph, UndirectedGraph):
        undirected = graph.edges
    elif isinstance(graph, Pag):
        # Whatever is no plain arrow leaves the direction open.
        directed = graph.directed_edges
        decided = {frozenset(pair) for pair in directed}
        undirected = [pair for pair in graph.skeleton().edges if frozenset(pair) not in decided]
    else:
        directed, undirected = graph.directed_edges, graph.undirected_edges
    return ReplicateGraph(
        tuple(sorted((at[a], at[b]) for a, b in directed)),
        tuple(sorted((min(at[a], at[b]), max(at[a], at[b])) for a, b in undirected)),
    )


def frequencies(
    names: Sequence[str], graphs: Sequence[ReplicateGraph], source: str, *, keep: bool
) -> Confidence:
    """The share of the replicates with each arc, undecided edge, directed path and v-structure.

    ``keep`` says that these edges are all of the graphs, so that the confidence can hold them.
    """
    n, B = len(names), len(graphs)
    arcs, undirected, paths = (np.zeros((n, n)) for _ in range(3))
    colliders: Counter[tuple[str, str, str]] = Counter()
    for graph in graphs:
        for i, j in graph.directed:
            arcs[i, j] += 1
        for i, j in graph.undirected:
            undirected[i, j] += 1
            undirected[j, i] += 1
        paths += reachable(n, graph.directed)
        colliders.update(v_structures(graph, names))
    strengths = (arcs + arcs.T + undirected) / B
    arcs, undirected, paths = arcs / B, undirected / B, paths / B
    return Confidence(
        tuple(names),
        arcs,
        source,
        undirected=undirected if undirected.any() else None,
        arc_errors=standard_errors(arcs, B),
        edge_errors=standard_errors(strengths, B),
        effective_samples=float(B),
        paths=paths,
        v_structures={triple: count / B for triple, count in sorted(colliders.items())},
        graphs=tuple(graph.named(names) for graph in graphs) if keep else (),
    )


def standard_errors(shares: NDArray[np.float64], replicates: int) -> NDArray[np.float64]:
    """sqrt(p (1 - p) / B) of shares of B replicates."""
    inside = np.clip(shares, 0.0, 1.0)
    return np.sqrt(inside * (1 - inside) / replicates)


def reachable(n: int, directed: Sequence[Pair]) -> NDArray[np.float64]:
    """Entry (i, j) is 1 if directed arcs lead from i to j, j different from i."""
    found = np.zeros((n, n), dtype=np.float32)
    for i, j in directed:
        found[i, j] = 1.0
    while True:
        longer = np.minimum(found + found @ found, 1.0)
        if np.array_equal(longer, found):
            break
        found = longer
    np.fill_diagonal(found, 0.0)
    return found.astype(np.float64)


def v_structures(graph: ReplicateGraph, names: Sequence[str]) -> list[tuple[str, str, str]]:
    """a -> c <- b with a and b not joined, a before b by name."""
    joined = {frozenset(pair) for pair in (*graph.directed, *graph.undirected)}
    parents: dict[int, list[int]] = {}
    for i, j in graph.directed:
        parents.setdefault(j, []).append(i)
    found = []
    for child, members in parents.items():
        for at, one in enumerate(members):
            for other in members[at + 1 :]:
                if frozenset((one, other)) not in joined:
                    first, last = sorted((names[one], names[other]))
                    found.append((first, names[child], last))
    return found
