"""An effect over several graphs: a mixture of estimates, each with the weight of its graph."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from dagwright.learning.effect_estimates import Estimate


class Part(NamedTuple):
    """The estimates from one graph with its weight: one if the graph identifies the effect, else several."""

    weight: float
    estimates: list[Estimate]
    adjusted_for: frozenset[str] | None

    @property
    def least(self) -> Estimate:
        """The smallest estimate of the graph."""
        return min(self.estimates)

    @property
    def greatest(self) -> Estimate:
        """The largest estimate of the graph."""
        return max(self.estimates)


def mean(parts: Sequence[Part]) -> float | None:
    """The mean effect over the graphs that identify it; None without one."""
    sure = [part for part in parts if part.adjusted_for is not None]
    total = math.fsum(part.weight for part in sure)
    if not total > 0:
        return None
    return math.fsum(part.weight * part.estimates[0].value for part in sure) / total


def interval(parts: Sequence[Part], level: float) -> tuple[float, float]:
    """The quantiles of the mixture; a graph with several estimates counts with its outermost ones.

    >>> low, high = interval([Part(1.0, [Estimate(2.0, 1.0, math.inf)], frozenset())], 0.95)
    >>> round(low, 3), round(high, 3)
    (0.04, 3.96)
    """
    tail = (1 - level) / 2
    return (
        _quantile([(part.weight, part.least) for part in parts], tail),
        _quantile([(part.weight, part.greatest) for part in parts], 1 - tail),
    )


def _quantile(weighed: Sequence[tuple[float, Estimate]], probability: float) -> float:
    total = math.fsum(weight for weight, _ in weighed)

    def below(t: float) -> float:
        return math.fsum(weight * _normal_below(t - one.value, one.error) for weight, one in weighed) / total

    ends = [one for _, one in weighed]
    low = min(one.value - 9 * one.error for one in ends) - 1e-12
    high = max(one.value + 9 * one.error for one in ends) + 1e-12
    return _crossing(below, probability, low, high)


def _normal_below(distance: float, error: float) -> float:
    if error == 0.0:
        return float(distance >= 0)
    return 0.5 * math.erfc(-distance / (error * math.sqrt(2)))


def _crossing(below: Callable[[float], float], probability: float, low: float, high: float) -> float:
    """Where a distribution function reaches a probability, by bisection."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        if below(middle) < probability:
            low = middle
        else:
            high = middle
    return high
