"""The interval of a share of independent cases (Wilson 1927)."""

from __future__ import annotations

import math
from statistics import NormalDist

from dagwright.errors import OptionError


def wilson(share: float, cases: float, level: float = 0.95) -> tuple[float, float]:
    """The lower and the upper end; they enclose the share, and everything is possible without cases.

    >>> [round(end, 3) for end in wilson(0.9, 20)]
    [0.699, 0.972]
    """
    if not 0 < level < 1:
        raise OptionError(f"the level of an interval must be between 0 and 1, got {level}")
    if cases <= 0:
        return 0.0, 1.0
    p = min(max(share, 0.0), 1.0)
    if math.isinf(cases):
        return p, p
    z = NormalDist().inv_cdf(0.5 + level / 2)
    scale = 1 + z * z / cases
    center = (p + z * z / (2 * cases)) / scale
    half = z / scale * math.sqrt(p * (1 - p) / cases + z * z / (4 * cases * cases))
    return min(max(0.0, center - half), p), max(min(1.0, center + half), p)
