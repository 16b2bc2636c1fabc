"""Greedy equivalence search, GES (Meek 1997; Chickering 2002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dagwright import _core
from dagwright.evidence.bound import is_equivalent
from dagwright.graph.pdag import Pdag
from dagwright.knowledge import apply_knowledge
from dagwright.methods.traits import GraphKind
from dagwright.search.control import Control, stopped_by
from dagwright.search.costs import Usual
from dagwright.search.problem import Found, Problem
from dagwright.search.traits import SearchTraits
from dagwright.search.walks import (
    Ties,
    first_parents,
    named_trace,
    native_seed,
    require_at_least,
    require_ties,
)

CUT_OFF = "the search ended at its limit of evaluations, before no move improved the score"


@dataclass(frozen=True, slots=True)
class GES(SearchTraits):
    """Greedy equivalence search: insert the best arc while one improves the score, then delete.

    A neighboring class is reached by a single arc from *any* member of the present class, so directions that
    the data cannot determine do not mislead the search. With a consistent, score-equivalent score the answer
    is correct for large enough N. Moves whose neighborhood did not change are not scored again.

    The answer is the essential graph of the class, with `dag` a member. With knowledge, a class is allowed if
    some member obeys it; the answer then also has the directions that the knowledge implies, and `dag` obeys
    all of it.

    With interventions this is GIES (Hauser & Buehlmann 2012): it searches interventional classes, always with
    reversals, and returns the interventional essential graph.

    Parameters
    ----------
    turning
        After the deletions also reverse arcs, and repeat all phases while any improves the score (Hauser &
        Buehlmann 2012).
    max_parents
        Most parents a variable may have; None means no bound.
    ties
        Which of the moves that gain the same is made: the first in canonical numbering, or any, by the seed.
    extended
        XGES (Nazaret & Blei 2024): of the moves that improve the score, deletions come first, then reversals,
        then insertions. When none does, each arc in turn is deleted and forbidden while the search continues;
        the higher-scoring class is kept. It escapes many local maxima but takes longer.
    evaluations
        Families that may be scored; the search then ends with the class it has reached. None means no limit.
    """

    summary: ClassVar[str] = "greedy search over equivalence classes"
    citation: ClassVar[str] = "Chickering 2002"
    gives: ClassVar[GraphKind] = "cpdag"
    usual: ClassVar[Usual] = Usual(12.0)

    turning: bool = False
    max_parents: int | None = None
    ties: Ties = "canonical"
    extended: bool = False
    evaluations: int | None = None

    def __post_init__(self) -> None:
        require_at_least("max_parents", self.max_parents, 0)
        require_ties(self.ties)
        require_at_least("evaluations", self.evaluations, 1)

    def run(self, problem: Problem, control: Control) -> Found:
        problem = problem.bounded(self.max_parents)
        targets = problem.targets
        walk = _core.ges(
            problem.score.native,
            problem.knowledge.native,
            first_parents(problem),
            max_parents=self.max_parents,
            turning=self.turning or bool(targets),
            threads=control.threads,
            seconds=control.seconds_left(),
            progress=control.native_progress_of(problem.dag),
            random_ties=self.ties == "random",
            seed=native_seed(problem),
            targets=targets,
            cancel=control.cancel,
            extended=self.extended,
            max_families=self.evaluations,
        )
        name = problem.names.__getitem__
        essential = Pdag(
            problem.names,
            [(name(start), name(end)) for start, end in walk.graph.directed().tolist()],
            [(name(one), name(other)) for one, other in walk.graph.undirected().tolist()],
        )
        if not problem.knowledge.native.empty():
            essential = apply_knowledge(essential, problem.knowledge).graph
        warnings: tuple[str, ...] = (CUT_OFF,) if walk.cut_off else ()
        if not is_equivalent(problem.score):
            warnings += (
                "the score differs between equivalent graphs, so the class that was found depends on which "
                "members were compared; use a score such as BIC or BDeu",
            )
        return Found(
            graph=essential,
            dag=problem.dag(walk.parents),
            score=walk.score,
            trace=named_trace(problem, walk.trace),
            evaluations=walk.families,
            stopped=stopped_by(walk.stopped),
            warnings=warnings,
            notes={"operators": walk.operators},
        )
