"""Independence questions in batches, counted by the size of the conditioning set."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import compress

from dagwright.errors import OptionError
from dagwright.evidence.bound import Bound, NativeTest
from dagwright.evidence.oracle_evidence import BoundOracle
from dagwright.evidence.protocols import Triple
from dagwright.graph.query import Verdict
from dagwright.search.control import CancelToken
from dagwright.search.independence.numbered_knowledge import Pair, PairQuestion, as_pair
from dagwright.search.independence.separation_table import Separated

QUICK, SLOW = 0.02, 0.2
"""Seconds: a batch that takes less, or more, is followed by one four times as long, or as short."""


class PairTester:
    """Asks questions in batches and counts them by the size of the conditioning set."""

    def __init__(self, test: Bound, cancel: CancelToken | None = None) -> None:
        self.test = test
        self._cancel = CancelToken() if cancel is None else cancel
        self.tests: Counter[int] = Counter()

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
        """The verdicts that find independence; None for the others, whose facts are not needed."""
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
        self.tests.update(len(given) for _, _, given in questions)
        return _triples(questions)


def _triples(questions: Iterable[PairQuestion]) -> list[Triple]:
    return [Triple(frozenset([x]), frozenset([y]), frozenset(given)) for x, y, given in questions]


class EdgeLevels(PairTester):
    """Keeps, of each pair, the answer given nothing and the answer with the largest p-value.

    That two variables are adjacent means that no set separates them, so the p-value of an edge is the largest
    of all tests made between its ends (Strobl, Spirtes & Visweswaran 2019).
    """

    def __init__(self, test: Bound, cancel: CancelToken | None = None) -> None:
        super().__init__(test, cancel)
        self.alone: dict[Pair, Separated] = {}
        self.largest: dict[Pair, Separated] = {}

    def ask(self, questions: Sequence[PairQuestion]) -> list[Verdict]:
        verdicts = super().ask(questions)
        for (x, y, given), verdict in zip(questions, verdicts, strict=True):
            pair, answer = as_pair(x, y), Separated(frozenset(given), verdict)
            if not given:
                self.alone[pair] = answer
            if pair not in self.largest or self.p(answer) > self.p(self.largest[pair]):
                self.largest[pair] = answer
        return verdicts

    def separations(self, questions: Sequence[PairQuestion]) -> list[Verdict | None]:
        return [verdict if verdict.independent else None for verdict in self.ask(questions)]

    def p(self, answer: Separated) -> float:
        return p_value(self.test, answer.verdict)


def p_value(test: Bound, verdict: Verdict) -> float:
    """The p-value of a verdict; an oracle is certain."""
    if isinstance(test, BoundOracle):
        return float(verdict.independent)
    if verdict.p_value is None:
        raise OptionError(
            f"the false discovery rate needs p-values, and {test.spec!r} gives none; use GSquare, ChiSquare "
            "or Permuted"
        )
    return verdict.p_value
