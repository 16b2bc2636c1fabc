"""The part that searches from DAG to DAG share: where they begin, and how native results come back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

from dagwright import _core
from dagwright.errors import OptionError, unknown_name
from dagwright.search.control import stopped_by
from dagwright.search.problem import Found, Problem, TraceStep

Ties = Literal["canonical", "random"]
"""Which of the moves that gain the same is made: the first in canonical numbering, or any by the seed."""
RUNNING = "running scores"


def require_ties(ties: str) -> None:
    """Raise an error for an unknown value of ties."""
    if ties not in get_args(Ties):
        raise unknown_name("value of ties", ties, get_args(Ties))


def first_parents(problem: Problem) -> list[list[int]]:
    """The parents to begin from: the start graph's, or only what knowledge requires."""
    return problem.parents_of(problem.first_dag())


def native_seed(problem: Problem, stream: int = 0) -> int:
    """A seed for random numbers drawn in native code."""
    return int(problem.rng(stream).integers(2**63))


def named_trace(
    problem: Problem, trace: Sequence[_core.Step] | Sequence[_core.ClassMove]
) -> tuple[TraceStep, ...]:
    """A native trace with the names of the variables."""
    names = problem.names
    return tuple(
        TraceStep(step.move.name, names[step.source], names[step.target], step.gain) for step in trace
    )


def running_scores(
    problem: Problem, running: Sequence[_core.RunningScore]
) -> dict[str, list[dict[str, Any]]]:
    """A note on the way of a search that does not walk by single arcs: the score after each step.

    Where a step moved a variable within the order, the note names it and its new position, from 0.
    """
    steps = []
    for at in running:
        moved: dict[str, Any] = {}
        if at.variable is not None:
            moved = {"variable": problem.names[at.variable], "position": at.position}
        steps.append({"phase": at.phase, "step": at.step, "score": at.score, **moved})
    return {RUNNING: steps}


def as_found(problem: Problem, walk: _core.DagFound) -> Found:
    """The result of a native walk, with names."""
    return Found(
        graph=problem.dag(walk.parents),
        score=walk.score,
        trace=named_trace(problem, walk.trace),
        evaluations=walk.evaluations,
        stopped=stopped_by(walk.stopped),
    )


def require_at_least(name: str, value: int | None, least: int) -> None:
    """Refuse an option below its least value; None means no bound."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise OptionError(f"{name} must be a whole number of at least {least}, not {value!r}")
