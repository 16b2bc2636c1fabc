"""Max-min parents and children (Tsamardinos, Brown & Aliferis 2006)."""

from __future__ import annotations

from dataclasses import dataclass

from dagwright.search.local.method import NeighbourMethod
from dagwright.search.local.questions import Questions, Strength, subsets


@dataclass(frozen=True, slots=True)
class MMPC(NeighbourMethod):
    """Parents and children of a variable, by the max-min heuristic.

    Forwards, each candidate is as strong as its weakest dependence on the target, given any subset of what is
    already in, and the strongest comes in; one that some subset separates is out for good. Backwards, what a
    subset of the others separates goes.

    >>> from dagwright import Dag, neighbours
    >>> neighbours(oracle=Dag.parse("A -> C <- B; C -> D"), target="A", method=MMPC()).members
    ('C',)
    """

    def around(self, target: int, ask: Questions) -> set[int]:
        members = ask.required(target)
        required = set(members)
        # The weakest dependence of each candidate that nothing has separated so far.
        weakest: dict[int, Strength] = {}
        waiting = ask.candidates(target)
        for given in subsets(members, self.max_size):
            verdicts = ask.ask(target, waiting, given)
            waiting = [x for x in waiting if not verdicts[x].independent]
            for x in waiting:
                strength = ask.strength(verdicts[x])
                weakest[x] = min(weakest.get(x, strength), strength)
        while waiting:
            best = max(waiting, key=lambda x: (weakest[x], -x))
            waiting.remove(best)
            # Subsets without the newcomer were asked before.
            for rest in subsets(members, None if self.max_size is None else self.max_size - 1):
                if self.max_size == 0 or not waiting:
                    break
                verdicts = ask.ask(target, waiting, (*rest, best))
                waiting = [x for x in waiting if not verdicts[x].independent]
                for x in waiting:
                    weakest[x] = min(weakest[x], ask.strength(verdicts[x]))
            members.append(best)
        for x in [x for x in members if x not in required]:
            if ask.separable(target, x, [y for y in members if y != x], self.max_size):
                members.remove(x)
        return set(members)
