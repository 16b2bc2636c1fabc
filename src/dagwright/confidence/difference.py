"""Where two confidences about the same nodes differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagwright.errors import OptionError
from dagwright.graph.viewable import Viewable

if TYPE_CHECKING:
    from dagwright.confidence.confidence import Confidence


class ArcDifference(NamedTuple):
    """The probability of one arc by the one and by the other."""

    start: str
    end: str
    first: float
    second: float


@dataclass(frozen=True, eq=False)
class ConfidenceDifference(Viewable):
    """Two confidences side by side.

    Attributes
    ----------
    arcs
        The second's probabilities of arcs minus the first's.
    strengths
        The same of links, whatever their direction.
    """

    first: Confidence
    second: Confidence
    arcs: NDArray[np.float64]
    strengths: NDArray[np.float64]

    @staticmethod
    def between(first: Confidence, second: Confidence) -> ConfidenceDifference:
        if set(first.nodes) != set(second.nodes):
            only = sorted(set(first.nodes) ^ set(second.nodes))
            raise OptionError(f"the two confidences are about different nodes; only one knows {only[0]!r}")
        at = [second.nodes.index(name) for name in first.nodes]
        arcs = second.arcs[np.ix_(at, at)] - first.arcs
        strengths = second._strengths()[np.ix_(at, at)] - first._strengths()
        return ConfidenceDifference(first, second, arcs, strengths)

    @property
    def largest(self) -> float:
        """The largest difference between two probabilities of an arc."""
        return float(np.max(np.abs(self.arcs), initial=0.0))

    @property
    def mean(self) -> float:
        """The mean absolute difference over all ordered pairs."""
        n = len(self.first.nodes)
        return float(np.sum(np.abs(self.arcs)) / max(1, n * (n - 1)))

    @property
    def largest_strength(self) -> float:
        """The largest difference between two strengths."""
        return float(np.max(np.abs(self.strengths), initial=0.0))

    def above(self, threshold: float = 0.1) -> tuple[ArcDifference, ...]:
        """The arcs whose probabilities differ by at least this much, most different first."""
        nodes = self.first.nodes
        found = [
            ArcDifference(
                nodes[i],
                nodes[j],
                self.first.arc(nodes[i], nodes[j]),
                self.second.arc(nodes[i], nodes[j]),
            )
            for i, j in np.argwhere(np.abs(self.arcs) >= threshold)
            if i != j
        ]
        return tuple(sorted(found, key=lambda one: (-abs(one.second - one.first), one.start, one.end)))

    def __str__(self) -> str:
        lines = [
            f"arc probabilities differ by at most {self.largest:.4f}, on average by {self.mean:.4f}; "
            f"strengths by at most {self.largest_strength:.4f}"
        ]
        lines += [
            f"{one.start} -> {one.end}  {one.first:.3f} and {one.second:.3f}" for one in self.above()[:20]
        ]
        return "\n".join(lines)
