"""Provably best networks, or a proven distance to the best."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, get_args

from dagwright.errors import unknown_name
from dagwright.search.best_of_sets import best_of_sets
from dagwright.search.branch_and_cut import BranchAndCut
from dagwright.search.candidates import refuse_unbounded
from dagwright.search.control import Control
from dagwright.search.costs import Cost
from dagwright.search.enumeration import LARGEST_ENUMERATED, enumerate_problem
from dagwright.search.exact_cost import exact_cost
from dagwright.search.exact_start import as_dag, scored_sets, strong_network
from dagwright.search.hill_climb import HillClimb
from dagwright.search.order_search import OrderSearch
from dagwright.search.problem import Found, Problem
from dagwright.search.solving import QUICK_SUBSETS, as_found, chosen_as_in
from dagwright.search.traits import SearchTraits
from dagwright.search.walks import require_at_least

Method = Literal["auto", "exhaustive", "dp", "astar", "ilp"]


@dataclass(frozen=True, slots=True)
class Exact(SearchTraits):
    """Find a provably optimal network, or bound how far its score is from the optimum.

    First the candidate parent sets are scored (`candidates`). Then the variables split into parts such that
    no cycle can contain variables of two parts; these are solved one by one (Fan, Malone & Yuan 2014), by

    - ``"dp"``, dynamic programming over subsets (Silander & Myllymäki 2006): 8 * 2^n bytes for a part of n;
    - ``"astar"``, A* search from the empty set to all variables with bounds from pattern databases (Yuan &
      Malone 2013), starting from the network of order search: where 2^n subsets do not fit in memory;
    - ``"ilp"``, branch and cut, see `BranchAndCut`;
    - ``"exhaustive"``, all networks one after the other, for up to six variables.

    ``"auto"`` uses dynamic programming for parts where it is fast, A* for others, and branch and cut where A*
    takes too long. If a time limit or Ctrl-C stops it, the result is the best network found, with the proven
    gap.

    Parameters
    ----------
    method
        One of those above.
    max_parents
        Most parents a variable may have; None means no bound.
    memory
        Bytes that may be used, None for 4 GiB or half of what is left where that is less; what is known to
        need more is refused beforehand. Scoring and A* end with a
        gap when they have used them up.

    >>> from dagwright import learn
    >>> xor = [[a, b, a ^ b] for a in (0, 1) for b in (0, 1)] * 25
    >>> found = learn(dict(zip("abc", zip(*xor))), search=Exact())
    >>> found.optimal, found.gap, len(found.graph.edges)
    (True, 0.0, 2)
    """

    summary: ClassVar[str] = "a provably optimal network, or the proven gap"
    citation: ClassVar[str] = "Silander & Myllymäki 2006; Yuan & Malone 2013"
    is_exact: ClassVar[bool] = True

    method: Method = "auto"
    max_parents: int | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        if self.method not in get_args(Method):
            raise unknown_name("method", self.method, get_args(Method))
        require_at_least("max_parents", self.max_parents, 0)
        require_at_least("memory", self.memory, 1)

    def cost(self, problem: Problem) -> Cost:
        return exact_cost(problem, self.method, self.max_parents, self.memory)

    def run(self, problem: Problem, control: Control) -> Found:
        if self.method == "exhaustive":
            return self._enumerated(problem, control)
        if self.method == "ilp":
            return self._cut(problem, control)
        refuse_unbounded(problem, self.max_parents, self.memory)
        control = control.keeping_best()
        return self.prove(problem, control, self._first(problem, control))

    def prove(self, problem: Problem, control: Control, first: Found) -> Found:
        """The best network, or ``first`` where the search ends before, with what is proven about it."""
        sets = scored_sets(problem, control, first, self.max_parents, self.memory)
        if isinstance(sets, Found):
            return sets
        known = chosen_as_in(sets, as_dag(first))
        method = "auto" if self.method == "exhaustive" else self.method
        solved = best_of_sets(sets, control, method, self.memory, known, problem.rng)
        return as_found(problem, sets, solved, first.evaluations + sets.evaluations)

    def _first(self, problem: Problem, control: Control) -> Found:
        """A network to fall back on; A* needs one that is hard to beat."""
        n = len(problem.names)
        if self.method == "dp" or (self.method == "auto" and n <= QUICK_SUBSETS):
            found = replace(HillClimb(max_parents=self.max_parents).run(problem, control), trace=())
            control.keep(found.score or 0.0, lambda: as_dag(found))
            return found
        return strong_network(problem, control, OrderSearch(max_parents=self.max_parents))

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
