"""Knowledge about edges between numbered variables, for searches by independence tests."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from copy import copy
from functools import cached_property

from dagwright import _core
from dagwright.knowledge import ResolvedKnowledge

Pair = tuple[int, int]
PairQuestion = tuple[int, int, Collection[int]]
"""x, y and what is given."""


def as_pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


class NumberedKnowledge:
    """Resolved knowledge in the numbers of a problem.

    Attributes
    ----------
    forbidden
        Arcs (from, to) that may not be there.
    required_arcs, required
        Arcs that must be there; all pairs that must be adjacent.
    bounds
        Most parents, for the variables that have a bound.
    """

    def __init__(self, known: ResolvedKnowledge) -> None:
        number = known.numbering.number
        self.known = known
        self.n = len(known.names)
        self.forbidden = frozenset((number[a], number[b]) for a, b in known.forbidden_arcs)
        self.required_arcs = frozenset((number[a], number[b]) for a, b in known.required_arcs)
        edges = [(number[a], number[b]) for a, b in known.required_links]
        self.required = frozenset(as_pair(*ends) for ends in [*self.required_arcs, *edges])
        self.bounds = {number[name]: most for name, most in known.max_parents.items()}

    @cached_property
    def native(self) -> _core.Knowledge:
        """The same knowledge in the core."""
        if self.bounds or not self.known.max_parents:
            return self.known.native
        free = _core.Knowledge(self.n)
        for tail, head in self.forbidden:
            free.forbid_arc(tail, head)
        for tail, head in self.required_arcs:
            free.require_arc(tail, head)
        for one, other in self.required:
            free.require_link(one, other)
        return free

    def unbounded(self) -> NumberedKnowledge:
        """The same without bounds on parents."""
        free = copy(self)
        free.bounds = {}
        free.__dict__.pop("native", None)
        return free

    def may_link(self, one: int, other: int) -> bool:
        """Whether the two may be adjacent."""
        return (one, other) not in self.forbidden or (other, one) not in self.forbidden

    def may_share_blanket(self, one: int, other: int) -> bool:
        """Whether the two may be adjacent or have a common child."""
        if not self.forbidden or self.may_link(one, other):
            return True
        return any(
            (one, child) not in self.forbidden and (other, child) not in self.forbidden
            for child in range(self.n)
            if child not in (one, other)
        )

    def one_way(self, pairs: Iterable[Pair]) -> set[Pair]:
        """The arcs of pairs that may point only one way."""
        arcs = [arc for pair in pairs for arc in (pair, pair[::-1])]
        return {(a, b) for a, b in arcs if (b, a) in self.forbidden and (a, b) not in self.forbidden}

    @cached_property
    def ancestors(self) -> list[frozenset[int]] | None:
        """The possible ancestors of each variable; None when nothing is excluded.

        Non-adjacent variables are separated by ancestors of theirs, so nothing else need be given.
        """
        if not self.forbidden:
            return None
        number = self.known.numbering.number
        return [
            frozenset(number[a] for a in self.known.possible_ancestors(name)) for name in self.known.names
        ]

    def candidates(self, around: Iterable[int], x: int, y: int) -> list[int]:
        """The members of ``around`` that a set between x and y may contain, ascending."""
        if self.ancestors is None:
            return sorted(v for v in around if v != x and v != y)
        useful = self.ancestors[x] | self.ancestors[y]
        return sorted(v for v in around if v != x and v != y and v in useful)
