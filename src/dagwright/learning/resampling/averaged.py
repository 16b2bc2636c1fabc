"""The answer of a search, averaged over bootstrap replicates of the rows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from dagwright.confidence.averaging import averaged_under
from dagwright.errors import OptionError
from dagwright.learning.resampling.strengths import ReplicateGraph, as_class, frequencies, numbered
from dagwright.learning.task import member
from dagwright.methods.method_like import read_methods
from dagwright.methods.notation import as_code
from dagwright.methods.traits import GraphKind
from dagwright.search.control import Control
from dagwright.search.costs import Cost, cost_of
from dagwright.search.ges import GES
from dagwright.search.problem import Found, Problem, require_search
from dagwright.search.traits import SearchTraits, asks_tests, completes_rows, own_score, search_traits
from dagwright.search.walks import require_at_least


@dataclass(frozen=True, slots=True)
class Averaged(SearchTraits):
    """Search bootstrap replicates of the rows, and give each pair of variables its most frequent state.

    The states of a pair are: not adjacent, directed one way or the other, undirected. If the most frequent
    states form a directed cycle, others are chosen so that the expected number of correct pairs is largest;
    see `Confidence.averaged`. The result is sparser and more stable than that of one search.

    Replicates give each distinct row a Poisson weight; the order of rows does not matter. Where the distinct
    rows do not fit into memory, each row has a Poisson weight that follows from its position. The result need
    not be the class of a DAG; ``score`` is that of a member if there is one.

    Parameters
    ----------
    search
        The search on each replicate; one that maximizes a score.
    replicates
        How many.

    >>> from dagwright import learn
    >>> found = learn("sample:asia", search=Averaged(replicates=10))
    >>> found.graph.adjacent("lung", "either"), found.notes["replicates"]
    (True, 10)
    """

    summary: ClassVar[str] = "any score-based search, averaged over bootstrap replicates"
    citation: ClassVar[str] = "Friedman, Goldszmidt & Wyner 1999"
    gives: ClassVar[GraphKind] = "cpdag"
    refuses: ClassVar[frozenset[str]] = frozenset({"em"})  # completed rows cannot be drawn again

    search: Any = field(default_factory=GES)
    replicates: int = 50

    def __post_init__(self) -> None:
        read_methods(self, search=("search",))
        require_search(self.search)
        require_at_least("replicates", self.replicates, 1)
        if asks_tests(self.search) or completes_rows(self.search) or isinstance(self.search, Averaged):
            raise OptionError(
                f"Averaged needs a search that maximizes the score of complete rows, such as GES(), not "
                f"{as_code(self.search)}; bootstrap(...).averaged() averages the graphs of other searches"
            )

    @property
    def max_parents(self) -> int | None:
        """The parent bound of the search on each replicate."""
        return search_traits(self.search).max_parents

    def usual_score(self) -> Any:
        """The score that the search inside is known by, if any."""
        return own_score(self.search)

    def cost(self, problem: Problem) -> Cost:
        inner = cost_of(self.search, problem)
        times = 1 + self.replicates
        return inner._replace(
            evaluations=times * inner.evaluations,
            seconds=times * inner.seconds,
            one_by_one=None if inner.one_by_one is None else times * inner.one_by_one,
            basis=f"{times} times: {inner.basis}",
        )

    def run(self, problem: Problem, control: Control) -> Found:
        first: Found = self.search.run(problem, control)
        graphs: list[ReplicateGraph] = []
        evaluations, stopped = first.evaluations, first.stopped
        while stopped is None and len(graphs) < self.replicates:
            score = None
            if problem.other_rows is not None:
                score = problem.other_rows.replicate(problem.rng(1 + len(graphs)))
            if score is None:
                raise OptionError(
                    f"{as_code(self)} draws rows again, which is impossible here: it needs rows that are "
                    "not a time series, and a score that can be computed on other rows; use "
                    f"{as_code(self.search)} alone"
                )
            again = replace(problem, score=score, other_rows=None)
            found = self.search.run(again, control.within("replicate"))
            evaluations, stopped = evaluations + found.evaluations, found.stopped
            if stopped is None:
                graphs.append(numbered(as_class(found.graph, score, problem.knowledge), problem.names))
                control.report("resampling", len(graphs), "replicates", total=self.replicates)
                stopped = control.stopped()
        if len(graphs) == self.replicates:
            stopped = None
        if not graphs:
            return replace(first, stopped=stopped, ran=(self.search,))
        sure = frequencies(problem.names, graphs, f"{len(graphs)} replicates", keep=False)
        answer = averaged_under(sure, problem.knowledge, self.max_parents)
        dag = member(answer.graph, problem)
        return Found(
            graph=answer.graph,
            dag=dag,
            score=None if dag is None else problem.score.total(dag),
            evaluations=evaluations,
            stopped=stopped,
            notes={
                "replicates": len(graphs),
                "pairs expected right": answer.agreement,
                "most pairs that another graph has more": answer.gap,
                **({} if first.score is None else {"score of one search": first.score}),
            },
            ran=(self.search,),
        )
