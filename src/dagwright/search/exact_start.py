"""How exact searches begin: a network that is hard to beat, and every parent set that could beat it."""

from __future__ import annotations

from dataclasses import replace

from dagwright.graph.dag import Dag
from dagwright.search.candidates import CandidateSets, SetsDoNotFitError, find_candidates
from dagwright.search.control import Control
from dagwright.search.order_search import OrderSearch
from dagwright.search.problem import Found, Problem

QUARTER = 0.25
"""Of the time, for the network that a proof starts from."""


def strong_network(problem: Problem, control: Control, search: OrderSearch, part: float = QUARTER) -> Found:
    """The network that order search finds within a part of the time."""
    left = control.seconds_left()
    share = replace(control, time_limit=None if left is None else control.elapsed() + left * part)
    # That lists of parent sets were cut off is of no account where all sets are scored afterwards.
    found = replace(search.run(problem, share), warnings=())
    control.keep(found.score or 0.0, lambda: as_dag(found))
    return found


def as_dag(found: Found) -> Dag:
    """The graph of a search that returns DAGs, or the member of the class that it found."""
    dag = found.graph if found.dag is None else found.dag
    if not isinstance(dag, Dag):
        raise TypeError("a search among DAGs returned another graph")
    return dag


def scored_sets(
    problem: Problem, control: Control, first: Found, max_parents: int | None, memory: int | None
) -> CandidateSets | Found:
    """All sets that a best network can need; where scoring had to stop, the first network and its gap."""
    try:
        sets = find_candidates(problem, control, max_parents=max_parents, memory=memory)
    except SetsDoNotFitError as full:
        return _with_gap(first, full.sets, memory=str(full))
    if sets.stopped is not None:
        return _with_gap(first, sets)
    return sets


def _with_gap(first: Found, sets: CandidateSets, **notes: str) -> Found:
    """A first network, with what incomplete parent sets prove about it."""
    return replace(
        first,
        evaluations=first.evaluations + sets.evaluations,
        stopped=sets.stopped,
        gap=sets.gap_of(first.score),
        notes={
            "method": "stopped while parent sets were scored",
            "candidate parent sets": len(sets),
            **notes,
        },
    )
