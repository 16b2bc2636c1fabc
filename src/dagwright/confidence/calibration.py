"""Are edge strengths calibrated? How often edges of each strength exist in a known network."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagwright.confidence.wilson import wilson
from dagwright.errors import OptionError
from dagwright.graph.holders import held_graph
from dagwright.graph.viewable import Viewable

if TYPE_CHECKING:
    from dagwright.confidence.confidence import Confidence

Floats = NDArray[np.float64]


class StrengthBin(NamedTuple):
    """Pairs of nodes with a strength above ``above`` and at most ``upto``.

    ``predicted`` is their mean strength, ``observed`` the share that is joined in truth, ``low`` and ``high``
    the 95 % interval of that share, ``pairs`` how many there are.
    """

    above: float
    upto: float
    pairs: int
    predicted: float
    observed: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class EdgeCalibration(Viewable):
    """Strengths against the truth, for all pairs that were adjacent at least once.

    Attributes
    ----------
    strengths, real
        For each such pair its strength, and whether it is adjacent in the true network.
    edges
        The ends of the bins, from 0 to 1.
    never, missed
        How many pairs were never adjacent, and how many of these are adjacent in the true network. They are
        left out of the bins: there are so many of them that every error would look small.
    """

    strengths: Floats
    real: NDArray[np.bool_]
    edges: tuple[float, ...]
    never: int
    missed: int

    @staticmethod
    def of(strengths: ArrayLike, real: ArrayLike, bins: int | Sequence[float] = 10) -> EdgeCalibration:
        """From the strength of every pair and whether it is joined in truth.

        Parameters
        ----------
        bins
            How many of equal width, or their ends from 0 to 1.

        >>> judged = EdgeCalibration.of([0.0, 0.9, 0.9, 0.9, 0.9], [False, True, True, True, False])
        >>> round(judged.error, 3), judged.never
        (0.15, 1)
        """
        values = np.asarray(strengths, dtype=np.float64).ravel()
        truth = np.asarray(real, dtype=bool).ravel()
        if values.shape != truth.shape:
            raise OptionError(f"{values.size} strengths need as many truths, not {truth.size}")
        if not np.all((values >= 0) & (values <= 1 + 1e-9)):
            raise OptionError("strengths must be between 0 and 1")
        joined = values > 0
        return EdgeCalibration(
            np.minimum(values[joined], 1.0),
            truth[joined],
            _ends(bins),
            int(np.sum(~joined)),
            int(np.sum(truth[~joined])),
        )

    @staticmethod
    def pooled(parts: Iterable[EdgeCalibration]) -> EdgeCalibration:
        """Several networks together, in the bins of the first."""
        members = list(parts)
        if not members:
            raise OptionError("there is nothing to pool")
        return EdgeCalibration(
            np.concatenate([one.strengths for one in members]),
            np.concatenate([one.real for one in members]),
            members[0].edges,
            sum(one.never for one in members),
            sum(one.missed for one in members),
        )

    @property
    def bins(self) -> tuple[StrengthBin, ...]:
        """The bins that hold a pair, weakest first."""
        found = []
        place = self._places()
        for at in range(1, len(self.edges)):
            inside = place == at
            pairs = int(inside.sum())
            if not pairs:
                continue
            observed = float(self.real[inside].mean())
            found.append(
                StrengthBin(
                    self.edges[at - 1],
                    self.edges[at],
                    pairs,
                    float(self.strengths[inside].mean()),
                    observed,
                    *wilson(observed, pairs),
                )
            )
        return tuple(found)

    def _places(self) -> NDArray[np.intp]:
        """The number of each pair's bin, from 1; shares of replicates on an end belong below it."""
        return np.searchsorted(self.edges, self.strengths - 1e-9, side="left")

    @property
    def predicted(self) -> Floats:
        """The mean strength of each bin."""
        return np.array([one.predicted for one in self.bins])

    @property
    def observed(self) -> Floats:
        """The share of real edges in each bin."""
        return np.array([one.observed for one in self.bins])

    @property
    def weight(self) -> Floats:
        """The number of pairs in each bin."""
        return np.array([one.pairs for one in self.bins], dtype=np.float64)

    @property
    def error(self) -> float:
        """The mean over the pairs of |mean strength - share that is real| in their bin."""
        return float(np.sum(self.weight * np.abs(self.predicted - self.observed)) / max(1, len(self.real)))

    @property
    def error_by_chance(self) -> float:
        """The error to expect of as many pairs if every strength were exactly right.

        Each bin's share then has the variance sum of p (1 - p) over the square of its pairs; the mean
        absolute value of a normal variable is sqrt(2 / pi) standard deviations.
        """
        spread = self.strengths * (1 - self.strengths)
        each = np.sqrt(np.bincount(self._places(), spread, len(self.edges)))
        return float(math.sqrt(2 / math.pi) * each.sum() / max(1, len(self.real)))

    @property
    def brier(self) -> float:
        """The mean of (strength - 1 if real else 0)^2 over the pairs."""
        return float(np.mean((self.strengths - self.real) ** 2)) if len(self.real) else 0.0

    def draw(self, **options: Any) -> Any:
        """The reliability diagram; it takes the options of `dagwright.show.calibration_chart`."""
        return importlib.import_module("dagwright.show").calibration_chart(self, **options)

    def to_dict(self) -> dict[str, Any]:
        """Bins and errors as values that JSON can hold."""
        return {
            "pairs": len(self.real),
            "error": self.error,
            "error_by_chance": self.error_by_chance,
            "brier": self.brier,
            "never": self.never,
            "missed": self.missed,
            "bins": [one._asdict() for one in self.bins],
        }

    def __str__(self) -> str:
        lines = [
            f"{len(self.real):,} pairs adjacent at least once: calibration error {self.error:.3f} "
            f"({self.error_by_chance:.3f} by chance alone); {self.missed} real edges never found"
        ]
        lines += [
            f"{one.above:.2f} to {one.upto:.2f}: strength {one.predicted:.3f}, real {one.observed:.3f} "
            f"({one.low:.3f} to {one.high:.3f}) of {one.pairs:,}"
            for one in self.bins
        ]
        return "\n".join(lines)


def calibration(confidence: Confidence, truth: Any, bins: int | Sequence[float] = 10) -> EdgeCalibration:
    """The strengths of all pairs against the edges of a graph, a network or a result."""
    graph = held_graph(truth)
    if set(graph.nodes) != set(confidence.nodes):
        only = sorted(set(graph.nodes) ^ set(confidence.nodes))
        raise OptionError(f"the true graph and the confidence are about different nodes, such as {only[0]!r}")
    above = np.triu_indices(len(confidence.nodes), 1)
    real = [graph.adjacent(a, b) for a, b in combinations(confidence.nodes, 2)]
    return EdgeCalibration.of(np.minimum(confidence._strengths()[above], 1.0), real, bins)


def _ends(bins: int | Sequence[float]) -> tuple[float, ...]:
    if isinstance(bins, int):
        if bins < 1:
            raise OptionError(f"at least one bin is needed, not {bins}")
        return tuple(np.linspace(0.0, 1.0, bins + 1).tolist())
    ends = tuple(float(end) for end in bins)
    if len(ends) < 2 or ends[0] != 0 or ends[-1] != 1 or any(a >= b for a, b in pairwise(ends)):
        raise OptionError("the edges of bins must increase from 0 to 1")
    return ends
