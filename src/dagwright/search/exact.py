"""Provably best networks, or a proven distance to the best."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from dagwright.errors import OptionError
from dagwright.graph.dag import Dag
from dagwright.search.branch_and_cut import BranchAndCut
from dagwright.search.candidates import DEFAULT_MEMORY, CandidateSets, refuse_unbounded
from dagwright.search.control import Control
from dagwright.search.enumeration import LARGEST_ENUMERATED, enumerate_problem
from dagwright.search.exact_start import scored_sets, strong_network
from dagwright.search.hill_climb import HillClimb
from dagwright.search.problem import Found, Problem
from dagwright.search.solving import BYTES_PER_NODE, QUICK_SUBSETS, OnSets, Pieces, Solution, chosen_as_in
from dagwright.search.walks import require_at_least

Method = Literal["auto", "exhaustive", "dp", "astar", "ilp"]

FIRST_NODES = 300_000
"""Where there is a solver, what A* has not proven with so many sets is left to branch and cut."""


@dataclass(frozen=True, slots=True)
class Exact:
    """Find a network that provably scores most, or say how far from the best it can be at most.

    First every parent set is scored that a best network can need (`candidates`). What these sets leave of
    cycles splits the variables into pieces that are solved one by one (Fan, Malone & Yuan 2014), by

    - ``"dp"``, dynamic programming over subsets (Silander & Myllymäki 2006): 8 * 2^n bytes for a piece of n;
    - ``"astar"``, A* search from the empty set to all variables with bounds from pattern databases (Yuan &
      Malone 2013), starting from what order search finds: for more variables than subsets can be held of;
    - ``"ilp"``, branch and cut, see `BranchAndCut`;
    - ``"exhaustive"``, all networks one after the other, for up to six variables.

    ``"auto"`` takes dynamic programming for pieces where it is quick, A* for others, and branch and cut where
    A* does not come to an end soon. Stopped by a time limit or Ctrl-C, the result is the best network known,
    with the proven gap.

    Parameters
    ----------
    method
        One of those above.
    max_parents
        Most parents a variable may have; None means no bound.
    memory
        Bytes that may be used; what is known to need more is refused beforehand. Scoring and A* end with a
        gap when they have used them up.

    >>> from dagwright import learn
    >>> xor = [[a, b, a ^ b] for a in (0, 1) for b in (0, 1)] * 25
    >>> found = learn(dict(zip("abc", zip(*xor))), search=Exact())
    >>> found.optimal, found.gap, len(found.graph.edges)
    (True, 0.0, 2)
    """

    method: Method = "auto"
    max_parents: int | None = None
    memory: int = DEFAULT_MEMORY

    def __post_init__(self) -> None:
        if self.method not in get_args(Method):
            raise OptionError(f"the methods are {', '.join(get_args(Method))}, not {self.method!r}")
        require_at_least("max_parents", self.max_parents, 0)
        require_at_least("memory", self.memory, 1)

    def run(self, problem: Problem, control: Control) -> Found:
        if self.method == "exhaustive":
            return self._enumerated(problem, control)
        if self.method == "ilp":
            return self._cut(problem, control)
        refuse_unbounded(problem, self.max_parents, self.memory)
        first = self._first(problem, control)
        sets = scored_sets(problem, control, first, self.max_parents, self.memory)
        if isinstance(sets, Found):
            return sets
        evaluations = first.evaluations + sets.evaluations
        solver = branch_and_cut(self.max_parents, self.memory) if self.method == "auto" else None
        nodes = self.memory // BYTES_PER_NODE if solver is None else FIRST_NODES
        solved = self._solve(control, sets, as_dag(first), nodes)
        if solved.out_of_memory and solver is not None:
            found = solver.among(sets, problem, control, solved.graph)
            return replace(found, evaluations=evaluations)
        return as_found(problem, solved, evaluations, {"candidate parent sets": len(sets)})

    def _solve(self, control: Control, sets: CandidateSets, known: Dag, nodes: int) -> Solution:
        method: OnSets = self.method if self.method in ("dp", "astar") else "auto"
        known_sets = chosen_as_in(sets, known)
        return Pieces(sets, control, method, self.memory, known_sets, nodes=nodes).solve()

    def _first(self, problem: Problem, control: Control) -> Found:
        """A network to fall back on; A* needs one that is hard to beat."""
        n = len(problem.names)
        if self.method == "dp" or (self.method == "auto" and n <= QUICK_SUBSETS):
            return replace(HillClimb(max_parents=self.max_parents).run(problem, control), trace=())
        return strong_network(problem, control, self.max_parents)

    def _enumerated(self, problem: Problem, control: Control) -> Found:
        found = enumerate_problem(problem, control, largest=LARGEST_ENUMERATED, max_parents=self.max_parents)
        proven = found.stopped is None
        return Found(
            graph=found.best,
            score=problem.score.total(found.best),
            evaluations=found.evaluations,
            stopped=found.stopped,
            optimal=proven,
            gap=max(0.0, found.bound - found.score) if math.isfinite(found.bound) else None,
            notes={
                "method": "exhaustive enumeration",
                "networks": found.count,
                "networks that score most": len(found.ties),
                "best score per number of arcs": {
                    str(arcs): best.score for arcs, best in sorted(found.by_arcs.items())
                },
            },
        )

    def _cut(self, problem: Problem, control: Control) -> Found:
        return BranchAndCut(max_parents=self.max_parents, memory=self.memory).run(problem, control)


def branch_and_cut(max_parents: int | None, memory: int) -> BranchAndCut | None:
    """The search by linear programs; None where it has no solver."""
    search = BranchAndCut(max_parents=max_parents, memory=memory)
    try:
        search.installed()
    except OptionError:
        return None
    return search


def as_found(problem: Problem, solved: Solution, evaluations: int, notes: dict[str, Any]) -> Found:
    """A solution on candidate sets as the answer of a search."""
    notes = {"method": solved.method, **notes, "sets of variables visited": solved.steps}
    if solved.pieces[0] < len(problem.names):
        notes["largest piece"] = solved.pieces[0]
    if solved.out_of_memory:
        notes["memory"] = "used up before the proof was complete"
    return Found(
        graph=solved.graph,
        score=problem.score.total(solved.graph),
        evaluations=evaluations,
        stopped=solved.stopped,
        optimal=solved.optimal,
        gap=solved.gap,
        notes=notes,
    )


def as_dag(found: Found) -> Dag:
    """The graph of a search that returns DAGs."""
    if not isinstance(found.graph, Dag):
        raise TypeError("a search among DAGs returned another graph")
    return found.graph
