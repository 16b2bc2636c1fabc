"""Control of the false discovery rate over the links of a skeleton (Strobl, Spirtes & Visweswaran 2019).

That two variables are adjacent means that no set separates them, so the p-value of a link is the largest of
all tests made between its ends.
"""

from __future__ import annotations

from collections.abc import Sequence

from dagwright.errors import OptionError
from dagwright.evidence.bound import Bound
from dagwright.evidence.false_discoveries import FalseDiscoveryRate
from dagwright.evidence.oracle_evidence import BoundOracle
from dagwright.graph.query import Verdict
from dagwright.search.control import CancelToken
from dagwright.search.independence.link_law import Pair, PairQuestion, as_pair
from dagwright.search.independence.skeleton import Asker, Skeleton
from dagwright.search.independence.stored_separations import Separated


class EdgeLevels(Asker):
    """Asks as usual, and keeps of each pair the answer given nothing and that with the largest p-value."""

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


def drop_doubtful(found: Skeleton, levels: EdgeLevels, fdr: FalseDiscoveryRate) -> list[Pair]:
    """Remove the links whose p-values the procedure does not believe, as separated by the set in question.

    Every pair that was asked about is a hypothesis; what knowledge decides is none. A link that was separated
    and put back rests on the dependence of its ends alone.
    """
    decisive = {}
    for pair, worst in sorted(levels.largest.items()):
        put_back = worst.verdict.independent and pair[1] in found.around[pair[0]]
        decisive[pair] = levels.alone[pair] if put_back and pair in levels.alone else worst
    believed = fdr.rejected([levels.p(answer) for answer in decisive.values()])
    dropped = []
    for (pair, answer), sure in zip(decisive.items(), believed, strict=True):
        if not sure and pair[1] in found.around[pair[0]]:
            found.unlink(*pair, answer)
            dropped.append(pair)
    return dropped


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
