"""Tabu search over DAGs (Glover 1989; Jensen & Nielsen 2007, Exercise 7.12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dagwright import _core
from dagwright.search.control import Control
from dagwright.search.costs import Cost, climbing_cost
from dagwright.search.problem import Found, Problem
from dagwright.search.traits import SearchTraits
from dagwright.search.walks import Ties, as_found, first_parents, native_seed, require_at_least, require_ties


@dataclass(frozen=True, slots=True)
class Tabu(SearchTraits):
    """Hill climbing that goes on past a local maximum, and returns the best graph it has seen.

    At each step the best move is made even if it lowers the score. A pair of variables that was changed in
    the last `tenure` steps is left alone, unless the move reaches a new best score. Up to the first local
    maximum it is `HillClimb`, so without random ties the answer never scores lower. After that, it first
    reverses arcs at no cost, within the equivalence class, until an improvement appears; when none is left,
    it moves downhill.

    Parameters
    ----------
    tenure
        For how many steps a changed pair is left alone. None means 15, or a third of all pairs where that is
        less, so that small problems have moves left.
    patience
        Steps without a new best score before giving up.
    max_parents
        Most parents a variable may have; None means no bound.
    ties
        Which of the moves that gain the same is made: the first in canonical numbering, or any, by the seed.
    """

    summary: ClassVar[str] = "hill climbing that goes on past local maxima"
    citation: ClassVar[str] = "Glover 1989"

    tenure: int | None = None
    patience: int = 15
    max_parents: int | None = None
    ties: Ties = "canonical"

    def __post_init__(self) -> None:
        require_at_least("tenure", self.tenure, 0)
        require_at_least("patience", self.patience, 0)
        require_at_least("max_parents", self.max_parents, 0)
        require_ties(self.ties)

    def cost(self, problem: Problem) -> Cost:
        return climbing_cost(problem, climbs=1 + self.patience / max(2 * len(problem.names), 1))

    def run(self, problem: Problem, control: Control) -> Found:
        problem = problem.bounded(self.max_parents)
        walk = _core.tabu_search(
            problem.score.native,
            problem.knowledge.native,
            first_parents(problem),
            max_parents=self.max_parents,
            tenure=usual_tenure(len(problem.names)) if self.tenure is None else self.tenure,
            patience=self.patience,
            random_ties=self.ties == "random",
            seed=native_seed(problem),
            threads=control.threads,
            seconds=control.seconds_left(),
            progress=control.native_progress_of(problem.dag),
            cancel=control.cancel,
        )
        return as_found(problem, walk)


def usual_tenure(n: int) -> int:
    """For how many steps a pair of n variables is left alone: 15, but never more than a third of all pairs.

    >>> [usual_tenure(n) for n in (2, 4, 6, 8, 20)]
    [0, 2, 5, 9, 15]
    """
    return min(15, n * (n - 1) // 6)
