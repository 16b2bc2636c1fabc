"""Score against time on the page of comparisons, from what `--task anytime` stored."""

from __future__ import annotations

import json

from bench.tasks.anytime import MOMENTS, PEERS, RUNS, Running, after
from dagwright.show.curves import Curve, curves

NAMES = dict(zip(PEERS, ("default", "HillClimb", "GES", "OrderSearch"), strict=True))
DRAWN = ("child_5000", "insurance_5000", "alarm_5000")
EARLIEST = 1e-2
"""Seconds where the charts begin."""

HEAD = """\
### Score against time

The default search beside hill climbing, GES and order search alone, with BIC and 5,000 rows: by how much the
best network so far scores below the best of all four. Seconds are processor time on one thread.
"""


def stored() -> dict[str, dict[str, Running]]:
    """The running scores by data set and search; empty before the task was run."""
    if not RUNS.exists():
        return {}
    found: dict[str, dict[str, Running]] = json.loads(RUNS.read_text(encoding="utf-8"))
    return found


def charts() -> dict[str, str]:
    """Distance to the best score of all, against time, as SVG."""
    found = stored()
    return {name.replace("_", "-"): chart(name, found[name]) for name in DRAWN if name in found}


def chart(name: str, seen: dict[str, Running]) -> str:
    best = max(score for running in seen.values() for _, score in running)
    end = max(moment for running in seen.values() for moment, _ in running)
    series = []
    for peer, running in seen.items():
        steps = [(max(moment, EARLIEST), best - score) for moment, score in running[1:] or running]
        series.append(Curve(NAMES[peer], (*steps, (max(end, steps[-1][0]), steps[-1][1])), kind="step"))
    network, rows = name.split("_")
    title = f"{network}, {int(rows):,} rows"
    return curves(series, title=title, across="seconds", up="nats below the best score", logarithmic=True).svg


def shortfall(seen: dict[str, Running]) -> float:
    """The most by which the default after 2t seconds is below the best of the others after t, in nats."""
    others = [running for peer, running in seen.items() if peer != PEERS[0]]
    return max(
        max(after(running, moment) for running in others) - after(seen[PEERS[0]], 2 * moment)
        for moment in MOMENTS
    )


def section() -> list[str]:
    """Charts and the law, for docs/compare.md."""
    found = stored()
    if not found:
        return []
    below = {name: shortfall(seen) for name, seen in found.items()}
    failing = {name: nats for name, nats in below.items() if nats > 1e-6}
    law = (
        "After 2t seconds the default should score no less than the best of the others after t, for t from "
        f"{MOMENTS[0]:g} to {MOMENTS[-1]:g} s. This holds on {len(below) - len(failing)} of {len(below)} "
        "data sets"
    )
    if failing:
        listed = (
            f"{name.replace('_', ' with ')} rows ({nats:.1f} nats below)" for name, nats in failing.items()
        )
        law += f"; it fails on {', '.join(listed)}"
    pictures = [
        f"![{name}: nats below the best score against seconds](charts/anytime-{name}.svg)"
        for name in charts()
    ]
    return [HEAD, f"{law}.", "", *(line for one in pictures for line in (one, ""))]
