"""Sets to adjust for: the generalized adjustment criterion on DAGs, MAGs and their classes.

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
from dagwright.graph.edge_marks import EdgeMarks
from dagwright.graph.graph_like import GraphLike, as_graph
from dagwright.graph.mag import Mag
from dagwright.graph.pag import Pag
from dagwright.graph.paths import Path, marks_of, path_text
from dagwright.graph.pdag import Pdag
from dagwright.graph.query import Query
from dagwright.graph.separation import minimal_separators, separated_all
from dagwright.model.causal.effects import smallest_first, still_open

CausalGraph = Dag | Pdag | Mag | Pag


@dataclass(frozen=True)
class Adjustment:
    """The sets to adjust for to see the total effect of ``cause`` on ``outcome`` in a graph.

    Attributes
    ----------
    graph
        A DAG, or a maximal ancestral graph, which allows hidden common causes; or a class of either.
        A set counts that serves in every DAG that the graph stands for.
    observed
        The nodes that may be adjusted for.
    """

    graph: CausalGraph
    cause: str
    outcome: str
    observed: frozenset[str]

    @cached_property
    def _member(self) -> Dag | Mag:
        if isinstance(self.graph, Pdag):
            return self.graph.extension()
        return self.graph.mag() if isinstance(self.graph, Pag) else self.graph

    @cached_property
    def _marks(self) -> EdgeMarks:
        return marks_of(self.graph)

    def _onward(self, node: str) -> tuple[str, ...]:
        """Where a possibly directed path can go on from a node: no arrowhead points back to it."""
        nodes, marks = self.graph._nodes, self._marks
        here = nodes.number(node)
        return nodes.name_all(other for other in marks.near(here) if not marks.is_arrow(other, here))

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
    def undecided(self) -> Path | None:
        """A possibly directed path to the outcome whose first edge may mislead, or None.

        The first edge has no direction, or a hidden common cause may stand behind it.
        """
        for first in sorted(self._onward(self.cause)):
            if first not in self.causal or self._is_visible(first):
                continue
            queue: list[Path] = [(self.cause, first)]
            seen = {self.cause, first}
            for path in queue:
                if path[-1] == self.outcome:
                    return path
                for other in sorted(self._onward(path[-1])):
                    if other not in seen:
                        seen.add(other)
                        queue.append((*path, other))
        return None

    def _is_visible(self, child: str) -> bool:
        """Whether the edge to a child is directed, and no common cause can be hidden behind it.

        In a graph with hidden variables that needs a node that is not adjacent to the child and has an edge
        into the cause, or a path of colliders into it that are all parents of the child (Zhang 2008).
        """
        marks, number = self._marks, self.graph._nodes.number
        cause, end = number(self.cause), number(child)
        if not marks.is_parent(cause, end):
            return False
        if isinstance(self.graph, Dag | Pdag):
            return True
        seen, front = {cause}, [cause]
        while front:
            here = front.pop()
            for other in marks.near(here):
                if other in seen or other == end or not marks.is_arrow(other, here):
                    continue
                if not marks.joined(other, end):
                    return True
                if marks.is_arrow(here, other) and marks.is_parent(other, end):
                    seen.add(other)
                    front.append(other)
        return False

    @cached_property
    def _cut(self) -> Dag | Mag:
        """A member without the first arcs of its causal paths (the proper back-door graph)."""
        member = self._member
        if isinstance(member, Mag):
            return member.without_edges(
                (a, b) for a, b in member.directed_edges if a == self.cause and b in self.causal
            )
        first = [child for child in member.children(self.cause) if child in self.causal]
        return member.with_edges(remove=[(self.cause, child) for child in first])

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
        return separated_all(self._cut, [Query(self.cause, self.outcome, chosen)])[0]

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

        The parents of the nodes on causal paths that are not forbidden themselves (Henckel et al. 2022). None
        also for graphs with hidden variables, in which no such set is known.

        >>> sorted(adjustment("A -> X -> Y; A -> Y; B -> Y", "X", "Y").optimal)
        ['A', 'B']
        """
        if isinstance(self._member, Mag):
            return None
        parents = {parent for node in self.causal for parent in self._member.parents(node)}
        chosen = frozenset(parents) - self.forbidden
        return chosen if chosen <= self.observed and self.is_valid(chosen) else None

    def minimal(self) -> Iterator[frozenset[str]]:
        """The valid sets of which no part is valid, smallest first; at most 1,000 are listed.

        >>> [sorted(one) for one in adjustment("X <- A -> B -> Y; X -> Y", "X", "Y").minimal()]
        [['A'], ['B']]
        """
        if self.undecided is None:
            yield from smallest_first(minimal_separators(self._cut, self.cause, self.outcome, self.allowed))

    def chosen(self) -> frozenset[str]:
        """The optimal set, or else the smallest one; an error that names the open path if there is none."""
        if self.undecided is not None:
            raise NotIdentifiableError(self._why_undecided(self.undecided))
        if self.optimal is not None:
            return self.optimal
        smallest = next(self.minimal(), None)
        if smallest is not None:
            return smallest
        path = still_open(self._cut, self.cause, self.outcome, self.allowed)
        raise NotIdentifiableError(
            f"the effect of {self.cause!r} on {self.outcome!r} cannot be found by adjusting for what is "
            f"observed: the path {path} stays open; observe a node on it"
        )

    def _why_undecided(self, path: Path) -> str:
        marks, number = self._marks, self.graph._nodes.number
        effect = f"the effect of {self.cause!r} on {self.outcome!r} is not decided by the graph"
        if marks.is_parent(number(path[0]), number(path[1])):
            return (
                f"{effect}: on the path {path_text(self.graph, path)} a hidden common cause of {path[0]!r} "
                f"and {path[1]!r} is possible (the edge is not visible), and nothing observed closes it; "
                f"observe that cause, or a cause of {path[0]!r} alone"
            )
        range_instead = ", or see the range over the members of the class"
        return (
            f"{effect}: {path_text(self.graph, path)} may be a causal path or not, because the direction of "
            "its first edge is open; add knowledge of that direction"
            f"{range_instead if isinstance(self.graph, Pdag) else ''}"
        )


def adjustment(
    graph: GraphLike, cause: str, outcome: str, observed: Iterable[str] | None = None
) -> Adjustment:
    """The sets that serve to see the total effect of one node on another (Perković et al. 2018).

    Parameters
    ----------
    graph
        A DAG, a class of DAGs such as an essential graph, a graph with hidden variables (MAG or PAG, without
        selection), a learned result, or text.
    observed
        The nodes that may be adjusted for; all by default.

    >>> sets = adjustment("A -- B; A -> X; X -> Y; B -> Y", "X", "Y")
    >>> sorted(sets.chosen()), [sorted(one) for one in sets.minimal()]
    (['B'], [['A'], ['B']])
    >>> adjustment("A o-> X <-o B; X -> Y; A o-> Y", "X", "Y").chosen()
    frozenset({'A'})
    """
    known = as_graph(graph)
    if not isinstance(known, CausalGraph):
        raise GraphError(
            f"adjustment sets are found in a DAG, a MAG or a class of such graphs, not in a "
            f"{type(known).__name__}"
        )
    if isinstance(known, Mag | Pag):
        _refuse_selection(known)
    for node in (cause, outcome):
        known.adjacent(node, cause)  # an unknown name is refused
    if cause == outcome:
        raise GraphError(f"cause and outcome must differ, both are {cause!r}")
    seen = frozenset(known.nodes if observed is None else observed)
    for node in seen:
        known.adjacent(node, cause)
    return Adjustment(known, cause, outcome, seen - {cause, outcome})


def _refuse_selection(graph: Mag | Pag) -> None:
    for start, arrow, end in graph.edges:
        if arrow in ("--", "o-", "-o"):
            raise GraphError(
                f"{start} {arrow} {end} means that rows were selected by a variable, and adjustment does not "
                "remove selection bias"
            )


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
