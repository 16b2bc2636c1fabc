"""Rules that turn numbers into intervals.

A rule names a choice; :func:`cut_column` applies it to one column, or begins where a rule looks at several.
Cut points lie between observed values and are rounded to as few digits as separate them, so that the names
of intervals are readable and exact.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dagwright.data.bins import Bins, Scale
from dagwright.data.columns import Floats
from dagwright.data.number_rows import MappedNumbers
from dagwright.data.states import no_values
from dagwright.errors import OptionError
from dagwright.graph.dag import Dag
from dagwright.methods.traits import MethodTraits, Reads
from dagwright.sentences import Argument

_GROUPS = 1024


def _check_count(name: str, count: int, least: int = 1) -> None:
    if isinstance(count, bool) or not isinstance(count, int) or count < least:
        raise OptionError(f"{name} must be a whole number of at least {least}, not {count!r}")


@dataclass(frozen=True)
class EqualFrequency(MethodTraits):
    """Intervals with as nearly the same number of cases as tied values allow."""

    summary: ClassVar[str] = "intervals with about the same number of rows"
    reads: ClassVar[Reads] = "rows"

    bins: int = 3

    def __post_init__(self) -> None:
        _check_count("bins", self.bins)


@dataclass(frozen=True)
class EqualWidth(MethodTraits):
    """Intervals of the same width over the finite range, ends rounded by at most 0.5 % of the width."""

    summary: ClassVar[str] = "intervals of the same width"
    reads: ClassVar[Reads] = "rows"

    bins: int = 3

    def __post_init__(self) -> None:
        _check_count("bins", self.bins)


@dataclass(frozen=True)
class KMeans1D(MethodTraits):
    """Least sum of squared distances to the mean of the interval, by dynamic programming (Wang & Song 2011).

    Columns of more than 1,024 distinct values are first grouped into that many intervals of equal frequency.
    """

    summary: ClassVar[str] = "intervals of least squared distance to their means"
    citation: ClassVar[str] = "Wang & Song 2011"
    reads: ClassVar[Reads] = "rows in memory"

    bins: int = 3

    def __post_init__(self) -> None:
        _check_count("bins", self.bins)


@dataclass(frozen=True, init=False)
class CutPoints(MethodTraits):
    """Given cut points; an interval contains its upper end."""

    summary: ClassVar[str] = "given cut points"
    reads: ClassVar[Reads] = "rows"

    points: tuple[float, ...]

    def __init__(self, points: Iterable[float]) -> None:
        object.__setattr__(self, "points", tuple(float(point) for point in points))
        Bins(self.points)


@dataclass(frozen=True)
class Hartemink(MethodTraits):
    """Intervals that keep as much mutual information with the other columns as possible (Hartemink 2001).

    Every column starts with ``initial`` intervals of equal frequency; step by step each column merges the
    two neighbors that lose least of its summed mutual information with all other columns.
    """

    summary: ClassVar[str] = "intervals that keep mutual information"
    citation: ClassVar[str] = "Hartemink 2001"
    reads: ClassVar[Reads] = "rows in memory"

    bins: int = 3
    initial: int = 60

    def __post_init__(self) -> None:
        _check_count("bins", self.bins)
        _check_count("initial", self.initial, self.bins)


@dataclass(frozen=True)
class MDLP(MethodTraits):
    """Intervals that tell the states of a target apart, each worth its description (Fayyad & Irani 1993).

    The values are split in two where the entropy of the target falls most, and the parts again, as long as
    a split gains more bits than it takes to describe. A column that tells nothing of the target gets a single
    interval. A continuous target is cut by `EqualFrequency` first.

    Parameters
    ----------
    target
        The column to tell apart.
    """

    summary: ClassVar[str] = "intervals that separate the states of a target"
    citation: ClassVar[str] = "Fayyad & Irani 1993"
    reads: ClassVar[Reads] = "rows in memory"

    target: str

    def __post_init__(self) -> None:
        if not self.target:
            raise OptionError(
                Argument("target", self.target),
                " must be the name of a column",
            )


@dataclass(frozen=True)
class NetworkMDL(MethodTraits):
    """Intervals chosen together with a network, by description length (Friedman & Goldszmidt 1996).

    Every column starts with ``initial`` intervals of equal frequency. In turn, each column merges them in the
    way that shortens the description of the network and the data most, given the bins of its parents,
    children and their other parents; at least two intervals stay. Without a graph, the network is the forest
    of edges that pay for their parameters, found anew in each round.

    Parameters
    ----------
    graph
        The network to serve, as a `Dag` or a text such as ``"A -> B; B -> C"``; None finds a forest.
    max_bins
        Most intervals of a column.
    initial
        Fine intervals to begin with.
    rounds
        Most visits to each column.
    """

    summary: ClassVar[str] = "intervals chosen with a network"
    citation: ClassVar[str] = "Friedman & Goldszmidt 1996"
    reads: ClassVar[Reads] = "rows in memory"

    graph: Dag | str | None = None
    max_bins: int = 8
    initial: int = 40
    rounds: int = 10

    def __post_init__(self) -> None:
        _check_count("max_bins", self.max_bins, 2)
        _check_count("initial", self.initial, self.max_bins)
        _check_count("rounds", self.rounds)
        if not (self.dag is None or isinstance(self.dag, Dag)):
            raise OptionError(
                Argument("graph", self.graph),
                " must be a Dag, a text such as 'A -> B; B -> C', or None",
            )

    @property
    def dag(self) -> Dag | None:
        """The graph to serve, read from its text where it was given as one."""
        return Dag.parse(self.graph) if isinstance(self.graph, str) else self.graph


Rule = EqualFrequency | EqualWidth | KMeans1D | CutPoints | Hartemink | MDLP | NetworkMDL


ByBlock = EqualFrequency | EqualWidth | CutPoints
"""Rules that look at one column and need not sort it."""


def cut_column(
    name: str, values: Floats, weights: Floats | None, rule: Rule, scale: Scale = "number"
) -> Bins:
    """The cut points that a rule gives for one column; NaN cells are left aside."""
    if isinstance(rule, CutPoints):
        return Bins(rule.points, scale)
    if isinstance(rule, Hartemink | NetworkMDL):
        rule = EqualFrequency(rule.initial)
    if isinstance(rule, MDLP):
        rule = EqualFrequency()
    distinct, mass = _distinct_mass(values, weights)
    if not distinct.size:
        raise no_values(name)
    if isinstance(rule, EqualWidth):
        return Bins(_equal_width(distinct, rule.bins, scale), scale)
    if isinstance(rule, KMeans1D):
        boundaries = _kmeans(distinct, mass, rule.bins)
    else:
        boundaries = equal_frequency(mass, rule.bins)
    return Bins(tuple(between(distinct[i], distinct[i + 1], scale) for i in boundaries), scale)


def cut_by_block(name: str, numbers: MappedNumbers, rule: ByBlock, scale: Scale) -> Bins:
    """The cut points of `cut_column` for a column that is read block by block."""
    if isinstance(rule, CutPoints):
        return Bins(rule.points, scale)
    ends = numbers.ends()
    if ends[0] > ends[1]:
        raise no_values(name)
    if isinstance(rule, EqualWidth):
        return Bins(_equal_width(np.unique(ends), rule.bins, scale), scale)
    total = math.fsum(float(weights.sum()) for _, weights in numbers)
    targets = [total * j / rule.bins for j in range(1, rule.bins)]
    places = numbers.around(targets)
    cuts = set()
    for target, place, (low, high) in zip(
        targets, places, numbers.neighbors([place.value for place in places]), strict=True
    ):
        after = place.below + place.mass
        if math.isfinite(low) and (target - place.below <= after - target or math.isinf(high)):
            cuts.add(between(low, place.value, scale))
        elif math.isfinite(high):
            cuts.add(between(place.value, high, scale))
    return Bins(tuple(sorted(cuts)), scale)


def _distinct_mass(values: Floats, weights: Floats | None) -> tuple[Floats, Floats]:
    """Distinct values in order and the weight on each, summed in an order that rows have no part in."""
    present = ~np.isnan(values)
    if weights is None:
        distinct, counts = np.unique(values[present], return_counts=True)
        return distinct, counts.astype(np.float64)
    present &= weights > 0
    order = np.lexsort((weights[present], values[present]))
    ordered = values[present][order]
    if not ordered.size:
        return ordered, ordered
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    return ordered[starts], np.add.reduceat(weights[present][order], starts)


def equal_frequency(mass: Floats, bins: int) -> list[int]:
    """Positions after which to cut: for each quantile the boundary between distinct values nearest to it."""
    below = np.cumsum(mass)[:-1]
    if not below.size:
        return []
    total = float(mass.sum())
    chosen = {int(np.argmin(np.abs(below - total * j / bins))) for j in range(1, bins)}
    return sorted(chosen)


def _equal_width(distinct: Floats, bins: int, scale: Scale) -> tuple[float, ...]:
    finite = distinct[np.isfinite(distinct)]
    if finite.size < 2:
        return ()
    low, width = float(finite[0]), float(finite[-1]) / bins - float(finite[0]) / bins
    slack = 0.005 * width
    cuts = (between(low + j * width - slack, low + j * width + slack, scale) for j in range(1, bins))
    return tuple(sorted(set(cuts)))


def _kmeans(distinct: Floats, mass: Floats, bins: int) -> list[int]:
    """Positions after which to cut; infinities stay with the outermost finite values."""
    finite = np.flatnonzero(np.isfinite(distinct))
    if finite.size < 2:
        return []
    ends = finite
    if finite.size > _GROUPS:
        ends = np.array([*(finite[i] for i in equal_frequency(mass[finite], _GROUPS)), finite[-1]])
    # Prefix sums over groups of neighboring values; scaled and centered, squares neither overflow nor cancel.
    share = mass[finite] / mass[finite].max()
    scaled = distinct[finite] / np.abs(distinct[finite]).max()
    scaled -= np.average(scaled, weights=share)
    at = ends - finite[0]
    weight, first, second = (
        np.concatenate(([0.0], np.cumsum(share * power)[at])) for power in (1.0, scaled, scaled**2)
    )
    k = min(bins, len(ends))
    cost = second[1:] - first[1:] ** 2 / weight[1:]
    starts = np.zeros((k, len(ends)), dtype=np.intp)
    for level in range(1, k):
        previous, cost = cost, np.full(len(ends), math.inf)
        for last in range(level, len(ends)):
            begin = np.arange(level, last + 1)
            w = weight[last + 1] - weight[begin]
            spread = second[last + 1] - second[begin] - (first[last + 1] - first[begin]) ** 2 / w
            total = previous[begin - 1] + np.maximum(spread, 0.0)
            best = int(np.argmin(total))
            cost[last], starts[level, last] = total[best], begin[best]
    boundaries, last = [], len(ends) - 1
    for level in range(k - 1, 0, -1):
        begin_of_cluster = int(starts[level, last])
        last = begin_of_cluster - 1
        boundaries.append(int(ends[last]))
    return sorted(boundaries)


def between(low: float, high: float, scale: Scale = "number") -> float:
    """The number c with the fewest digits near the middle such that low <= c < high.

    >>> between(1.48, 1.73), between(2, 3), between(float("-inf"), 0.5)
    (1.6, 2.0, 0.0)
    """
    low, high = float(low), float(high)
    largest = sys.float_info.max
    if math.isinf(low):
        low = max(min(-1.0, high - abs(high)), -largest) if math.isinf(high) or high <= 0 else 0.0
    if math.isinf(high):
        high = min(low + max(1.0, abs(low)), largest)
    middle = low / 2 + high / 2
    if scale != "number":
        return max(float(math.floor(middle)), low)
    if abs(middle) < 1e15 and low <= math.floor(middle) < high:
        return float(math.floor(middle))
    for digits in range(1, 17):
        candidate = float(f"{middle:.{digits}g}")
        if low <= candidate < high:
            return candidate
    return low
