"""Structural EM: graphs from rows with missing cells (Friedman 1997, 1998).

The expected counts of every family follow from the current network, any search maximizes the score of these
counts, EM fits the new graph, and so on. For penalized likelihoods every round raises the score of the
observed cells, because what the expected score gains the observed one gains at least (Friedman 1997).
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

from dagwright.base.wording import count_of
from dagwright.data import Table
from dagwright.errors import KnowledgeError, OptionError
from dagwright.evidence.binding import bind_score
from dagwright.evidence.bound import Bound
from dagwright.evidence.determined import cautions, unscorable_sets
from dagwright.evidence.incomplete import IncompleteScore
from dagwright.evidence.structure_priors import BoundWithPrior, FamilyPrior, with_prior
from dagwright.graph.dag import Dag
from dagwright.graph.pag import Pag
from dagwright.graph.pdag import Pdag
from dagwright.methods.method_like import read_methods
from dagwright.methods.notation import as_code
from dagwright.methods.traits import DataKind, GraphKind, Reads, evidence_traits
from dagwright.model.gaussian.completion import NumbersWithGaps
from dagwright.model.gaussian.orientation import knowledge_for_numbers
from dagwright.model.incomplete.em import EM
from dagwright.model.incomplete.expected import (
    ObservedScore,
    RowsWithGaps,
    rows_with_gaps,
    scored,
    with_hidden_columns,
)
from dagwright.model.network import BayesianNetwork
from dagwright.search.control import Control
from dagwright.search.costs import Cost, cost_of
from dagwright.search.ges import GES
from dagwright.search.problem import Found, Problem, Search, Stopped, TraceStep, require_search
from dagwright.search.tabu import Tabu
from dagwright.search.traits import SearchTraits, asks_tests, own_score, search_traits
from dagwright.search.walks import require_at_least
from dagwright.sentences import Argument

log = logging.getLogger("dagwright")
USUAL_ROUNDS = 5
"""Rounds before the network usually stays the same."""
Rows = RowsWithGaps | NumbersWithGaps


@dataclass(frozen=True)
class StructuralEM(SearchTraits):
    """Learn from rows with missing cells: expected counts and any search alternate until the score settles.

    On complete rows, and without hidden variables, it is the search itself.

    Parameters
    ----------
    search
        What maximizes the expected score in each round; searches that take a start go on from the graph of
        the round before. None is `GES`, or `Tabu` for scores known to tell equivalent graphs
        apart.
    restarts
        Further runs, each from a random graph; the best run counts.
    rounds
        The most searches in one run.
    hidden
        Variables without a column: {name: number of states}. They start as causes of all others, with random
        tables, so give some restarts.

    >>> from dagwright import learn
    >>> gaps = {"a": [0, 0, 1, 1, None] * 40, "b": [0, 0, 1, None, 1] * 40, "c": [0, 1] * 100}
    >>> learn(gaps, search=StructuralEM()).dag.adjacent("a", "b")
    True
    """

    summary: ClassVar[str] = "any search on rows with missing cells, by expected counts"
    citation: ClassVar[str] = "Friedman 1998"

    search: Search | None = None
    restarts: int = 0
    rounds: int = 50
    hidden: Mapping[str, int] = field(default_factory=dict, hash=False)

    completes_rows: ClassVar[bool] = True
    reads: ClassVar[Reads] = "rows in memory"  # of complete rows, it reads what the search inside reads
    gives: ClassVar[GraphKind] = "cpdag"  # with the default search inside
    takes: ClassVar[frozenset[DataKind]] = frozenset({"discrete", "continuous", "mixed", "missing"})

    def __post_init__(self) -> None:
        read_methods(self, search=("search",))
        if self.search is not None:
            require_search(self.search)
        require_at_least("restarts", self.restarts, 0)
        require_at_least("rounds", self.rounds, 1)
        refused = search_traits(self.search).refuses
        if asks_tests(self.search):
            raise OptionError(
                f"structural EM maximizes a score, and {as_code(self.search)} asks tests; give it a search "
                "such as HillClimb(), or use the tests with ",
                Argument("missing", "drop" if "available" in refused else "available"),
            )
        if "em" in refused:
            raise OptionError(
                f"{as_code(self.search)} cannot run on expected counts, as structural EM needs; choose ",
                Argument("missing", "drop"),
                " or another search",
            )
        if isinstance(self.search, StructuralEM):
            raise OptionError("structural EM needs another search inside")
        for name, r in self.hidden.items():
            if not isinstance(name, str) or isinstance(r, bool) or not isinstance(r, int) or r < 1:
                raise OptionError(
                    f"hidden variables are given with their number of states, not {name!r}: {r!r}",
                )

    def usual_score(self) -> Any:
        """The score that the search inside is known by, if any."""
        return own_score(self.search)

    def with_hidden(self, table: Table) -> Table:
        """The data with columns for the hidden variables."""
        return with_hidden_columns(table, dict(self.hidden)) if self.hidden else table

    def cost(self, problem: Problem) -> Cost:
        """The search again in each of a handful of rounds, up to `rounds`."""
        inner = cost_of(self.inner(problem.score), problem)
        times = (1 + self.restarts) * min(self.rounds, USUAL_ROUNDS)
        return inner._replace(
            evaluations=times * inner.evaluations,
            seconds=times * inner.seconds,
            one_by_one=None if inner.one_by_one is None else times * inner.one_by_one,
            upper=False,
            basis=f"{times} times: {inner.basis}; expected counts of rows with gaps come on top",
        )

    def inner(self, score: Bound) -> Search:
        """The search inside, for a score."""
        if self.search is not None:
            return self.search
        return Tabu() if evidence_traits(score.spec).equivalent is False else GES()

    def run(self, problem: Problem, control: Control) -> Found:
        if not isinstance(problem.score, IncompleteScore):
            inner = self.inner(problem.score)
            found = inner.run(problem, control)
            return replace(
                found,
                notes={"structural EM": "no missing values: one search", **found.notes},
                ran=(inner, *found.ran),
            )
        rows = rows_with_gaps(problem.score, control.threads)
        problem = _with_parameters(problem, problem.score.table)
        problem = problem.bounded(search_traits(self.search).max_parents)
        runs: list[_Run] = []
        best = 0
        for attempt in range(self.restarts + 1):
            runs.append(_Run(self, problem, control, rows, attempt))
            runs[-1].go()
            if runs[-1].scores[-1] > runs[best].scores[-1] + problem.score.tolerance:
                best = attempt
            if runs[-1].stopped:
                break
        found = runs[best].result(len(runs))
        return replace(
            found,
            evaluations=sum(run.evaluations for run in runs),
            stopped=runs[-1].stopped,
            ran=(self.inner(problem.score),),
        )


@dataclass(frozen=True)
class _State:
    """A graph, what EM makes of it, and the score of its expected counts."""

    graph: Dag
    value: ObservedScore
    completed: Table
    bound: Bound


def _with_parameters(problem: Problem, table: Table) -> Problem:
    """The problem with the rule that mixed columns need: EM fits every graph."""
    if table.schema.kind != "mixed":
        return problem
    known = knowledge_for_numbers(problem.knowledge.knowledge, table.schema)
    return replace(problem, knowledge=known.resolve(problem.names))


def _without_prior(score: Bound) -> Bound:
    return score.inner if isinstance(score, BoundWithPrior) else score


def _some_dag(found: Found) -> Dag:
    graph = found.graph if found.dag is None else found.dag
    if isinstance(graph, Dag):
        return graph
    if isinstance(graph, Pag):
        raise OptionError("structural EM needs a search that finds a DAG, not a class with hidden variables")
    return graph.extension() if isinstance(graph, Pdag) else graph.directed()


class _Run:
    """One run: from a first graph through rounds of search and EM."""

    def __init__(
        self, method: StructuralEM, problem: Problem, control: Control, rows: Rows, attempt: int
    ) -> None:
        self.method, self.problem, self.control, self.rows = method, problem, control, rows
        self.random = problem.rng(1 + attempt)
        self.em = EM(tolerance=1e-6, max_iterations=200, random_state=int(self.random.integers(2**31)))
        first = self._first_graph(attempt)
        start = None if attempt == 0 else rows.random_start(first, self.random)
        self.stopped: Stopped | None = None
        try:
            self.now = self._fitted(first, start)
        except KeyboardInterrupt:  # there is nothing to return yet: one iteration must do
            self.stopped = control.interrupted()
            self.em = replace(self.em, max_iterations=1)
            self.now = self._fitted(first, start)
        self.scores = [self.now.value.total]
        self.determined: list[frozenset[str]] = []
        self.found = Found(first)
        self.trace: list[TraceStep] = []
        self.evaluations = 0

    def go(self) -> None:
        """Rounds until the score of the observed cells no longer rises."""
        try:
            for number in range(0 if self.stopped else self.method.rounds):
                self.control.report("structural EM", number, "rounds", best=self.scores[-1])
                self.stopped = self.stopped or self.control.stopped()
                if self.stopped or not self._round():
                    return
        except KeyboardInterrupt:
            self.stopped = self.control.interrupted()

    def _round(self) -> bool:
        """One search and one EM; whether the score rose.

        Columns that determine each other do so only once EM has fitted a graph that joins them: before, their
        missing cells are expected one by one. Families of such columns are then ruled out, as on complete
        rows, and the search is repeated.
        """
        tolerance = self.problem.score.tolerance
        fresh = True
        while fresh:
            bound = self._scorable()
            found = self._search(bound)
            self.evaluations += found.evaluations
            self.stopped = found.stopped
            dag = _some_dag(found)
            if not bound.total(dag) > self.now.value.expected + tolerance:
                return False
            after = self._fitted(dag, self.rows.improved(dag, self.now.completed))
            impossible = after.value.total == -math.inf and not self.stopped
            sets = unscorable_sets(_without_prior(after.bound), dag) if impossible else []
            self.determined += sets
            fresh = bool(sets)
        # A penalized likelihood has risen; a marginal likelihood of expected counts promises less.
        if not after.value.total > self.scores[-1] + tolerance:
            return False
        self.now, self.found = after, found
        self.scores.append(after.value.total)
        self.trace += found.trace
        log.info("structural EM, round %d: %.6f", len(self.scores) - 1, after.value.total)
        return True

    def _scorable(self) -> Bound:
        """The score of the completed rows, minus infinity for families of collinear columns."""
        sets = tuple(self.determined)
        if not sets:
            return self.now.bound

        def possible(child: str, parents: frozenset[str]) -> float:
            return -math.inf if any(one <= parents | {child} for one in sets) else 0.0

        return with_prior(self.now.bound, FamilyPrior(possible, equivalent=True))

    def _fitted(self, graph: Dag, start: BayesianNetwork | None) -> _State:
        result = self.rows.fit(graph, self.em, start, until=lambda: self.control.stopped() is not None)
        completed = self.rows.completed(result.network)
        bound = self.rows.score.completed(completed)
        return _State(graph, scored(self.rows, graph, result, completed, bound), completed, bound)

    def _search(self, bound: Bound) -> Found:
        search = self.method.inner(self.now.bound)
        # Searches that choose their own start take no other, and trees are the same wherever one starts.
        own_start = search_traits(search).chooses_start
        problem = replace(
            self.problem,
            score=bound,
            start=None if own_start else self.now.graph,
            bind_test=partial(bind_score, table=self.now.completed, threads=self.control.threads),
        )
        return search.run(problem, self.control.within("completed rows"))

    def _first_graph(self, attempt: int) -> Dag:
        problem = self.problem
        base = Dag(problem.names, problem.first_dag().edges)
        if self.method.hidden:
            return self._grown(base, [(h, x) for h in self.method.hidden for x in problem.names], math.inf)
        if attempt == 0:
            return base
        order = [problem.names[i] for i in self.random.permutation(len(problem.names))]
        pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
        chosen = self.random.permutation(len(pairs))[: len(order)]
        return self._grown(base, [pairs[i] for i in chosen], 2)

    def _grown(self, graph: Dag, arcs: list[tuple[str, str]], most_parents: float) -> Dag:
        """The graph with those of the arcs that knowledge and the parent bound of the search allow."""
        known = self.problem.knowledge
        bound = search_traits(self.method.search).max_parents
        most_parents = most_parents if bound is None else min(most_parents, bound)
        for start, end in arcs:
            if start in self.method.hidden and end in self.method.hidden:
                continue
            if graph.adjacent(start, end) or len(graph.parents(end)) >= most_parents:
                continue
            if start in graph.descendants(end) or start == end:
                continue
            larger = Dag(graph.nodes, [*graph.edges, (start, end)])
            try:
                known.require(larger)
            except KnowledgeError:
                continue
            graph = larger
        return graph

    def result(self, runs: int) -> Found:
        """The answer of this run, the best of so many."""
        value = self.now.value
        rounds = count_of(len(self.scores) - 1, "round")
        notes = {
            "structural EM": f"{rounds} in the best of {count_of(runs, 'run')}",
            "scores of the rounds": self.scores,
            "log-likelihood of the observed cells": value.log_likelihood,
        }
        return replace(
            self.found,
            dag=None if isinstance(self.found.graph, Dag) else self.now.graph,
            score=value.total,
            trace=tuple(self.trace),
            optimal=False,
            gap=None,
            notes={**self.found.notes, **notes},
            network=value.network,
            warnings=(*self.found.warnings, *cautions(self._determined_names())),
        )

    def _determined_names(self) -> list[list[str]]:
        number = self.problem.score.numbering.number
        return [sorted(one, key=number.__getitem__) for one in self.determined]
