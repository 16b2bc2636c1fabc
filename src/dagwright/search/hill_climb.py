"""Hill climbing over DAGs (Jensen & Nielsen 2007, Algorithm 7.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from dagwright import _core
from dagwright.errors import OptionError, unknown_name
from dagwright.search.control import Control
from dagwright.search.costs import Cost, climbing_cost
from dagwright.search.problem import Found, Problem
from dagwright.search.traits import SearchTraits
from dagwright.search.walks import Ties, as_found, first_parents, native_seed, require_at_least, require_ties
from dagwright.sentences import Argument

Improvement = Literal["best", "first"]
Start = Literal["empty", "full", "random", "tree"]


@dataclass(frozen=True, slots=True)
class HillClimb(SearchTraits):
    """Add, delete or reverse the arc that raises the score most, until no move does.

    The gains of all moves are kept and only those into changed families are scored again. Moves that gain
    the same are taken in a fixed order: additions, deletions, reversals, then by the canonical numbers of
    child and parent; so neither the order of columns nor of rows matters. ``ties="random"`` takes any of
    them, by the seed; `greedy_tie_outcomes` lists what all choices lead to. Finds a local maximum: no single
    arc improves it, but a better graph may exist.

    Parameters
    ----------
    improvement
        "best" takes the move that gains most; "first" tries moves in random order and takes any that gains.
    start
        Where to begin unless `learn` is given a graph: "empty"; "full", every arc along the canonical order;
        "random", as many arcs as variables; "tree", the spanning forest of largest gain (Chow & Liu 1968).
    restarts
        How many more climbs to make. The best of all is returned. Climbs from random graphs can be spread
        over a cluster, with ``client=`` of `learn`.
    perturbation
        Begin each restart with this many random moves away from the best graph so far; None begins with
        random graphs.
    max_parents
        Most parents a variable may have; None means no bound.
    ties
        "canonical" breaks ties in the fixed order, "random" at random.
    """

    summary: ClassVar[str] = "add, delete, reverse until none gains"
    citation: ClassVar[str] = "Jensen & Nielsen 2007"

    improvement: Improvement = "best"
    start: Start = "empty"
    restarts: int = 0
    perturbation: int | None = None
    max_parents: int | None = None
    ties: Ties = "canonical"

    def __post_init__(self) -> None:
        if self.improvement not in get_args(Improvement):
            raise unknown_name("improvement", self.improvement, get_args(Improvement))
        if self.start not in get_args(Start):
            raise unknown_name("start", self.start, get_args(Start))
        require_at_least("restarts", self.restarts, 0)
        require_at_least("perturbation", self.perturbation, 1)
        require_at_least("max_parents", self.max_parents, 0)
        require_ties(self.ties)
        if self.perturbation is not None and self.restarts == 0:
            raise OptionError("perturbation says how to restart: give restarts too")

    @property
    def chooses_start(self) -> bool:
        """Whether ``start`` names a graph to begin from."""
        return self.start != "empty"

    def cost(self, problem: Problem) -> Cost:
        return climbing_cost(problem, climbs=1 + self.restarts)

    @property
    def runs(self) -> int:
        """How many climbs can be made apart: all, if none depends on the climbs before it."""
        apart = self.perturbation is None and self.improvement == "best" and self.ties == "canonical"
        return 1 + self.restarts if apart else 1

    def run(self, problem: Problem, control: Control) -> Found:
        return self._climbed(problem, control, first=0, last=self.restarts)

    def run_apart(self, problem: Problem, control: Control, number: int) -> Found:
        """The climb with this number, from 0, as if those before it had been made."""
        return self._climbed(problem, control, first=number, last=number)

    def _climbed(self, problem: Problem, control: Control, *, first: int, last: int) -> Found:
        problem = problem.bounded(self.max_parents)
        walk = _core.hill_climb(
            problem.score.native,
            problem.knowledge.native,
            self._starting_parents(problem, control),
            max_parents=self.max_parents,
            threads=control.threads,
            seconds=control.seconds_left(),
            progress=control.native_progress_of(problem.dag),
            first_improvement=self.improvement == "first",
            restarts=last,
            first=first,
            perturbation=self.perturbation or 0,
            seed=native_seed(problem),
            random_ties=self.ties == "random",
            cancel=control.cancel,
        )
        return as_found(problem, walk)

    def _starting_parents(self, problem: Problem, control: Control) -> list[list[int]]:
        base = first_parents(problem)
        if self.start == "empty":
            return base
        if problem.start is not None:
            raise OptionError(
                Argument("start", self.start),
                " and a graph to start from were both given; choose one",
            )
        where = (problem.score.native, problem.knowledge.native, base)
        if self.start == "full":
            return _core.full_graph(*where, max_parents=self.max_parents)
        if self.start == "random":
            seed = native_seed(problem, 1)
            return _core.random_graph(*where, max_parents=self.max_parents, seed=seed)
        return _core.tree_graph(
            *where,
            max_parents=self.max_parents,
            threads=control.threads,
            seconds=control.seconds_left(),
            cancel=control.cancel,
        )
