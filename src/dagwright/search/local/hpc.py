"""Hybrid parents and children (Gasse, Aussem & Elghazel 2014)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from dagwright.evidence.false_discoveries import BenjaminiHochberg, FalseDiscoveryRate, require_procedure
from dagwright.search.costs import Usual
from dagwright.search.local.fdr_iamb import blanket_among
from dagwright.search.local.method import NeighborMethod
from dagwright.search.local.questions import Questions


@dataclass(frozen=True, slots=True)
class HPC(NeighborMethod):
    """Parents and children of a variable, from cheap supersets of its neighbors and its spouses.

    Tests given at most one variable leave a superset of the neighbors; tests that condition on one of these
    as a collider find a superset of the spouses. Within both, `FdrIAMB` finds the blanket, and subsets of it
    separate the spouses. A variable that the target misses, but that finds the target within the same
    variables, is a neighbor too: large neighborhoods lose fewer members.

    Parameters
    ----------
    fdr
        The false discovery control of a blanket.

    >>> from dagwright import Dag, neighbors
    >>> neighbors(oracle=Dag.parse("A -> C <- B; C -> D"), target="C", method=HPC()).members
    ('A', 'B', 'D')
    """

    summary: ClassVar[str] = "undirected: parents and children from supersets"
    citation: ClassVar[str] = "Gasse et al. 2014"
    usual: ClassVar[Usual] = Usual(8.0, 9e-6)

    fdr: FalseDiscoveryRate = field(default_factory=BenjaminiHochberg)

    def __post_init__(self) -> None:
        NeighborMethod.__post_init__(self)
        require_procedure(self.fdr)

    def around(self, target: int, ask: Questions) -> set[int]:
        near, apart = self._near(target, set(ask.required(target)), ask)
        scope = {target} | near | self._spouses(target, near, apart, ask)
        found = self._within(target, scope, ask)
        for x in sorted(near - found):
            if target in self._within(x, scope, ask):
                found.add(x)
        return {x for x in found if ask.knowledge.may_link(x, target)}

    def _within(self, target: int, scope: set[int], ask: Questions) -> set[int]:
        """The neighbors that the target finds among a few variables."""
        candidates = [x for x in ask.candidates(target, "blanket") if x in scope]
        blanket = blanket_among(target, candidates, ask, self.fdr)
        return neighbors_in_blanket(target, blanket, ask, self.max_size)

    def _near(
        self, target: int, required: set[int], ask: Questions
    ) -> tuple[set[int], dict[int, frozenset[int]]]:
        """Variables that no set of at most one of these separates from the target; the separating sets of the
        others.
        """
        verdicts = ask.ask(target, ask.candidates(target, "blanket"), ())
        apart = {x: frozenset[int]() for x, verdict in verdicts.items() if verdict.independent}
        near = required | (set(verdicts) - set(apart))
        for given in sorted(near) if self.max_size != 0 else ():
            verdicts = ask.ask(target, sorted(near - required - {given}), [given])
            for x, verdict in verdicts.items():
                if verdict.independent:
                    near.remove(x)
                    apart[x] = frozenset([given])
        return near, apart

    def _spouses(
        self, target: int, near: set[int], apart: dict[int, frozenset[int]], ask: Questions
    ) -> set[int]:
        """Variables dependent on the target given something near and their separating set."""
        spouses: set[int] = set()
        for child in sorted(near):
            # Most were separated by one of few sets, and questions that share a set are counted together.
            with_child = {given: given | {child} for given in set(apart.values()) if child not in given}
            opened = [(x, with_child[given]) for x, given in sorted(apart.items()) if given in with_child]
            by_child = ask.still_dependent(target, opened)
            for other in list(by_child):
                if other in by_child:
                    both = frozenset([child, other])
                    rest = [(x, both) for x in by_child if x != other]
                    by_child = sorted([other, *ask.still_dependent(target, rest)])
            spouses |= set(by_child)
        return spouses


def neighbors_in_blanket(
    target: int, blanket: set[int], ask: Questions, max_size: int | None = None
) -> set[int]:
    """The members of a blanket that no subset of the others separates from the target.

    A spouse and the target are separated by neighbors of the target in the moral graph of their ancestors,
    and these are in its blanket.
    """
    required = set(ask.required(target))
    most = ask.largest_set(max_size)
    return {
        x
        for x in sorted(blanket)
        if x in required or not ask.separable(target, x, sorted(blanket - {x}), most)
    }
