"""TAN: tree-augmented naive Bayes (Friedman, Geiger & Goldszmidt 1997)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dagwright.evidence.criteria import LogLik
from dagwright.search.control import Control
from dagwright.search.costs import Usual
from dagwright.search.problem import Found, Problem
from dagwright.search.traits import SearchTraits
from dagwright.search.tree_classifiers import augmented, require_feature


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

    summary: ClassVar[str] = "naive Bayes with a tree among the features"
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
