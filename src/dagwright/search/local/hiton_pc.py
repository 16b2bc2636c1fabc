"""Semi-interleaved HITON-PC (Aliferis, Statnikov, Tsamardinos, Mani & Koutsoukos 2010)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dagwright.search.costs import Usual
from dagwright.search.local.method import NeighborMethod
from dagwright.search.local.questions import Questions


@dataclass(frozen=True, slots=True)
class HitonPC(NeighborMethod):
    """Parents and children of a variable, candidates in the order of their dependence on it alone.

    Each is added unless a subset of the present members separates it from the target. At the end, members
    that a subset of the others separates are removed.

    >>> from dagwright import Dag, neighbors
    >>> neighbors(oracle=Dag.parse("A -> C <- B; C -> D"), target="C", method=HitonPC()).members
    ('A', 'B', 'D')
    """

    summary: ClassVar[str] = "undirected: parents and children, semi-interleaved"
    citation: ClassVar[str] = "Aliferis et al. 2010"
    usual: ClassVar[Usual] = Usual(2.2, 9e-6)

    def around(self, target: int, ask: Questions) -> set[int]:
        most = ask.largest_set(self.max_size)
        members = ask.required(target)
        required = set(members)
        for x in ask.strongest_first(ask.ask(target, ask.candidates(target), ())):
            if not ask.separable(target, x, members, most):
                members.append(x)
        # The last one was asked about with all others in.
        for x in [x for x in members[:-1] if x not in required]:
            if ask.separable(target, x, [y for y in members if y != x], most):
                members.remove(x)
        return set(members)
