"""From a skeleton to one DAG by the four rules of Jensen & Nielsen (2007, Section 7.1.1), with a trace.

Rule 1 makes the v-structures, rule 2 avoids new ones, rule 3 avoids cycles, and rule 4 chooses a direction
when nothing else applies. The book's claim that rule 4 cannot lead into a dead end does not hold for these
rules alone: after K -> J <- L with I joined to J, K and L, choosing J -> I leaves no DAG. So the third and
fourth rules of Meek (1995), which find such forced directions, are applied before every choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np

from dagwright.base.seeds import RandomState, generator
from dagwright.errors import GraphError, NoExtensionError, require_a, shortened
from dagwright.graph.dag import Dag
from dagwright.graph.named_graph import Edge
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph

Choice = Callable[[Pdag], Edge]


@dataclass(frozen=True, slots=True)
class Step:
    """One direction decided: by which rule, for which arc, and why."""

    rule: str
    arc: Edge
    reason: str

    def __str__(self) -> str:
        return f"rule {self.rule}: {self.arc[0]} -> {self.arc[1]} ({self.reason})"


@dataclass(frozen=True, slots=True)
class Oriented:
    """A DAG and the steps that led to it."""

    dag: Dag
    trace: tuple[Step, ...]


def rule_1(
    skeleton: UndirectedGraph, separators: Mapping[Edge, Iterable[str]]
) -> tuple[tuple[str, str, str], ...]:
    """The v-structures (a, c, b): a - c - b with a and b not adjacent and c not in what separated a and b.

    Parameters
    ----------
    skeleton
        Which variables are adjacent.
    separators
        For each pair that is not adjacent, in either order, the set that separated it.
    """
    sets = {frozenset(pair): frozenset(names) for pair, names in separators.items()}
    found = []
    for c in sorted(skeleton.nodes):
        for a, b in combinations(skeleton.neighbors(c), 2):
            if skeleton.adjacent(a, b):
                continue
            if frozenset((a, b)) not in sets:
                raise GraphError(f"{a!r} and {b!r} are not adjacent but no separating set is given for them")
            if c not in sets[frozenset((a, b))]:
                found.append((a, c, b))
    return tuple(sorted(found))


def alphabetical(graph: Pdag) -> Edge:
    """The choice for rule 4 that takes the first undirected edge and directs it from the first name."""
    return graph.undirected_edges[0]


def as_v_structures(given: Any) -> list[tuple[str, str, str]]:
    """Triples (a, c, b), each for a -> c <- b, sorted."""
    listed = isinstance(given, Iterable) and not isinstance(given, str | bytes)
    triples: list[Any] = list(given) if listed else [given]
    for triple in triples:
        if not (isinstance(triple, tuple) and len(triple) == 3 and all(isinstance(v, str) for v in triple)):
            raise GraphError(
                f"v_structures must list triples of names (a, c, b) for a -> c <- b, not {shortened(triple)}"
            )
    return sorted(set(triples))


def orient(
    skeleton: UndirectedGraph,
    v_structures: Iterable[tuple[str, str, str]],
    *,
    choose: Choice | None = None,
    random_state: RandomState = None,
) -> Oriented:
    """Direct every edge of a skeleton with the given v-structures by rules 2 to 4.

    Parameters
    ----------
    choose
        Rule 4: given the graph so far, the arc to direct next. By default a random edge and direction.
    random_state
        Seed of that random choice.

    Raises
    ------
    GraphError
        When two v-structures want an edge to point both ways, or one is not in the skeleton.
    NoExtensionError
        When no DAG has this skeleton and exactly these v-structures.
    """
    require_a(UndirectedGraph, skeleton, "skeleton", "an UndirectedGraph, such as dag.skeleton()")
    colliders = as_v_structures(v_structures)
    for a, c, b in colliders:
        for end in (a, b):
            if not skeleton.adjacent(end, c):
                raise GraphError(
                    f"the v-structure {a} -> {c} <- {b} needs an edge between {end!r} and {c!r}, which the "
                    "skeleton does not have"
                )
        if skeleton.adjacent(a, b):
            raise GraphError(
                f"{a} -> {c} <- {b} is not a v-structure: the skeleton has an edge between {a!r} and {b!r}"
            )
    wanted = {arc: (a, c, b) for a, c, b in colliders for arc in ((a, c), (b, c))}
    edges = [edge for edge in skeleton.edges if edge not in wanted and edge[::-1] not in wanted]
    start = Pdag(skeleton.nodes, wanted, edges)
    if not start.has_extension() or set(start.v_structures()) != set(colliders):
        start.extension()
        raise NoExtensionError("the edges of the given v-structures form further v-structures")
    trace = [Step("1", arc, "{} -> {} <- {}".format(*wanted[arc])) for arc in sorted(wanted)]
    rng = generator(random_state)
    working = _Working(start)
    while working.edges:
        step = next(working.forced(), None)
        if step is None:
            arc = _random_choice(working, rng) if choose is None else choose(working.graph())
            if tuple(sorted(arc)) not in working.edges:
                raise GraphError(f"the choice {arc[0]} -> {arc[1]} is not an undirected edge of the graph")
            step = Step("4", arc, "chosen")
        working.direct(step.arc)
        trace.append(step)
    return Oriented(working.dag(), tuple(trace))


def _random_choice(working: _Working, rng: np.random.Generator) -> Edge:
    edges = sorted(working.edges)
    a, b = edges[int(rng.integers(len(edges)))]
    return (a, b) if rng.random() < 0.5 else (b, a)


class _Working:
    """The graph while its edges are being directed."""

    def __init__(self, graph: Pdag) -> None:
        self.nodes = graph.nodes
        self.children = {node: set(graph.children(node)) for node in graph.nodes}
        self.edges = set(graph.undirected_edges)
        skeleton = graph.skeleton()
        self.around = {node: set(skeleton.neighbors(node)) for node in graph.nodes}

    def graph(self) -> Pdag:
        return Pdag(self.nodes, self._arcs(), self.edges)

    def dag(self) -> Dag:
        return Dag(self.nodes, self._arcs())

    def _arcs(self) -> list[Edge]:
        return [(start, end) for start, ends in self.children.items() for end in ends]

    def direct(self, arc: Edge) -> None:
        self.edges.remove((min(arc), max(arc)))
        self.children[arc[0]].add(arc[1])

    def joined(self, a: str, b: str) -> bool:
        return (min(a, b), max(a, b)) in self.edges

    def forced(self) -> Iterator[Step]:
        """The directions that the rules demand now: rule 2, rule 3, Meek's third, Meek's fourth."""
        open_ends = sorted([*self.edges, *((b, a) for a, b in self.edges)])
        for rule in (self._rule_2, self._rule_3, self._meek_3, self._meek_4):
            for start, end in open_ends:
                step = rule(start, end)
                if step is not None:
                    yield step

    def _rule_2(self, c: str, b: str) -> Step | None:
        for a in sorted(self.around[c] - self.around[b] - {b}):
            if c in self.children[a]:
                return Step("2", (c, b), f"{a} -> {c}, {a} and {b} not adjacent")
        return None

    def _rule_3(self, a: str, b: str) -> Step | None:
        came_from = {a: a}
        queue = [a]
        for node in queue:
            for child in sorted(self.children[node]):
                if child not in came_from:
                    came_from[child] = node
                    queue.append(child)
        if b not in came_from:
            return None
        path = [b]
        while path[-1] != a:
            path.append(came_from[path[-1]])
        return Step("3", (a, b), "no cycle with " + " -> ".join(reversed(path)))

    def _meek_3(self, i: str, j: str) -> Step | None:
        between = [k for k in sorted(self.around[i]) if self.joined(i, k) and j in self.children[k]]
        for k, l in combinations(between, 2):  # noqa: E741
            if l not in self.around[k]:
                return Step(
                    "Meek 3", (i, j), f"{i} - {k} -> {j} and {i} - {l} -> {j}, {k} and {l} not adjacent"
                )
        return None

    def _meek_4(self, i: str, j: str) -> Step | None:
        for k, l in permutations(sorted(self.around[i] - {j}), 2):  # noqa: E741
            if (
                self.joined(i, k)
                and l in self.children[k]
                and j in self.children[l]
                and j not in self.around[k]
            ):
                return Step("Meek 4", (i, j), f"{i} - {k} -> {l} -> {j}, {k} and {j} not adjacent")
        return None
