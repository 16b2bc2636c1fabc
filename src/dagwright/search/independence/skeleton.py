"""The skeleton by independence questions of growing size (Spirtes & Glymour 1991).

Two forms. The textbook one (Jensen & Nielsen 2007, Algorithm 7.1) removes a link as soon as it is separated,
so its answer depends on the order of the variables. The stable one (Colombo & Maathuis 2014) looks at the
neighbors that a variable had when the level began, so its answer does not, and a level can be asked in
batches.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, combinations, compress
from math import comb

from dagwright import _core
from dagwright.evidence.bound import Bound, NativeTest
from dagwright.evidence.protocols import Triple
from dagwright.graph.query import Verdict
from dagwright.search.control import CancelToken, Control
from dagwright.search.independence.block_cut import edge_blocks
from dagwright.search.independence.link_law import LinkLaw, Pair, PairQuestion, as_pair
from dagwright.search.independence.stored_separations import Separated, StoredSeparations, as_columns
from dagwright.search.problem import Stopped

QUICK, SLOW = 0.02, 0.2
"""Seconds: a batch that takes less, or more, is followed by one four times as long, or as short."""


class Asker:
    """Asks questions in batches and counts them by the size of the conditioning set."""

    def __init__(self, test: Bound, cancel: CancelToken | None = None) -> None:
        self.test = test
        self._cancel = CancelToken() if cancel is None else cancel
        self.asked: Counter[int] = Counter()

    def ask(self, questions: Sequence[PairQuestion]) -> list[Verdict]:
        """All answers; a request to stop ends the asking as Ctrl-C does.

        Questions of the core go in one batch. Others: long batches where answers are quick, short ones where
        they are slow.
        """
        triples, verdicts, size = self._counted(questions), list[Verdict](), 1
        if isinstance(self.test, NativeTest):
            size = len(triples)
        while len(verdicts) < len(triples):
            if self._cancel.cancelled:
                raise KeyboardInterrupt
            began = time.monotonic()
            verdicts += self.test.verdicts(triples[len(verdicts) : len(verdicts) + size])
            taken = time.monotonic() - began
            size = 4 * size if taken < QUICK else max(1, size // 4) if taken > SLOW else size
        return verdicts

    def independent(self, questions: Sequence[PairQuestion]) -> list[bool]:
        """Yes or no, without the facts of a verdict."""
        return self.test.decisions(self._counted(questions))

    def separations(self, questions: Sequence[PairQuestion]) -> list[Verdict | None]:
        """The verdicts that find independence; None for the others, whose facts nobody will read."""
        if not isinstance(self.test, NativeTest):
            return [verdict if verdict.independent else None for verdict in self.ask(questions)]
        answers = self.independent(questions)
        facts = iter(self.test.verdicts(_triples(compress(questions, answers))))
        return [next(facts) if yes else None for yes in answers]

    def effects(self, pairs: Sequence[Pair]) -> list[float]:
        """How strongly each pair depends on each other with nothing given, in nats per row."""
        return [verdict.effect or 0.0 for verdict in self.ask([(x, y, ()) for x, y in pairs])]

    def clearness(self, questions: Sequence[PairQuestion]) -> list[float]:
        """How clearly pairs depend on each other: minus log p, else the effect, else the gain, else 0."""
        return [
            -verdict.log_p if verdict.log_p is not None else verdict.effect or verdict.gain or 0.0
            for verdict in self.ask(questions)
        ]

    def _counted(self, questions: Sequence[PairQuestion]) -> list[Triple]:
        self.asked.update(len(given) for _, _, given in questions)
        return _triples(questions)


def _triples(questions: Iterable[PairQuestion]) -> list[Triple]:
    return [Triple(frozenset([x]), frozenset([y]), frozenset(given)) for x, y, given in questions]


@dataclass(slots=True)
class Skeleton:
    """Which variables are adjacent, and what separated the others."""

    around: list[set[int]]
    separated: MutableMapping[Pair, Separated] = field(default_factory=dict)
    stopped: Stopped | None = None

    @staticmethod
    def complete(law: LinkLaw) -> Skeleton:
        return Skeleton([{y for y in range(law.n) if y != x and law.may_link(x, y)} for x in range(law.n)])

    def given(self, pair: Pair) -> Collection[int]:
        """The set that separated a pair."""
        stored = self.separated
        return stored.given(pair) if isinstance(stored, StoredSeparations) else stored[pair].given

    def pairs(self) -> _core.SeparatedPairs:
        """The links and the separated pairs in the core."""
        return _core.SeparatedPairs(self.around, *as_columns(self.separated))

    def links(self) -> list[Pair]:
        return [(x, y) for x, near in enumerate(self.around) for y in sorted(near) if x < y]

    def unlink(self, x: int, y: int, found: Separated) -> None:
        self.around[x].discard(y)
        self.around[y].discard(x)
        self.separated[as_pair(x, y)] = found

    def link(self, x: int, y: int) -> None:
        self.around[x].add(y)
        self.around[y].add(x)
        pair = as_pair(x, y)
        if pair in self.separated:
            del self.separated[pair]

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
"""A link, and the sets that may separate its ends."""

LARGEST_BATCH = 2048


def stable_skeleton(
    asker: Asker, law: LinkLaw, control: Control, max_size: int | None, *, on_paths: bool
) -> Skeleton:
    """The order-independent form; the questions of a level are asked one per link and round."""
    found = Skeleton.complete(law)
    size = 0
    while (max_size is None or size <= max_size) and found.stopped is None:
        blocks = edge_blocks(found.around) if on_paths else None
        waiting: list[Candidate] = []
        for x, y in found.links():
            if (x, y) in law.required:
                continue
            inside = None if blocks is None else blocks[x, y]
            sides = [law.candidates(found.around[at], x, y) for at in (x, y)]
            if inside is not None:
                sides = [[v for v in side if v in inside] for side in sides]
            if max(map(len, sides)) >= size:
                waiting.append(((x, y), either_side(sides, size)))
        if not waiting:
            break
        remove_separated(asker, control, found, waiting, "skeleton", size)
        size += 1
    return found


def separate_links(
    asker: Asker,
    law: LinkLaw,
    control: Control,
    found: Skeleton,
    max_size: int | None,
    links: Mapping[Pair, Set[int]],
) -> None:
    """Ask about some links only, each by sets of neighbors without those that are named with it."""
    size = 1
    while (max_size is None or size <= max_size) and found.stopped is None:
        waiting: list[Candidate] = []
        for (x, y), without in links.items():
            if y not in found.around[x]:
                continue
            sides = [law.candidates(found.around[at] - without, x, y) for at in (x, y)]
            if max(map(len, sides)) >= size:
                waiting.append(((x, y), either_side(sides, size)))
        if not waiting:
            return
        remove_separated(asker, control, found, waiting, "links put back", size)
        size += 1


def remove_separated(
    asker: Asker, control: Control, found: Skeleton, waiting: list[Candidate], phase: str, size: int
) -> list[Pair]:
    """Ask about each link until a set separates it, and remove those links together at the end.

    A time limit or Ctrl-C ends the asking; what was found until then is removed.
    """
    removed: list[tuple[Pair, Separated]] = []
    try:
        while waiting and found.stopped is None:
            waiting = _one_round(asker, control, found, waiting, removed)
            control.report(phase, asker.asked.total(), float(size))
    except KeyboardInterrupt:
        found.stopped = control.interrupted()
    for pair, separated in removed:
        found.unlink(*pair, separated)
    return [pair for pair, _ in removed]


def _one_round(
    asker: Asker,
    control: Control,
    found: Skeleton,
    waiting: list[Candidate],
    removed: list[tuple[Pair, Separated]],
) -> list[Candidate]:
    """One question about each link; those that are still dependent wait on."""
    asked = [(pair, sets, given) for pair, sets in waiting if (given := next(sets, None)) is not None]
    still = []
    for start in range(0, len(asked), LARGEST_BATCH):
        if (reason := control.stopped()) is not None:
            found.stopped = reason
            break
        batch = asked[start : start + LARGEST_BATCH]
        verdicts = asker.separations([(*pair, given) for pair, _, given in batch])
        for (pair, sets, given), verdict in zip(batch, verdicts, strict=True):
            if verdict is None:
                still.append((pair, sets))
            else:
                removed.append((pair, Separated(frozenset(given), verdict)))
    return still


def textbook_skeleton(
    asker: Asker,
    law: LinkLaw,
    control: Control,
    max_size: int | None,
    order: Sequence[int],
    *,
    on_paths: bool,
) -> Skeleton:
    """Algorithm 7.1 of Jensen & Nielsen (2007): one question after the other, neighbors updated at once."""
    found = Skeleton.complete(law)
    try:
        _ask_in_order(asker, law, control, max_size, order, found, on_paths=on_paths)
    except KeyboardInterrupt:
        found.stopped = control.interrupted()
    return found


def _ask_in_order(
    asker: Asker,
    law: LinkLaw,
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
                if as_pair(x, y) in law.required:
                    continue
                usable = law.candidates(found.around[x], x, y)
                if on_paths:
                    inside = edge_blocks(found.around)[as_pair(x, y)]
                    usable = [v for v in usable if v in inside]
                for given in combinations(sorted(usable, key=rank.__getitem__), size):
                    if (reason := control.stopped()) is not None:
                        found.stopped = reason
                        return
                    (verdict,) = asker.ask([(x, y, given)])
                    if verdict.independent:
                        found.unlink(x, y, Separated(frozenset(given), verdict))
                        break
            control.report("skeleton", asker.asked.total(), float(size))
        size += 1


def either_side(sides: Sequence[Sequence[int]], size: int) -> Iterator[tuple[int, ...]]:
    """The subsets of one size of either list, each once: those of the first list first."""
    first = set(sides[0])
    fresh = (given for given in combinations(sides[1], size) if not first.issuperset(given))
    return chain(combinations(sides[0], size), fresh)


def separate_forbidden(
    asker: Asker, law: LinkLaw, control: Control, found: Skeleton, max_size: int | None
) -> None:
    """Look for what separates pairs that are apart by knowledge only, where a collider may lie between them.

    That a link is forbidden says nothing about which set separates its ends, so it is asked for.
    """
    if not law.forbidden:
        return
    try:
        for x, y in found.unseparated():
            sides = [law.candidates(found.around[at], x, y) for at in (x, y)]
            largest = max(map(len, sides))
            sizes = range(min(largest, largest if max_size is None else max_size) + 1)
            for given in chain.from_iterable(either_side(sides, size) for size in sizes):
                if found.stopped is not None:
                    return
                if (reason := control.stopped()) is not None:
                    found.stopped = reason
                    return
                (verdict,) = asker.ask([(x, y, given)])
                if verdict.independent:
                    found.separated[x, y] = Separated(frozenset(given), verdict)
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
