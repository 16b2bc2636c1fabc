"""What searches on a given order share: the order made legal, and where each variable begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dagwright.errors import KnowledgeError, OptionError, unknown_name
from dagwright.graph.dag import Dag
from dagwright.knowledge import Knowledge
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
    """Each variable's predecessors as candidates; knowledge that contradicts the order comes first.

    Required arcs against the order move variables as little as a topological order allows, and a warning says
    so.
    """
    number = {name: at for at, name in enumerate(problem.names)}
    for name in order:
        if name not in number:
            raise unknown_name("variable of the order", name, problem.names)
    for name in problem.names:
        if name not in order:
            raise OptionError(f"the order does not name the variable {name!r}")
    warnings: tuple[str, ...] = ()
    try:
        known = (problem.knowledge.knowledge + Knowledge(order=list(order))).resolve(problem.names)
        base = known.initial_dag()
    except KnowledgeError:
        known = problem.knowledge
        base = known.initial_dag()
        # Of all orders of the demanded arcs the one that keeps to the given order wherever there is a choice.
        order = Dag(order, base.edges).topological_order()
        warnings = (f"knowledge contradicts the order, which became {', '.join(order)}",)
    native = known.native
    numbers = tuple(number[name] for name in order)
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
