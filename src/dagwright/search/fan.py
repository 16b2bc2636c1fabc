"""FAN: forest-augmented naive Bayes (Lucas 2004)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dagwright.evidence.criteria import BIC
from dagwright.search.chow_liu import require_forest
from dagwright.search.control import Control
from dagwright.search.costs import Usual
from dagwright.search.problem import Found, Problem
from dagwright.search.traits import SearchTraits
from dagwright.search.tree_classifiers import augmented, require_feature


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

    summary: ClassVar[str] = "naive Bayes with a forest among the features"
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
