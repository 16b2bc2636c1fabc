"""Two variables of two states: counts, odds ratio and risk ratio, also adjusted for others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959963984540054
Ratio = tuple[float, float, float]
"""A ratio with the ends of its 95 % interval."""


@dataclass(frozen=True)
class Fourfold:
    """The 2 x 2 table of an arc ``start -> end``.

    Attributes
    ----------
    counts
        Rows: the states of ``start``; columns: the states of ``end``.
    odds_ratio, risk_ratio
        Of the second state of ``end``, for the second state of ``start`` against the first, each with its
        95 % interval (Woolf 1955; Katz et al. 1978). One half is added to every cell if one is empty.
    adjusted_odds_ratio
        The same odds ratio within the configurations of the other parents (Mantel & Haenszel 1959), with the
        interval of Robins, Breslow & Greenland (1986); None without other parents, or where it is undefined.
    """

    counts: tuple[tuple[float, float], tuple[float, float]]
    odds_ratio: Ratio
    risk_ratio: Ratio
    adjusted_odds_ratio: Ratio | None


def fourfold(strata: NDArray[Any]) -> Fourfold:
    """From counts with axes (configuration of the others, start, end).

    >>> found = fourfold(np.array([[[90, 10], [60, 40]]]))
    >>> round(found.odds_ratio[0], 2), round(found.risk_ratio[0], 2)
    (6.0, 4.0)
    """
    total = strata.sum(axis=0)
    (a, b), (c, d) = ((total + 0.5) if np.any(total == 0) else total).tolist()
    odds = _interval(math.log(a * d / (b * c)), 1 / a + 1 / b + 1 / c + 1 / d)
    risks = _interval(math.log(d / (c + d) / (b / (a + b))), 1 / d - 1 / (c + d) + 1 / b - 1 / (a + b))
    (w, x), (y, z) = total.tolist()
    adjusted = _mantel_haenszel(strata) if len(strata) > 1 else None
    return Fourfold(((w, x), (y, z)), odds, risks, adjusted)


def _interval(log_ratio: float, variance: float) -> Ratio:
    half = Z95 * math.sqrt(max(variance, 0.0))
    return math.exp(log_ratio), math.exp(log_ratio - half), math.exp(log_ratio + half)


def _mantel_haenszel(strata: NDArray[Any]) -> Ratio | None:
    used = strata[strata.sum(axis=(1, 2)) > 0]
    n = used.sum(axis=(1, 2))
    for_it, against = used[:, 0, 0] * used[:, 1, 1] / n, used[:, 0, 1] * used[:, 1, 0] / n
    agree = (used[:, 0, 0] + used[:, 1, 1]) / n
    r, s = float(for_it.sum()), float(against.sum())
    if not (r > 0 and s > 0):
        return None
    variance = (
        float((agree * for_it).sum()) / (2 * r * r)
        + float((agree * against + (1 - agree) * for_it).sum()) / (2 * r * s)
        + float(((1 - agree) * against).sum()) / (2 * s * s)
    )
    return _interval(math.log(r / s), variance)
