"""What TAN and FAN share: naive Bayes with a tree or a forest among the features."""

from __future__ import annotations

from typing import Any

from dagwright.errors import OptionError
from dagwright.search.chow_liu import numbered, start_is_not_used, usable_edges
from dagwright.search.control import Control
from dagwright.search.problem import Found, Problem
from dagwright.search.spanning import Spanning, ancestors, stopped_before_weighing, weigh_edges


def require_feature(root: str | None, target: str) -> None:
    if root == target:
        raise OptionError(f"the root is a feature, not the class {target!r}")


def augmented(problem: Problem, control: Control, target: str, root: str | None, *, forest: Any) -> Found:
    """A class above all features where knowledge allows it, and a tree or forest among the features."""
    above = numbered(problem, target, "class")
    top = None if root is None else numbered(problem, root, "root")
    weighed = weigh_edges(problem, control, [above])
    if weighed.gains is None:
        return stopped_before_weighing(problem, weighed.stopped)
    features = [v for v in range(len(problem.names)) if v != above]
    usable = usable_edges(weighed.gains, problem, control, forest, [above])
    if usable.stopped is not None:
        return stopped_before_weighing(problem, usable.stopped)
    required = problem.knowledge.initial_dag([target, *(name for name in problem.names if name != target)])
    parents = [set(members) for members in problem.parents_of(required)]
    barred = naive_arcs(problem, above, parents)
    tree = Spanning(usable.weights, problem.knowledge, features, parents, top, join=forest is not True)
    graph = problem.dag([sorted(members) for members in tree.parents])
    warnings = [*start_is_not_used(problem)]
    if barred:
        names = ", ".join(sorted(problem.names[v] for v in barred))
        warnings.append(f"knowledge keeps the class {target} from being a parent of {names}")
    return Found(
        graph,
        score=problem.score.total(graph),
        evaluations=len(features) ** 2 + usable.tests,
        warnings=(*warnings, *tree.warnings),
    )


def naive_arcs(problem: Problem, above: int, parents: list[set[int]]) -> list[int]:
    """Make the class a parent of every feature; returns those for which knowledge does not allow it."""
    native = problem.knowledge.native
    before = ancestors(parents, [above])
    barred = []
    for feature in range(len(parents)):
        if feature == above or above in parents[feature]:
            continue
        most = native.max_parents(feature)
        room = most is None or len(parents[feature]) < most
        if feature in before or not native.allows_arc(above, feature) or not room:
            barred.append(feature)
        else:
            parents[feature].add(above)
    return barred
