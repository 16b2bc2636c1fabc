"""Squared extrapolation of fixed-point iterations (SQUAREM; Varadhan & Roland 2008, Section 3)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dagwright.model.tables.checks import Floats

HALVINGS = 3


def extrapolated(
    before: Mapping[str, Floats], after: Mapping[str, Floats], next_one: Mapping[str, Floats]
) -> dict[str, Floats] | None:
    """The point that three iterates x0, x1, x2 lead to, or None if it would leave the simplex.

    With r = x1 - x0 and v = (x2 - x1) - r it is x0 - 2 s r + s^2 v for the step s = -|r| / |v|; s = -1 is
    x2 itself. A step that leaves the simplex is halved toward x2.
    """
    r = {node: after[node] - before[node] for node in before}
    v = {node: next_one[node] - after[node] - r[node] for node in before}
    length_r = np.sqrt(sum(float(np.square(x).sum()) for x in r.values()))
    length_v = np.sqrt(sum(float(np.square(x).sum()) for x in v.values()))
    if not (length_v > 0 and length_r > length_v):
        return None  # no longer a step than x2 itself
    s = -length_r / length_v
    for _ in range(HALVINGS):
        point = {node: before[node] - 2 * s * r[node] + s * s * v[node] for node in before}
        # An entry that is zero in x2 was ruled out by the data; any other one must stay positive.
        if all(np.all((x > 0) | (next_one[node] == 0)) for node, x in point.items()):
            return {node: _on_simplex(x) for node, x in point.items()}
        s = (s - 1) / 2
    return None


def _on_simplex(x: Floats) -> Floats:
    """Rounding leaves sums a little off 1, and ruled-out entries a little off 0."""
    clipped = np.maximum(x, 0.0)
    return np.asarray(clipped / clipped.sum(axis=-1, keepdims=True))
