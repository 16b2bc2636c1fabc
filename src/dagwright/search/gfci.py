"""GFCI: a score finds the first graph, independence tests remove and direct edges (Ogarrio et al. 2016)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from dagwright.defaults import Kind, usual_test
from dagwright.evidence.binding import describe_test
from dagwright.graph.dag import Dag
from dagwright.methods.method_like import read_methods
from dagwright.methods.notation import as_code
from dagwright.methods.traits import GraphKind
from dagwright.search.control import Control
from dagwright.search.costs import Cost, Usual, cost_of
from dagwright.search.exact_start import as_dag
from dagwright.search.fci import HiddenCauses
from dagwright.search.ges import GES
from dagwright.search.independence.account import few_rows_warning
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, Pair
from dagwright.search.independence.separation_table import Separated
from dagwright.search.independence.skeleton import Candidate, Skeleton, either_side, remove_separated
from dagwright.search.independence.tester import PairTester
from dagwright.search.problem import Found, Problem
from dagwright.search.restrict import require_maximizer
from dagwright.search.traits import SearchTraits, own_score
from dagwright.search.walks import require_at_least


@dataclass(frozen=True, slots=True)
class GFCI(SearchTraits):
    """Greedy `FCI`: the edges that a score finds, minus those that tests remove; the result is a `Pag`.

    A score-based search such as `GES` finds the first graph. If common causes are hidden, it has all true
    edges and false ones within triangles. So only edges of triangles are tested, given sets of neighbors and
    then the sets of the second stage of FCI. Pairs that are not adjacent in the first graph stay so;
    colliders come from it and from the sets that removed edges. The rules of Zhang (2008) orient the rest.

    With few rows a score misses fewer edges and orients more colliders correctly than tests alone.

    Parameters
    ----------
    by
        The search for the first graph; one that maximizes a score.
    test
        Any test or score; `GSquare` at level 0.01 by default.
    max_size
        Largest conditioning set of the tests; None means no bound.
    max_path
        Longest path of the second stage; None means no bound. 0 skips the second stage.

    >>> from dagwright import learn
    >>> found = learn("sample:asia", search=GFCI())
    >>> found.graph.adjacent("lung", "either")
    True
    """

    summary: ClassVar[str] = "FCI within the edges that a score finds"
    citation: ClassVar[str] = "Ogarrio et al. 2016"
    gives: ClassVar[GraphKind] = "pag"
    refuses: ClassVar[frozenset[str]] = frozenset({"em"})  # which needs a DAG in each round
    usual: ClassVar[Usual] = Usual(2.0, 6e-6)

    by: Any = field(default_factory=GES)
    test: Any = None
    max_size: int | None = None
    max_path: int | None = None

    def __post_init__(self) -> None:
        read_methods(self, by=("search",), test=("test", "score"))
        require_maximizer(self.by)
        require_at_least("max_size", self.max_size, 0)
        require_at_least("max_path", self.max_path, 0)

    def usual_score(self) -> Any:
        """The score that the first search is known by, if any."""
        return own_score(self.by)

    def usual_test(self, kind: Kind = "discrete") -> Any:
        """The test that removes edges, for columns of a kind."""
        return usual_test(kind=kind) if self.test is None else self.test

    def further_tests(self, kind: Kind) -> tuple[Any, ...]:
        """The tests that are asked besides the score, for columns of a kind."""
        return (self.usual_test(kind),)

    def cost(self, problem: Problem) -> Cost:
        first, tests = cost_of(self.by, problem), self.usual.cost(problem)
        return Cost(
            first.evaluations + tests.evaluations,
            max(first.memory, tests.memory),
            first.seconds + tests.seconds,
            upper=False,
            basis=f"{first.basis}; then tests: {tests.basis}",
        )

    def run(self, problem: Problem, control: Control) -> Found:
        first: Found = self.by.run(problem, control)
        test = problem.bound_test(self.usual_test(problem.kind))
        tested = replace(problem, score=test)
        tester = PairTester(test, control.cancel)
        skeleton = _skeleton_of(problem, as_dag(first), tester, control)
        skeleton.stopped = first.stopped
        _test_triangles(tester, problem, control, skeleton, self.max_size)
        run = HiddenCauses(tested, control, "standard", self.max_size, tester, skeleton)
        if self.max_path != 0 and skeleton.stopped is None:
            run.look_again("narrow", self.max_path)
        found = run.closed()
        return replace(
            found,
            evaluations=found.evaluations + first.evaluations,
            warnings=(*found.warnings, *few_rows_warning(test, found.separations)),
            notes={
                "first graph": f"{len(as_dag(first).edges)} edges found by {as_code(self.by)}",
                "test": describe_test(test),
                **found.notes,
            },
            ran=(self.by, *first.ran),
        )


def _skeleton_of(problem: Problem, dag: Dag, tester: PairTester, control: Control) -> Skeleton:
    """The edges of a DAG; the parents of one that is no ancestor of the other separate the other pairs.

    A pair that knowledge keeps apart may depend on each other all the same: then nothing is said of it.
    """
    parents = problem.parents_of(dag)
    n = len(problem.names)
    found = Skeleton([set(members) for members in parents])
    for child, members in enumerate(parents):
        for parent in members:
            found.around[parent].add(child)
    number = problem.numbering.number
    above = [{number[one] for one in dag.ancestors(name)} for name in problem.names]
    known = NumberedKnowledge(problem.knowledge)
    apart: list[tuple[Pair, list[int]]] = [
        ((x, y), parents[x if y in above[x] else y])
        for x in range(n)
        for y in range(x + 1, n)
        if y not in found.around[x]
    ]
    try:
        verdicts = tester.ask([(*pair, given) for pair, given in apart])
    except KeyboardInterrupt:
        control.interrupted()
        return found
    for (pair, given), verdict in zip(apart, verdicts, strict=True):
        if verdict.independent or known.may_link(*pair):
            found.separate(*pair, Separated(frozenset(given), verdict))
    return found


def _test_triangles(
    tester: PairTester, problem: Problem, control: Control, found: Skeleton, max_size: int | None
) -> None:
    """Remove the edges of triangles that a set of neighbors separates."""
    known = NumberedKnowledge(problem.knowledge)
    size = 0
    while (max_size is None or size <= max_size) and found.stopped is None:
        waiting: list[Candidate] = []
        for x, y in found.edges():
            if (x, y) in known.required or found.around[x].isdisjoint(found.around[y]):
                continue
            sides = [known.candidates(found.around[at], x, y) for at in (x, y)]
            if max(map(len, sides)) >= size:
                waiting.append(((x, y), either_side(sides, size)))
        if not waiting:
            return
        remove_separated(tester, control, found, waiting, "triangles", size)
        size += 1
