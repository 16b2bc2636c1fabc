"""Two results of learning side by side: their graphs, their scores, how sure each is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dagwright.confidence import ConfidenceDifference
from dagwright.errors import OptionError, shortened
from dagwright.graph.comparison import Comparison, compare
from dagwright.graph.mark_comparison import MarkComparison
from dagwright.graph.viewable import Viewable
from dagwright.learning.learned import Learned


@dataclass(frozen=True, eq=False)
class LearnedComparison(Viewable):
    """The differences of the second result from the first.

    Attributes
    ----------
    graphs
        The graphs, the first as the reference.
    score_gain
        Nats that the second scores more; None where the scores are not of the same kind on the same data.
    confidence
        Where the strengths differ, if both results know theirs.
    """

    first: Learned
    second: Learned
    graphs: Comparison | MarkComparison
    score_gain: float | None
    confidence: ConfidenceDifference | None

    def draw(self, **options: Any) -> Any:
        """A `Picture` of both graphs, their differences marked; it takes the options of `dagwright.draw`."""
        return self.graphs.draw(**options)

    @property
    def same_data(self) -> bool:
        """Whether both were learned from the same rows."""
        return self.first.data.get("fingerprint") == self.second.data.get("fingerprint")

    def __str__(self) -> str:
        lines = [f"first:  {self.first.method}", f"second: {self.second.method}"]
        if not self.same_data:
            lines.append("learned from different data")
        if self.score_gain is not None:
            lines.append(f"the second scores {self.score_gain:+.4f} nats ({self.first.score_name})")
        elif self.first.score_name != self.second.score_name:
            lines.append(f"scores do not compare: {self.first.score_name} and {self.second.score_name}")
        lines.append(str(self.graphs))
        if self.confidence is not None:
            lines.append(str(self.confidence))
        return "\n".join(lines)


def compare_learned(first: Learned, second: Learned) -> LearnedComparison:
    """Compare two results over the same variables.

    >>> from dagwright import AIC, HillClimb, learn, read, sample_path
    >>> rows = read(sample_path("asia"))
    >>> strict, generous = (learn(rows, search=HillClimb(), score=score) for score in (None, AIC()))
    >>> found = compare_learned(strict, generous)
    >>> len(found.graphs.extra) > len(found.graphs.missing), found.score_gain
    (True, None)
    """
    for result in (first, second):
        if not isinstance(result, Learned):
            raise OptionError(
                f"compare_learned() takes two results of learn(), not {shortened(result)}; compare() takes "
                "graphs"
            )
    gain = None
    same = first.data.get("fingerprint") == second.data.get("fingerprint")
    if same and first.score_definition == second.score_definition:
        gain = None if first.score is None or second.score is None else second.score - first.score
    confidence, surer = first.known_confidence, second.known_confidence
    apart = None if confidence is None or surer is None else confidence.compare(surer)
    return LearnedComparison(first, second, compare(first, second), gain, apart)
