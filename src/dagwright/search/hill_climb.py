"""Greedy hill climbing over DAGs (Jensen & Nielsen 2007, Algorithm 7.2)."""

from __future__ import annotations

from dataclasses import dataclass

from dagwright import _core
from dagwright.errors import OptionError
from dagwright.search.control import Control
from dagwright.search.problem import Found, Problem, TraceStep


@dataclass(frozen=True, slots=True)
class HillClimb:
    """Add, delete or reverse the arc that raises the score most, until no move does.

    The gains of all moves are kept and only those into changed families are scored again. Moves that gain
    the same are taken in canonical order, so that neither the order of columns nor of rows matters. Finds a
    local maximum: no single arc improves it, but a better graph may exist.

    Parameters
    ----------
    max_parents
        Most parents a variable may have; None means no bound.
    max_steps
        Most moves to make; None means no bound.
    """

    max_parents: int | None = None
    max_steps: int | None = None

    def __post_init__(self) -> None:
        for name in ("max_parents", "max_steps"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise OptionError(f"{name} must not be negative, got {value}")

    def run(self, problem: Problem, control: Control) -> Found:
        start = problem.start if problem.start is not None else problem.knowledge.initial_dag()
        parents, score, trace, evaluations, stopped = _core.hill_climb(
            problem.score.native,
            problem.knowledge.native,
            problem.parents_of(start),
            self.max_parents,
            self.max_steps,
            control.threads,
            control.seconds_left(),
            control.progress,
        )
        return Found(
            graph=problem.dag(parents),
            score=score,
            trace=tuple(
                TraceStep(move, problem.names[start], problem.names[end], gain)
                for move, start, end, gain in trace
            ),
            evaluations=evaluations,
            stopped=stopped or None,
        )
