"""PC: a skeleton by independence questions, colliders from what separated, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal, get_args

from dagwright.errors import GraphError, OptionError, unknown_name
from dagwright.evidence.false_discoveries import FalseDiscoveryRate, require_procedure
from dagwright.graph.dag import Dag
from dagwright.graph.pdag import Pdag
from dagwright.methods.traits import GraphKind
from dagwright.search.control import Control
from dagwright.search.costs import Usual
from dagwright.search.given_order import require_order
from dagwright.search.independence.account import Account, separations
from dagwright.search.independence.by_tests import ByTests
from dagwright.search.independence.colliders import ColliderRule, ConflictPolicy, Decided, decide_colliders
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge
from dagwright.search.independence.settling import settle_colliders, until_interrupted
from dagwright.search.independence.skeleton import (
    Skeleton,
    control_false_discoveries,
    order_independent_skeleton,
    separate_edges,
    separate_forbidden,
    textbook_skeleton,
)
from dagwright.search.independence.tester import EdgeLevels, PairTester
from dagwright.search.independence.uncertain_regions import put_back_strongest, uncertain_regions
from dagwright.search.problem import Found, Problem
from dagwright.search.walks import require_at_least

Uncertain = Literal["resolve", "report"]


@dataclass(frozen=True, slots=True)
class PC(ByTests):
    """Remove the edges between independent variables, then orient edges by the separating sets.

    The result is always an essential graph, or with knowledge a maximally oriented one, and always has a DAG
    as a member. If test results contradict each other, ``notes`` and ``warnings`` of the result list the
    overruled ones. The separating sets are in ``separations``.

    Parameters
    ----------
    test
        Any test or score; `GSquare` at level 0.01 by default. Not used when `learn` is given an oracle.
    order
        None: neighbors are looked up once per level, so the order of the variables does not matter
        (Colombo & Maathuis 2014). An order of all variables: Algorithm 7.1 of Jensen & Nielsen (2007) in
        that order, which removes an edge at once.
    colliders
        "standard": c is a collider between a and b unless their separating set contains it. "conservative",
        "majority" and "max-p" test all sets of neighbors of a or b.
    conflicts
        When colliders orient an edge in both directions: the "first" or the "strongest" wins, all are dropped
        ("undirected"), also marking the edge as a possible hidden common cause ("bidirected"), or "error".
    uncertain
        Groups of edges whose removals depend on each other: "resolve" restores the strongest, one by one, and
        tests the others again, given sets without the doubtful ones; "report" only lists them.
    path_condition
        Use only conditioning sets whose members lie on a path between the two variables.
    max_size
        Largest conditioning set; None means no bound.
    fdr
        `BenjaminiHochberg` or `BenjaminiYekutieli` over the p-values of the edges: it removes further edges
        so that the false discovery rate is bounded, while the level of the test bounds single errors.

    >>> from dagwright import Dag, learn
    >>> found = learn(oracle=Dag.parse("A -> C <- B; C -> D"), search=PC())
    >>> print(found.graph)
    A -> C; B -> C; C -> D
    >>> print(found.separations[0])
    I(A,B|)
    """

    summary: ClassVar[str] = "independence tests of growing size"
    citation: ClassVar[str] = "Spirtes & Glymour 1991"
    gives: ClassVar[GraphKind] = "cpdag"
    usual: ClassVar[Usual] = Usual(2.5, 3e-6)

    order: Sequence[str] | None = None
    colliders: ColliderRule = "standard"
    conflicts: ConflictPolicy = "strongest"
    uncertain: Uncertain = "resolve"
    path_condition: bool = False
    max_size: int | None = None
    fdr: FalseDiscoveryRate | None = None

    def __post_init__(self) -> None:
        ByTests.__post_init__(self)
        if self.order is not None:
            require_order(self.order)
            object.__setattr__(self, "order", tuple(self.order))
        for option, value, known in (
            ("colliders", self.colliders, get_args(ColliderRule)),
            ("conflicts", self.conflicts, get_args(ConflictPolicy)),
            ("uncertain", self.uncertain, get_args(Uncertain)),
        ):
            if value not in known:
                raise unknown_name(f"value of {option}", value, known)
        require_at_least("max_size", self.max_size, 0)
        if self.fdr is not None:
            require_procedure(self.fdr)

    def run(self, problem: Problem, control: Control) -> Found:
        knowledge = NumberedKnowledge(problem.knowledge)
        tester = (PairTester if self.fdr is None else EdgeLevels)(problem.score, control.cancel)
        skeleton = self._skeleton(problem, knowledge, tester, control)
        account = Account(problem.names)
        if self.uncertain == "resolve":
            resolved = skeleton.resolved
            if resolved is None:
                effects = until_interrupted(tester.effects, skeleton, control)
                again = partial(separate_edges, tester, knowledge, control, skeleton, self.max_size)
                resolved = put_back_strongest(skeleton, effects, knowledge.may_link, again)
            for region, edge in resolved:
                account.region(region, edge)
        else:
            for region in uncertain_regions(skeleton):
                account.region(region, None)
        if self.fdr is not None and isinstance(tester, EdgeLevels):
            account.doubtful(control_false_discoveries(skeleton, tester, self.fdr), self.fdr)
        separate_forbidden(tester, knowledge, control, skeleton, self.max_size)
        decided = decide_colliders(tester, knowledge, control, skeleton, self.colliders, self.max_size)
        return directed_answer(
            problem, knowledge, tester, skeleton, decided, account, control, self.conflicts
        )

    def _skeleton(
        self, problem: Problem, knowledge: NumberedKnowledge, tester: PairTester, control: Control
    ) -> Skeleton:
        if self.order is None:
            return order_independent_skeleton(
                tester,
                knowledge,
                control,
                self.max_size,
                on_paths=self.path_condition,
                resolve=self.uncertain == "resolve",
            )
        number = problem.numbering.number
        for name in self.order:
            if name not in number:
                raise unknown_name("variable of the order", name, problem.names)
        if len(self.order) != len(number):
            missing = sorted(set(number) - set(self.order))
            raise OptionError(f"the order leaves out {', '.join(map(repr, missing))}")
        order = [number[name] for name in self.order]
        return textbook_skeleton(
            tester, knowledge, control, self.max_size, order, on_paths=self.path_condition
        )


def directed_answer(
    problem: Problem,
    knowledge: NumberedKnowledge,
    tester: PairTester,
    skeleton: Skeleton,
    decided: Decided,
    account: Account,
    control: Control,
    policy: ConflictPolicy,
) -> Found:
    """The answer that follows from a skeleton and its colliders; what contradicts is in the account."""
    settled = settle_colliders(tester, knowledge, control, skeleton, decided, policy)
    conflicts = settled.conflicts
    strengths = dict(zip(settled.disputed, settled.strengths, strict=True))
    account.conflicts(conflicts, strengths, marked=policy == "bidirected")
    if conflicts and policy == "error":
        raise GraphError(
            f"colliders contradict each other: {'; '.join(account.notes['conflicts'])}; choose another "
            "policy for conflicts, or a test that decides otherwise"
        )
    dag = problem.named_dag(settled.dag)
    account.overruled(decided.open, settled.overruled, settled.dropped)
    account.questions(tester, len(problem.names))
    return Found(
        graph=with_knowledge(dag, problem, knowledge),
        dag=dag,
        evaluations=tester.tests.total(),
        stopped=skeleton.stopped,
        warnings=account.warnings(),
        notes=account.notes,
        separations=separations(problem.names, skeleton),
    )


def with_knowledge(dag: Dag, problem: Problem, knowledge: NumberedKnowledge) -> Pdag:
    """The class of a DAG that obeys the knowledge, with the directions that the knowledge adds."""
    graph = dag.cpdag()
    if not knowledge.forbidden:
        return graph
    number = problem.numbering.number
    open_edges = {(number[a], number[b]) for a, b in graph.undirected_edges}
    decided = {(problem.names[a], problem.names[b]) for a, b in knowledge.one_way(open_edges)}
    rest = [edge for edge in graph.undirected_edges if edge not in decided and edge[::-1] not in decided]
    return Pdag(problem.names, [*graph.directed_edges, *sorted(decided)], rest).closed()
