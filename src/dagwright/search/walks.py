"""What the searches that walk from DAG to DAG share: where they begin, and how native results come back."""

from __future__ import annotations

from typing import Any

from dagwright.errors import OptionError
from dagwright.search.problem import Found, Problem, TraceStep


def first_parents(problem: Problem) -> list[list[int]]:
    """The parents to begin from: those of the caller's graph, or only what knowledge requires."""
    return problem.parents_of(problem.first_dag())


def native_seed(problem: Problem, stream: int = 0) -> int:
    """A seed for random numbers drawn in native code."""
    return int(problem.rng(stream).integers(2**63))


def named_trace(problem: Problem, trace: list[tuple[str, int, int, float]]) -> tuple[TraceStep, ...]:
    """A native trace with the names of the variables."""
    return tuple(
        TraceStep(move, problem.names[start], problem.names[end], gain) for move, start, end, gain in trace
    )


def as_found(problem: Problem, walk: tuple[Any, ...]) -> Found:
    """What a native walk returned, with names."""
    parents, score, trace, evaluations, stopped = walk
    return Found(
        graph=problem.dag(parents),
        score=score,
        trace=named_trace(problem, trace),
        evaluations=evaluations,
        stopped=stopped or None,
    )


def require_at_least(name: str, value: int | None, least: int) -> None:
    """Refuse an option below its least value; None means no bound."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise OptionError(f"{name} must be a whole number of at least {least}, not {value!r}")
