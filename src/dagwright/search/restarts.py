"""Restarts that may run apart: on several machines, with the result of one run after the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol, runtime_checkable

from dagwright.search.control import Control
from dagwright.search.problem import Found, Problem


@runtime_checkable
class RunsApart(Protocol):
    """A search of several runs, each of which can be made alone."""

    @property
    def runs(self) -> int:
        """How many runs it makes; 1 where they depend on each other."""
        ...

    def run_apart(self, problem: Problem, control: Control, number: int, /) -> Found:
        """The run with this number, from 0, as if those before it had been made."""
        ...


def runs_apart(search: object) -> int:
    """How many runs of a search can be made apart; 1 means that it is one run.

    >>> from dagwright import HillClimb
    >>> runs_apart(HillClimb(restarts=4)), runs_apart(HillClimb(restarts=4, perturbation=3))
    (5, 1)
    """
    return search.runs if isinstance(search, RunsApart) else 1


def best_run(runs: Iterable[Found], tolerance: float) -> Found | None:
    """The run that scores highest, of equals the earlier; it has the evaluations of all. None without runs.

    A run that was stopped is the last that counts.
    """
    best: Found | None = None
    evaluations = 0
    for found in runs:
        evaluations += found.evaluations
        if best is None or _score(found) > _score(best) + tolerance:
            best = found
        best = replace(best, evaluations=evaluations, stopped=found.stopped)
        if found.stopped is not None:
            break
    return best


def _score(found: Found) -> float:
    assert found.score is not None
    return found.score
