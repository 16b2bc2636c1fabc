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

    def listed(self, names: Sequence[str]) -> Iterator[Separation]:
        """All pairs by name; most of them in the order of the size of what separated them, then of names."""
        test = self._test
        if test.least is not None:
            yield from (separation(names, pair, self[pair]) for pair in self)
            return
        for (a, b), row in self._in_order(names):
            x, y = names[a], names[b]
            given = self._members[self._ends[row] : self._ends[row + 1]]
            statistic, df = self._statistic[row], self._df[row]
            yield Separation(
                *((x, y) if x < y else (y, x)),
                tuple(sorted([names[at] for at in given])) if given else (),
                statistic,
                df,
                exp(self._log_p[row]),
                statistic / (2.0 * test.N) if test.N else 0.0,
                test.note if df else "no degrees of freedom",
            )
        yield from (separation(names, pair, one) for pair, one in self._made.items() if pair not in self._row)

    def _in_order(self, names: Sequence[str]) -> Iterator[tuple[Pair, int]]:
        pairs = list(self._row)
        rows = np.fromiter(self._row.values(), dtype=np.intp, count=len(pairs))
        rank = np.empty(len(names), dtype=np.intp)
        rank[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
        ends = np.sort(rank[np.array(pairs, dtype=np.intp).reshape(-1, 2)], axis=1)
        sizes = np.diff(self._ends)[rows]
        order = np.lexsort((ends[:, 1], ends[:, 0], sizes))
        return ((pairs[at], int(rows[at])) for at in order.tolist())


def separation(names: Sequence[str], pair: Pair, found: Separated) -> Separation:
    """What separated a pair, by name."""
    x, y = sorted(names[at] for at in pair)
    verdict = found.verdict
    given = tuple(sorted(names[at] for at in found.given))
    return Separation(
        x, y, given, verdict.statistic, verdict.df, verdict.p_value, verdict.effect, verdict.note
    )
