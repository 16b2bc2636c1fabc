"""Sums of products of tables, by eliminating one variable after the other."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class _Sum:
    """One product of tables, summed over what is not kept."""

    tables: tuple[int, ...]
    axes: tuple[tuple[int, ...], ...]
    kept: tuple[int, ...]


class Elimination:
    """A plan to sum the product of some tables over all variables but a few.

    Parameters
    ----------
    scopes
        The variables of each table, one for each of its axes.
    keep
        The variables of the result, in the order of its axes; each must be in some scope.
    sizes
        The number of states of each variable.
    """

    def __init__(
        self,
        scopes: Sequence[Sequence[Hashable]],
        keep: Sequence[Hashable],
        sizes: Mapping[Hashable, int],
    ) -> None:
        live = {number: frozenset(scope) for number, scope in enumerate(scopes)}
        axes = {number: tuple(scope) for number, scope in enumerate(scopes)}
        rest = {one for scope in live.values() for one in scope} - set(keep)
        rank = {one: at for at, one in enumerate(dict.fromkeys(one for scope in scopes for one in scope))}
        self.largest = 1
        self._sums: list[_Sum] = []
        while rest:
            joined = {
                one: frozenset().union(*(scope for scope in live.values() if one in scope)) for one in rest
            }
            chosen = min(rest, key=lambda one: (_cells(joined[one], sizes), rank[one]))
            members = [number for number, scope in live.items() if chosen in scope]
            left = tuple(sorted(joined[chosen] - {chosen}, key=rank.__getitem__))
            self._add(members, axes, left, sizes)
            for number in members:
                del live[number]
            new = len(axes)
            live[new], axes[new] = frozenset(left), left
            rest.remove(chosen)
        self._add(list(live), axes, tuple(keep), sizes)

    def _add(
        self,
        members: list[int],
        axes: Mapping[int, tuple[Hashable, ...]],
        kept: tuple[Hashable, ...],
        sizes: Mapping[Hashable, int],
    ) -> None:
        everything = dict.fromkeys([one for number in members for one in axes[number]])
        label = {one: at for at, one in enumerate(everything)}
        self.largest = max(self.largest, _cells(everything, sizes))
        self._sums.append(
            _Sum(
                tuple(members),
                tuple(tuple(label[one] for one in axes[number]) for number in members),
                tuple(label[one] for one in kept),
            )
        )

    def __call__(self, tables: Sequence[Floats]) -> Floats:
        """The sum for these tables."""
        known = list(tables)
        for each in self._sums:
            parts: list[object] = []
            for number, axes in zip(each.tables, each.axes, strict=True):
                parts += [known[number], list(axes)]
            known.append(np.asarray(np.einsum(*parts, list(each.kept))))  # type: ignore[call-overload]
        return known[-1]


def _cells(scope: Collection[Hashable], sizes: Mapping[Hashable, int]) -> int:
    return math.prod(sizes[one] for one in scope)
