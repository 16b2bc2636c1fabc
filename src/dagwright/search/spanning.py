"""The heaviest tree or forest that knowledge allows, as parents of every variable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.errors import OptionError
from dagwright.evidence.counting import Counting
from dagwright.knowledge import ResolvedKnowledge
from dagwright.search.branching import NOWHERE, Matrix, maximum_branching
from dagwright.search.control import Control, stopped_by
from dagwright.search.problem import Found, Problem, Stopped
from dagwright.sentences import Argument, Literally


@dataclass(frozen=True)
class Weights:
    """The gain of every edge in nats, or why the weighing was stopped."""

    gains: Matrix | None
    stopped: Stopped | None


def weigh_edges(problem: Problem, control: Control, given: Iterable[int] = ()) -> Weights:
    """The gain of an edge between each two variables, with ``given`` as further parents of both."""
    if problem.score.targets:
        raise OptionError(
            "a search for trees weighs undirected edges and cannot use interventions; choose ",
            Argument("search", Literally("Exact(max_parents=1)")),
        )
    found = _core.edge_gains(
        problem.score.native,
        sorted(given),
        threads=control.threads,
        seconds=control.seconds_left(),
        progress=control.native_progress,
        cancel=control.cancel,
    )
    return Weights(found.matrix, stopped_by(found.stopped))


def constant_columns(problem: Problem) -> list[int]:
    """Variables that have one value in the data: an edge says nothing about them."""
    data = problem.score.data
    if isinstance(data, Counting):
        return [v for v in range(len(problem.names)) if len(data.cells([v])[1]) < 2]
    return [v for v, states in enumerate(data.cardinalities) if states == 1]  # 0 is a column of numbers


def stopped_before_weighing(problem: Problem, stopped: Stopped | None) -> Found:
    """The result when time was up before all edges were weighed: the edges that knowledge demands."""
    graph = problem.knowledge.initial_dag()
    return Found(graph, score=problem.score.total(graph), stopped=stopped)


class Spanning:
    """The heaviest tree over some of the variables, together with arcs that are there anyway.

    Without knowledge about directions this is the maximum spanning tree, directed away from its root; with
    it, the heaviest branching (every variable has one parent or none) that has all required edges. Where
    knowledge demands several parents of a variable the rest is added greedily, and a warning says so.

    Parameters
    ----------
    weights
        Symmetric; minus infinity where an edge may not be used.
    knowledge
        Knowledge in the numbers of the weights.
    nodes
        The variables of the tree.
    parents
        Arcs that are there: what knowledge demands, and a class above all features.
    root
        The variable that has no parent in the tree; None chooses, in each piece, the one whose edges
        together weigh most.
    join
        Whether the branching must first have as many arcs as possible, so that few pieces remain.
    """

    def __init__(
        self,
        weights: Matrix,
        knowledge: ResolvedKnowledge,
        nodes: Sequence[int],
        parents: Sequence[Iterable[int]],
        root: int | None = None,
        *,
        join: bool = True,
    ) -> None:
        self._weights, self._knowledge, self._root, self._join = weights, knowledge, root, join
        self._at = np.asarray(nodes, dtype=np.intp)
        self._inside = set(nodes)
        self._demanded = [set(members) for members in parents]
        edges = knowledge.native.required_links()
        self._free_edges = {pair for pair in edges if self._inside.issuperset(pair)}
        self.warnings: tuple[str, ...] = ()
        self.parents = self._grow()

    def _grow(self) -> list[set[int]]:
        allowed = self._allowed(self._demanded)
        within = allowed[np.ix_(self._at, self._at)]
        if not any(self._demanded[v] & self._inside for v in self._at) and np.array_equal(within, within.T):
            return self._directed_away(self._tree(within))
        found = self._branching()
        return self._greedy(allowed) if found is None else found

    def _allowed(self, present: Sequence[set[int]]) -> NDArray[np.bool_]:
        """Which arcs may be added to those that are present."""
        native, n = self._knowledge.native, len(present)
        allowed = np.zeros((n, n), dtype=bool)
        for child in map(int, self._at):
            most = native.max_parents(child)
            if most is None or len(present[child]) < most:
                allowed[[v for v in native.allowed_parents(child) if v in self._inside], child] = True
        # No way may lead back to what is above the tree, a class with parents for instance.
        above = ancestors(present, (v for v in range(n) if v not in self._inside))
        below = sorted(self._inside - above)
        allowed[np.ix_(below, sorted(above & self._inside))] = False
        np.fill_diagonal(allowed, False)
        return allowed & np.isfinite(self._weights)

    def _tree(self, within: NDArray[np.bool_]) -> list[tuple[int, int]]:
        weights = np.where(within, self._weights[np.ix_(self._at, self._at)], NOWHERE)
        edges = _core.maximum_spanning_forest(weights)
        return [(int(self._at[near]), int(self._at[far])) for near, far in edges]

    def _directed_away(self, edges: Sequence[tuple[int, int]]) -> list[set[int]]:
        near: dict[int, list[int]] = {int(v): [] for v in self._at}
        load = dict.fromkeys(near, 0.0)
        for one, other in edges:
            near[one].append(other)
            near[other].append(one)
            load[one] += float(self._weights[one, other])
            load[other] += float(self._weights[one, other])
        parents = [set(members) for members in self._demanded]
        reached: set[int] = set()
        for start in sorted(near, key=lambda v: (v != self._root, -load[v], v)):
            front = [] if start in reached else [start]
            reached.add(start)
            for node in front:
                fresh = [other for other in near[node] if other not in reached]
                reached.update(fresh)
                front.extend(fresh)
                for other in fresh:
                    parents[other].add(node)
        return parents

    def _branching(self) -> list[set[int]] | None:
        """The heaviest branching with the demanded arcs; None if they do not fit into one."""
        present = [
            {u for u in members if (min(u, v), max(u, v)) not in self._free_edges}
            for v, members in enumerate(self._demanded)
        ]
        allowed = self._allowed(present)
        place = {int(v): i for i, v in enumerate(self._at)}
        weights = np.where(allowed, self._weights, NOWHERE)[np.ix_(self._at, self._at)]
        # First as many demanded edges as possible, then as many arcs if these count, then as much weight.
        one_arc = 1.0 + float(np.abs(weights[np.isfinite(weights)]).max(initial=0.0)) * len(place)
        if self._join:
            weights += one_arc
        for a, b in self._free_edges:
            for parent, child in ((a, b), (b, a)):
                if allowed[parent, child]:
                    weights[place[parent], place[child]] += one_arc * len(place)
        rooted = np.ones(len(place), dtype=bool)
        for child, i in place.items():
            fixed = present[child] & self._inside
            if len(fixed) > 1 or (fixed and child == self._root):
                return None
            if fixed:
                weights[:, i] = NOWHERE
                weights[place[min(fixed)], i] = one_arc
                rooted[i] = False
            elif child == self._root:
                weights[:, i] = NOWHERE
        for child, above in zip(place, maximum_branching(weights, rooted), strict=True):
            if above is not None:
                present[child].add(int(self._at[above]))
        whole = all(b in present[a] or a in present[b] for a, b in self._free_edges)
        return present if whole and is_acyclic(present) else None

    def _greedy(self, allowed: NDArray[np.bool_]) -> list[set[int]]:
        parents = [set(members) for members in self._demanded]
        piece = {int(v): {int(v)} for v in self._at}

        def unite(one: int, other: int) -> None:
            if piece[one] is not piece[other]:
                joint = piece[one] | piece[other]
                for v in joint:
                    piece[v] = joint

        for child in piece:
            for parent in parents[child] & self._inside:
                unite(parent, child)
        full = sorted(self._knowledge.names[v] for v in piece if len(parents[v] & self._inside) > 1)
        if full:
            self.warnings += (f"knowledge requires several parents of {', '.join(full)}: this is no tree",)
        if self._root is not None and parents[self._root] & self._inside:
            self.warnings += (f"knowledge requires parents of the root {self._knowledge.names[self._root]}",)
        tails, heads = np.nonzero(allowed)
        for i in np.argsort(-self._weights[tails, heads], kind="stable"):
            parent, child = int(tails[i]), int(heads[i])
            if parents[child] & self._inside or child == self._root or piece[parent] is piece[child]:
                continue
            parents[child].add(parent)
            unite(parent, child)
        return parents


def ancestors(parents: Sequence[set[int]], nodes: Iterable[int]) -> set[int]:
    """Everything above any of the nodes."""
    found: set[int] = set()
    front = list(nodes)
    while front:
        fresh = parents[front.pop()] - found
        found |= fresh
        front.extend(fresh)
    return found


def is_acyclic(parents: Sequence[set[int]]) -> bool:
    """Whether the nodes can be put in an order with parents first."""
    waiting = {child: set(members) for child, members in enumerate(parents)}
    while ready := [child for child, members in waiting.items() if not members]:
        for child in ready:
            del waiting[child]
        for members in waiting.values():
            members.difference_update(ready)
    return not waiting
