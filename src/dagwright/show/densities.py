"""The distribution of a number as a small curve in its node."""

from __future__ import annotations

import numpy as np

from dagwright.model import NumericPosterior
from dagwright.show.diagram import Density

REACH = 3.2
"""How far the axis reaches on both sides of the mean, in standard deviations."""
POINTS = 73
FLAT = 1e-9
"""A standard deviation below this share of that on the axis is drawn as a certain value."""


def density_of(
    answer: NumericPosterior, scale: NumericPosterior, before: NumericPosterior | None, *, chosen: bool
) -> Density:
    """The density of an answer on the axis of ``scale``, the distribution without evidence.

    The axis is extended where the answer lies outside.
    """
    width = REACH * scale.sd or max(abs(scale.mean), 1.0)
    low = min(scale.mean - width, answer.mean - REACH * answer.sd)
    high = max(scale.mean + width, answer.mean + REACH * answer.sd)
    at = np.linspace(low, high, POINTS)
    shown = [one for one in (answer, before) if one is not None and one.sd > FLAT * width]
    highest = max((float(np.max(one.density(at))) for one in shown), default=1.0) or 1.0

    def curve(one: NumericPosterior) -> tuple[tuple[float, float], ...]:
        if one.sd <= FLAT * width:
            return ((float((one.mean - low) / (high - low)), 1.0),)
        up = np.minimum(np.asarray(one.density(at)) / highest, 1.0)
        return tuple((k / (POINTS - 1), float(y)) for k, y in enumerate(up))

    mean = f"{answer.mean:.4g}" if answer.scale == "number" else answer.shown(answer.mean)
    words = mean + ("" if chosen or answer.sd <= 0 else f" ± {answer.sd:.3g}")
    return Density(words, curve(answer), () if before is None else curve(before), (low, high), chosen)
