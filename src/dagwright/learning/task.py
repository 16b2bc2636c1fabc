"""A prepared study, searched and checked: what `learn` and `bootstrap` share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dagwright.data import Table
from dagwright.defaults import usual_search
from dagwright.errors import GraphError
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import AnyGraph, as_dag
from dagwright.model.incomplete.structural_em import StructuralEM
from dagwright.search.control import Control
from dagwright.search.independence.account import few_rows_warning
from dagwright.search.pipeline import Prepared, learnable_rows, with_usual_policy
from dagwright.search.problem import Found, Problem, Search, require_search
from dagwright.search.study import Study
from dagwright.search.traits import asks_tests, completes_rows


def prepared_to_learn(study: Study, data: Any) -> Prepared:
    """A study on data, with the search that will run: structural EM where missing values ask for it."""
    method = chosen_search(study)
    rows = learnable_rows(study, data)
    if not completes_rows(method):
        study, rows = with_usual_policy(study, rows, method, tested=asks_tests(method), learns=True)
    return Prepared.on_rows(study, rows, search=chosen_search(study))


def chosen_search(study: Study) -> Search:
    """The search of a study, inside structural EM where missing values are to be taken as unknown."""
    method: Search | None = study.search
    if method is not None:
        require_search(method)
    if study.missing != "em" or (method is not None and completes_rows(method)):
        return method if method is not None else usual_search()
    return StructuralEM() if method is None else StructuralEM(method)


def searched(
    prepared: Prepared,
    ordered: Table,
    control: Control,
    *,
    seed: np.random.SeedSequence | None = None,
    from_start: bool = True,
) -> tuple[Found, Problem]:
    """The answer of the search on a table with these columns, and the problem that it solved."""
    problem = prepared.problem(ordered, control, seed=seed, from_start=from_start)
    assert prepared.search is not None
    return checked_answer(prepared.search, problem, control), problem


def checked_answer(method: Search, problem: Problem, control: Control) -> Found:
    """The result of the search, checked against the knowledge, with a DAG of its class where there is one."""
    return checked_found(method.run(problem, control), problem)


def checked_found(found: Found, problem: Problem) -> Found:
    """The result of a search that has run, checked in the same way."""
    problem.knowledge.require(found.graph)
    few = few_rows_warning(problem.score, found.separations)
    found = replace(found, warnings=(*found.warnings, *few))
    if found.dag is None:
        return replace(found, dag=member(found.graph, problem))
    problem.knowledge.require(found.dag)
    return found


def member(graph: AnyGraph, problem: Problem) -> Dag | None:
    """A DAG of the class that obeys the knowledge, or None; the canonical order settles which."""
    try:
        dag = as_dag(graph, order=problem.names)
    except GraphError:
        return None
    return None if problem.knowledge.check(dag) else dag
