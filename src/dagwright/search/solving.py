"""The best choice among candidate parent sets, proven, or with a proven gap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from dagwright import _core
from dagwright.base.memory import budget
from dagwright.base.numbering import Numbering
from dagwright.errors import CapacityError, KnowledgeError
from dagwright.graph.dag import Dag
from dagwright.graph.viewable import Drawable
from dagwright.search.candidates import NO_GRAPH, CandidateSets
from dagwright.search.control import Control, stopped_by
from dagwright.search.problem import Found, Problem, Stopped

ByPieces = Literal["auto", "dp", "astar"]

BYTES_PER_SUBSET = 8
"""Dynamic programming holds one score for each subset of the variables."""

BYTES_PER_NODE = 64
"""A* holds a set with its score, its place in the index and in the queue."""

QUICK_SUBSETS = 25
"""Up to this many variables in one piece, dynamic programming takes seconds."""

WIDEST = 64
"""A set of variables is one machine word."""


@dataclass(frozen=True)
class Solution(Drawable):
    """A network made of candidate sets, and what is proven about it.

    Attributes
    ----------
    graph, score
        The network and the sum of its local scores.
    chosen
        For every node the number of its candidate set.
    bound
        No network of candidate sets scores more.
    optimal
        Whether the network is proven best.
    pieces
        How many variables each piece has that had to be solved on its own, largest first.
    method
        By which methods the pieces were solved.
    notes
        What the method says of its work.
    stopped, out_of_memory
        Why it is not proven, if it is not.
    """

    graph: Dag
    score: float
    chosen: tuple[int, ...]
    bound: float
    optimal: bool
    pieces: tuple[int, ...]
    method: str
    notes: dict[str, Any]
    stopped: Stopped | None = None
    out_of_memory: bool = False

    @property
    def gap(self) -> float:
        """By how much the best network can score more, at most."""
        return 0.0 if self.optimal else max(0.0, self.bound - self.score)


def as_found(problem: Problem, sets: CandidateSets, solved: Solution, evaluations: int) -> Found:
    """A solution on candidate sets as the answer of a search."""
    return Found(
        graph=solved.graph,
        score=problem.score.total(solved.graph),
        evaluations=evaluations,
        stopped=solved.stopped,
        optimal=solved.optimal,
        gap=solved.gap,
        notes={"method": solved.method, "candidate parent sets": len(sets), **solved.notes},
    )


class Pieces:
    """Splits a problem into variables that can be in cycles together, and solves these one after the other.

    Parameters
    ----------
    known
        A network to beat, as one candidate set per node.
    nodes
        Most sets of variables that A* may hold; by default what fits into the memory.
    """

    def __init__(
        self,
        sets: CandidateSets,
        control: Control,
        method: ByPieces,
        memory: int | None,
        known: Sequence[int],
        *,
        nodes: int | None = None,
    ) -> None:
        self.sets = sets
        self.control = control
        self.method = method
        self.memory = budget(memory)
        self.chosen = list(known)
        fitting = self.memory // BYTES_PER_NODE
        self.nodes = fitting if nodes is None else min(nodes, fitting)
        # Rounding of sums as large as these.
        self.tolerance = 1e-12 * max(1.0, abs(sets.bound()))
        self.pieces: list[list[int]] = _core.strong_components(sets.native)
        self.bound = 0.0
        self.steps = 0
        self.stopped: Stopped | None = None
        self.out_of_memory = False
        self.used: list[str] = []

    def solve(self) -> Solution:
        self._refuse_too_large()
        for number, piece in enumerate(self.pieces):
            if len(piece) > 1:
                best = math.fsum(self.sets.scores[self.chosen])
                self.control.report("solving pieces", number, "pieces", total=len(self.pieces), best=best)
            self._solve(piece)
            if len(piece) > 1:
                best = math.fsum(self.sets.scores[self.chosen])
                self.control.keep(best, lambda: self.sets.dag(self.chosen))
        score = math.fsum(self.sets.scores[self.chosen])
        if score == -math.inf:
            raise KnowledgeError(NO_GRAPH)
        proven = self.stopped is None and not self.out_of_memory
        return Solution(
            self.sets.dag(self.chosen),
            score,
            tuple(self.chosen),
            max(self.bound, score),
            proven and self.bound <= score + 2 * len(self.chosen) * self.tolerance,
            tuple(sorted((len(piece) for piece in self.pieces), reverse=True)),
            " and ".join(dict.fromkeys(self.used)) or "no cycle is possible",
            self._notes(),
            self.stopped,
            self.out_of_memory,
        )

    def _notes(self) -> dict[str, Any]:
        notes: dict[str, Any] = {"sets of variables visited": self.steps}
        largest = max(map(len, self.pieces))
        if largest < len(self.chosen):
            notes["largest piece"] = largest
        if self.out_of_memory:
            notes["memory"] = "used up before the proof was complete"
        return notes

    def _solve(self, piece: Sequence[int]) -> None:
        if len(piece) == 1:
            self.chosen[piece[0]] = int(self.sets.offsets[piece[0]])
            self.bound += self._score(piece)
        elif self.stopped is not None:
            self.bound += self._best(piece)
        elif self._by_subsets(len(piece)):
            self._take(piece, "dynamic programming", self._subsets(piece))
        elif len(piece) > WIDEST:
            self.out_of_memory = True
            self.bound += self._best(piece)
        else:
            found = self._astar(piece)
            subsets = BYTES_PER_SUBSET * 2 ** len(piece)
            if found.full and self.method == "auto" and subsets <= self.memory:
                self._take(piece, "dynamic programming", self._subsets(piece))
            else:
                self._take(piece, "A*", found)

    def _by_subsets(self, n: int) -> bool:
        if self.method == "auto":
            return n <= QUICK_SUBSETS and BYTES_PER_SUBSET * 2**n <= self.memory
        return self.method == "dp"

    def _subsets(self, piece: Sequence[int]) -> _core.PieceSolution:
        return _core.solve_by_subsets(
            self.sets.native,
            list(piece),
            threads=self.control.threads,
            seconds=self.control.seconds_left(),
            progress=self.control.native_progress,
            cancel=self.control.cancel,
        )

    def _astar(self, piece: Sequence[int]) -> _core.PieceSolution:
        return _core.solve_by_astar(
            self.sets.native,
            list(piece),
            incumbent=self._score(piece),
            tolerance=self.tolerance,
            most_nodes=self.nodes,
            threads=self.control.threads,
            seconds=self.control.seconds_left(),
            progress=self.control.native_progress,
            cancel=self.control.cancel,
        )

    def _take(self, piece: Sequence[int], method: str, found: _core.PieceSolution) -> None:
        self.used.append(method)
        self.steps += found.steps
        if found.entries and not found.score <= self._score(piece):
            for node, entry in zip(piece, found.entries, strict=True):
                self.chosen[node] = entry
        self.stopped = stopped_by(found.stopped)
        unknown = method == "dynamic programming" and self.stopped is not None
        self.bound += self._best(piece) if unknown else found.bound
        self.out_of_memory = self.out_of_memory or found.full

    def _score(self, piece: Sequence[int]) -> float:
        return math.fsum(self.sets.scores[[self.chosen[node] for node in piece]])

    def _best(self, piece: Sequence[int]) -> float:
        return math.fsum(self.sets.scores[self.sets.offsets[np.asarray(piece)]])

    def _refuse_too_large(self) -> None:
        largest = max(self.pieces, key=len)
        n = len(largest)
        shown = ", ".join(repr(self.sets.nodes[node]) for node in largest[:4]) + (", ..." if n > 4 else "")
        needed = BYTES_PER_SUBSET * 2**n
        if self.method == "dp" and needed > self.memory:
            raise CapacityError(
                f"dynamic programming over subsets needs 8 * 2^n bytes, {needed / 2**30:,.3g} GiB for "
                f"the {n} variables that can be in cycles together ({shown}); the limit is "
                f"{self.memory / 2**30:.3g} GiB: allow more memory, bound max_parents, or use "
                "Exact(method='astar'), Exact(method='ilp') or "
                "OrderSearch()",
            )
        if self.method == "astar" and n > WIDEST:
            raise CapacityError(
                f"A* takes up to {WIDEST} variables that can be in cycles together, got {n} "
                f"({shown}): bound max_parents, or use Exact(method='ilp') or "
                "OrderSearch()",
            )


def chosen_in_order(sets: CandidateSets, order: Sequence[int]) -> list[int]:
    """For every node its best candidate set among the nodes before it."""
    chosen = [0] * len(sets.nodes)
    before: set[int] = set()
    for node in order:
        entry = sets.best_in(node, frozenset(before))
        if entry < 0:
            raise KnowledgeError(
                f"no candidate set of {sets.nodes[node]!r} contains all its required neighbors; "
                "allow more parents"
            )
        chosen[node] = entry
        before.add(node)
    return chosen


def chosen_as_in(sets: CandidateSets, dag: Dag) -> list[int]:
    """For every node its best candidate set among the nodes before it in an order of the graph."""
    return chosen_in_order(sets, Numbering(sets.nodes).number_all(dag.topological_order()))


def least_regret(sets: CandidateSets) -> list[int]:
    """A first network: next always the node that loses least against the best of its sets."""
    n = len(sets.nodes)
    order: list[int] = []
    best = sets.scores[sets.offsets[:-1]]
    while len(order) < n:
        before = frozenset(order)
        losses = {
            node: best[node] - sets.scores[entry] if best[node] > -math.inf else 0.0
            for node in range(n)
            if node not in before and (entry := sets.best_in(node, before)) >= 0
        }
        if not losses:
            raise KnowledgeError("no order of the nodes was found in which every node has a candidate set")
        order.append(min(losses, key=lambda node: (losses[node], node)))
    return chosen_in_order(sets, order)
