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
    """The probability of one arc, or of an edge, by the one and by the other."""

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
        The same of edges, whatever their direction.
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
        return _most_different_first(found)

    def edges_apart(self, level: float = 0.95) -> tuple[ArcDifference, ...]:
        """The edges whose intervals of strength do not meet, most different first: more than resampling does.

        >>> from dagwright import Confidence
        >>> few, many = (
        ...     Confidence("AB", [[0, p], [0, 0]], source="", effective_samples=100) for p in (0.1, 0.6)
        ... )
        >>> few.compare(many).edges_apart()
        (ArcDifference(start='A', end='B', first=0.1, second=0.6),)
        """
        nodes, other = self.first.nodes, [self.second.nodes.index(name) for name in self.first.nodes]
        mine, theirs = self.first._strengths(), self.second._strengths()
        found = []
        for i, j in np.argwhere(np.triu(np.abs(self.strengths) > 1e-12, 1)):
            at = other[i], other[j]
            ends = (
                self.first._edge_interval(mine, i, j, level),
                self.second._edge_interval(theirs, *at, level),
            )
            low, high = zip(*ends, strict=True)
            if max(low) > min(high):
                found.append(ArcDifference(nodes[i], nodes[j], float(mine[i, j]), float(theirs[at])))
        return _most_different_first(found)

    def __str__(self) -> str:
        lines = [
            f"arc probabilities differ by at most {self.largest:.4f}, on average by {self.mean:.4f}; "
            f"strengths by at most {self.largest_strength:.4f}; intervals do not meet for "
            f"{len(self.edges_apart())} edges"
        ]
        lines += [
            f"{one.start} -> {one.end}  {one.first:.3f} and {one.second:.3f}" for one in self.above()[:20]
        ]
        return "\n".join(lines)


def _most_different_first(found: list[ArcDifference]) -> tuple[ArcDifference, ...]:
    return tuple(sorted(found, key=lambda one: (-abs(one.second - one.first), one.start, one.end)))
