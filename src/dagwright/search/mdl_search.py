"""Best-first search for the network of shortest description (Lam & Bacchus 1994, section 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from dagwright import _core
from dagwright.errors import CapacityError, unknown_name
from dagwright.evidence.criteria import MDL, LogLik
from dagwright.evidence.interventional import on_same_rows
from dagwright.evidence.protocols import Family
from dagwright.evidence.units import in_unit
from dagwright.search.control import Control, stopped_by
from dagwright.search.costs import Usual
from dagwright.search.problem import Found, Problem
from dagwright.search.traits import SearchTraits
from dagwright.search.walks import first_parents, require_at_least, running_scores

Strategy = Literal["by-arcs", "one-phase", "every-dag"]
MOST_VARIABLES = 6
# The paper expands n^2 networks of each number of arcs; beyond 44 variables memory sets the bound.
MOST_EXPANSIONS = 2_000
ARCS_PER_VARIABLE = 3


@dataclass(frozen=True, slots=True)
class MdlSearch(SearchTraits):
    """Find the best-fitting networks for every number of arcs, then choose the shortest description.

    Arcs are added in the order of the mutual information of their pairs. Candidates with the same number of
    arcs compete only with each other, by their weight (the log-likelihood) plus the information of the next
    pair; each number of arcs takes its turn. Both directions of a new arc are tried, and nearby arcs are
    reversed where that increases the weight. The default score is `MDL`; any other score can be given.

    ``notes["frontier"]`` holds, for every number of arcs, the largest weight and the shortest description
    that were seen; `dagwright.show.frontier` draws it. ``notes["running scores"]`` holds every new best
    score.

    Parameters
    ----------
    strategy
        "by-arcs" is the search of the paper. "one-phase" searches by description length itself, with all
        numbers of arcs in one set. "every-dag" looks at every DAG, for at most six variables.
    connected
        Choose only among networks that join all variables, as the paper does. It then cannot return a
        network with an isolated variable, even where that is the shortest.
    expansions
        How many candidates of each number of arcs to expand; None means n^2 for n variables, at most 2,000.
        In one phase this many times the number of variables are expanded in all.
    max_arcs
        Most arcs of a network; None means three for each variable.
    max_parents
        Most parents a variable may have; None means no bound.

    >>> from dagwright import learn
    >>> found = learn({"a": [0, 0, 1, 1] * 25, "b": [0, 0, 1, 1] * 25, "c": [0, 1] * 50}, search=MdlSearch())
    >>> [sorted(edge) for edge in found.graph.edges]
    [['a', 'b']]
    >>> [round(point["weight"], 6) for point in found.notes["frontier"]]
    [0.0, 1.0, 1.0, 1.0]
    """

    summary: ClassVar[str] = "best-first by number of arcs, then the shortest description"
    citation: ClassVar[str] = "Lam & Bacchus 1994"
    usual: ClassVar[Usual] = Usual(per_triple=0.8, seconds=85e-6)

    strategy: Strategy = "by-arcs"
    connected: bool = False
    expansions: int | None = None
    max_arcs: int | None = None
    max_parents: int | None = None

    def __post_init__(self) -> None:
        if self.strategy not in get_args(Strategy):
            raise unknown_name("strategy", self.strategy, get_args(Strategy))
        require_at_least("expansions", self.expansions, 1)
        require_at_least("max_arcs", self.max_arcs, 0)
        require_at_least("max_parents", self.max_parents, 0)

    def usual_score(self) -> Any:
        """The score that it is known by."""
        return MDL()

    def run(self, problem: Problem, control: Control) -> Found:
        problem = problem.bounded(self.max_parents)
        n = len(problem.names)
        every_dag = self.strategy == "every-dag"
        if every_dag and n > MOST_VARIABLES:
            raise CapacityError(
                f"every DAG can be scored for at most {MOST_VARIABLES} variables, not {n}; use the "
                "strategy 'by-arcs'"
            )
        one_phase = self.strategy == "one-phase"
        budget = self.expansions or min(n * n, MOST_EXPANSIONS)
        all_arcs = n * (n - 1) // 2
        usual = all_arcs if every_dag else min(all_arcs, ARCS_PER_VARIABLE * n)
        likelihood = on_same_rows(LogLik(), problem.score)
        score = problem.score.native
        found = _core.arc_count_search(
            weight=score if one_phase else likelihood.native,
            score=score,
            knowledge=problem.knowledge.native,
            base=first_parents(problem),
            expansions=budget * n if one_phase else budget,
            max_arcs=usual if self.max_arcs is None else self.max_arcs,
            max_parents=self.max_parents,
            connected=self.connected,
            one_set=one_phase,
            every_dag=every_dag,
            threads=control.threads,
            seconds=control.seconds_left(),
            progress=control.native_progress_of(problem.dag),
            cancel=control.cancel,
        )
        empty = sum(likelihood.local([Family(child, frozenset()) for child in range(n)]))
        stopped = stopped_by(found.stopped)
        complete = stopped is None
        return Found(
            graph=problem.dag(found.parents),
            score=found.score,
            evaluations=found.evaluations,
            stopped=stopped,
            optimal=every_dag
            and complete
            and not self.connected
            and (self.max_arcs, self.max_parents) == (None, None),
            warnings=() if found.chosen or not complete else ("no network that was scored is connected",),
            notes={
                "expansions": found.expansions,
                "entropy": in_unit(-empty / likelihood.N, "bits"),
                "frontier": [
                    self._point(problem, likelihood, arcs, point, empty, by_score=one_phase)
                    for arcs, point in enumerate(found.frontier)
                    if point.heaviest
                ],
                **running_scores(problem, found.running),
            },
        )

    def _point(
        self,
        problem: Problem,
        likelihood: Any,
        arcs: int,
        point: _core.ArcCountPoint,
        empty: float,
        *,
        by_score: bool,
    ) -> dict[str, Any]:
        """Weight in bits per row (Lam & Bacchus 1994, Eq. 8), length in bits, and the networks themselves."""
        heaviest, best = point.heaviest, point.best
        weight = sum(likelihood.local(_families(heaviest))) if by_score else point.weight
        return {
            "arcs": arcs,
            "weight": max(0.0, in_unit((weight - empty) / likelihood.N, "bits")),
            "heaviest": str(problem.dag(heaviest)),
            "length": in_unit(-point.score, "bits") if best else None,
            "shortest": str(problem.dag(best)) if best else None,
        }


def _families(parents: Sequence[Sequence[int]]) -> list[Family]:
    return [Family(child, frozenset(members)) for child, members in enumerate(parents)]
