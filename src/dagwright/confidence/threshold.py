"""From which strength on an edge is significant (Scutari & Nagarajan 2013)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def significance_threshold(strengths: ArrayLike) -> float:
    """The strength above which edges are significant.

    With ever more data strengths become 0 or 1, so their distribution function is a step of some height t on
    [0, 1). The t whose step lies nearest to the empirical distribution function F, in the L1 distance
    integral |F(x) - t| dx, is a median of F over [0, 1]; the threshold is the quantile of F at t.

    >>> significance_threshold([0.0, 0.1, 0.1, 0.3, 0.9, 1.0])
    0.3
    """
    ordered = np.sort(np.asarray(strengths, dtype=np.float64).ravel())
    if not ordered.size:
        return 0.0
    # F is constant between neighboring values: its value on each piece and the length of the piece.
    edges = np.concatenate([[0.0], ordered, [1.0]])
    lengths = np.diff(edges)
    heights = np.arange(ordered.size + 1) / ordered.size
    half = np.searchsorted(np.cumsum(lengths), lengths.sum() / 2)
    level = heights[min(int(half), ordered.size)]
    at = int(np.ceil(level * ordered.size - 1e-9)) - 1
    return float(ordered[at]) if at >= 0 else 0.0
