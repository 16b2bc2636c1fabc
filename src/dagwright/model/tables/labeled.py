"""Arrays of probabilities that know their variables: they compute like arrays and print as tables."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from dagwright.base.wording import aligned
from dagwright.graph.viewable import Viewable
from dagwright.model.tables.checks import Floats

MOST_ROWS = 40


class ProbabilityTable(Viewable, np.ndarray[Any, np.dtype[np.float64]]):
    """Probabilities with one axis per variable; whatever is computed from it is a plain array.

    Attributes
    ----------
    title
        What the entries are, such as ``"P(lung | smoke)"``.
    names, states
        The variable of each axis and its states.
    """

    title: str
    names: tuple[str, ...]
    states: tuple[tuple[Hashable, ...], ...]

    def __array_finalize__(self, other: object) -> None:
        self.title, self.names, self.states = "", (), ()

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        plain = np.asarray(array)
        return plain[()] if return_scalar else plain

    def __getitem__(self, key: Any) -> Any:
        return np.asarray(self)[key]

    def __reduce__(self) -> tuple[Any, ...]:
        return labeled, (np.asarray(self), self.title, self.names, self.states)

    def rows(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """The table for readers: heads, and a row for each configuration of all variables but the last."""
        *before, last = self.names
        heads = (*before, *(f"{last}={state}" for state in self.states[-1]))
        cases = itertools.product(*self.states[:-1])
        values = np.asarray(self).reshape(-1, len(self.states[-1])).tolist()
        rows = [
            (*map(str, case), *(f"{value:.6f}" for value in row))
            for case, row in zip(cases, values, strict=True)
        ]
        return heads, rows

    def __str__(self) -> str:
        if not self.names:
            return str(np.asarray(self))
        heads, rows = self.rows()
        lines = aligned([heads, *rows[:MOST_ROWS]])
        more = [f"and {len(rows) - MOST_ROWS:,} more rows"] if len(rows) > MOST_ROWS else []
        return "\n".join([self.title, *(f"  {line}" for line in [*lines, *more])])

    def __repr__(self) -> str:
        return str(self) if self.names else repr(np.asarray(self))


def labeled(
    values: Floats, title: str, names: Sequence[str], states: Sequence[Sequence[Hashable]]
) -> ProbabilityTable:
    """The array with the names of its axes."""
    table = np.asarray(values).view(ProbabilityTable)
    table.title, table.names, table.states = title, tuple(names), tuple(map(tuple, states))
    return table
