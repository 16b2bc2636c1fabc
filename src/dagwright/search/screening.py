"""Very many rows: search a sample of them first, then go on from there on all rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dagwright.evidence.bound import Bound, is_equivalent
from dagwright.methods.notation import as_code
from dagwright.search.control import Control
from dagwright.search.costs import Cost, climbing_cost
from dagwright.search.exact_start import as_dag
from dagwright.search.ges import GES
from dagwright.search.hill_climb import HillClimb
from dagwright.search.order_search import OrderSearch
from dagwright.search.problem import Found, Problem

MANY_ROWS = 200_000
"""From this many rows on, the default search looks at a sample first."""

SAMPLED_ROWS = 20_000
"""Rows of the sample: enough that few arcs are missed, and few enough to count quickly."""

SAMPLED_FAMILIES = 2_000
"""Families that order search scores per variable on the sample."""

FIRST_PART = 0.5
"""Part of a time limit for the first of two stages: a sample before all rows, a network before its proof."""


@dataclass(frozen=True)
class Screening:
    """A search that begins on a sample of the rows; scores and answer are those of all rows."""

    sample: Bound
    max_parents: int | None = None

    @staticmethod
    def of(problem: Problem, max_parents: int | None) -> Screening | None:
        """The screening of a problem, or None where its rows are too few or cannot be sampled."""
        if problem.other_rows is None or problem.score.N < MANY_ROWS:
            return None
        sample = problem.other_rows.sample(SAMPLED_ROWS)
        return None if sample is None else Screening(sample, max_parents)

    @property
    def first(self) -> OrderSearch:
        """The search of the sample."""
        n = len(self.sample.names)
        return OrderSearch(evaluations=max(SAMPLED_FAMILIES, 5 * n), max_parents=self.max_parents)

    @property
    def after(self) -> tuple[HillClimb | GES, ...]:
        """The searches on all rows, each from where the one before ended."""
        climb = HillClimb(max_parents=self.max_parents)
        if not is_equivalent(self.sample):
            return (climb,)
        return climb, GES(max_parents=self.max_parents, extended=True)

    @property
    def reason(self) -> str:
        """How the rows are searched, in words."""
        return f"on a sample of the rows, then {' and '.join(map(as_code, self.after))} on all of them"

    def cost(self, problem: Problem) -> Cost:
        """What all rows cost; the sample counts by its share of the rows."""
        share = self.sample.N / problem.score.N
        first, climb = self.first.cost(problem), climbing_cost(problem, climbs=1)
        return Cost(
            first.evaluations * share + climb.evaluations * len(self.after),
            first.memory,
            first.seconds,
            upper=False,
            basis=f"{self.sample.N:,.0f} sampled rows, then {climb.basis} on all rows",
        )

    def found(self, problem: Problem, control: Control) -> Found:
        """The best network that is found from the sample's, scored on all rows."""
        left = control.seconds_left()
        share = replace(control, time_limit=None if left is None else control.elapsed() + left * FIRST_PART)
        rows = replace(problem, score=self.sample, other_rows=None)
        found = self.first.run(rows, share.within("sample of the rows"))
        evaluations, dag, stopped = found.evaluations, as_dag(found), control.stopped()
        for search in self.after:
            if stopped is None:
                found = search.run(replace(problem, start=dag), control)
                evaluations, dag, stopped = evaluations + found.evaluations, as_dag(found), found.stopped
        return Found(
            graph=dag,
            score=problem.score.total(dag),
            evaluations=evaluations,
            stopped=stopped,
            notes={
                "screened": f"the search began on {self.sample.N:,.0f} of {problem.score.N:,.0f} rows and "
                "went on with all of them; the score is that of all rows; Auto(screen=False) searches all "
                "rows from the beginning"
            },
            ran=(self.first, *self.after),
        )
