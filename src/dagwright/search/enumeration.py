"""All networks over a handful of variables, one after the other."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dagwright import _core
from dagwright.errors import CapacityError, KnowledgeError, OptionError
from dagwright.evidence.structure_priors import StructurePrior
from dagwright.graph.dag import Dag
from dagwright.graph.viewable import Viewable
from dagwright.knowledge import Knowledge
from dagwright.search.candidates import NO_GRAPH, find_candidates
from dagwright.search.control import CancelToken, Control, Progress, stopped_by
from dagwright.search.pipeline import problem_of
from dagwright.search.problem import Problem, Stopped
from dagwright.search.study import Study, requested

LARGEST_ENUMERATED = 6
"""3,781,503 networks have six variables, 1,138,779,265 have seven."""


@dataclass(frozen=True)
class BestOfSize:
    """The best network with a given number of arcs, and how many score the same."""

    dag: Dag
    score: float
    ties: int


@dataclass(frozen=True)
class Enumeration(Viewable):
    """The result of an enumeration of all networks.

    Attributes
    ----------
    count
        How many networks obey the knowledge.
    score
        The highest score, in nats.
    best
        The first network that has it.
    ties
        All networks that have it, up to rounding, those with the fewest arcs first.
    by_arcs
        For every number of arcs that occurs, the best network.
    evaluations
        How many families were scored.
    bound
        No network scores more, whether it was looked at or not.
    stopped
        Why the enumeration ended early, or None.
    """

    count: int
    score: float
    best: Dag
    ties: tuple[Dag, ...]
    by_arcs: dict[int, BestOfSize]
    evaluations: int
    bound: float
    stopped: Stopped | None = None


def enumerate_networks(
    data: Any,
    *,
    score: Any = None,
    knowledge: Knowledge | None = None,
    structure_prior: StructurePrior | None = None,
    max_parents: int | None = None,
    largest: int = 5,
    missing: str | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    study: Study | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
) -> Enumeration:
    """Score every network over a few variables: the best, all ties, the best for each number of arcs.

    Parameters
    ----------
    data, score, knowledge, structure_prior, missing, columns, exclude, study, time_limit, progress, cancel
        As in `learn`.
    max_parents
        Most parents a variable may have; None means no bound.
    largest
        Most variables; 5 (29,281 networks) or 6 (3,781,503).

    >>> found = enumerate_networks({"rain": [0, 0, 1, 1] * 25, "wet": [0, 0, 1, 1] * 25, "coin": [0, 1] * 50})
    >>> found.count, len(found.ties), found.by_arcs[1].ties
    (25, 2, 2)
    """
    control = Control.of(None, time_limit, progress, cancel)
    request = requested(
        study,
        score=score,
        knowledge=knowledge,
        structure_prior=structure_prior,
        missing=missing,
        columns=columns,
        exclude=exclude,
    )
    problem, order = problem_of(request, data, control)
    return enumerate_problem(problem, control, largest=largest, max_parents=max_parents, columns=order)


def enumerate_problem(
    problem: Problem,
    control: Control,
    *,
    largest: int,
    max_parents: int | None = None,
    columns: tuple[str, ...] | None = None,
) -> Enumeration:
    """All networks of a problem; ``columns`` is the order in which the graphs list their nodes."""
    if not 1 <= largest <= LARGEST_ENUMERATED:
        raise OptionError(f"largest must be from 1 to {LARGEST_ENUMERATED}, not {largest}")
    n = len(problem.names)
    if n > largest:
        from dagwright.graph.counting import dags_in_words

        raise CapacityError(
            f"there are {dags_in_words(n)} networks over {n} variables, and an enumeration takes up to "
            f"{largest}; use Exact()"
        )
    sets = find_candidates(problem, control, max_parents=max_parents, within=math.inf)
    found = _core.enumerate_networks(
        sets.native,
        tolerance=problem.score.tolerance,
        seconds=control.seconds_left(),
        progress=control.native_progress,
        cancel=control.cancel,
    )
    if not found.ties:
        if not stopped_by(found.stopped):
            raise KnowledgeError(NO_GRAPH)
        known = problem.knowledge.initial_dag()
        score = problem.score.total(known)
        return Enumeration(0, score, known, (), {}, sets.evaluations, sets.bound(), stopped_by(found.stopped))
    nodes = problem.names if columns is None else columns

    def graph(entries: Any) -> Dag:
        return Dag(nodes, sets.dag([int(entry) for entry in entries]).edges)

    ties = tuple(
        sorted(map(graph, np.reshape(found.ties, (-1, n))), key=lambda dag: len(dag.edges))  # stable
    )
    by_arcs = {
        arcs: BestOfSize(graph(best.entries), best.score, best.ties)
        for arcs, best in enumerate(found.per_arcs)
        if best.entries
    }
    stopped = sets.stopped or stopped_by(found.stopped)
    return Enumeration(
        found.count,
        found.best,
        ties[0],
        ties,
        by_arcs,
        sets.evaluations,
        found.best if stopped is None else sets.bound(),
        stopped,
    )
