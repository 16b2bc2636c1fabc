"""IAMB under control of the false discovery rate (Peña 2008)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from dagwright.evidence.false_discoveries import BenjaminiYekutieli, FalseDiscoveryRate, require_procedure
from dagwright.search.costs import Usual
from dagwright.search.independence.tester import p_value
from dagwright.search.local.method import LocalMethod
from dagwright.search.local.questions import Finds, Questions


@dataclass(frozen=True, slots=True)
class FdrIAMB(LocalMethod):
    """The Markov blanket of a variable, with a bound on the false discovery rate of its members.

    Every variable is tested given all other members, and the procedure judges all these p-values together.
    The weakest member that is not significant is removed; if there is none, the strongest significant
    variable outside is added, until neither applies. The level of the test is not used. Contradictory test
    results could cause a loop; the search ends when a set occurs again.

    Parameters
    ----------
    fdr
        `BenjaminiYekutieli` or `BenjaminiHochberg`, with the rate.
    """

    summary: ClassVar[str] = "undirected: IAMB under a false discovery rate"
    citation: ClassVar[str] = "Peña 2008"
    usual: ClassVar[Usual] = Usual(3.3, 8e-6)

    finds: ClassVar[Finds] = "blanket"

    fdr: FalseDiscoveryRate = field(default_factory=BenjaminiYekutieli)

    def __post_init__(self) -> None:
        LocalMethod.__post_init__(self)
        require_procedure(self.fdr)

    def around(self, target: int, ask: Questions) -> set[int]:
        return blanket_among(target, ask.candidates(target), ask, self.fdr)


def blanket_among(target: int, candidates: list[int], ask: Questions, fdr: FalseDiscoveryRate) -> set[int]:
    """The blanket within the candidates and what knowledge requires."""
    members = set(ask.required(target))
    seen: set[frozenset[int]] = set()
    while frozenset(members) not in seen:
        seen.add(frozenset(members))
        outside = [x for x in candidates if x not in members]
        verdicts = ask.ask_each(target, [(x, frozenset(members - {x})) for x in candidates])
        numbers = list(verdicts)
        p_values = [p_value(ask.test, verdicts[x]) for x in numbers]
        believed = dict(zip(numbers, fdr.rejected(p_values), strict=True))
        rank = {x: (ask.strength(verdicts[x]), -x) for x in numbers}
        leaving = [x for x in numbers if x in members and not believed[x]]
        entering = [x for x in outside if believed[x]]
        if leaving:
            members.remove(min(leaving, key=lambda x: (rank[x][0], x)))
        elif entering:
            members.add(max(entering, key=rank.__getitem__))
    return members
