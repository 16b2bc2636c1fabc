"""The questions of a local method: all candidates of one target given one set, in one batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import Literal

from dagwright.evidence.bound import Bound
from dagwright.evidence.chi_squared import BoundChiSquared
from dagwright.evidence.oracle_evidence import BoundOracle
from dagwright.evidence.permuted import BoundPermuted
from dagwright.graph.query import Verdict
from dagwright.search.control import Control
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, Pair, as_pair
from dagwright.search.independence.separation_table import Separated
from dagwright.search.independence.tester import PairTester
from dagwright.search.problem import Stopped

Finds = Literal["blanket", "neighbors"]
Strength = tuple[float, float]
LARGEST_BATCH = 512


class StoppedError(Exception):
    """The time limit passed, or somebody asked to stop, between two batches of questions."""

    def __init__(self, reason: Stopped) -> None:
        super().__init__(reason)
        self.reason: Stopped = reason


class Questions:
    """Asks about one target at a time, remembers its answers and what separated each pair.

    Attributes
    ----------
    finds
        Whether knowledge excludes from a blanket only what can be neither neighbor nor spouse, or from the
        neighbors all that may not be adjacent.
    tests
        Number of tests by the size of the conditioning set; a repeated question is answered from memory.
    separated
        For each pair the first set that separated it.
    log
        A list, to be filled with (target, other, given, verdict) in the order of asking; None keeps none.
    """

    def __init__(self, test: Bound, knowledge: NumberedKnowledge, control: Control, finds: Finds) -> None:
        self.log: list[tuple[int, int, frozenset[int], Verdict]] | None = None
        self.knowledge = knowledge
        self.finds = finds
        self.separated: dict[Pair, Separated] = {}
        self.looked: int | None = None  # targets that are done, where all are looked around
        self.test = test
        self._asker = PairTester(test, control.cancel)
        self._control = control
        self._target = -1
        self._known: dict[tuple[int, frozenset[int]], Verdict] = {}

    @property
    def tests(self) -> Counter[int]:
        return self._asker.tests

    def required(self, target: int) -> list[int]:
        """The variables that knowledge makes neighbors of the target."""
        return sorted(sum(pair) - target for pair in self.knowledge.required if target in pair)

    def candidates(self, target: int, finds: Finds | None = None) -> list[int]:
        """The variables that knowledge allows as neighbors, without those it requires."""
        required = set(self.required(target))
        allowed = (
            self.knowledge.may_link
            if (finds or self.finds) == "neighbors"
            else self.knowledge.may_share_blanket
        )
        return [
            x for x in range(self.knowledge.n) if x not in required and x != target and allowed(x, target)
        ]

    def ask(self, target: int, others: Iterable[int], given: Collection[int]) -> dict[int, Verdict]:
        """Is each of the others independent of the target given the set? One batch, one pass of counting."""
        condition = frozenset(given)
        return self.ask_each(target, [(x, condition) for x in others])

    def independent(self, target: int, x: int, given: Collection[int]) -> bool:
        """One question, asked by itself."""
        return self.ask(target, [x], given)[x].independent

    def largest_set(self, wanted: int | None) -> int | None:
        """The largest conditioning set where all subsets are asked about: as wanted, or a good choice.

        On data that is 3 (Aliferis et al. 2010): tests given more variables have little power, and among many
        of them one that errs is enough to lose a neighbor. An oracle does not err: no bound.
        """
        return wanted if wanted is not None or isinstance(self.test, BoundOracle) else 3

    def separable(self, target: int, x: int, among: Sequence[int], max_size: int | None) -> bool:
        """Whether some subset of ``among``, the smaller ones first, separates x from the target.

        The longer none does, the more are asked about together: at most one more than were asked before.
        """
        sets = subsets(among, max_size)
        together = 1
        while batch := [(x, frozenset(given)) for given in islice(sets, together)]:
            if any(verdict.independent for verdict in self._answers(target, batch)):
                return True
            together = min(2 * together, LARGEST_BATCH)
        return False

    def ask_each(self, target: int, questions: Sequence[tuple[int, frozenset[int]]]) -> dict[int, Verdict]:
        """One batch of questions about distinct variables, each given its own set."""
        verdicts = self._answers(target, questions)
        return {x: verdict for (x, _), verdict in zip(questions, verdicts, strict=True)}

    def still_dependent(self, target: int, questions: Sequence[tuple[int, frozenset[int]]]) -> list[int]:
        """The variables that depend on the target, each given its own set, among those separated before.

        The answers are not remembered, which makes this quicker than `ask_each`.
        """
        if self.log is not None:
            return [x for x, verdict in self.ask_each(target, questions).items() if not verdict.independent]
        self._require_time()
        answers = self._asker.independent([(target, x, given) for x, given in questions])
        self._report()
        return [x for (x, _), independent in zip(questions, answers, strict=True) if not independent]

    def _require_time(self) -> None:
        if (reason := self._control.stopped()) is not None:
            raise StoppedError(reason)

    def _answers(self, target: int, questions: Sequence[tuple[int, frozenset[int]]]) -> list[Verdict]:
        if target != self._target:
            self._target = target
            self._known.clear()
        fresh = [one for one in questions if one not in self._known]
        if fresh:
            self._require_time()
            verdicts = self._asker.ask([(target, x, given) for x, given in fresh])
            self._known.update(zip(fresh, verdicts, strict=True))
            for (x, given), verdict in zip(fresh, verdicts, strict=True):
                if self.log is not None:
                    self.log.append((target, x, given, verdict))
                if verdict.independent and (pair := as_pair(x, target)) not in self.separated:
                    self.separated[pair] = Separated(given, verdict)
            self._report()
        return [self._known[question] for question in questions]

    def _report(self) -> None:
        if self.looked is None:
            self._control.report("local tests", self.tests.total(), "tests")
        else:
            self._control.report("local discovery", self.looked, "variables", total=self.knowledge.n)

    def strength(self, verdict: Verdict) -> Strength:
        """How strongly a verdict says dependent: by the p-value where that decides, otherwise by the gain.

        Tsamardinos, Brown & Aliferis (2006) rank by the p-value, which forgives many states; equal ones, as
        from few permutations, by the statistic. To an oracle all dependences are alike.
        """
        if isinstance(self.test, BoundOracle):
            return (0.0 if verdict.independent else 1.0, 0.0)
        if isinstance(self.test, BoundChiSquared | BoundPermuted):
            return (-(verdict.log_p or 0.0), verdict.statistic or 0.0)
        return (verdict.gain or 0.0, verdict.effect or 0.0)

    def strongest_first(self, verdicts: dict[int, Verdict]) -> list[int]:
        """The variables that are dependent, strongest first; equals by their number."""
        dependent = [x for x, verdict in verdicts.items() if not verdict.independent]
        return sorted(dependent, key=lambda x: (*negated(self.strength(verdicts[x])), x))

    def shrink(self, target: int, members: set[int]) -> None:
        """Remove what is independent of the target given the others, the weakest first, until nothing is."""
        keep = set(self.required(target))
        while True:
            verdicts = self.ask_each(target, [(x, frozenset(members - {x})) for x in sorted(members - keep)])
            idle = [x for x, verdict in verdicts.items() if verdict.independent]
            if not idle:
                return
            members.remove(min(idle, key=lambda x: (self.strength(verdicts[x]), x)))


def negated(strength: Strength) -> Strength:
    return (-strength[0], -strength[1])


def subsets(members: Sequence[int], max_size: int | None) -> Iterator[tuple[int, ...]]:
    """All subsets of ascending size, up to the largest allowed."""
    largest = len(members) if max_size is None else min(max_size, len(members))
    for size in range(largest + 1):
        yield from combinations(members, size)


def halted(work: Callable[[], None], control: Control) -> Stopped | None:
    """Do the work; the time limit and Ctrl-C end it, and what it has done so far stays."""
    try:
        work()
    except StoppedError as stop:
        return stop.reason
    except KeyboardInterrupt:
        return control.interrupted()
    return None
