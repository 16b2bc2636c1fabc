"""Max-min parents and children (Tsamardinos, Brown & Aliferis 2006)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from dagwright.search.costs import Usual
from dagwright.search.local.method import NeighborMethod
from dagwright.search.local.questions import Questions, Strength, subsets


@dataclass(frozen=True, slots=True)
class MMPC(NeighborMethod):
    """Parents and children of a variable, by the max-min heuristic.

    The forward phase adds the candidate whose minimal dependence on the target, given any subset of the
    present members, is largest; a candidate that some subset separates is excluded for good. The backward
    phase removes members that a subset of the others separates.

    >>> from dagwright import Dag, neighbors
    >>> neighbors(oracle=Dag.parse("A -> C <- B; C -> D"), target="A", method=MMPC()).members
    ('C',)
    """

    summary: ClassVar[str] = "undirected: parents and children by max-min"
    citation: ClassVar[str] = "Tsamardinos et al. 2006"
    usual: ClassVar[Usual] = Usual(1.8, 9e-6)

    def around(self, target: int, ask: Questions) -> set[int]:
        most = ask.largest_set(self.max_size)
        members = ask.required(target)
        required = set(members)
        waiting = ask.candidates(target)
        # The weakest dependence of each candidate that nothing has separated so far.
        weakest: dict[int, Strength] = dict.fromkeys(waiting, (math.inf, math.inf))

        def still_dependent(given: tuple[int, ...]) -> list[int]:
            verdicts = ask.ask(target, waiting, given)
            for x, verdict in verdicts.items():
                weakest[x] = min(weakest[x], ask.strength(verdict))
            return [x for x in waiting if not verdicts[x].independent]

        for given in subsets(members, most):
            waiting = still_dependent(given)
        while waiting:
            best = max(waiting, key=lambda x: (weakest[x], -x))
            waiting.remove(best)
            # Subsets without the newcomer were asked before.
            for rest in subsets(members, None if most is None else most - 1):
                if not waiting:
                    break
                waiting = still_dependent((*rest, best))
            members.append(best)
        for x in [x for x in members if x not in required]:
            if ask.separable(target, x, [y for y in members if y != x], most):
                members.remove(x)
        return set(members)
