"""The tree of largest likelihood (Chow & Liu 1968; Jensen & Nielsen 2007, Theorem 7.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dagwright.errors import OptionError, unknown_name
from dagwright.evidence.criteria import LogLik
from dagwright.search.branching import NOWHERE, Matrix
from dagwright.search.control import Control
from dagwright.search.costs import Usual
from dagwright.search.problem import Found, Problem, Stopped
from dagwright.search.spanning import Spanning, constant_columns, stopped_before_weighing, weigh_edges
from dagwright.search.thick_thin import Judge
from dagwright.search.traits import SearchTraits


@dataclass(frozen=True, slots=True)
class ChowLiu(SearchTraits):
    """The maximum spanning tree, with the gain of an edge as its weight.

    Without a score an edge gains N times the mutual information of its ends, and the tree is the one of
    largest likelihood; with BIC, BDeu or any other score it is the tree of the highest score. The score does
    not depend on the root if equivalent graphs score the same. Edges that weigh the same are taken in the
    canonical order of the variables, which follows from the data.

    Under knowledge the answer is the heaviest graph in which every variable has one parent or none; where
    knowledge demands more parents it has them. Required edges are there whether they gain or not.

    Parameters
    ----------
    root
        The variable from which arcs lead away; None takes, in each tree, the variable with the largest
        total weight.
    forest
        False joins all variables that vary, also by edges without gain. True leaves out edges that the
        score does not gain from. A test or another score leaves out the edges between variables it calls
        independent.

    >>> from dagwright import BIC, learn, sample_path
    >>> tree = learn(sample_path("asia"), search=ChowLiu(root="smoke")).graph
    >>> tree.parents("lung"), len(tree.edges)
    (('smoke',), 7)
    >>> len(learn(sample_path("asia"), score=BIC(), search=ChowLiu(forest=True)).graph.edges)
    6
    """

    summary: ClassVar[str] = "the tree of largest likelihood or score"
    citation: ClassVar[str] = "Chow & Liu 1968"
    usual: ClassVar[Usual] = Usual(1.0, 1e-6, upper=True)

    root: str | None = None
    forest: Any = False

    def __post_init__(self) -> None:
        require_forest(self.forest)

    @property
    def chooses_start(self) -> bool:
        """A tree is the same wherever one starts."""
        return True

    def usual_score(self) -> Any:
        """The score that it is known by."""
        return LogLik()

    def run(self, problem: Problem, control: Control) -> Found:
        nodes = range(len(problem.names))
        root = None if self.root is None else numbered(problem, self.root, "root")
        weighed = weigh_edges(problem, control)
        if weighed.gains is None:
            return stopped_before_weighing(problem, weighed.stopped)
        usable = usable_edges(weighed.gains, problem, control, self.forest)
        if usable.stopped is not None:
            return stopped_before_weighing(problem, usable.stopped)
        base = problem.parents_of(problem.knowledge.initial_dag())
        tree = Spanning(usable.weights, problem.knowledge, nodes, base, root, join=self.forest is not True)
        graph = problem.dag([sorted(members) for members in tree.parents])
        return Found(
            graph,
            score=problem.score.total(graph),
            evaluations=len(nodes) ** 2 + usable.tests,
            warnings=(*start_is_not_used(problem), *tree.warnings),
        )


def require_forest(forest: Any) -> None:
    """Refuse what can decide about no edge."""
    if not (isinstance(forest, bool) or hasattr(forest, "on") or hasattr(forest, "test")):
        raise OptionError(f"forest takes True, False, a test or a score, not {forest!r}")


def numbered(problem: Problem, name: str, role: str) -> int:
    if name not in problem.names:
        raise unknown_name(role, name, problem.names)
    return problem.names.index(name)


def start_is_not_used(problem: Problem) -> tuple[str, ...]:
    return () if problem.start is None else ("the tree is the same wherever one starts: start was not used",)


class Usable(NamedTuple):
    """Weights with minus infinity for edges left out; how many tests that took; why it was stopped."""

    weights: Matrix
    tests: int = 0
    stopped: Stopped | None = None


def usable_edges(
    gains: Matrix, problem: Problem, control: Control, forest: Any, given: Iterable[int] = ()
) -> Usable:
    """The edges that ``forest`` admits and those that knowledge requires.

    ``given`` are further parents of both ends.
    """
    weights = gains.copy()
    np.fill_diagonal(weights, NOWHERE)
    condition = frozenset(given)
    for node in condition:
        weights[node, :] = weights[:, node] = NOWHERE
    kept = {pair: float(weights[pair]) for pair in problem.knowledge.native.required_links()}
    for node in constant_columns(problem):
        weights[node, :] = weights[:, node] = NOWHERE
    if isinstance(forest, bool):
        if forest:
            weights[weights <= problem.score.tolerance] = NOWHERE
        return Usable(_with_edges(weights, kept))
    judge = Judge(problem, forest)
    free = [v for v in range(len(weights)) if v not in condition]
    with control.watch() as watch:
        for place, x in enumerate(free):
            if watch.over():
                break
            others = free[place + 1 :]
            questions = [(frozenset([y]), condition) for y in others]
            for y, verdict in zip(others, judge.edges(x, questions), strict=True):
                if verdict.independent:
                    weights[x, y] = weights[y, x] = NOWHERE
            control.report("testing edges", judge.tests, "tests")
    return Usable(_with_edges(weights, kept), judge.tests, watch.stopped)


def _with_edges(weights: Matrix, kept: dict[tuple[int, int], float]) -> Matrix:
    """The weights with those of some edges."""
    for (one, other), weight in kept.items():
        weights[one, other] = weights[other, one] = weight
    return weights
