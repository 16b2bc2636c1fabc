"""What separated very many pairs, kept as the core found it; objects are made of what is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np

from dagwright.evidence.bound import Triple
from dagwright.evidence.chi_squared import BoundChiSquared
from dagwright.graph.query import Verdict
from dagwright.search.link_law import Pair
from dagwright.search.problem import Separation


@dataclass(frozen=True, slots=True)
class Separated:
    """The set that separated two variables, and the verdict that said so."""

    given: frozenset[int]
    verdict: Verdict


class StoredSeparations(MutableMapping[Pair, Separated]):
    """Separated pairs of `_core.stable_skeleton`, as a mapping like any other."""

    def __init__(self, test: BoundChiSquared, answer: dict[str, Any]) -> None:
        self._test = test
        self._row: dict[Pair, int] = {
            pair: row for row, pair in enumerate(zip(answer["x"], answer["y"], strict=True))
        }
        self._members: list[int] = answer["members"]
        self._ends: list[int] = [0, *answer["ends"]]
        self._statistic: list[float] = answer["statistic"]
        self._df: list[float] = answer["df"]
        self._log_p: list[float] = answer["log_p"]
        self._made: dict[Pair, Separated] = {}

    def given(self, pair: Pair) -> Collection[int]:
        """What separated a pair, without the verdict."""
        row = self._row.get(pair)
        if row is None:
            return self._made[pair].given
        return self._members[self._ends[row] : self._ends[row + 1]]

    def conditional(self) -> dict[Pair, Collection[int]]:
        """The pairs that were separated by something, and what it was."""
        ends, members = self._ends, self._members
        found: dict[Pair, Collection[int]] = {
            pair: members[ends[row] : ends[row + 1]]
            for pair, row in self._row.items()
            if ends[row] < ends[row + 1]
        }
        found.update((pair, one.given) for pair, one in self._made.items() if one.given)
        return found

    def __getitem__(self, pair: Pair) -> Separated:
        made = self._made.get(pair)
        if made is None:
            row = self._row[pair]
            given = frozenset(self.given(pair))
            triple = Triple(frozenset(pair[:1]), frozenset(pair[1:]), given)
            verdict = self._test.decide(triple, self._statistic[row], self._df[row], self._test.N)
            made = self._made[pair] = Separated(given, verdict)
        return made

    def __setitem__(self, pair: Pair, found: Separated) -> None:
        self._row.pop(pair, None)
        self._made[pair] = found

    def __delitem__(self, pair: Pair) -> None:
        if self._row.pop(pair, None) is None and pair not in self._made:
            raise KeyError(pair)
        self._made.pop(pair, None)

    def __contains__(self, pair: object) -> bool:
        return pair in self._row or pair in self._made

    def __iter__(self) -> Iterator[Pair]:
        yield from self._row
        yield from (pair for pair in self._made if pair not in self._row)

    def __len__(self) -> int:
        return len(self._row) + sum(pair not in self._row for pair in self._made)

    def listed(self, names: Sequence[str]) -> list[Separation]:
        """All pairs by name; by the size of what separated them, then by names."""
        test = self._test
        if test.least is not None:
            return sorted((separation(names, pair, self[pair]) for pair in self), key=by_size)
        # Tens of thousands of pairs are common, so columns are put together rather than objects.
        ordered = sorted(range(len(names)), key=names.__getitem__)
        rank = np.argsort(ordered)
        rows = np.fromiter(self._row.values(), dtype=np.intp, count=len(self._row))
        ends = np.sort(rank[np.array(list(self._row), dtype=np.intp).reshape(-1, 2)], axis=1)
        order = np.lexsort((ends[:, 1], ends[:, 0], np.diff(self._ends)[rows]))
        rows, ends = rows[order], ends[order]
        alphabetical = np.array([names[at] for at in ordered], dtype=object)
        statistic, df = np.array(self._statistic)[rows], np.array(self._df)[rows]
        columns = zip(
            alphabetical[ends[:, 0]].tolist(),
            alphabetical[ends[:, 1]].tolist(),
            [self._named(names, row) for row in rows.tolist()],
            statistic.tolist(),
            df.tolist(),
            [exp(self._log_p[row]) for row in rows.tolist()],
            (statistic / (2.0 * test.N) if test.N else 0.0 * statistic).tolist(),
            [test.note if some else "no degrees of freedom" for some in df.tolist()],
            strict=True,
        )
        found = list(map(Separation._make, columns))
        others = [pair for pair in self._made if pair not in self._row]
        if not others:
            return found
        return sorted([*found, *(separation(names, pair, self._made[pair]) for pair in others)], key=by_size)

    def _named(self, names: Sequence[str], row: int) -> tuple[str, ...]:
        start, end = self._ends[row], self._ends[row + 1]
        return tuple(sorted([names[at] for at in self._members[start:end]])) if start < end else ()


def by_size(one: Separation) -> tuple[int, str, str]:
    """Small sets first, then by name."""
    return len(one.given), one.x, one.y


def separation(names: Sequence[str], pair: Pair, found: Separated) -> Separation:
    """What separated a pair, by name."""
    x, y = sorted(names[at] for at in pair)
    verdict = found.verdict
    given = tuple(sorted(names[at] for at in found.given))
    return Separation(
        x, y, given, verdict.statistic, verdict.df, verdict.p_value, verdict.effect, verdict.note
    )
