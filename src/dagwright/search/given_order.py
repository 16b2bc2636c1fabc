"""The part that searches on a given order share: the order made legal, and where each variable begins."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dagwright.base.numbering import Numbering
from dagwright.errors import OptionError, unknown_name
from dagwright.graph.dag import Dag
from dagwright.search.problem import Problem


@dataclass(frozen=True)
class OrderedStart:
    """Variable numbers in order; for each variable the parents that knowledge demands, other predecessors
    that it allows (in order), and how many parents there may be.
    """

    order: tuple[int, ...]
    forced: tuple[frozenset[int], ...]
    candidates: tuple[tuple[int, ...], ...]
    most: tuple[int, ...]
    warnings: tuple[str, ...]


def require_order(order: Sequence[str]) -> None:
    """Refuse what is not a sequence of distinct names."""
    if isinstance(order, str):
        raise OptionError(f"order takes a sequence of names, not the text {order!r}")
    repeated = [name for name, times in Counter(order).items() if times > 1]
    if repeated:
        raise OptionError(f"the order names {', '.join(map(repr, repeated))} more than once")


def ordered_start(problem: Problem, order: Sequence[str], max_parents: int | None) -> OrderedStart:
    """Each variable's predecessors as candidates; the order gives way only to what knowledge requires.

    A required arc against the order, or a required edge that a parent bound turns against it, moves a
    variable behind its parents, and a warning says so. What knowledge forbids moves nothing: it only takes
    candidates away.
    """
    number = problem.numbering.number
    for name in order:
        if name not in number:
            raise unknown_name("variable of the order", name, problem.names)
    for name in problem.names:
        if name not in order:
            raise OptionError(f"the order does not name the variable {name!r}")
    problem = problem.bounded(max_parents)
    base = problem.knowledge.initial_dag(order)
    kept = stable_order(order, base)
    warnings: tuple[str, ...] = ()
    if kept != tuple(order):
        warnings = (f"knowledge contradicts the order, which became {', '.join(kept)}",)
    native = problem.knowledge.native
    numbers = tuple(number[name] for name in kept)
    forced = tuple(frozenset(members) for members in problem.parents_of(base))
    candidates: list[tuple[int, ...]] = [()] * len(numbers)
    most: list[int] = [0] * len(numbers)
    for at, child in enumerate(numbers):
        candidates[child] = tuple(
            parent
            for parent in numbers[:at]
            if parent not in forced[child] and native.allows_arc(parent, child)
        )
        bounds = [bound for bound in (max_parents, native.max_parents(child)) if bound is not None]
        most[child] = min([at, *bounds])
    return OrderedStart(numbers, forced, tuple(candidates), tuple(most), warnings)


def stable_order(order: Sequence[str], dag: Dag) -> tuple[str, ...]:
    """The topological order of ``dag`` that keeps to ``order`` where it can.

    Of the nodes whose parents are placed the first in ``order`` is next.

    >>> stable_order(["a", "b", "c"], Dag(["a", "b", "c"], [("c", "a")]))
    ('b', 'c', 'a')
    """
    place = Numbering(order).number
    missing = {name: len(dag.parents(name)) for name in order}
    ready = [place[name] for name in order if not missing[name]]
    placed: list[str] = []
    while ready:
        name = order[heapq.heappop(ready)]
        placed.append(name)
        for child in dag.children(name):
            missing[child] -= 1
            if not missing[child]:
                heapq.heappush(ready, place[child])
    return tuple(placed)
