"""The separating sets of very many pairs, kept as the core found them; objects are made on demand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from dagwright import _core
from dagwright.evidence.bound import NativeTest
from dagwright.evidence.native_answers import verdicts_of
from dagwright.evidence.protocols import Triple
from dagwright.graph.query import Verdict
from dagwright.search.independence.numbered_knowledge import Pair
from dagwright.search.problem import Separation

Numbers = npt.NDArray[np.uint32]
Columns = tuple[Numbers, Numbers, Numbers, Numbers]
"""x, y, the members of all separating sets in a row, and where the set of each pair ends."""


@dataclass(frozen=True, slots=True)
class Separated:
    """The set that separated two variables, and the verdict that said so."""

    given: frozenset[int]
    verdict: Verdict


class SeparationTable(MutableMapping[Pair, Separated]):
    """Tested pairs of `_core.stable_skeleton`, as a mapping like any other."""

    def __init__(self, test: NativeTest, n: int, pairs: _core.TestedPairs) -> None:
        self._test = test
        self._n = n
        self._pairs = pairs
        self._x: Numbers = pairs.x
        self._y: Numbers = pairs.y
        self._members: Numbers = pairs.members
        self._ends: Numbers = pairs.ends
        self._made: dict[Pair, Separated] = {}
        self._kept: npt.NDArray[np.bool_] | None = None  # None: every row

    @cached_property
    def _row(self) -> dict[int, int]:
        """The row of each pair, by x n + y."""
        codes = self._x.astype(np.int64) * self._n + self._y
        return dict(zip(codes.tolist(), range(len(codes)), strict=True))

    @cached_property
    def _sets(self) -> tuple[list[int], list[int]]:
        """The members of all sets, and where each begins."""
        return self._members.tolist(), [0, *self._ends.tolist()]

    @cached_property
    def _facts(self) -> list[Verdict]:
        """The verdict on each row."""
        members, starts = self._sets
        triples = [
            Triple(frozenset([x]), frozenset([y]), frozenset(members[starts[row] : starts[row + 1]]))
            for row, (x, y) in enumerate(zip(self._x.tolist(), self._y.tolist(), strict=True))
        ]
        answers = self._pairs.facts(self._test.native_test, self._test.threads)
        return verdicts_of(answers, triples, self._test.note_on)

    def given(self, pair: Pair) -> Collection[int]:
        """The separating set of a pair, without the verdict."""
        row = self._row.get(pair[0] * self._n + pair[1])
        if row is None:
            return self._made[pair].given
        members, starts = self._sets
        return members[starts[row] : starts[row + 1]]

    def columns(self) -> Columns:
        """All pairs that are here now."""
        kept = self._kept
        if kept is None:
            return self._x, self._y, self._members, self._ends
        sizes = np.diff(self._ends, prepend=np.uint32(0))
        stored = (
            self._x[kept],
            self._y[kept],
            self._members[np.repeat(kept, sizes)],
            np.cumsum(sizes[kept], dtype=np.uint32),
        )
        others = {pair: one for pair, one in self._made.items() if not self._stored(pair)}
        if not others:
            return stored
        x, y, members, ends = as_columns(others)
        added = x, y, members, ends + np.uint32(len(stored[2]))
        x, y, members, ends = (np.concatenate(both) for both in zip(stored, added, strict=True))
        return x, y, members, ends

    def _leave_out(self, pair: Pair) -> bool:
        """Forget the row of a pair; whether there was one."""
        row = self._row.pop(pair[0] * self._n + pair[1], None)
        if self._kept is None:
            self._kept = np.ones(len(self._x), dtype=np.bool_)
        if row is not None:
            self._kept[row] = False
        return row is not None

    def _stored(self, pair: Pair) -> bool:
        return pair[0] * self._n + pair[1] in self._row

    def __getitem__(self, pair: Pair) -> Separated:
        made = self._made.get(pair)
        if made is None:
            row = self._row.get(pair[0] * self._n + pair[1])
            if row is None:
                raise KeyError(pair)
            made = self._made[pair] = Separated(frozenset(self.given(pair)), self._facts[row])
        return made

    def __setitem__(self, pair: Pair, found: Separated) -> None:
        self._leave_out(pair)
        self._made[pair] = found

    def __delitem__(self, pair: Pair) -> None:
        if not self._leave_out(pair) and pair not in self._made:
            raise KeyError(pair)
        self._made.pop(pair, None)

    def __contains__(self, pair: object) -> bool:
        return isinstance(pair, tuple) and (self._stored(pair) or pair in self._made)

    def __iter__(self) -> Iterator[Pair]:
        yield from (divmod(code, self._n) for code in self._row)
        yield from (pair for pair in self._made if not self._stored(pair))

    def __len__(self) -> int:
        if self._kept is None:
            return len(self._x)
        return len(self._row) + sum(not self._stored(pair) for pair in self._made)

    def listed(self, names: Sequence[str]) -> list[Separation]:
        """All pairs by name; by the size of what separated them, then by names."""
        # Tens of thousands of pairs are common, so columns are put together rather than objects.
        ordered = sorted(range(len(names)), key=names.__getitem__)
        rank = np.argsort(ordered)
        rows = np.arange(len(self._x)) if self._kept is None else np.flatnonzero(self._kept)
        ends = np.sort(rank[np.stack((self._x, self._y), axis=1)[rows]], axis=1)
        sizes = np.diff(self._ends, prepend=np.uint32(0))
        order = np.lexsort((ends[:, 1], ends[:, 0], sizes[rows]))
        rows, ends = rows[order], ends[order]
        alphabetical = np.array([names[at] for at in ordered], dtype=object)
        verdicts = self._facts
        columns = zip(
            alphabetical[ends[:, 0]].tolist(),
            alphabetical[ends[:, 1]].tolist(),
            rows.tolist(),
            strict=True,
        )
        found = [
            Separation(x, y, self._named(names, row), v.statistic, v.df, v.p_value, v.effect, v.note)
            for x, y, row in columns
            for v in (verdicts[row],)
        ]
        others = [pair for pair in self._made if not self._stored(pair)]
        if not others:
            return found
        return sorted([*found, *(separation(names, pair, self._made[pair]) for pair in others)], key=by_size)

    def _named(self, names: Sequence[str], row: int) -> tuple[str, ...]:
        members, starts = self._sets
        start, end = starts[row], starts[row + 1]
        return tuple(sorted([names[at] for at in members[start:end]])) if start < end else ()


class LazySeparations(Sequence[Separation]):
    """A tuple that is made when it is first read: with many variables that takes longer than to learn."""

    def __init__(self, size: int, make: Callable[[], Sequence[Separation]]) -> None:
        self._size = size
        self._make: Callable[[], Sequence[Separation]] | None = make
        self._all: tuple[Separation, ...] = ()

    def _made(self) -> tuple[Separation, ...]:
        make = self._make
        if make is not None:
            self._all = tuple(make())
            self._make = None
        return self._all

    @overload
    def __getitem__(self, at: int) -> Separation: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Separation, ...]: ...
    def __getitem__(self, at: int | slice) -> Separation | tuple[Separation, ...]:
        return self._made()[at]

    def __iter__(self) -> Iterator[Separation]:
        return iter(self._made())

    def __len__(self) -> int:
        return self._size

    def __eq__(self, other: object) -> bool:
        return self._made() == (other._made() if isinstance(other, LazySeparations) else other)

    def __hash__(self) -> int:
        return hash(self._made())

    def __repr__(self) -> str:
        return repr(self._made())

    def __reduce__(self) -> tuple[type[tuple[Any, ...]], tuple[tuple[Separation, ...]]]:
        return tuple, (self._made(),)


def as_columns(separated: Mapping[Pair, Separated]) -> Columns:
    """Separated pairs, whatever mapping holds them."""
    if isinstance(separated, SeparationTable):
        return separated.columns()
    pairs = np.array(list(separated), dtype=np.uint32).reshape(-1, 2)
    sets = [sorted(one.given) for one in separated.values()]
    members = np.array([v for given in sets for v in given], dtype=np.uint32)
    ends = np.cumsum([len(given) for given in sets], dtype=np.uint32)
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1]), members, ends


def by_size(one: Separation) -> tuple[int, str, str]:
    """Small sets first, then by name."""
    return len(one.given), one.x, one.y


def separation(names: Sequence[str], pair: Pair, found: Separated) -> Separation:
    """The separating set of a pair, by name."""
    x, y = sorted(names[at] for at in pair)
    verdict = found.verdict
    given = tuple(sorted(names[at] for at in found.given))
    return Separation(
        x, y, given, verdict.statistic, verdict.df, verdict.p_value, verdict.effect, verdict.note
    )
