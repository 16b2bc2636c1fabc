"""Grow-Shrink: take in what is dependent, then drop what is not needed (Margaritis & Thrun 1999)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dagwright.search.costs import Usual
from dagwright.search.local.method import LocalMethod
from dagwright.search.local.questions import Finds, Questions


@dataclass(frozen=True, slots=True)
class GrowShrink(LocalMethod):
    """The Markov blanket of a variable, candidates in a fixed order.

    Variables are tested one after the other, in the order of their marginal dependence on the target, and
    added at once if they are dependent given the present members, in rounds until none is added. Then members
    that are independent given the others are removed.

    >>> from dagwright import Dag, blanket
    >>> blanket(oracle=Dag.parse("A -> C <- B; C -> D"), target="A", method=GrowShrink()).members
    ('B', 'C')
    """

    summary: ClassVar[str] = "undirected: Markov blankets, candidates in a fixed order"
    citation: ClassVar[str] = "Margaritis & Thrun 1999"
    usual: ClassVar[Usual] = Usual(2.2, 13e-6)

    finds: ClassVar[Finds] = "blanket"

    def around(self, target: int, ask: Questions) -> set[int]:
        members = set(ask.required(target))
        marginal = ask.ask(target, ask.candidates(target), ())
        dependent = ask.strongest_first(marginal)
        order = [*dependent, *(x for x in marginal if x not in set(dependent))]
        grown = True
        while grown:
            grown = False
            for x in order:
                if x not in members and not ask.independent(target, x, members):
                    members.add(x)
                    grown = True
        ask.shrink(target, members)
        return members
