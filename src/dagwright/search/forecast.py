"""The cost of a search, before it starts."""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from dagwright.data.source import MeteredSource
from dagwright.evidence.bound import Bound
from dagwright.evidence.protocols import Family
from dagwright.graph.viewable import Viewable
from dagwright.methods.notation import as_code
from dagwright.search.auto import written_in_python
from dagwright.search.costs import cost_of
from dagwright.search.problem import Problem
from dagwright.search.set_counts import count_in_words
from dagwright.search.traits import asks_tests, search_traits

LEVELS = 8
"""Batches of a search by tests, about: it asks all tests of a size at once."""


@dataclass(frozen=True)
class Forecast(Viewable):
    """The cost of a search on given data.

    Attributes
    ----------
    search
        The search with its options.
    evaluations
        Families to be scored, or questions to be asked.
    memory
        Bytes beside the data and the memo of counts.
    seconds
        For the passes over the rows that precede the search (the order of the columns, the moments of
        numbers) and for the scoring, both by what they took just now, for the search itself, and on a cluster
        for the wait for each batch. A time limit caps it.
    upper
        Whether the search cannot take more; otherwise the numbers are those of its usual course.
    basis
        How the numbers come about.
    step_seconds
        What scoring one family for each variable takes, as one batch, measured just now: about a step of hill
        climbing.
    network_bytes
        Bytes of counts that come from the workers of a cluster; 0 without one.
    worker_bytes
        Bytes of rows and bitmaps at the worker that holds most; 0 without a cluster.
    """

    search: str
    evaluations: int
    memory: int
    seconds: float
    upper: bool
    basis: str
    step_seconds: float = 0.0
    network_bytes: int = 0
    worker_bytes: int = 0

    def __str__(self) -> str:
        most = "at most " if self.upper else "about "
        cluster = ""
        if self.worker_bytes:
            cluster = (
                f", {self.network_bytes / 2**20:,.1f} MiB over the network, "
                f"{self.worker_bytes / 2**20:,.1f} MiB at a worker"
            )
        return (
            f"{self.search}: {most}{count_in_words(self.evaluations)} families, "
            f"{self.memory / 2**20:,.1f} MiB, {self.seconds:.3g} s{cluster} ({self.basis})"
        )


class Passes(NamedTuple):
    """The cost of what precedes a search: the columns are put in order, and moments of numbers are summed."""

    seconds: float
    bytes_moved: int


def forecast_of(
    method: Any, problem: Problem, source: MeteredSource | None, threads: int, passes: Passes
) -> Forecast:
    """The cost of a method on a problem, by a few families that are scored now.

    Parameters
    ----------
    source
        What counts rows that are elsewhere; None for rows on this machine.
    passes
        The cost of making this problem.
    """
    method = search_traits(method).chosen(problem) or method
    cost = cost_of(method, problem)
    pace = _pace(problem.score, source)
    scored = cost.evaluations if cost.one_by_one is None else cost.one_by_one
    seconds = passes.seconds + pace.first_seconds + scored * pace.seconds + cost.seconds / threads
    if source is not None:  # the wait for each answer
        batches = LEVELS if asks_tests(method) else scored / len(problem.names)
        seconds += batches * pace.batch_seconds(len(problem.names))
    return Forecast(
        as_code(method),
        math.ceil(cost.evaluations),
        math.ceil(cost.memory),
        seconds,
        cost.upper,
        cost.basis,
        pace.step_seconds,
        math.ceil(min(passes.bytes_moved + scored * pace.bytes_moved, 2.0**62)),
        0 if source is None else source.worker_bytes(),
    )


class _Pace(NamedTuple):
    """The cost of a family among many, and of a batch of one for each variable."""

    seconds: float
    bytes_moved: float
    step_seconds: float
    first_seconds: float
    """What the first families took beyond that: a measure may sum over the rows, or make tables, once."""

    def batch_seconds(self, n: int) -> float:
        """What a batch takes beside its families, as a step shows."""
        return max(self.step_seconds - n * self.seconds, 0.0)


def _pace(score: Bound, source: MeteredSource | None) -> _Pace:
    """Seconds and bytes of families with three parents, from some that were scored just now.

    Others come before, because the first ones also take what is done once.
    """
    n = len(score.names)
    many = 8 if written_in_python(score) else 200
    step = min(n, many)
    families = _new_families(n, 2 * many + step)
    first, last = len(families) // 3, len(families) - max(min(step, len(families) // 3), 1)
    began = time.perf_counter()
    score.local(families[:first])
    once = time.perf_counter() - began
    moved, began = source.bytes_moved if source else 0, time.perf_counter()
    score.local(families[first:last])
    count = max(last - first, 1)
    each = (time.perf_counter() - began) / count
    moved = (source.bytes_moved if source else 0) - moved
    began = time.perf_counter()
    score.local(families[last:])
    step_seconds = (time.perf_counter() - began) * n / max(len(families) - last, 1)
    return _Pace(each, moved / count, step_seconds, max(once - first * each, 0.0))


def _new_families(n: int, most: int) -> list[Family]:
    """Families with three parents, no two of the same set: a set that is known takes no time.

    Where there are few variables, there are fewer than wanted.
    """
    size, draw = min(4, n), random.Random(0)
    if math.comb(n, size) <= 4 * most:
        sets = list(combinations(range(n), size))
        draw.shuffle(sets)
    else:
        sets = list(dict.fromkeys(tuple(draw.sample(range(n), size)) for _ in range(2 * most)))
    return [Family(own[at % size], frozenset(own) - {own[at % size]}) for at, own in enumerate(sets[:most])]
