"""K2: greedy parents in a given order (Cooper & Herskovits 1992)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from dagwright.errors import OptionError
from dagwright.evidence.bayesian import K2Score
from dagwright.evidence.protocols import Family
from dagwright.graph.dag import Dag
from dagwright.search.control import Control, Improving
from dagwright.search.costs import Cost, given_order_cost
from dagwright.search.given_order import ordered_start, require_order
from dagwright.search.problem import Found, Problem, TraceStep
from dagwright.search.traits import SearchTraits


@dataclass(frozen=True, slots=True)
class K2(SearchTraits):
    """In a given order, add to each variable the parent that raises the score most, while one does.

    Works with every score; without one the marginal likelihood of Cooper and Herskovits (`K2Score`) is used.
    Ties are broken by the order. Parents that the knowledge requires are present from the start. If a
    required arc contradicts the order, its child moves behind its parents, with a warning; the others keep
    their order.

    Parameters
    ----------
    order
        All variables; parents come from those before.
    max_parents
        Most parents a variable may have; None means no bound.

    >>> from dagwright import learn
    >>> found = learn({"a": [0, 0, 1, 1] * 9, "b": [0, 0, 1, 1] * 9}, search=K2(["b", "a"]))
    >>> found.graph.edges
    (('b', 'a'),)
    """

    summary: ClassVar[str] = "greedy parents in a given order"
    citation: ClassVar[str] = "Cooper & Herskovits 1992"

    order: Sequence[str]
    max_parents: int | None = None

    def __post_init__(self) -> None:
        require_order(self.order)
        object.__setattr__(self, "order", tuple(self.order))
        if self.max_parents is not None and self.max_parents < 0:
            raise OptionError(f"max_parents must not be negative, got {self.max_parents}")

    def usual_score(self) -> Any:
        """The score that it is known by."""
        return K2Score()

    def cost(self, problem: Problem) -> Cost:
        return given_order_cost(problem)

    def run(self, problem: Problem, control: Control) -> Found:
        score, names = problem.score, problem.names
        start = ordered_start(problem, self.order, self.max_parents)
        parents = list(start.forced)
        value = score.local([Family(child, parents[child]) for child in range(len(names))])
        evaluations = len(names)
        trace: list[TraceStep] = []
        growing = list(start.order)
        shown = Improving(control.best_graph)
        with control.watch() as watch:
            while growing and not watch.over():
                # One round for all variables that still grow: they do not depend on each other.
                growing = [child for child in growing if len(parents[child]) < start.most[child]]
                families = [
                    Family(child, parents[child] | {parent})
                    for child in growing
                    for parent in start.candidates[child]
                    if parent not in parents[child]
                ]
                best: dict[int, tuple[float, frozenset[int]]] = {}
                for family, reached in zip(families, score.local(families), strict=True):
                    least = best[family.child][0] if family.child in best else value[family.child]
                    if reached > least + score.tolerance:
                        best[family.child] = (reached, family.parents)
                evaluations += len(families)
                growing = [child for child in growing if child in best]
                for child in growing:
                    reached, chosen = best[child]
                    (parent,) = chosen - parents[child]
                    trace.append(TraceStep("add", names[parent], names[child], reached - value[child]))
                    value[child], parents[child] = reached, chosen
                control.report("greedy parents", len(trace), "arcs", best=sum(value))
                shown.offer(sum(value), partial(_network, problem, tuple(parents)))
        graph = _network(problem, parents)
        return Found(
            graph=graph,
            score=score.total(graph),
            trace=tuple(trace),
            evaluations=evaluations,
            stopped=watch.stopped,
            warnings=start.warnings,
        )


def _network(problem: Problem, parents: Sequence[frozenset[int]]) -> Dag:
    return problem.dag([sorted(members) for members in parents])
