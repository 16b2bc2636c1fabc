"""The scores and the test that an evidence card quotes, on complete rows."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np

from dagwright.data import Table
from dagwright.defaults import usual_test
from dagwright.evidence.binding import bind_score
from dagwright.evidence.bound import Bound
from dagwright.evidence.counting import Counting
from dagwright.evidence.criteria import PenalizedLikelihood
from dagwright.evidence.fourfold import Fourfold, fourfold
from dagwright.evidence.numbers import Embedded, Numbers
from dagwright.evidence.partial_correlation import StudentT
from dagwright.evidence.protocols import Family
from dagwright.graph.query import Query
from dagwright.learning.linear_effect import LinearEffect, linear_effect
from dagwright.methods import registry


class Judgment(NamedTuple):
    """A test of independence.

    ``ratio`` is twice the logarithm of the likelihood ratio, ``df`` its degrees of freedom, ``words`` the
    statistic that the p-value belongs to, and ``nats`` the information per row.
    """

    ratio: float
    df: float
    p_value: float
    log_p: float
    nats: float
    words: str


class Judges(ABC):
    """Scores and a test on the columns of a table without missing values."""

    def __init__(self, table: Table, scores: list[tuple[str, Bound]]) -> None:
        self.table = table
        self.scores = scores

    @abstractmethod
    def judgment(self, start: str, end: str, given: tuple[str, ...]) -> Judgment:
        """The test of independence given other columns."""

    def fourfold(self, start: str, end: str, given: tuple[str, ...]) -> Fourfold | None:  # noqa: ARG002
        """Counts and ratios, where both columns have two states."""
        return None

    def effect(self, start: str, end: str, given: tuple[str, ...]) -> LinearEffect | None:  # noqa: ARG002
        """The regression of one column on the other, where one of them holds numbers."""
        return None

    def gains(self, start: str, end: str, given: tuple[str, ...]) -> dict[str, float]:
        """The gain of the arc in each score, in nats; a score without a maximum is left out."""
        number = self.table.column_index
        child, members = number(end), frozenset(map(number, given))
        families = [Family(child, members), Family(child, members | {number(start)})]
        found = {}
        for name, score in self.scores:
            without, with_it = score.local(families)
            if math.isfinite(without) and math.isfinite(with_it):
                found[name] = with_it - without
        return found


class JudgesOfCounts(Judges):
    """G-squared and every score of counts."""

    def __init__(self, table: Table, threads: int | None, total: float | None) -> None:
        self.counting = Counting(table, threads=threads)
        counts = Counting(self.counting.table, threads=threads, sample_size=total)
        usable = [entry for entry in registry.entries("score") if not entry.needs]
        super().__init__(
            self.counting.table,
            [(entry.name, entry.method().on(counts)) for entry in usable if entry.method.decomposable],
        )
        self.test: Bound = usual_test().on(self.counting)

    def judgment(self, start: str, end: str, given: tuple[str, ...]) -> Judgment:
        verdict = self.test.test([Query(start, end, given)])[0]
        ratio, df = verdict.statistic or 0.0, verdict.df or 0.0
        return Judgment(
            ratio,
            df,
            1.0 if verdict.p_value is None else verdict.p_value,
            verdict.log_p or 0.0,
            verdict.effect or 0.0,
            f"G² {ratio:.4g}, df {df:g}",
        )

    def fourfold(self, start: str, end: str, given: tuple[str, ...]) -> Fourfold | None:
        if any(len(self.table.states_of(name)) != 2 for name in (start, end)):
            return None
        names = (*given, start, end)
        counts = self.counting.contingency_table([self.table.column_index(name) for name in names])
        return fourfold(counts.reshape(-1, 2, 2))


class JudgesOfNumbers(Judges):
    """Student's t (Rao's F for indicators of states), and every criterion with a measure of numbers.

    Parameters
    ----------
    learned_by
        The score of the search: its measure is that of the criteria, where it has one.
    """

    def __init__(self, table: Table, threads: int | None, learned_by: Any, total: float | None) -> None:
        own = learned_by.measure if isinstance(learned_by, PenalizedLikelihood) else None
        measure = own or Embedded()
        self.numbers = Numbers(table, threads=threads)
        numeric = self.numbers.named(discrete=False)
        scores: list[tuple[str, Any]] = []
        if all(np.ptp(table.reals(name)) > 0 for name in numeric):
            usable = [entry for entry in registry.entries("score") if not entry.needs]
            scores += [
                (entry.name, entry.method(measure=measure))
                for entry in usable
                if issubclass(entry.method, PenalizedLikelihood)
            ]
            if len(numeric) == len(table.names):
                scores += [
                    (entry.name, entry.method())
                    for entry in registry.entries("measure")
                    if entry.method.marginal_likelihood
                ]
        super().__init__(
            table,
            [
                (name, bind_score(score, table, threads=self.numbers.threads, sample_size=total))
                for name, score in scores
            ],
        )
        self.test: Bound = StudentT().on(self.numbers)

    def judgment(self, start: str, end: str, given: tuple[str, ...]) -> Judgment:
        verdict = self.test.test([Query(start, end, given)])[0]
        nats = verdict.effect or 0.0
        single = self._columns(start) == self._columns(end) == 1
        words = f"{'t' if single else 'F'} {verdict.statistic or 0.0:.4g}, df {verdict.df or 0.0:g}"
        return Judgment(
            2.0 * self.numbers.N * nats,
            float(self._columns(start) * self._columns(end)),
            1.0 if verdict.p_value is None else verdict.p_value,
            verdict.log_p or 0.0,
            nats,
            words,
        )

    def _columns(self, name: str) -> int:
        """How many columns a variable enters with: a number alone, r - 1 indicators of states that occur."""
        if name in self.table.schema.continuous:
            return 1
        return max(len(np.unique(self.table.codes(name))) - 1, 0)

    def effect(self, start: str, end: str, given: tuple[str, ...]) -> LinearEffect | None:
        return linear_effect(self.numbers, start, end, given)


def judges_of(table: Table, threads: int | None, learned_by: Any, total: float | None = None) -> Judges:
    """The judges that go with the columns: counts where all are discrete.

    ``total`` is the N of penalties where the rows are only some of those that the graph was learned from.
    """
    if table.schema.continuous:
        return JudgesOfNumbers(table, threads, learned_by, total)
    return JudgesOfCounts(table, threads, total)
