"""Simulated annealing over DAGs (Kirkpatrick, Gelatt & Vecchi 1983; Jensen & Nielsen 2007, Exercise 7.13)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.base.memory import require_memory
from dagwright.errors import OptionError
from dagwright.search.control import Control
from dagwright.search.costs import Cost
from dagwright.search.problem import Found, Problem
from dagwright.search.traits import SearchTraits
from dagwright.search.walks import as_found, first_parents, native_seed, require_at_least

Floats = NDArray[np.float64]
Schedule = tuple[float, float] | Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Annealing(SearchTraits):
    """Simulated annealing: random moves, downhill ones less and less often; then hill climbing from the best.

    A random legal move is made with probability min(1, exp(gain / T)). The temperature T falls from step to
    step; at T near 0 only moves that do not lower the score are made.

    Parameters
    ----------
    steps
        How many moves to propose; None means 1,200 for each ordered pair of variables, at most four million.
    schedule
        (hottest, coldest) in nats, with geometric steps in between, or a function of the part of the steps
        made, from 0 to 1, that gives the temperature. None is (100, 1), and a hottest of N / 10 for fewer
        than 1,000 rows. Weighting the score by exp(-i), with a counter i that falls from 9 to 0, is
        ``lambda part: math.exp(9 * (1 - part))``.
    max_parents
        Most parents a variable may have; None means no bound.
    """

    summary: ClassVar[str] = "random moves, cooling down"
    citation: ClassVar[str] = "Kirkpatrick et al. 1983"

    steps: int | None = None
    schedule: Schedule | None = None
    max_parents: int | None = None

    def __post_init__(self) -> None:
        require_at_least("steps", self.steps, 1)
        require_at_least("max_parents", self.max_parents, 0)
        if self.schedule is None or callable(self.schedule):
            return
        if len(self.schedule) != 2 or not math.inf > self.schedule[0] >= self.schedule[1] > 0:
            raise OptionError(
                "schedule must be (hottest, coldest) with hottest >= coldest > 0, or a function, "
                f"got {self.schedule!r}"
            )

    def cost(self, problem: Problem) -> Cost:
        n = len(problem.names)
        families = max(2 * self.step_count(n), n * n) + n * (n - 1) + 4 * n * n
        return Cost(families, 5 * 8 * n * n, upper=False, basis="two families a step, then hill climbing")

    def run(self, problem: Problem, control: Control) -> Found:
        problem = problem.bounded(self.max_parents)
        walk = _core.anneal(
            problem.score.native,
            problem.knowledge.native,
            first_parents(problem),
            max_parents=self.max_parents,
            temperatures=self._temperatures(problem),
            seed=native_seed(problem),
            threads=control.threads,
            seconds=control.seconds_left(),
            progress=control.native_progress_of(problem.dag),
            cancel=control.cancel,
        )
        return as_found(problem, walk)

    def step_count(self, n: int) -> int:
        """How many moves are proposed for `n` variables."""
        return self.steps if self.steps is not None else min(1_200 * n * (n - 1), 4_000_000)

    def _temperatures(self, problem: Problem) -> Floats:
        steps = self.step_count(len(problem.names))
        require_memory(16.0 * steps, f"the temperatures of {steps:,} steps", "take fewer steps")
        schedule = self.schedule or (min(max(problem.score.N / 10, 1.0), 100.0), 1.0)
        if not callable(schedule):
            return np.geomspace(*schedule, steps)
        values = np.fromiter((schedule(step / max(steps - 1, 1)) for step in range(steps)), float, steps)
        wrong = np.flatnonzero(~(values >= 0))
        if wrong.size:
            raise OptionError(
                f"the schedule gives {values[wrong[0]]} at step {wrong[0]}; a temperature is at least 0"
            )
        return values
