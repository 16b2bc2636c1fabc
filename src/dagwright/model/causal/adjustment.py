"""Sets to adjust for: the generalized adjustment criterion on DAGs and classes of DAGs.

Perković, Textor, Kalisch & Maathuis (2018), "Complete graphical characterization and construction of
adjustment sets in Markov equivalence classes of ancestral graphs"; the optimal set is that of Henckel,
Perković & Maathuis (2022).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from dagwright.errors import GraphError, NotIdentifiableError
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_graph
from dagwright.graph.pdag import Pdag
from dagwright.graph.separation import minimal_separators
from dagwright.model.causal.effects import MAX_LISTED, open_backdoor, separator_within


@dataclass(frozen=True)
class Adjustment:
    """The sets to adjust for to see the total effect of ``cause`` on ``outcome`` in a graph.

    Attributes
    ----------
    graph
        A DAG, or a class of DAGs: then a set counts that serves in every member.
    observed
        The nodes that may be adjusted for.
    """

    graph: Dag | Pdag
    cause: str
    outcome: str
    observed: frozenset[str]

    @cached_property
    def _member(self) -> Dag:
        return self.graph if isinstance(self.graph, Dag) else self.graph.extension()

    def _onward(self, node: str) -> tuple[str, ...]:
        """Where a possibly directed path can go on from a node."""
        if isinstance(self.graph, Dag):
            return self.graph.children(node)
        return (*self.graph.children(node), *self.graph.neighbors(node))

    def _possible_descendants(self, starts: Iterable[str]) -> frozenset[str]:
        """The nodes on possibly directed paths from ``starts`` that avoid the cause, themselves included."""
        found = set(starts)
        queue = sorted(found)
        for node in queue:
            for other in self._onward(node):
                if other not in found and other != self.cause:
                    found.add(other)
                    queue.append(other)
        return frozenset(found)

    @cached_property
    def causal(self) -> frozenset[str]:
        """The nodes on possibly directed paths from the cause to the outcome, the cause left out."""
        after = self._possible_descendants(self._onward(self.cause))
        return frozenset(node for node in after if self.outcome in self._possible_descendants([node]))

    @cached_property
    def forbidden(self) -> frozenset[str]:
        """The nodes that no adjustment set may hold: possible descendants of those on causal paths."""
        return self._possible_descendants(self.causal) | {self.cause, self.outcome}

    @cached_property
    def undecided(self) -> tuple[str, ...] | None:
        """A possibly directed path to the outcome whose first edge has no direction, or None."""
        if isinstance(self.graph, Dag):
            return None
        for first in sorted(self.graph.neighbors(self.cause)):
            queue: list[tuple[str, ...]] = [(self.cause, first)]
            seen = {self.cause, first}
            for path in queue:
                if path[-1] == self.outcome:
                    return path
                for other in sorted(self._onward(path[-1])):
                    if other not in seen:
                        seen.add(other)
                        queue.append((*path, other))
        return None

    @cached_property
    def _cut(self) -> Dag:
        """A member without the first arcs of its causal paths (the proper back-door graph)."""
        first = [child for child in self._member.children(self.cause) if child in self.causal]
        return self._member.with_edges(remove=[(self.cause, child) for child in first])

    def is_valid(self, nodes: Iterable[str]) -> bool:
        """Whether adjusting for these nodes gives the effect.

        >>> adjustment("Z -> X -> Y; Z -> Y", "X", "Y").is_valid(["Z"])
        True
        """
        chosen = frozenset(nodes)
        for node in chosen:
            self.graph.adjacent(node, self.cause)  # an unknown name is refused
        if self.undecided is not None or chosen & self.forbidden:
            return False
        return self._cut.d_separated(self.cause, self.outcome, sorted(chosen))

    @cached_property
    def has_effect(self) -> bool:
        """Whether some directed path may lead from the cause to the outcome; without one the effect is 0."""
        return self.outcome in self._possible_descendants(self._onward(self.cause))

    @property
    def allowed(self) -> frozenset[str]:
        """The observed nodes that are not forbidden."""
        return self.observed - self.forbidden

    @cached_property
    def optimal(self) -> frozenset[str] | None:
        """The valid set with the smallest asymptotic variance in linear models; None if it is not observed.

        The parents of the nodes on causal paths that are not forbidden themselves (Henckel et al. 2022).

        >>> sorted(adjustment("A -> X -> Y; A -> Y; B -> Y", "X", "Y").optimal)
        ['A', 'B']
        """
        parents = {parent for node in self.causal for parent in self._member.parents(node)}
        chosen = frozenset(parents) - self.forbidden
        return chosen if chosen <= self.observed and self.is_valid(chosen) else None

    def minimal(self) -> Iterator[frozenset[str]]:
        """The valid sets of which no part is valid, smallest first; at most 1,000 are listed.

        >>> [sorted(one) for one in adjustment("X <- A -> B -> Y; X -> Y", "X", "Y").minimal()]
        [['A'], ['B']]
        """
        if self.undecided is not None or self._cut.adjacent(self.cause, self.outcome):
            return
        listed = itertools.islice(minimal_separators(self._cut, self.cause, self.outcome), MAX_LISTED)
        found = [each for each in listed if each <= self.allowed]
        if not found:
            found = list(separator_within(self._cut, self.cause, self.outcome, self.allowed))
        yield from sorted(found, key=lambda each: (len(each), sorted(each)))

    def chosen(self) -> frozenset[str]:
        """The optimal set, or else the smallest one; an error that names the open path if there is none."""
        if self.undecided is not None:
            path = self._arrows(self.undecided)
            raise NotIdentifiableError(
                f"the effect of {self.cause!r} on {self.outcome!r} is not decided by the graph: {path} may "
                "be a causal path or not, because the direction of its first edge is open; add knowledge of "
                "that direction, or see the range over the members of the class"
            )
        if self.optimal is not None:
            return self.optimal
        smallest = next(self.minimal(), None)
        if smallest is not None:
            return smallest
        still_open = open_backdoor(self._member, self.cause, self.outcome, self.allowed)
        shown = f": the path {still_open} stays open" if still_open else ""
        raise NotIdentifiableError(
            f"the effect of {self.cause!r} on {self.outcome!r} cannot be had by adjusting for what is "
            f"observed{shown}; observe a node on it"
        )

    def _arrows(self, path: tuple[str, ...]) -> str:
        text = path[0]
        for a, b in itertools.pairwise(path):
            text += f" -> {b}" if b in self.graph.children(a) else f" -- {b}"
        return text


def adjustment(
    graph: GraphLike, cause: str, outcome: str, observed: Iterable[str] | None = None
) -> Adjustment:
    """The sets that serve to see the total effect of one node on another (Perković et al. 2018).

    Parameters
    ----------
    graph
        A DAG, a class of DAGs such as an essential graph, a learned result, or text.
    observed
        The nodes that may be adjusted for; all by default.

    >>> sets = adjustment("A -- B; A -> X; X -> Y; B -> Y", "X", "Y")
    >>> sorted(sets.chosen()), [sorted(one) for one in sets.minimal()]
    (['B'], [['A'], ['B']])
    """
    known = as_graph(graph)
    if not isinstance(known, Dag | Pdag):
        raise GraphError(
            f"adjustment sets are found in a DAG or a class of DAGs, not in a {type(known).__name__}"
        )
    for node in (cause, outcome):
        known.adjacent(node, cause)  # an unknown name is refused
    if cause == outcome:
        raise GraphError(f"cause and outcome must differ, both are {cause!r}")
    seen = frozenset(known.nodes if observed is None else observed)
    for node in seen:
        known.adjacent(node, cause)
    return Adjustment(known, cause, outcome, seen - {cause, outcome})


def parent_sets(graph: Dag | Pdag, node: str) -> list[frozenset[str]]:
    """The sets of parents that a node has in the members of a class (Maathuis, Kalisch & Bühlmann 2009).

    >>> from dagwright.graph.pdag import Pdag
    >>> [sorted(one) for one in parent_sets(Pdag.parse("A -- X -- B"), "X")]
    [[], ['A'], ['B']]
    """
    if isinstance(graph, Dag):
        return [frozenset(graph.parents(node))]
    certain, open_edges = frozenset(graph.parents(node)), sorted(graph.neighbors(node))
    v_structures = set(graph.extension().v_structures())
    found = []
    for size in range(len(open_edges) + 1):
        for turned in itertools.combinations(open_edges, size):
            if any(not graph.adjacent(a, b) for a in turned for b in (*certain, *turned) if a != b):
                continue  # a new v-structure
            arcs = [(a, node) for a in turned] + [(node, b) for b in open_edges if b not in turned]
            rest = [edge for edge in graph.undirected_edges if node not in edge]
            try:
                member = Pdag(graph.nodes, [*graph.directed_edges, *arcs], rest).extension()
            except GraphError:
                continue
            if set(member.v_structures()) == v_structures:
                found.append(certain | frozenset(turned))
    return found
