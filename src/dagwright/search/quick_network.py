"""A network within moments, which a longer search has to beat: hill climbing, then GES."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dagwright.errors import CapacityError
from dagwright.graph.dag import Dag
from dagwright.methods.notation import as_code
from dagwright.search.control import Control
from dagwright.search.exact_start import as_dag
from dagwright.search.ges import GES
from dagwright.search.hill_climb import HillClimb
from dagwright.search.problem import Found, Problem

FAMILIES_PER_PAIR = 50
"""GES seldom scores more than 20 families per pair of variables; where classes are dense, very many."""


@dataclass(frozen=True)
class QuickNetwork:
    """The answers of hill climbing and, where it is quick too, of GES.

    Attributes
    ----------
    climbed
        The network that hill climbing reached: order search goes on from it.
    score
        The higher of both scores, that of ``dag``.
    """

    climbed: Dag
    dag: Dag
    score: float
    search: HillClimb | GES
    evaluations: int

    @staticmethod
    def of(problem: Problem, control: Control, families: int, max_parents: int | None) -> QuickNetwork:
        """Both searches, one after the other.

        Parameters
        ----------
        families
            How many parent sets GES may score; without enough of them it is left out.
        """
        climb = HillClimb(max_parents=max_parents)
        found = climb.run(problem, control)
        dag, score = as_dag(found), found.score or 0.0
        control.keep(score, lambda: dag)
        quick = QuickNetwork(dag, dag, score, climb, found.evaluations)
        n = len(problem.names)
        usual = GES.usual.per_pair * n * n
        if found.stopped is not None or usual > families:
            return quick
        ges = GES(max_parents=max_parents, evaluations=min(FAMILIES_PER_PAIR * n * n, families))
        try:
            other = ges.run(problem, control)
        except CapacityError:  # classes in which two variables can be joined in a million ways
            return quick
        quick = replace(quick, evaluations=quick.evaluations + other.evaluations)
        if other.score is None or not other.score > score + problem.score.tolerance:
            return quick
        control.keep(other.score, lambda: as_dag(other))
        return replace(quick, dag=as_dag(other), score=other.score, search=ges)

    def or_better(self, found: Found, tolerance: float) -> Found:
        """The answer of a longer search, or this network where it scores more."""
        found = replace(found, evaluations=found.evaluations + self.evaluations)
        ahead = self.score - (found.score or 0.0)
        if found.optimal or not ahead > tolerance:
            return found
        return replace(
            found,
            graph=self.dag,
            dag=None,
            score=self.score,
            trace=(),
            gap=None if found.gap is None else max(0.0, found.gap - ahead),
            notes={**found.notes, "best network from": as_code(self.search)},
            ran=(*found.ran, self.search),
        )
