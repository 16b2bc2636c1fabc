"""Scores and tests bound to data: each is a local score *and* an independence test.

A score answers an independence question with the sign of what an arc would gain. A test scores a family with
the sum of the gains of its parents, added one by one.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations

from dagwright import _core
from dagwright.base.numbering import Numbering
from dagwright.errors import CapacityError, unknown_name
from dagwright.evidence.counting import Counting, NativeMeasure
from dagwright.evidence.native_answers import verdicts_of
from dagwright.evidence.protocols import Family, KnownColumns, LocalScore, Measure, Named, SetFit, Triple
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_dag
from dagwright.graph.pdag import Pdag
from dagwright.graph.query import Query, Verdict
from dagwright.methods.traits import evidence_traits, name_of

# A set of k variables has k 2^(k - 1) terms in its chain rule.
LARGEST_CHAIN = 12


class Bound(ABC):
    """A specification such as ``BIC()`` bound to given data.

    ``tolerance`` is the size of rounding, 1e-12 * N log N: smaller differences of scores mean nothing.
    ``approximation`` says in words what the score of a graph approximates, where it does. ``targets`` are the
    sets of columns that experiments set together; they tell apart graphs that are equivalent otherwise.
    """

    approximation: str = ""
    targets: tuple[frozenset[str], ...] = ()

    def __init__(self, spec: object, data: Counting | Measure) -> None:
        self.spec = spec
        self.data = data
        self.N = float(data.N)
        self.cardinalities = tuple(data.cardinalities)
        numbered = map(str, range(len(self.cardinalities)))
        self.names: tuple[str, ...] = tuple((isinstance(data, Named) and data.names) or numbered)
        self.tolerance = 1e-12 * max(1.0, self.N * math.log(max(self.N, 2.0)))
        self.numbering = Numbering(self.names)

    @abstractmethod
    def local(self, families: Sequence[Family]) -> list[float]:
        """One number per family, in nats, larger is better."""

    @abstractmethod
    def verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        """Answers to independence questions about column numbers."""

    def decisions(self, triples: Sequence[Triple]) -> list[bool]:
        """Whether each question is answered "independent", without the facts of a verdict."""
        return [verdict.independent for verdict in self.verdicts(triples)]

    def arc_verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        """Answers where x is a single child with the parents ``given`` and y are further parents.

        The gain is what the arcs from y to x add to the score of x (Cowell 2001, Eq. 12).
        """
        return self.verdicts(triples)

    def test(self, queries: Sequence[Query]) -> list[Verdict]:
        """Answers to independence questions about names, in one batch."""
        return self.verdicts([Triple(*map(self._columns, (q.x, q.y, q.given))) for q in queries])

    def dag(self, graph: GraphLike) -> Dag:
        """The DAG over all columns that is scored for a graph.

        Columns that the graph does not mention have no arcs. A class of DAGs is scored by one of its members;
        a score that differs between them refuses the class.
        """
        name = name_of(self.spec)
        differ = "" if is_equivalent(self) else f"{name} scores equivalent DAGs differently"
        if self.targets and isinstance(graph, Pdag) and graph != graph.cpdag(self.targets):
            differ = "interventions tell members of this class apart"
        return as_dag(graph, names=self.names, differ=differ)

    def by_node(self, graph: GraphLike) -> dict[str, float]:
        """The local score of every column, in a graph over these columns; see `dag`."""
        dag = self.dag(graph)
        families = [Family(self.numbering.number[x], self._columns(dag.parents(x))) for x in dag.nodes]
        return dict(zip(dag.nodes, self.local(families), strict=True))

    def total(self, graph: GraphLike) -> float:
        """The score of a graph: the sum over the columns."""
        return math.fsum(self.by_node(graph).values())

    @property
    def native(self) -> _core.LocalScore:
        """The score in the form that native searches take; by default it calls back to `local`.

        That form holds this object, so this object must not hold it: garbage collection cannot see the core.
        """
        return _core.PythonLocalScore(self, len(self.names), self.N)

    @property
    def threads(self) -> int:
        if isinstance(self.data, NativeMeasure):
            return self.data.counting.threads
        return self.data.threads if isinstance(self.data, Counting) else 1

    def _column(self, name: str) -> int:
        if name not in self.numbering:
            raise unknown_name("column", name, self.names)
        return self.numbering.number[name]

    def _columns(self, names: Iterable[str]) -> frozenset[int]:
        return frozenset(map(self._column, names))

    def _sign(self, gain: float, facts: Verdict = Verdict(independent=True)) -> Verdict:  # noqa: B008
        """The verdict that an arc worth ``gain`` stands for; rounding is not worth an arc."""
        gain = 0.0 if abs(gain) <= self.tolerance else gain
        return replace(facts, independent=gain <= 0, gain=gain)


class NativeTest(Bound):
    """A test that runs in the core, so that searches by tests can stay there too."""

    @property
    @abstractmethod
    def native_test(self) -> _core.IndependenceTest:
        """The test in the core."""

    def note_on(self, triple: Triple, caveat: _core.Caveat, rows: float) -> str:  # noqa: ARG002
        """The limits of the answer to a question, in words."""
        return ""

    def verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        answers = self.native_test.answers(list(triples), threads=self.threads)
        return verdicts_of(answers, triples, self.note_on)

    def decisions(self, triples: Sequence[Triple]) -> list[bool]:
        return self.native_test.answers(list(triples), facts=False, threads=self.threads).independent


class BoundCriterion(NativeTest):
    """A measure with a penalty: fit - penalty * dim, for families and for interactions alike."""

    def __init__(self, spec: object, data: Counting | Measure, measure: Measure, penalty: float) -> None:
        super().__init__(spec, data)
        self.measure = measure
        self.penalty = penalty

    @cached_property
    def native_measure(self) -> _core.Measure:
        """The measure in the core; score and test share what it remembers."""
        return as_native(self.measure)

    @cached_property
    def native(self) -> _core.LocalScore:
        return _core.CriterionScore(self.native_measure, self.penalty)

    def local(self, families: Sequence[Family]) -> list[float]:
        return native_local(self.native, families, self.threads)

    @cached_property
    def native_test(self) -> _core.IndependenceTest:
        return _core.MeasureTest.sign(self.native_measure, self.penalty_at)

    def penalty_at(self, N: float) -> float:  # noqa: ARG002
        """The penalty per parameter: that of all rows, whatever N a question has."""
        return self.penalty


class BoundLocal(Bound):
    """A score that is not a function of a set.

    Where the child is known (`arc_verdicts`) its own local score decides. A symmetric question has no child:
    the mean of the gains of both directions decides. The score of a set of variables follows the chain rule,
    s(x1 | P) + s(x2 | P + x1) + ..., averaged over all orders of the set.
    """

    def __init__(self, spec: object, data: Counting | Measure, score: LocalScore | _core.LocalScore) -> None:
        super().__init__(spec, data)
        self.score = score

    @property
    def native(self) -> _core.LocalScore:
        return self.score if isinstance(self.score, _core.LocalScore) else super().native

    def local(self, families: Sequence[Family]) -> list[float]:
        if isinstance(self.score, _core.LocalScore):
            return native_local(self.score, families, self.threads)
        return list(self.score.local(families))

    def arc_verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        return self._gains([[*chain(x, given | y, 1.0), *chain(x, given, -1.0)] for x, y, given in triples])

    def verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        return self._gains(
            [
                [
                    *chain(x, given | y, 0.5),
                    *chain(x, given, -0.5),
                    *chain(y, given | x, 0.5),
                    *chain(y, given, -0.5),
                ]
                for x, y, given in triples
            ]
        )

    def _gains(self, sums: Sequence[Sequence[tuple[float, Family]]]) -> list[Verdict]:
        families = list(dict.fromkeys(family for terms in sums for _, family in terms))
        value = dict(zip(families, self.local(families), strict=True))
        gains = [difference([(weight, value[family]) for weight, family in terms]) for terms in sums]
        return list(map(self._sign, gains))


def chain(members: frozenset[int], given: frozenset[int], weight: float) -> list[tuple[float, Family]]:
    """The chain rule for a set of variables, averaged over all orders: weights and families.

    In a share of |S|! (k - |S| - 1)! / k! of the orders exactly S comes before a variable.
    """
    k = len(members)
    if k > LARGEST_CHAIN:
        raise CapacityError(
            f"a symmetric question about a set of {k} variables averages over all their orders, and a score "
            f"that is not score equivalent takes at most {LARGEST_CHAIN}; use BDeu, BIC or another score "
            "equivalent score"
        )
    return [
        (weight / (k * math.comb(k - 1, size)), Family(child, given | frozenset(before)))
        for child in sorted(members)
        for size in range(k)
        for before in combinations(sorted(members - {child}), size)
    ]


class BoundTest(Bound):
    """An independence test; as a score of a family, the sum of the gains of its parents.

    Parents enter in the order of their numbers. When all have the same number of states, the sum of a G2 test
    does not depend on the order, and the difference between two families is exactly the gain of the test.
    As scores, tests need complete data like all others: available cases favor parents with many gaps.
    """

    def local(self, families: Sequence[Family]) -> list[float]:
        if isinstance(self.data, Counting):
            self.data.require_complete()
        steps: list[Triple] = []
        ranges: list[tuple[int, int]] = []
        for child, parents in families:
            start = len(steps)
            before: frozenset[int] = frozenset()
            for parent in sorted(parents):
                steps.append(Triple(frozenset([child]), frozenset([parent]), before))
                before |= {parent}
            ranges.append((start, len(steps)))
        distinct = list(dict.fromkeys(steps))
        gains = {step: v.gain or 0.0 for step, v in zip(distinct, self.verdicts(distinct), strict=True)}
        return [math.fsum(gains[step] for step in steps[start:end]) for start, end in ranges]


def difference(terms: Sequence[tuple[float, float]]) -> float:
    """Sum of sign * value. Impossible against impossible (-inf - -inf) is no preference: 0."""
    total = math.fsum(sign * value for sign, value in terms if math.isfinite(value))
    infinite = {math.copysign(math.inf, sign * value) for sign, value in terms if not math.isfinite(value)}
    return total if not infinite else infinite.pop() if len(infinite) == 1 else 0.0


def is_equivalent(score: Bound) -> bool:
    """Whether equivalent graphs score the same: as declared, and so for everything that is a measure."""
    declared = evidence_traits(score.spec).equivalent
    return isinstance(score, BoundCriterion) if declared is None else declared


def native_local(score: _core.LocalScore, families: Sequence[Family], threads: int) -> list[float]:
    values: list[float] = score.local(
        [(child, sorted(parents)) for child, parents in families], threads
    ).tolist()
    return values


def as_native(measure: Measure) -> _core.Measure:
    if isinstance(measure, NativeMeasure):
        return measure.native
    return _core.RememberedMeasure(_core.PythonMeasure(measure, len(measure.cardinalities)))


def interactions(
    measure: Measure, triples: Sequence[Triple], rows: KnownColumns | None = None
) -> list[SetFit]:
    """mu(x ; y | z) = (mu(z+x+y) + mu(z)) - (mu(z+x) + mu(z+y)) of many triples, in one batch."""
    questions = [(list(x), list(y), list(z)) for x, y, z in triples]
    threads = measure.counting.threads if isinstance(measure, NativeMeasure) else 1
    found = _core.interactions(as_native(measure), questions, sorted(rows or ()), threads)
    return list(map(SetFit, found.fit.tolist(), found.dim.tolist()))
