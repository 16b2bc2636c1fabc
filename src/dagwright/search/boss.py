"""Best order score search (Andrews, Ramsey, Sanchez-Romero, Camchong & Kummerfeld 2023)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dagwright import _core
from dagwright.errors import OptionError
from dagwright.search.control import Control, stopped_by
from dagwright.search.costs import Cost
from dagwright.search.problem import Found, Problem
from dagwright.search.traits import SearchTraits
from dagwright.search.walks import first_parents, running_scores


@dataclass(frozen=True, slots=True)
class BOSS(SearchTraits):
    """Move every variable in turn to the position in the order that scores most, until none moves.

    In an order each variable takes its parents from those before it: the best is added while one gains, then
    the worst dropped while that gains. These steps are remembered as trees, so most orders cost no new
    evaluation. Unlike `OrderSearch` no lists of parent sets are made beforehand, and it ends at the first
    order that no move improves. Then arcs are deleted as in the backward phase of `GES`.
    ``notes["running scores"]`` holds the score after each move.

    Parameters
    ----------
    restarts
        How many more searches from random orders; the best of all counts.
    max_parents
        Most parents a variable may have; None means no bound.
    backward
        Whether to end with these deletions.

    >>> from dagwright import learn
    >>> data = {"a": [0, 0, 1, 1] * 9, "b": [0, 0, 1, 1] * 9, "c": [0, 1, 0, 1] * 9}
    >>> [sorted(edge) for edge in learn(data, search=BOSS()).graph.edges]
    [['a', 'b']]
    """

    summary: ClassVar[str] = "every variable to its best position"
    citation: ClassVar[str] = "Andrews et al. 2023"

    restarts: int = 0
    max_parents: int | None = None
    backward: bool = True

    def __post_init__(self) -> None:
        for name in ("restarts", "max_parents"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise OptionError(f"{name} must not be negative, got {value}")

    def cost(self, problem: Problem) -> Cost:
        return Cost(
            len(problem.names) ** 3 * (1 + self.restarts),
            upper=False,
            basis="every variable tried at every position, each trial n families",
        )

    def run(self, problem: Problem, control: Control) -> Found:
        problem = problem.bounded(self.max_parents)
        found = _core.boss(
            problem.score.native,
            problem.knowledge.native,
            first_parents(problem),
            restarts=self.restarts,
            max_parents=self.max_parents,
            backward=self.backward,
            seed=int(problem.rng().integers(2**63)),
            threads=control.threads,
            seconds=control.seconds_left(),
            progress=control.native_progress_of(problem.dag),
            cancel=control.cancel,
        )
        graph = problem.dag(found.parents)
        return Found(
            graph=graph,
            score=problem.score.total(graph),
            evaluations=found.evaluations,
            stopped=stopped_by(found.stopped),
            notes={
                "moves of variables": found.moves,
                "arcs deleted at the end": found.deletions,
                **running_scores(problem, found.running),
            },
        )
