"""Fast-IAMB: many variables at once, as long as the rows suffice (Yaramakala & Margaritis 2005)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from dagwright.errors import OptionError
from dagwright.search.costs import Usual
from dagwright.search.local.method import LocalMethod
from dagwright.search.local.questions import Finds, Questions


@dataclass(frozen=True, slots=True)
class FastIAMB(LocalMethod):
    """The Markov blanket of a variable, adding all dependent candidates of a round, strongest first.

    A round adds variables while the rows suffice for a test given all of them, and then drops those that are
    independent given the others. The first is always added. The search ends when a set occurs again.

    Parameters
    ----------
    rows_per_cell
        Rows that each cell of the target, the new variable and the set must have on average.
    """

    summary: ClassVar[str] = "undirected: IAMB, many candidates at once"
    citation: ClassVar[str] = "Yaramakala & Margaritis 2005"
    usual: ClassVar[Usual] = Usual(2.7, 8e-6)

    finds: ClassVar[Finds] = "blanket"

    rows_per_cell: float = 5.0

    def __post_init__(self) -> None:
        LocalMethod.__post_init__(self)
        if not (math.isfinite(self.rows_per_cell) and self.rows_per_cell >= 0):
            raise OptionError(
                f"rows_per_cell must be a number that is not negative, not {self.rows_per_cell}"
            )

    def around(self, target: int, ask: Questions) -> set[int]:
        members = set(ask.required(target))
        seen: set[frozenset[int]] = set()
        while frozenset(members) not in seen:
            seen.add(frozenset(members))
            outside = [x for x in ask.candidates(target) if x not in members]
            dependent = ask.strongest_first(ask.ask(target, outside, members))
            for x in dependent:
                if x != dependent[0] and not self._rows_suffice({target, x, *members}, ask):
                    break
                members.add(x)
            ask.shrink(target, members)
        return members

    def _rows_suffice(self, variables: set[int], ask: Questions) -> bool:
        cells = math.prod(max(ask.test.cardinalities[v], 1) for v in variables)
        return self.rows_per_cell * cells <= ask.test.N
