"""What `learn` is asked to do, checked and ready to run on the data or on replicates of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from dagwright.data import Table
from dagwright.data.missing import apply_policy, require_learnable
from dagwright.errors import GraphError, OptionError
from dagwright.evidence.binding import bind_score
from dagwright.evidence.bound import Bound
from dagwright.evidence.counting import learnable_table
from dagwright.evidence.criteria import BIC
from dagwright.evidence.incomplete import IncompleteScore
from dagwright.evidence.structure_priors import StructurePrior, with_prior
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import AnyGraph, as_dag
from dagwright.knowledge import Knowledge, as_knowledge
from dagwright.methods.method_like import as_method
from dagwright.model.incomplete.structural_em import StructuralEM
from dagwright.search.auto import Auto
from dagwright.search.control import Control
from dagwright.search.independence.account import few_rows_warning
from dagwright.search.problem import Found, Problem, Search, require_search


def asks_tests(search: Search) -> bool:
    """Whether a search decides by independence tests, not by a score."""
    return getattr(search, "decides_by", "score") == "test"


def chosen_search(search: Search | str | None, missing: str | None) -> Search:
    """The search asked for, inside structural EM where missing values are to be taken as unknown."""
    method: Search | None = as_method(search, "search", "search")
    if method is not None:
        require_search(method)
    if missing != "em" or isinstance(method, StructuralEM):
        return method if method is not None else Auto()
    return StructuralEM() if method is None else StructuralEM(method)


@dataclass(frozen=True)
class LearningTask:
    """Data, a search, a score (or the search's own test) and knowledge."""

    table: Table = field(repr=False)
    search: Search
    score: Any
    knowledge: Knowledge
    structure_prior: StructurePrior | None
    missing: str | None
    template: Table = field(repr=False)
    """The columns as they were read, without rows: their states and cut points."""

    @staticmethod
    def of(
        data: Any,
        *,
        search: Search | None,
        score: Any,
        knowledge: Any,
        structure_prior: StructurePrior | None,
        missing: str | None,
        columns: Iterable[str] | None = None,
        exclude: Iterable[str] = (),
        start: AnyGraph | None = None,
    ) -> LearningTask:
        """The arguments of `learn`, with its defaults; what does not go together is refused.

        Columns that look like identifiers are left out unless ``columns``, the knowledge or the starting
        graph names them.
        """
        method = chosen_search(search, missing)
        tested = asks_tests(method)
        if tested:
            refuse_for_tests(method, score=score, structure_prior=structure_prior)
        score = as_method(score, "score", "score", "test")
        by_available = getattr(score, "counts_available", False)
        if missing is None and by_available:
            missing = "available"
        known = as_knowledge(knowledge)
        structure_prior = as_method(structure_prior, "structure_prior", "prior")
        named = known.named if start is None else known.named | set(start.nodes)
        rows = learnable_table(data, columns, exclude, named)
        table = apply_policy(
            rows,
            missing,
            per_query=tested or by_available,
            completes=isinstance(method, StructuralEM),
        )
        gaps = sum(table.missing.values())
        if gaps and by_available:
            table = table.with_notes(
                f"values are missing completely at random ({gaps:,} cells): each family is counted on the "
                "rows where it is known"
            )
        elif gaps and isinstance(method, StructuralEM):
            table = table.with_notes(
                f"values are missing at random ({gaps:,} cells): whether one is missing depends on what is "
                "known, not on what is missing"
            )
        if isinstance(method, StructuralEM):
            table = method.with_hidden(table)
        require_learnable(table)
        usual = "usual_test" if tested else "usual_score"
        spec = getattr(method, usual, BIC)() if score is None else score
        return LearningTask(
            table, method, spec, known, structure_prior, missing, rows.with_weights(None).take([])
        )

    def run(
        self, ordered: Table, seed: np.random.SeedSequence, control: Control, start: Dag | None = None
    ) -> tuple[Found, Problem]:
        """Search a table with these columns; where scores are equal, the order of its columns decides."""
        bind = partial(
            bind_score, table=ordered, threads=control.threads, original=self.table, missing=self.missing
        )
        if self._waits_for_completion(ordered):
            bound: Bound = IncompleteScore(self.score, ordered, self.structure_prior, control.threads)
        else:
            bound = bind(self.score)
            if self.structure_prior is not None:
                bound = with_prior(bound, self.structure_prior)
        law = self.knowledge.resolve(ordered.names)
        problem = Problem(ordered.names, bound, law, seed, start, bind)
        return obedient(self.search, problem, control), problem

    def _waits_for_completion(self, table: Table) -> bool:
        by_available = getattr(self.score, "counts_available", False)
        return isinstance(self.search, StructuralEM) and any(table.missing.values()) and not by_available

    @property
    def can_rebind(self) -> bool:
        """Whether the score can be computed on other rows too, or is bound to these data."""
        return hasattr(self.score, "on")

    def require_rebinding(self, who: str) -> None:
        """Refuse a score that is bound to these data, for those who need it on other rows too."""
        if not self.can_rebind:
            raise OptionError(
                f"{who} needs a score that can be computed on other rows, with on(table), not {self.score!r}"
            )


def refuse_for_tests(method: Search, **given: object) -> None:
    """Options that mean nothing to a search that asks tests."""
    for option, value in given.items():
        if value is not None:
            raise OptionError(
                f"{method!r} asks a test and takes no {option}; give it a test instead: test=..."
            )


def obedient(method: Search, problem: Problem, control: Control) -> Found:
    """The result of the search, checked against the knowledge, with a DAG of its class where there is one."""
    found = method.run(problem, control)
    problem.knowledge.require(found.graph)
    few = few_rows_warning(problem.score, found.separations)
    found = replace(found, warnings=(*found.warnings, *few))
    if found.dag is None:
        return replace(found, dag=_member(found.graph, problem))
    problem.knowledge.require(found.dag)
    return found


def _member(graph: AnyGraph, problem: Problem) -> Dag | None:
    """A DAG of the class that obeys the knowledge, or None; the canonical order settles which."""
    try:
        dag = as_dag(graph, order=problem.names)
    except GraphError:
        return None
    return None if problem.knowledge.check(dag) else dag
