"""Structures for classification: a class above all features, and a tree or a forest among these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dagwright.errors import OptionError
from dagwright.evidence.criteria import BIC, LogLik
from dagwright.search.chow_liu import numbered, require_forest, start_is_not_used, usable_links
from dagwright.search.control import Control
from dagwright.search.costs import Usual
from dagwright.search.problem import Found, Problem
from dagwright.search.spanning import Spanning, ancestors, stopped_before_weighing, weigh_links
from dagwright.search.traits import SearchTraits


@dataclass(frozen=True, slots=True)
class TAN(SearchTraits):
    """Tree-augmented naive Bayes: the class is a parent of every feature, which also form a tree.

    The tree is the maximum spanning tree with the conditional mutual information given the class as weight
    (Friedman, Geiger & Goldszmidt 1997), or with the gain of the score, if one is given. The class has no
    parents and is never inside the tree, unless knowledge demands it: then a warning says so.

    Parameters
    ----------
    target
        The class.
    root
        The feature without another feature as parent; None takes the one with the largest total weight.

    >>> from dagwright import learn, sample_path
    >>> found = learn(sample_path("asia"), search=TAN("bronc")).graph
    >>> len(found.children("bronc")), len(found.edges)
    (7, 13)
    """

    summary: ClassVar[str] = "a class above all features, and a tree among these"
    citation: ClassVar[str] = "Friedman, Geiger & Goldszmidt 1997"
    usual: ClassVar[Usual] = Usual(1.0, 1e-6, upper=True)

    target: str
    root: str | None = None

    def __post_init__(self) -> None:
        require_feature(self.root, self.target)

    @property
    def chooses_start(self) -> bool:
        """A tree is the same wherever one starts."""
        return True

    def usual_score(self) -> Any:
        """The score that it is known by."""
        return LogLik()

    def run(self, problem: Problem, control: Control) -> Found:
        return augmented(problem, control, self.target, self.root, forest=False)


@dataclass(frozen=True, slots=True)
class FAN(SearchTraits):
    """Forest-augmented naive Bayes: as `TAN`, without the edges that are not worth it (Lucas 2004).

    Parameters
    ----------
    target
        The class.
    root
        The feature without another feature as parent; None takes, in each tree, the one with the largest
        total weight.
    by
        A test or a score: edges between features that it calls independent given the class are left out.
        None leaves out what the score does not gain from; without a score that is BIC.

    >>> from dagwright import learn, sample_path
    >>> found = learn(sample_path("asia"), search=FAN("bronc")).graph
    >>> len(found.children("bronc")), len(found.edges)
    (7, 12)
    """

    summary: ClassVar[str] = "a class above all features, and a forest among these"
    citation: ClassVar[str] = "Lucas 2004"
    usual: ClassVar[Usual] = Usual(1.0, 1e-6, upper=True)

    target: str
    root: str | None = None
    by: Any = None

    def __post_init__(self) -> None:
        require_feature(self.root, self.target)
        if self.by is not None:
            require_forest(self.by)

    @property
    def chooses_start(self) -> bool:
        """A tree is the same wherever one starts."""
        return True

    def usual_score(self) -> Any:
        """The score that it is known by."""
        return BIC()

    def run(self, problem: Problem, control: Control) -> Found:
        return augmented(
            problem, control, self.target, self.root, forest=True if self.by is None else self.by
        )


def require_feature(root: str | None, target: str) -> None:
    if root == target:
        raise OptionError(f"the root is a feature, not the class {target!r}")


def augmented(problem: Problem, control: Control, target: str, root: str | None, *, forest: Any) -> Found:
    """A class above all features where knowledge allows it, and a tree or forest among the features."""
    above = numbered(problem, target, "class")
    top = None if root is None else numbered(problem, root, "root")
    weighed = weigh_links(problem, control, [above])
    if weighed.gains is None:
        return stopped_before_weighing(problem, weighed.stopped)
    features = [v for v in range(len(problem.names)) if v != above]
    usable = usable_links(weighed.gains, problem, control, forest, [above])
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
