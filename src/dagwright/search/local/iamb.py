"""IAMB: the strongest first, then drop what is not needed (Tsamardinos, Aliferis & Statnikov 2003)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dagwright.search.costs import Usual
from dagwright.search.local.method import LocalMethod
from dagwright.search.local.questions import Finds, Questions


@dataclass(frozen=True, slots=True)
class IAMB(LocalMethod):
    """The Markov blanket of a variable, the strongest candidate first.

    The growing phase adds the variable that depends most on the target given the present members, until none
    does; the shrinking phase removes members that are independent given the others.

    >>> from dagwright import Dag, blanket
    >>> found = blanket(oracle=Dag.parse("A -> C <- B; C -> D"), target="A", method=IAMB())
    >>> found.members, found.tests
    (('B', 'C'), 7)
    """

    summary: ClassVar[str] = "undirected: Markov blankets, strongest candidate first"
    citation: ClassVar[str] = "Tsamardinos et al. 2003"
    usual: ClassVar[Usual] = Usual(3.3, 7e-6)

    finds: ClassVar[Finds] = "blanket"

    def around(self, target: int, ask: Questions) -> set[int]:
        members = set(ask.required(target))
        while (strongest := next_member(target, members, ask)) is not None:
            members.add(strongest)
        ask.shrink(target, members)
        return members


@dataclass(frozen=True, slots=True)
class InterIAMB(LocalMethod):
    """IAMB that shrinks after every variable it adds, so that conditioning sets stay small.

    Tsamardinos, Aliferis & Statnikov (2003). Contradictory test results could cause a loop; the search ends
    when a set occurs again.
    """

    summary: ClassVar[str] = "undirected: IAMB that shrinks at every step"
    citation: ClassVar[str] = "Tsamardinos et al. 2003"
    usual: ClassVar[Usual] = Usual(3.3, 7e-6)

    finds: ClassVar[Finds] = "blanket"

    def around(self, target: int, ask: Questions) -> set[int]:
        members = set(ask.required(target))
        seen: set[frozenset[int]] = set()
        while frozenset(members) not in seen:
            seen.add(frozenset(members))
            strongest = next_member(target, members, ask)
            if strongest is None:
                break
            members.add(strongest)
            ask.shrink(target, members)
        return members


def next_member(target: int, members: set[int], ask: Questions) -> int | None:
    """The variable outside that depends most on the target given the members; None when none does."""
    outside = [x for x in ask.candidates(target) if x not in members]
    return next(iter(ask.strongest_first(ask.ask(target, outside, members))), None)
