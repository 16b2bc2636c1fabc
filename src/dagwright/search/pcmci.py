"""PCMCI+: independence tests for autocorrelated time series (Runge 2020).

Autocorrelation makes tests between a step and earlier steps unreliable. PCMCI+ first finds for each series
the earlier steps that matter to it. All further tests are given those of both ends (momentary conditional
independence), so that what the ends inherit from their own past does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import ClassVar, Literal, get_args

from dagwright.data.windows import Moment, moment_of
from dagwright.errors import OptionError, unknown_name
from dagwright.graph.query import Verdict
from dagwright.methods.traits import GraphKind
from dagwright.search.control import Control
from dagwright.search.costs import Usual
from dagwright.search.independence.account import Account
from dagwright.search.independence.by_tests import ByTests
from dagwright.search.independence.colliders import ConflictPolicy, Decided
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, Pair, as_pair
from dagwright.search.independence.separation_table import Separated
from dagwright.search.independence.skeleton import (
    LARGEST_BATCH,
    Candidate,
    Skeleton,
    either_side,
    remove_separated,
)
from dagwright.search.independence.tester import PairTester
from dagwright.search.pc import directed_answer
from dagwright.search.problem import Found, Problem
from dagwright.search.walks import require_at_least
from dagwright.sentences import Argument

Rule = Literal["majority", "standard"]


@dataclass(frozen=True, slots=True)
class PCMCIPlus(ByTests):
    """PC for windows of time series, with tests that account for autocorrelation.

    Use windows with twice the lags that edges may have: the tests also condition on the past of the earlier
    end of an edge. On rows that are not windows it is PC with the majority rule.

    Parameters
    ----------
    test
        Any test or score; the usual test for the kind of data by default. Not used when `learn` is given an
        oracle.
    max_lag
        The longest lag of an edge; by default half of the lags of the windows. With a longer one,
        conditioning sets stop at the end of the window, and the result says so.
    colliders
        "majority": c is a collider between a and b if it is in less than half of the sets that separate
        them. "standard": unless the set that separated them first has it.
    conflicts
        When colliders orient an edge in both directions, as in `PC`.
    max_size
        The most columns of the current step in a conditioning set; None means no bound.

    >>> from dagwright import Dag, learn
    >>> truth = Dag.parse("x[t-1] -> x[t]; x[t-1] -> y[t]; y[t-1] -> y[t]; y[t] -> z[t]; w[t] -> z[t]")
    >>> found = learn(oracle=truth, search=PCMCIPlus(max_lag=1), knowledge={"roots": ["?[t-1]"]})
    >>> print(found.graph)
    w[t] -> z[t]; x[t-1] -> x[t]; x[t-1] -> y[t]; y[t-1] -> y[t]; y[t] -> z[t]
    """

    summary: ClassVar[str] = "PC for autocorrelated time series"
    citation: ClassVar[str] = "Runge 2020"
    gives: ClassVar[GraphKind] = "cpdag"
    usual: ClassVar[Usual] = Usual(2.5, 3e-6)

    max_lag: int | None = None
    colliders: Rule = "majority"
    conflicts: ConflictPolicy = "strongest"
    max_size: int | None = None

    def __post_init__(self) -> None:
        ByTests.__post_init__(self)
        require_at_least("max_lag", self.max_lag, 1)
        require_at_least("max_size", self.max_size, 0)
        for option, value, known in (
            ("colliders", self.colliders, get_args(Rule)),
            ("conflicts", self.conflicts, get_args(ConflictPolicy)),
        ):
            if value not in known:
                raise unknown_name(f"value of {option}", value, known)

    def run(self, problem: Problem, control: Control) -> Found:
        knowledge = NumberedKnowledge(problem.knowledge)
        tester = PairTester(problem.score, control.cancel)
        run = _Run(self, problem.names, knowledge, tester, control)
        try:
            run.find_pasts()
        except KeyboardInterrupt:
            run.found.stopped = control.interrupted()
        run.separate()
        decided = run.decide_colliders()
        account = Account(problem.names)
        if run.cut_short:
            account.notes["beyond the window"] = (
                f"{run.cut_short} earlier columns that would be given are not in the windows; learn from "
                f"windows of {2 * run.reach} lags to have them"
            )
        return directed_answer(
            problem, knowledge, tester, run.found, decided, account, control, self.conflicts
        )


class _Run:
    """One run: which columns are of the current step, what matters to each, and the skeleton."""

    def __init__(
        self,
        search: PCMCIPlus,
        names: Sequence[str],
        knowledge: NumberedKnowledge,
        tester: PairTester,
        control: Control,
    ) -> None:
        self.search, self.knowledge, self.tester, self.control = search, knowledge, tester, control
        moments = [moment_of(name) for name in names]
        self.number = {moment: at for at, moment in enumerate(moments) if moment is not None}
        self.moments = moments
        lags = max((moment.lag for moment in self.number), default=0)
        self.reach = self._reach(lags)
        self.current = [
            at for at, moment in enumerate(moments) if not self.number or (moment and moment.lag == 0)
        ]
        self._now = set(self.current)
        self.found = self._edges()
        self.past: dict[int, list[int]] = {
            at: sorted(self.found.around[at] - self._now) for at in self.current
        }
        self._missing: set[Moment] = set()

    def _reach(self, lags: int) -> int:
        wanted = self.search.max_lag
        if wanted is None:
            return max(1, lags // 2)
        if self.number and wanted > lags:
            raise OptionError(
                Argument("max_lag", wanted), f", but the windows have {lags} lags; make longer windows"
            )
        return wanted

    @property
    def cut_short(self) -> int:
        """How many earlier columns the windows lack."""
        return len(self._missing)

    def _edges(self) -> Skeleton:
        """All edges that knowledge allows, from columns within reach to the current step."""
        found = Skeleton.complete(self.knowledge)
        for x, near in enumerate(found.around):
            moment = self.moments[x]
            far = moment is not None and moment.lag > self.reach
            for y in sorted(near):
                apart = far or (x not in self._now and y not in self._now)
                if apart and as_pair(x, y) not in self.knowledge.required:
                    near.discard(y)
                    found.around[y].discard(x)
        return found

    # First phase: the earlier columns that matter to each current one

    def find_pasts(self) -> None:
        """PC over earlier columns alone; each level gives the strongest others only."""
        strengths: dict[Pair, float] = {}
        level = 0
        while self.found.stopped is None:
            queries = [
                (y, x, tuple([other for other in self.past[y] if other != x][:level]))
                for y in self.current
                if len(self.past[y]) > level
                for x in self.past[y]
                if as_pair(x, y) not in self.knowledge.required
            ]
            if not queries:
                return
            removed: list[tuple[int, int, Separated]] = []
            for start in range(0, len(queries), LARGEST_BATCH):
                self.found.stopped = self.control.stopped()
                if self.found.stopped is not None:
                    break
                batch = queries[start : start + LARGEST_BATCH]
                verdicts = self.tester.ask([(x, y, given) for y, x, given in batch])
                for (y, x, given), verdict in zip(batch, verdicts, strict=True):
                    strengths[x, y] = min(_strength(verdict), strengths.get((x, y), float("inf")))
                    if verdict.independent:
                        removed.append((y, x, Separated(frozenset(given), verdict)))
                self.control.report("earlier steps", self.tester.tests.total(), "tests")
            for y, x, separated in removed:
                self.past[y].remove(x)
                self.found.unlink(x, y, separated)
            for y, others in self.past.items():
                others.sort(key=lambda x, y=y: (-strengths.get((x, y), float("inf")), x))  # type: ignore[misc]
            level += 1

    # Second phase: momentary conditional independence

    def given(self, x: int, y: int) -> set[int]:
        """The conditioning set: the causes of either end, each as of its own step."""
        found: set[int] = set()
        for end in (x, y):
            moment = self.moments[end]
            if end in self._now:
                found.update(self.past[end])
            elif moment is not None:
                found.update(self._shifted(moment))
        return found - {x, y}

    def _shifted(self, moment: Moment) -> Iterator[int]:
        now = self.number.get(Moment(moment.series, 0))
        for other in self.past.get(now, ()) if now is not None else ():
            earlier = self.moments[other]
            if earlier is None:
                yield other
                continue
            wanted = Moment(earlier.series, earlier.lag + moment.lag)
            if wanted in self.number:
                yield self.number[wanted]
            else:
                self._missing.add(wanted)

    def _sets(self, x: int, y: int, size: int) -> Iterator[tuple[int, ...]]:
        """Sets of ``size`` current neighbors of a current end, each with what matters to both ends."""
        sides = self._sides(x, y)
        always = self.given(x, y)
        for chosen in either_side(sides, size):
            yield tuple(sorted({*chosen, *always}))

    def _sides(self, x: int, y: int) -> list[list[int]]:
        return [
            self.knowledge.candidates(self.found.around[end] & self._now, x, y) if end in self._now else []
            for end in (x, y)
        ]

    def separate(self) -> None:
        """Remove the edges that some set of the current step separates, together with the past."""
        size = 0
        while (self.search.max_size is None or size <= self.search.max_size) and self.found.stopped is None:
            waiting: list[Candidate] = [
                ((x, y), iter(list(self._sets(x, y, size))))
                for x, y in self.found.edges()
                if (x, y) not in self.knowledge.required and max(map(len, self._sides(x, y))) >= size
            ]
            if not waiting:
                return
            remove_separated(self.tester, self.control, self.found, waiting, "skeleton", size)
            size += 1

    # Third phase: colliders

    def decide_colliders(self) -> Decided:
        """The colliders by the rule of the search, and those that time alone makes."""
        decided = Decided()
        shares: dict[Pair, list[frozenset[int]]] = {}
        forbidden = self.knowledge.forbidden
        for a, c, b in self.found.unshielded():
            if (a, c) in forbidden or (b, c) in forbidden:
                continue
            if (a, b) not in self.found.separated:
                if (c, a) in forbidden and (c, b) in forbidden:
                    decided.colliders.append((a, c, b))
                continue
            sets = shares.get((a, b))
            if sets is None:
                sets = shares[a, b] = self._separating(a, b)
            share = sum(c in one for one in sets) / len(sets)
            if share < 0.5:
                decided.colliders.append((a, c, b))
            elif share == 0.5:
                decided.open.append((a, c, b))
        return decided

    def _separating(self, a: int, b: int) -> list[frozenset[int]]:
        """The sets that separate a pair and count; the one that was found first is always among them."""
        stored = frozenset(self.found.given((a, b)))
        found = [stored]
        if self.search.colliders == "standard":
            return found
        largest = max(map(len, self._sides(a, b)))
        bound = largest if self.search.max_size is None else min(largest, self.search.max_size)
        sets = chain.from_iterable(self._sets(a, b, size) for size in range(bound + 1))
        try:
            while batch := list(islice(sets, LARGEST_BATCH)):
                self.found.stopped = self.found.stopped or self.control.stopped()
                if self.found.stopped is not None:
                    break
                answers = self.tester.independent([(a, b, given) for given in batch])
                found += [frozenset(given) for given, yes in zip(batch, answers, strict=True) if yes]
        except KeyboardInterrupt:
            self.found.stopped = self.control.interrupted()
        return list(dict.fromkeys(found))


def _strength(verdict: Verdict) -> float:
    """How strong a dependence is: the effect, else the gain of an arc."""
    return abs(verdict.effect if verdict.effect is not None else verdict.gain or 0.0)
