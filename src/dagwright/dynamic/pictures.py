"""Charts of beliefs over time: bands for numbers, probabilities of states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dagwright.dynamic.beliefs import Beliefs, StateBelief
from dagwright.show.colors import Theme
from dagwright.show.curves import Curve, Rule, curves
from dagwright.show.picture import Picture


def belief_chart(
    beliefs: Beliefs,
    name: str,
    *,
    past: Sequence[Any] | None = None,
    level: float = 0.9,
    theme: Theme = "auto",
) -> Picture:
    """See `Beliefs.draw`."""
    found = beliefs._of(name)
    steps = [float(step) for step in beliefs.steps]
    title = f"{name}: {beliefs.method}"
    if isinstance(found, StateBelief):
        lines = [
            Curve(f"P({name} = {state})", tuple(zip(steps, map(float, column), strict=True)))
            for state, column in zip(found.states, found.probabilities.T, strict=True)
        ]
        return curves(lines, title=title, across="step", up="probability", up_range=(0.0, 1.0), theme=theme)
    low, high = beliefs.interval(name, level)
    band = Curve(
        f"mean, and {level:.0%} of the probability",
        tuple(zip(steps, found.mean.tolist(), strict=True)),
        kind="band",
        errors=tuple(zip(low.tolist(), high.tolist(), strict=True)),
    )
    series, rules = [band], []
    if past is not None:
        seen = [np.nan if cell is None else float(cell) for cell in past]
        points = tuple((float(at), cell) for at, cell in enumerate(seen) if not np.isnan(cell))
        if points:
            series.append(Curve("observed", points, kind="points", color="ink"))
        if beliefs.steps and beliefs.steps[0] >= len(seen) > 0:
            rules = [Rule(len(seen) - 0.5, "forecast")]
    return curves(series, title=title, across="step", up=name, rules=rules, theme=theme)
