"""The default: the strongest search for the problem at hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from dagwright import _core
from dagwright.base.wording import count_of
from dagwright.errors import CapacityError
from dagwright.evidence.bound import Bound, BoundCriterion
from dagwright.evidence.counting import NativeMeasure
from dagwright.evidence.criteria import BoundMDL
from dagwright.evidence.interventional import BoundInterventional
from dagwright.evidence.structure_priors import BoundWithPrior
from dagwright.methods.notation import as_code
from dagwright.search.candidates import find_candidates
from dagwright.search.control import Control
from dagwright.search.costs import Cost
from dagwright.search.exact import Exact
from dagwright.search.exact_cost import counts_cells, table_seconds
from dagwright.search.exact_start import as_dag, strong_network
from dagwright.search.order_search import OrderSearch, evaluations_per_variable
from dagwright.search.problem import Found, Problem
from dagwright.search.quick_network import QuickNetwork
from dagwright.search.screening import FIRST_PART, Screening
from dagwright.search.set_counts import sets_within
from dagwright.search.solving import WIDEST, Pieces, chosen_as_in
from dagwright.search.traits import SearchTraits

PROOF_NODES = 200_000
QUICK_SECONDS = 6.0
"""For a table of all sets of variables on one core: as long as order search takes."""

QUICK_TABLE = 2**28
"""Bytes of such a table."""

QUICK_PROOF = 2e8
"""Parent sets times rows that are scored in about a second."""

A_MOMENT = 1.0
"""Seconds of a proof for which order search is not worth the time."""

AN_INSTANT = 0.1
"""Seconds of a proof before which no network has to be found."""

GREEDY_FAMILIES = 1_000_000
"""GES that scores more, on some 300 variables, takes more than a few percent of the time of order search."""

CLIMBED = 5
"""Parent sets per pair of variables that hill climbing usually scores."""

PROOF_MEMORY = 2**26
"""What a proof behind order search may take: a matter of a second or two."""

PROOF_SHARE = 1 / 8
"""Of the parent sets that order search scored, so many may be scored for a proof where its lists of parent
sets are not complete: exact search has sharper bounds than these lists."""


@dataclass(frozen=True, slots=True)
class Auto(SearchTraits):
    """Choose a search by the size of the problem and say so on the result.

    The search is `Exact`, and the answer proven, if the budget of `OrderSearch` suffices to score all parent
    sets (up to about 17 variables) or to count all sets of variables (up to 20 for ten thousand rows).
    Otherwise it is `OrderSearch`, followed by a short attempt to prove its answer; ``optimal`` or ``gap``
    hold the outcome.

    Unless the proof takes only an instant, hill climbing and, up to some 300 variables, `GES` run first,
    which takes a few percent of the time. Before a proof of more than a second order search runs too, within
    half of a time limit. The best network is kept to the end, so whenever the search is stopped, its answer
    is about as good as that of hill climbing, GES or order search in half of the time. Scores written in
    Python have a smaller budget. The budget counts evaluations; a time limit only caps it.

    From 200,000 rows on, if at least 100,000 of them differ, order search uses a sample of about 20,000 rows,
    and `HillClimb` and ``GES(extended=True)`` continue from its answer on all rows until no move improves the
    score. The sample depends on the content of the rows, not on their order. The score is that of all rows;
    ``notes["screened"]`` describes the sample. Equal rows are counted once, so fewer need no sample.

    Parameters
    ----------
    max_parents
        Most parents a variable may have; None means no bound.
    screen
        Whether to begin with a sample if there are very many rows.

    >>> from dagwright import learn
    >>> found = learn({"rain": [0, 0, 1, 1] * 25, "wet": [0, 0, 1, 1] * 25, "coin": [0, 1] * 50})
    >>> found.notes["chosen"]
    'Exact(): all 12 parent sets can be scored'
    >>> found.optimal
    True
    """

    summary: ClassVar[str] = "the strongest search for the size of the problem"

    max_parents: int | None = None
    screen: bool = True

    def __post_init__(self) -> None:
        OrderSearch(max_parents=self.max_parents)

    def choose(self, problem: Problem) -> tuple[Exact | OrderSearch, str]:
        """The search for this problem, and why."""
        n = len(problem.names)
        slow = written_in_python(problem.score)
        families = self._families(problem)
        needed = sets_within(problem, self.max_parents, families * n)
        if needed is not None:
            return Exact(max_parents=self.max_parents), f"all {count_of(needed, 'parent set')} can be scored"
        if self._table_is_quick(problem):
            can = "counted" if counts_cells(problem) else "measured"
            return Exact(max_parents=self.max_parents), f"all 2^{n} sets of variables can be {can}"
        if slow:
            return (
                OrderSearch(evaluations=families, max_parents=self.max_parents),
                "a score written in Python is slow to evaluate, so few parent sets are scored",
            )
        return (
            OrderSearch(max_parents=self.max_parents),
            f"reaches the best network of most problems of this size ({n} variables)",
        )

    def _table_is_quick(self, problem: Problem, seconds: float = QUICK_SECONDS) -> bool:
        table = _core.table_bytes(problem.score.native, problem.knowledge.native)
        return table <= QUICK_TABLE and table_seconds(problem) <= seconds

    def screening(self, problem: Problem) -> Screening | None:
        """How a sample of the rows is searched first; None where all rows are searched."""
        search = self.choose(problem)[0]
        if not self.screen or isinstance(search, Exact) or written_in_python(problem.score):
            return None
        return Screening.of(problem, self.max_parents)

    def chosen(self, problem: Problem) -> Exact | OrderSearch | None:
        """The search for this problem; None where several share the work."""
        return None if self.screening(problem) is not None else self.choose(problem)[0]

    def cost(self, problem: Problem) -> Cost:
        return (self.screening(problem) or self.choose(problem)[0]).cost(problem)

    def run(self, problem: Problem, control: Control) -> Found:
        screening = self.screening(problem)
        if screening is not None:
            found = screening.found(problem, control)
            chosen = f"{as_code(screening.first)}: {screening.reason}"
            return replace(found, notes={"chosen": chosen, **found.notes})
        search, reason = self.choose(problem)
        control = control.keeping_best()
        found = self._found(search, problem, control)
        if found.stopped is None and self._may_be_proven(problem, found):
            found = self._proven(problem, control, found)
        return replace(
            found, notes={"chosen": f"{as_code(search)}: {reason}", **found.notes}, ran=(search, *found.ran)
        )

    def _found(self, search: Exact | OrderSearch, problem: Problem, control: Control) -> Found:
        """The answer of the search, or a quick one where that is better."""
        if isinstance(search, Exact) and self._all_are_scored(problem, AN_INSTANT):
            return search.run(problem, control)
        quick = QuickNetwork.of(problem, control, self._greedy_families(problem), self.max_parents)
        if not isinstance(search, Exact):
            found = search.run(replace(problem, start=quick.climbed), control)
        elif self._proof_is_quick(problem):
            found = search.run(problem, control)
        else:
            found = search.prove(
                problem, control, self._first(replace(problem, start=quick.climbed), control)
            )
        return quick.or_better(found, problem.score.tolerance)

    def _greedy_families(self, problem: Problem) -> int:
        """How many parent sets GES may score; it asks for the same ones many times."""
        if isinstance(problem.score.native, _core.PythonLocalScore):
            return 0
        slow = written_in_python(problem.score)
        return self._families(problem) * len(problem.names) if slow else GREEDY_FAMILIES

    def _families(self, problem: Problem) -> int:
        """How many parent sets of a variable may be scored."""
        n = len(problem.names)
        slow = written_in_python(problem.score)
        return max(2_000, 5 * n) if slow else evaluations_per_variable(n, problem.score.N)

    def _first(self, problem: Problem, control: Control) -> Found:
        """The network that is kept while the proof runs."""
        search = OrderSearch(evaluations=self._families(problem), max_parents=self.max_parents)
        return strong_network(problem, control, search, FIRST_PART)

    def _proof_is_quick(self, problem: Problem) -> bool:
        """Whether all sets are soon counted or scored.

        A table of numbers does not wait for rows, and takes less than order search does; a table of counts
        does so where it takes about a second.
        """
        table = A_MOMENT if counts_cells(problem) else QUICK_SECONDS
        return self._table_is_quick(problem, table) or self._all_are_scored(problem, A_MOMENT)

    def _all_are_scored(self, problem: Problem, seconds: float) -> bool:
        """Whether all sets can be scored in so many seconds, or are no more than hill climbing scores."""
        n = len(problem.names)
        most = seconds * QUICK_PROOF / max(problem.score.N, 1.0)
        if written_in_python(problem.score):
            most = 0.0
        return sets_within(problem, self.max_parents, max(int(most), CLIMBED * n * n)) is not None

    def _may_be_proven(self, problem: Problem, found: Found) -> bool:
        """Whether an answer of order search is worth an attempt: its lists or the score rule sets out."""
        complete = found.notes.get("parent lists complete")
        if complete is None or len(problem.names) > WIDEST:
            return False
        return complete or problem.score.native.bounded

    def _proven(self, problem: Problem, control: Control, found: Found) -> Found:
        """The answer of order search, or a better one, with what a short attempt can prove about it."""
        complete = found.notes["parent lists complete"]
        try:
            sets = find_candidates(
                problem,
                control,
                max_parents=self.max_parents,
                memory=PROOF_MEMORY,
                families=None if complete else int(PROOF_SHARE * found.evaluations),
            )
        except CapacityError:
            return found
        evaluations = found.evaluations + sets.evaluations
        if sets.stopped is not None:
            gap = sets.gap_of(found.score)
            return replace(found, evaluations=evaluations, stopped=sets.stopped, gap=gap)
        known = chosen_as_in(sets, as_dag(found))
        solved = Pieces(sets, control, "auto", PROOF_MEMORY, known, nodes=PROOF_NODES).solve()
        better = solved.score > (found.score or 0.0) + problem.score.tolerance
        graph = solved.graph if better else found.graph
        notes = {
            **found.notes,
            "proof": solved.method if solved.optimal else f"{solved.method}, not complete",
        }
        return replace(
            found,
            graph=graph,
            score=problem.score.total(solved.graph) if better else found.score,
            evaluations=evaluations,
            stopped=solved.stopped,
            optimal=solved.optimal,
            gap=solved.gap,
            notes=notes,
        )


def written_in_python(score: Bound) -> bool:
    """Whether every family of this score costs a call of Python code."""
    if isinstance(score, BoundWithPrior) and not isinstance(score.native, _core.PythonLocalScore):
        return written_in_python(score.inner)
    if isinstance(score, BoundInterventional):
        return any(map(written_in_python, score.scores))
    if isinstance(score, BoundMDL):
        return written_in_python(score.penalized)
    if isinstance(score, BoundCriterion):
        return not isinstance(score.measure, NativeMeasure)
    return isinstance(score.native, _core.PythonLocalScore)
