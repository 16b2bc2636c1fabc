"""The conditional Gaussian measure of rows that are elsewhere, from moments that add up over their blocks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeVar

from dagwright import _core
from dagwright.data import Table
from dagwright.data.elsewhere import places_of
from dagwright.data.source import CellMoments, CellMomentSource
from dagwright.evidence.protocols import SetFit

Item = TypeVar("Item")
COLUMNS = 64
"""Columns of numbers whose moments are taken together."""
GROUPS = 128
"""Groups of sets in one batch."""


class ConditionalGaussianBlocks:
    """`ConditionalGaussian` of a table with a source; the same bits as those of the core on the same rows."""

    def __init__(self, table: Table, source: CellMomentSource) -> None:
        self._source, self._places = source, places_of(table)
        self.cardinalities = table.cardinalities
        self._numeric = [not variable.is_discrete for variable in table.schema]
        ((whole,),) = (cells.values() for cells in source.cell_moments([((), ())]))
        self.N = whole.matrix.N

    def evidence(
        self,
        sets: Sequence[Iterable[int]],
        rows: frozenset[int] | None = None,  # noqa: ARG002  complete columns only
    ) -> list[SetFit]:
        """The maximum of the log-likelihood of each set, and its number of parameters."""
        asked = [sorted(one) for one in sets]
        open_groups: dict[tuple[int, ...], _Group] = {}
        groups: list[_Group] = []
        for at, members in enumerate(asked):
            states = tuple(v for v in members if not self._numeric[v])
            numbers = {v for v in members if self._numeric[v]}
            group = open_groups.get(states)
            if group is None or len(group.numbers | numbers) > max(COLUMNS, len(numbers)):
                group = open_groups[states] = _Group(states)
                groups.append(group)
            group.numbers |= numbers
            group.members.append(at)
        fits = [0.0] * len(asked)
        for some in _batches(groups, GROUPS):
            places = [
                (
                    [self._places[v] for v in group.states],
                    [self._places[v] for v in sorted(group.numbers)],
                )
                for group in some
            ]
            for group, cells in zip(some, self._source.cell_moments(places), strict=True):
                wanted = [[v for v in asked[at] if self._numeric[v]] for at in group.members]
                for at, fit in zip(group.members, self._fits(group, cells, wanted), strict=True):
                    fits[at] = fit
        return [SetFit(fit, self._dim(members)) for fit, members in zip(fits, asked, strict=True)]

    def _dim(self, members: Sequence[int]) -> float:
        k = sum(self._numeric[v] for v in members)
        q = 1.0
        for v in members:
            if not self._numeric[v]:
                q *= max(1.0, float(self.cardinalities[v]))
        return q * (1.0 + k * (k + 3.0) / 2.0) - 1.0

    def _fits(self, group: _Group, cells: CellMoments, wanted: Sequence[Sequence[int]]) -> list[float]:
        """The fit of each list of numbers, over all cells of the group."""
        place = {v: at for at, v in enumerate(sorted(group.numbers))}
        terms: list[list[float]] = [[] for _ in wanted]
        bad: list[float | None] = [None] * len(wanted)
        for moments in cells.values():
            matrix = moments.matrix
            n = matrix.N
            if not n > 0.0:
                continue  # rows of weight 0
            share = n * math.log(n / self.N)
            varying = matrix.covariance.diagonal() > 0.0 if place else ()
            own = [[place[v] for v in numbers] for numbers in wanted]
            found = _core.GaussianMeasure(moments).evidence(own).fit.tolist()
            for at, (columns, fit) in enumerate(zip(own, found, strict=True)):
                if not columns:
                    in_cell = 0.0
                elif not n > len(columns):
                    in_cell = -math.inf  # too few rows
                else:
                    # A constant column has no column in the measure of the core, and no maximum here.
                    in_cell = fit if all(varying[column] for column in columns) else math.inf
                if math.isfinite(in_cell):
                    terms[at] += [share, in_cell]
                elif bad[at] != -math.inf:
                    bad[at] = in_cell
        return [
            math.fsum(own) if failure is None else failure for own, failure in zip(terms, bad, strict=True)
        ]


class _Group:
    """Sets with the same columns of states."""

    def __init__(self, states: tuple[int, ...]) -> None:
        self.states = states
        self.numbers: set[int] = set()
        self.members: list[int] = []


def _batches(items: Sequence[Item], size: int) -> Iterable[list[Item]]:
    left = iter(items)
    while some := list(islice(left, size)):
        yield some
