"""The skeleton by independence questions of growing size (Spirtes & Glymour 1991).

Two forms. The textbook one (Jensen & Nielsen 2007, Algorithm 7.1) removes an edge as soon as it is separated,
so its answer depends on the order of the variables. The stable one (Colombo & Maathuis 2014) looks at the
neighbors that a variable had when the level began, so its answer does not, and a level can be asked in
batches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, combinations
from math import comb

import numpy as np

from dagwright import _core
from dagwright.evidence.bound import NativeTest
from dagwright.evidence.false_discoveries import FalseDiscoveryRate
from dagwright.search.control import Control, stopped_by
from dagwright.search.independence.block_cut import edge_blocks
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, Pair, as_pair
from dagwright.search.independence.separation_table import Separated, SeparationTable, as_columns
from dagwright.search.independence.tester import EdgeLevels, PairTester
from dagwright.search.problem import Stopped

Resolved = tuple[list[Pair], Pair]
"""Edges that were each removed because of others of them, and the one that was put back."""


@dataclass(slots=True)
class Skeleton:
    """Which variables are adjacent, and what separated the others.

    ``resolved`` lists the uncertain regions where the core has resolved them with the skeleton.
    """

    around: list[set[int]]
    separated: MutableMapping[Pair, Separated] = field(default_factory=dict)
    stopped: Stopped | None = None
    resolved: list[Resolved] | None = None
    _pairs: _core.SeparatedPairs | None = field(default=None, repr=False, compare=False)

    @staticmethod
    def complete(knowledge: NumberedKnowledge) -> Skeleton:
        return Skeleton(
            [
                {y for y in range(knowledge.n) if y != x and knowledge.may_link(x, y)}
                for x in range(knowledge.n)
            ]
        )

    def given(self, pair: Pair) -> Collection[int]:
        """The set that separated a pair."""
        stored = self.separated
        return stored.given(pair) if isinstance(stored, SeparationTable) else stored[pair].given

    def pairs(self) -> _core.SeparatedPairs:
        """The edges and the separated pairs in the core, which keeps them as long as nothing changes."""
        if self._pairs is None:
            self._pairs = _core.SeparatedPairs(self.around, *as_columns(self.separated))
        return self._pairs

    def edges(self) -> list[Pair]:
        return [(x, y) for x, near in enumerate(self.around) for y in sorted(near) if x < y]

    def unlink(self, x: int, y: int, found: Separated) -> None:
        self.around[x].discard(y)
        self.around[y].discard(x)
        self.separate(x, y, found)

    def separate(self, x: int, y: int, found: Separated) -> None:
        """Note what separates a pair that is not adjacent."""
        self.separated[as_pair(x, y)] = found
        self._pairs = None

    def edge(self, x: int, y: int) -> None:
        self.around[x].add(y)
        self.around[y].add(x)
        pair = as_pair(x, y)
        if pair in self.separated:
            del self.separated[pair]
        self._pairs = None

    def unseparated(self) -> list[Pair]:
        """The ends of unshielded triples that are apart by knowledge only."""
        return sorted({(a, b) for a, _, b in self.unshielded() if (a, b) not in self.separated})

    def unshielded(self) -> Iterator[tuple[int, int, int]]:
        """Every (a, c, b) with a - c - b, a and b not adjacent, a before b."""
        for c, near in enumerate(self.around):
            for a, b in combinations(sorted(near), 2):
                if b not in self.around[a]:
                    yield a, c, b


Candidate = tuple[Pair, Iterator[tuple[int, ...]]]
"""An edge, and the sets that may separate its ends."""

LARGEST_BATCH = 2048


def stable_skeleton(
    tester: PairTester,
    knowledge: NumberedKnowledge,
    control: Control,
    max_size: int | None,
    *,
    on_paths: bool,
) -> Skeleton:
    """The order-independent form; the questions of a level are asked one per edge and round."""
    found = Skeleton.complete(knowledge)
    size = 0
    while (max_size is None or size <= max_size) and found.stopped is None:
        blocks = edge_blocks(found.around) if on_paths else None
        waiting: list[Candidate] = []
        for x, y in found.edges():
            if (x, y) in knowledge.required:
                continue
            inside = None if blocks is None else blocks[x, y]
            sides = [knowledge.candidates(found.around[at], x, y) for at in (x, y)]
            if inside is not None:
                sides = [[v for v in side if v in inside] for side in sides]
            if max(map(len, sides)) >= size:
                waiting.append(((x, y), either_side(sides, size)))
        if not waiting:
            break
        remove_separated(tester, control, found, waiting, "skeleton", size)
        size += 1
    return found


def separate_edges(
    tester: PairTester,
    knowledge: NumberedKnowledge,
    control: Control,
    found: Skeleton,
    max_size: int | None,
    edges: Mapping[Pair, Set[int]],
) -> None:
    """Ask about some edges only, each by sets of neighbors without those that are named with it."""
    size = 1
    while (max_size is None or size <= max_size) and found.stopped is None:
        waiting: list[Candidate] = []
        for (x, y), without in edges.items():
            if y not in found.around[x]:
                continue
            sides = [knowledge.candidates(found.around[at] - without, x, y) for at in (x, y)]
            if max(map(len, sides)) >= size:
                waiting.append(((x, y), either_side(sides, size)))
        if not waiting:
            return
        remove_separated(tester, control, found, waiting, "edges put back", size)
        size += 1


def remove_separated(
    tester: PairTester, control: Control, found: Skeleton, waiting: list[Candidate], phase: str, size: int
) -> list[Pair]:
    """Ask about each edge until a set of one size separates it, and remove those edges together at the end.

    A time limit or Ctrl-C ends the asking; what was found until then is removed.
    """
    removed: list[tuple[Pair, Separated]] = []
    total = len(waiting)
    try:
        while waiting and found.stopped is None:
            waiting = _one_round(tester, control, found, waiting, removed)
            control.report(f"{phase}, sets of {size}", total - len(waiting), "pairs", total=total)
    except KeyboardInterrupt:
        found.stopped = control.interrupted()
    for pair, separated in removed:
        found.unlink(*pair, separated)
    return [pair for pair, _ in removed]


def _one_round(
    tester: PairTester,
    control: Control,
    found: Skeleton,
    waiting: list[Candidate],
    removed: list[tuple[Pair, Separated]],
) -> list[Candidate]:
    """One question about each edge; those that are still dependent wait on."""
    queries = [(pair, sets, given) for pair, sets in waiting if (given := next(sets, None)) is not None]
    still = []
    for start in range(0, len(queries), LARGEST_BATCH):
        if (reason := control.stopped()) is not None:
            found.stopped = reason
            break
        batch = queries[start : start + LARGEST_BATCH]
        verdicts = tester.separations([(*pair, given) for pair, _, given in batch])
        for (pair, sets, given), verdict in zip(batch, verdicts, strict=True):
            if verdict is None:
                still.append((pair, sets))
            else:
                removed.append((pair, Separated(frozenset(given), verdict)))
    return still


def textbook_skeleton(
    tester: PairTester,
    knowledge: NumberedKnowledge,
    control: Control,
    max_size: int | None,
    order: Sequence[int],
    *,
    on_paths: bool,
) -> Skeleton:
    """Algorithm 7.1 of Jensen & Nielsen (2007): one question after the other, neighbors updated at once."""
    found = Skeleton.complete(knowledge)
    try:
        _ask_in_order(tester, knowledge, control, max_size, order, found, on_paths=on_paths)
    except KeyboardInterrupt:
        found.stopped = control.interrupted()
    return found


def _ask_in_order(
    tester: PairTester,
    knowledge: NumberedKnowledge,
    control: Control,
    max_size: int | None,
    order: Sequence[int],
    found: Skeleton,
    *,
    on_paths: bool,
) -> None:
    rank = {v: at for at, v in enumerate(order)}
    size = 0
    while (max_size is None or size <= max_size) and any(len(near) > size for near in found.around):
        for x in order:
            for y in sorted(found.around[x], key=rank.__getitem__):
                if as_pair(x, y) in knowledge.required:
                    continue
                usable = knowledge.candidates(found.around[x], x, y)
                if on_paths:
                    inside = edge_blocks(found.around)[as_pair(x, y)]
                    usable = [v for v in usable if v in inside]
                for given in combinations(sorted(usable, key=rank.__getitem__), size):
                    if (reason := control.stopped()) is not None:
                        found.stopped = reason
                        return
                    (verdict,) = tester.ask([(x, y, given)])
                    if verdict.independent:
                        found.unlink(x, y, Separated(frozenset(given), verdict))
                        break
            control.report("skeleton in order", tester.tests.total(), "tests")
        size += 1


def either_side(sides: Sequence[Sequence[int]], size: int) -> Iterator[tuple[int, ...]]:
    """The subsets of one size of either list, each once: those of the first list first."""
    first = set(sides[0])
    fresh = (given for given in combinations(sides[1], size) if not first.issuperset(given))
    return chain(combinations(sides[0], size), fresh)


def separate_forbidden(
    tester: PairTester, knowledge: NumberedKnowledge, control: Control, found: Skeleton, max_size: int | None
) -> None:
    """Look for what separates pairs that are apart by knowledge only, where a collider may lie between them.

    That an edge is forbidden says nothing about which set separates its ends, so it is asked for.
    """
    if not knowledge.forbidden:
        return
    try:
        for x, y in found.unseparated():
            sides = [knowledge.candidates(found.around[at], x, y) for at in (x, y)]
            largest = max(map(len, sides))
            sizes = range(min(largest, largest if max_size is None else max_size) + 1)
            for given in chain.from_iterable(either_side(sides, size) for size in sizes):
                if found.stopped is not None:
                    return
                if (reason := control.stopped()) is not None:
                    found.stopped = reason
                    return
                (verdict,) = tester.ask([(x, y, given)])
                if verdict.independent:
                    found.separate(x, y, Separated(frozenset(given), verdict))
                    break
    except KeyboardInterrupt:
        found.stopped = control.interrupted()


def question_bound(n: int, sizes: Iterable[int]) -> int:
    """n (n - 1) sum of C(n - 2, i) for i up to the largest size asked (Jensen & Nielsen 2007, Ex. 7.4).

    >>> question_bound(5, [0, 1, 2]), question_bound(10, [3])
    (140, 8370)
    """
    largest = max(sizes, default=-1)
    return n * (n - 1) * sum(comb(n - 2, size) for size in range(largest + 1))


def native_skeleton(
    tester: PairTester,
    knowledge: NumberedKnowledge,
    control: Control,
    max_size: int | None,
    *,
    resolve: bool = False,
) -> Skeleton:
    """The result of `stable_skeleton`, by the same questions, for a `NativeTest`.

    With ``resolve`` uncertain regions are resolved as `put_back_strongest` does it.
    """
    test = tester.test
    assert isinstance(test, NativeTest)
    forbidden, fixed = np.zeros((2, knowledge.n, knowledge.n), dtype=np.bool_)
    for x, y in knowledge.forbidden:
        forbidden[x, y] = True
    joined = ~(forbidden & forbidden.T)
    for x, y in knowledge.required:
        fixed[x, y] = fixed[y, x] = True
    useful = np.ones((knowledge.n, knowledge.n), dtype=np.bool_)
    for x, ancestors in enumerate(knowledge.ancestors or ()):
        useful[x] = False
        useful[x, sorted(ancestors)] = True
    answer = _core.stable_skeleton(
        test.native_test,
        joined,
        fixed,
        useful,
        max_size=max_size,
        keep_levels=isinstance(tester, EdgeLevels),
        resolve=resolve,
        threads=control.threads,
        seconds=control.seconds_left(),
        progress=control.native_progress,
        cancel=control.cancel,
    )
    tester.tests.update({size: count for size, count in enumerate(answer.asked) if count})
    if isinstance(tester, EdgeLevels):
        tester.alone.update(SeparationTable(test, knowledge.n, answer.alone))
        tester.largest.update(SeparationTable(test, knowledge.n, answer.largest))
    separated = SeparationTable(test, knowledge.n, answer.separated)
    resolved = [(one.region, one.edge) for one in answer.put_back] if resolve else None
    return Skeleton(answer.around, separated, stopped_by(answer.stopped), resolved, answer.pairs)


def order_independent_skeleton(
    tester: PairTester,
    knowledge: NumberedKnowledge,
    control: Control,
    max_size: int | None,
    *,
    on_paths: bool = False,
    resolve: bool = False,
) -> Skeleton:
    """The stable form: in the core where the test can run there, else in Python.

    Only the core resolves uncertain regions at once, where that is wanted.
    """
    if isinstance(tester.test, NativeTest) and not on_paths:
        return native_skeleton(tester, knowledge, control, max_size, resolve=resolve)
    return stable_skeleton(tester, knowledge, control, max_size, on_paths=on_paths)


def control_false_discoveries(found: Skeleton, levels: EdgeLevels, fdr: FalseDiscoveryRate) -> list[Pair]:
    """Control the false discovery rate over the edges of a skeleton (Strobl, Spirtes & Visweswaran 2019).

    Removes the edges whose p-values the procedure does not believe, as separated by the set in question.
    Every pair that was asked about is a hypothesis; what knowledge decides is none. An edge that was
    separated and put back rests on the dependence of its ends alone.
    """
    decisive = {}
    for pair, worst in sorted(levels.largest.items()):
        put_back = worst.verdict.independent and pair[1] in found.around[pair[0]]
        decisive[pair] = levels.alone[pair] if put_back and pair in levels.alone else worst
    believed = fdr.rejected([levels.p(answer) for answer in decisive.values()])
    dropped = []
    for (pair, answer), dependent in zip(decisive.items(), believed, strict=True):
        if not dependent and pair[1] in found.around[pair[0]]:
            found.unlink(*pair, answer)
            dropped.append(pair)
    return dropped
