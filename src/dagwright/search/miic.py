"""MIIC: edges and orientations by multivariate information (Affeldt & Isambert 2015; Verny et al. 2017)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dagwright import _core
from dagwright.defaults import Kind
from dagwright.errors import OptionError
from dagwright.evidence.nml import FNML
from dagwright.methods.traits import COUNTS, DataKind, GraphKind
from dagwright.search.control import Control
from dagwright.search.costs import Usual
from dagwright.search.independence.account import Account, separations
from dagwright.search.independence.by_tests import ByTests
from dagwright.search.independence.colliders import Triplet, reaches
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, Pair, PairQuestion, as_pair
from dagwright.search.independence.separation_table import Separated
from dagwright.search.independence.skeleton import Skeleton, separate_forbidden
from dagwright.search.independence.tester import PairTester
from dagwright.search.pc import with_knowledge
from dagwright.search.problem import Found, Problem


@dataclass(frozen=True, slots=True)
class MIIC(ByTests):
    """Condition each edge on the variables that explain it best, one by one; remove explained edges.

    The information of a pair given others is corrected by its complexity, so it is negative where the pair is
    independent; no level has to be chosen. The conditioning set of an edge grows by the variable that most
    likely contributes to it: its 3-point information is positive, and the edge is the weakest of the three.
    The best explained edge is processed first. Triples with a negative 3-point information are colliders; the
    clearest are oriented first, and directions propagate to the others. ``notes["orientation
    probabilities"]`` has the probability of each direction found in this way.

    The result is the class of a DAG that obeys the knowledge. It does not look for hidden causes.

    Parameters
    ----------
    test
        A score or a test whose verdicts have a gain; `FNML` by default, the factorized normalized maximum
        likelihood, averaged over both directions.

    >>> from dagwright import learn
    >>> found = learn("sample:asia", search=MIIC())
    >>> found.graph.adjacent("lung", "either")
    True
    """

    summary: ClassVar[str] = "edges and directions by multivariate information"
    citation: ClassVar[str] = "Affeldt & Isambert 2015; Verny et al. 2017"
    gives: ClassVar[GraphKind] = "cpdag"
    takes: ClassVar[frozenset[DataKind]] = COUNTS
    refuses: ClassVar[frozenset[str]] = frozenset({"available"})  # information is computed from all rows
    usual: ClassVar[Usual] = Usual(per_triple=1.5, seconds=4e-6)

    def usual_test(self, kind: Kind = "discrete") -> Any:  # noqa: ARG002
        """The score whose gain is the corrected information."""
        return FNML() if self.test is None else self.test

    def run(self, problem: Problem, control: Control) -> Found:
        knowledge = NumberedKnowledge(problem.knowledge)
        tester = PairTester(problem.score, control.cancel)
        information = _Information(tester)
        skeleton = Skeleton.complete(knowledge)
        sure: dict[Pair, float] = {}
        triples: dict[Triplet, float] = {}
        try:
            _remove_explained(information, knowledge, control, skeleton)
            separate_forbidden(tester, knowledge, control, skeleton, None)
            triples = _three_point(information, skeleton)
        except KeyboardInterrupt:
            skeleton.stopped = control.interrupted()
        edges = skeleton.edges()
        colliders = sorted(
            (one for one, value in triples.items() if value < 0), key=lambda t: (triples[t], t)
        )
        accepted = _core.accepted_colliders(colliders, skeleton.pairs(), knowledge.native)
        arcs = set(accepted.arcs)
        for triple in accepted.kept:
            a, c, b = triple
            for arc in ((a, c), (b, c)):
                sure.setdefault(arc, collider_probability(triples[triple]))
        _spread(triples, knowledge, arcs, sure)
        settled = _core.consistent_dag(edges, sorted(arcs), knowledge.native, information.of_pairs)
        dag = problem.named_dag(settled.dag)
        account = Account(problem.names)
        overruled = _core.overruled_triples(settled.dag, skeleton.pairs(), colliders)
        account.overruled([], overruled, settled.dropped)
        account.questions(tester, len(problem.names))
        names = problem.names
        chances = {
            f"{names[a]} -> {names[b]}": chance
            for (a, b), chance in sorted(sure.items())
            if (names[a], names[b]) in dag.edges
        }
        return Found(
            graph=with_knowledge(dag, problem, knowledge),
            dag=dag,
            evaluations=tester.tests.total(),
            stopped=skeleton.stopped,
            warnings=account.warnings(),
            notes={**account.notes, "orientation probabilities": chances},
            separations=separations(names, skeleton),
        )


class _Information:
    """N times the corrected information of pairs given sets, in nats; each is asked for once."""

    def __init__(self, tester: PairTester) -> None:
        self.tester = tester
        self._known: dict[tuple[Pair, frozenset[int]], float] = {}

    def ask(self, questions: Sequence[PairQuestion]) -> list[float]:
        keys = [(as_pair(x, y), frozenset(given)) for x, y, given in questions]
        fresh = [key for key in dict.fromkeys(keys) if key not in self._known]
        verdicts = self.tester.ask([(*pair, sorted(given)) for pair, given in fresh])
        for key, verdict in zip(fresh, verdicts, strict=True):
            if verdict.gain is None:
                raise OptionError(
                    "MIIC weighs the information of pairs, and this test or oracle gives none; use FNML(), "
                    "another score, or GSquare()"
                )
            self._known[key] = verdict.gain
        return [self._known[key] for key in keys]

    def of_pairs(self, pairs: Sequence[Pair]) -> list[float]:
        return [self._known.get((pair, frozenset()), 0.0) for pair in pairs]

    def separated(self, pair: Pair, given: frozenset[int]) -> Separated:
        (verdict,) = self.tester.ask([(*pair, sorted(given))])
        return Separated(given, verdict)


@dataclass(slots=True)
class _Edge:
    """An edge, the variables that explain some of it, and the next one with its rank."""

    pair: Pair
    given: frozenset[int] = frozenset()
    next: int | None = None
    rank: float = -math.inf


def _remove_explained(
    information: _Information, knowledge: NumberedKnowledge, control: Control, found: Skeleton
) -> None:
    """Remove the edges whose information their contributors explain, those that are explained best first."""
    pairs = found.edges()
    for pair, value in zip(pairs, information.ask([(x, y, ()) for x, y in pairs]), strict=True):
        if value <= 0 and pair not in knowledge.required:
            found.unlink(*pair, information.separated(pair, frozenset()))
    edges = {pair: _Edge(pair) for pair in found.edges() if pair not in knowledge.required}
    _rank(information, knowledge, found, list(edges.values()))
    while edges:
        found.stopped = found.stopped or control.stopped()
        best = max(edges.values(), key=lambda edge: (edge.rank, edge.pair))
        if found.stopped is not None or best.next is None or best.rank <= 0:
            return
        x, y = best.pair
        if best.next not in found.around[x] | found.around[y]:  # its edges have gone meanwhile
            _rank(information, knowledge, found, [best])
            continue
        best.given |= {best.next}
        if information.ask([(x, y, best.given)])[0] <= 0:
            found.unlink(x, y, information.separated(best.pair, best.given))
            del edges[best.pair]
        else:
            _rank(information, knowledge, found, [best])
        control.report("explaining edges", information.tester.tests.total(), "tests")


def _rank(
    information: _Information, knowledge: NumberedKnowledge, found: Skeleton, edges: Sequence[_Edge]
) -> None:
    """For each edge the variable that most likely contributes to it, with the log-odds that it does."""
    questions: list[PairQuestion] = []
    offered: list[tuple[_Edge, list[int]]] = []
    for edge in edges:
        x, y = edge.pair
        near = knowledge.candidates((found.around[x] | found.around[y]) - edge.given, x, y)
        offered.append((edge, near))
        questions.append((x, y, edge.given))
        for z in near:
            questions += [(x, y, edge.given | {z}), (x, z, edge.given), (y, z, edge.given)]
    values = iter(information.ask(questions))
    for edge, near in offered:
        alone = next(values)
        edge.next, edge.rank = None, -math.inf
        for z in near:
            given_z, first, second = next(values), next(values), next(values)
            rank = min(alone - given_z, -float(np.logaddexp(alone - first, alone - second)))
            if rank > edge.rank:
                edge.next, edge.rank = z, rank


def _three_point(information: _Information, found: Skeleton) -> dict[Triplet, float]:
    """N times the 3-point information of each unshielded triple: negative for colliders."""
    triples = [(a, c, b) for a, c, b in found.unshielded() if (a, b) in found.separated]
    questions: list[PairQuestion] = []
    for a, c, b in triples:
        rest = frozenset(found.given((a, b))) - {c}
        questions += [(a, b, rest), (a, b, rest | {c})]
    values = information.ask(questions)
    return {triple: values[2 * at] - values[2 * at + 1] for at, triple in enumerate(triples)}


def collider_probability(three_point: float) -> float:
    """The probability that both edges of a triple point to its middle (Affeldt & Isambert 2015).

    >>> round(collider_probability(-30.0), 6), collider_probability(0.0)
    (1.0, 0.5)
    """
    odds = math.exp(min(three_point, 0.0))
    return (1 + odds) / (1 + 3 * odds)


def chain_probability(three_point: float, before: float) -> float:
    """The probability that an edge goes on from the middle, where one points to it with a probability.

    >>> round(chain_probability(30.0, 0.9), 6), chain_probability(0.0, 1.0)
    (0.95, 0.5)
    """
    return before * (1 / (1 + math.exp(-max(three_point, 0.0))) - 0.5) + 0.5


def _spread(
    triples: dict[Triplet, float], knowledge: NumberedKnowledge, arcs: set[Pair], sure: dict[Pair, float]
) -> None:
    """Direct edges away from arrowheads where the triple is not a collider, the most probable first."""
    chains = [(x, z, y) for a, z, b in triples if triples[a, z, b] > 0 for x, y in ((a, b), (b, a))]
    refused: set[Pair] = set()
    while True:
        offers = [
            (chain_probability(triples[min(x, y), z, max(x, y)], sure.get((x, z), 1.0)), (z, y))
            for x, z, y in chains
            if (x, z) in arcs and arcs.isdisjoint({(z, y), (y, z)}) and (z, y) not in refused
        ]
        if not offers:
            return
        chance, arc = max(offers, key=lambda offer: (offer[0], -offer[1][0], -offer[1][1]))
        children: dict[int, set[int]] = {}
        for tail, head in arcs:
            children.setdefault(tail, set()).add(head)
        if arc in knowledge.forbidden or reaches(children, arc[1], [arc[0]]):
            refused.add(arc)
            continue
        arcs.add(arc)
        sure[arc] = chance
