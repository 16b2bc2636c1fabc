"""Exact number of DAGs that obey a knowledge."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

from dagwright.errors import CapacityError
from dagwright.graph.counting import count_by_sinks, count_dags
from dagwright.knowledge.components import strongly_connected

if TYPE_CHECKING:
    from dagwright.knowledge.resolved import ResolvedKnowledge

_MOST_STEPS = 2_000_000


class _Family:
    """How many parent sets one child can have, given which members of its component come before it."""

    def __init__(self, candidates: int, required: int, outside: int, most: int | None) -> None:
        self.candidates = candidates  # bits over the component, without the required ones
        self.required = required
        self.outside = outside  # optional parents that cannot be descendants
        self.most = most  # how many optional parents at most

    def choices(self, earlier: int) -> int:
        if self.required & ~earlier or (self.most is not None and self.most < 0):
            return 0
        free = (self.candidates & earlier).bit_count() + self.outside
        if self.most is None or self.most >= free:
            return 1 << free
        return sum(comb(free, size) for size in range(self.most + 1))

    def without(self, other: int) -> _Family:
        return _Family(self.candidates & ~(1 << other), self.required, self.outside, self.most)


def count_allowed_dags(known: ResolvedKnowledge) -> int:
    """The product over the strongly connected components of the allowed arcs: a cycle closes only inside one.

    So tiers and orders need no enumeration. Inside a component the DAGs are counted by their sets of sinks.
    """
    n = len(known.names)
    parents = [0] * n
    for child in range(n):
        for parent in known.native.allowed_parents(child):
            parents[child] |= 1 << parent
    total = 1
    before = {child: _bits(mask) for child, mask in enumerate(parents)}
    for component in strongly_connected(before):
        total *= _count_component(known, parents, component)
    return total


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def _count_component(known: ResolvedKnowledge, parents: list[int], component: list[int]) -> int:
    place = {variable: at for at, variable in enumerate(component)}
    required: dict[int, list[int]] = {variable: [] for variable in component}
    for tail, head in known.native.required_arcs():
        if head in place:
            required[head].append(tail)
    families = []
    for variable in component:
        inside = sum(1 << place[parent] for parent in _bits(parents[variable]) if parent in place)
        needed = sum(1 << place[parent] for parent in required[variable] if parent in place)
        outside = parents[variable].bit_count() - inside.bit_count()
        needed_outside = len(required[variable]) - needed.bit_count()
        bound = known.native.max_parents(variable)
        most = None if bound is None else bound - len(required[variable])
        families.append(_Family(inside & ~needed, needed, outside - needed_outside, most))
    links = [(place[a], place[b]) for a, b in known.native.required_links() if a in place]
    everyone = (1 << len(component)) - 1
    unrestricted = all(
        family.most is None and not family.required and family.candidates == everyone & ~(1 << at)
        for at, family in enumerate(families)
    )
    if unrestricted and not links:
        return count_dags(len(component)) << sum(family.outside for family in families)
    if len(component) > 1 and 3 ** len(component) << len(links) > _MOST_STEPS:
        raise CapacityError(
            f"counting the DAGs over {len(component)} variables that may precede each other, with "
            f"{len(links)} required edges among them, is too much work; add tiers or leave variables out"
        )
    # A graph has every edge = inclusion and exclusion over the edges it lacks.
    total = 0
    for size in range(len(links) + 1):
        for lacking in combinations(links, size):
            restricted = list(families)
            for one, other in lacking:
                restricted[one] = restricted[one].without(other)
                restricted[other] = restricted[other].without(one)
            total += (-1) ** size * _count(restricted)
    return total


def _count(families: list[_Family]) -> int:
    choices = [[family.choices(earlier) for earlier in range(1 << len(families))] for family in families]
    return count_by_sinks(
        [family.required for family in families], lambda child, earlier: choices[child][earlier]
    )
