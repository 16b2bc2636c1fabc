"""`python -m bench.numbers_page`: the comparison on continuous and mixed data, from stored results."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from bench.tasks.gaussian_quality import PEERS
from bench.tasks.mixed_quality import PUBLISHED

ROOT = Path(__file__).parent.parent
STORED = ROOT / "bench" / "results" / "gaussian_quality.json"
STORED_MIXED = STORED.with_name("mixed_quality.json")
PAGE = ROOT / "docs" / "compare-numbers.md"
NAMES = {
    "dagwright": "dagwright, default",
    "dagwright_ges": "dagwright, GES",
    "dagwright_boss": "dagwright, BOSS",
    "dagwright_hill_climb": "dagwright, hill climbing",
    "pybnesian": "PyBNesian, hill climbing",
    "pgmpy": "pgmpy, hill climbing",
    "causal-learn.boss": "causal-learn, BOSS",
    "causal-learn.grasp": "causal-learn, GRaSP",
    "causal-learn.ges": "causal-learn, GES",
    "xges": "xges",
}
HEAD = """# Comparison: continuous and mixed data

<!-- made by `python -m bench.numbers_page` from bench/results -->

The data are samples of published Gaussian networks, and of random dense ones from the generator of Nazaret &
Blei (2024): 50 nodes, each pair adjacent with probability 6/49, weights U(1, 3) divided by their sum for
each child, noise with a standard deviation of U(0, 0.5), columns standardized. Columns are in random order.
Each learned graph is compared with the graph that generated the data by the structural Hamming distance
between essential graphs. Smaller is better. All scores are BIC. xges doubles the penalty, which is its
default; all rows of dagwright add the structure prior `FanIn`. Each run had 60 seconds of processor time. A
dash means that there was no result in that time, or no run: pgmpy and GES of causal-learn ran only on the
two networks with fewer than 20 nodes, and the random networks have 1,000 rows only.

If variances, or explained variances, increase along the arcs, they reveal the order of the nodes (Reisach et
al. 2021, 2023). The last two rows are the shares of arcs along which they increase: data with a share near
one half give no such hint.
"""

MIXED = """## Mixed data

Half of the columns are discrete with three states, as in the simulations of Lee & Hastie
(`bench.linear.lee_hastie`: one weight of +-U(0.5, 1.5) for each arc, noise of variance U(1, 2)). The table
shows precision and recall of adjacencies with 1,000 rows: for the default of `learn` (the degenerate Gaussian
BIC, the structure prior `FanIn` and order search), and as Andrews, Ramsey & Cooper (2019) publish them for
their score.

{table}

Repeat it with `python -m bench --task mixed_quality`.
"""


def mixed_table() -> str:
    """Precision and recall of the default on mixed data, beside the published ones."""
    stored = json.loads(STORED_MIXED.read_text(encoding="utf-8"))["tasks"]["mixed_quality"]
    found = {(one["case"], one["quantity"]): one["value"] for one in stored["findings"]}
    ran = [run["case"] for run in stored["runs"] if run["peer"] == "dagwright"]
    rows = ["| variables/degree | samples | precision | recall | published precision | published recall |"]
    rows.append("|---|---:|---:|---:|---:|---:|")
    for (n, degree), published in PUBLISHED.items():
        case = f"{n}/{degree}"
        own = [found[case, f"{what} of adjacencies, dagwright"] for what in ("precision", "recall")]
        samples = sum(one.startswith(f"{case} ") for one in ran)
        figures = " | ".join([*(f"{value:.3f}" for value in own), *(f"{value:.2f}" for value in published)])
        rows.append(f"| {case} | {samples} | {figures} |")
    return "\n".join(rows)


def values(stored: dict[str, Any]) -> dict[str, dict[str, float]]:
    """The value of each quantity, by case."""
    found: dict[str, dict[str, float]] = {}
    for finding in stored["tasks"]["gaussian_quality"]["findings"]:
        if not finding["case"].startswith("mean"):
            found.setdefault(finding["case"], {})[finding["quantity"]] = finding["value"]
    return found


def table(cases: dict[str, dict[str, float]], rows: int) -> list[str]:
    """The distances of samples with this many rows; answers to all of them have a mean."""
    chosen = {
        name.rsplit(" ", 1)[0]: case
        for name, case in cases.items()
        if name.endswith(f" {rows}") and "SHD, dagwright" in case
    }
    lines = ["| | " + " | ".join(chosen) + " | mean |", "|---" + "|---:" * (len(chosen) + 1) + "|"]
    for peer in PEERS:
        distances = [case.get(f"SHD, {peer}") for case in chosen.values()]
        known = [value for value in distances if value is not None]
        if not known:
            continue
        mean = f"{statistics.mean(known):.1f}" if len(known) == len(distances) else "–"
        shown = ["–" if value is None else f"{value:.0f}" for value in distances]
        lines.append(f"| {NAMES[peer]} | " + " | ".join(shown) + f" | {mean} |")
    for quantity, digits in (("true edges", 0), ("variance sortability", 2), ("R2 sortability", 2)):
        shown = [f"{case[quantity]:.{digits}f}" for case in chosen.values()]
        lines.append(f"| {quantity.replace('R2', 'R²')} | " + " | ".join(shown) + " | |")
    return lines


def pairs(stored: dict[str, Any]) -> list[str]:
    """Our default beside each peer, on the samples that the peer answers."""
    lines = ["| | samples | its mean SHD | mean SHD of our default |", "|---|---:|---:|---:|"]
    cases = values(stored)
    for peer in PEERS:
        if peer.startswith("dagwright"):
            continue
        both = [
            (case[f"SHD, {peer}"], case["SHD, dagwright"])
            for case in cases.values()
            if f"SHD, {peer}" in case and "SHD, dagwright" in case
        ]
        if both:
            theirs, ours = (statistics.mean(column) for column in zip(*both, strict=True))
            lines.append(f"| {NAMES[peer]} | {len(both)} | {theirs:.1f} | {ours:.1f} |")
    return lines


def page(stored: dict[str, Any]) -> str:
    cases = values(stored)
    lines = [HEAD]
    for rows in (1_000, 10_000):
        if any(name.endswith(f" {rows}") for name in cases):
            lines += [f"## {rows:,} rows", "", *table(cases, rows), ""]
    known = {name.split(".")[0]: version for name, version in stored["versions"].items()}
    versions = ", ".join(f"{name} {version}" for name, version in known.items())
    lines += ["## The default of dagwright and each other library", "", *pairs(stored), ""]
    lines += [f"Versions: {versions}.", ""]
    lines += ["Repeat it with `python -m bench --task gaussian_quality --networks FOLDER`.", ""]
    return "\n".join([*lines, MIXED.format(table=mixed_table())])


if __name__ == "__main__":
    PAGE.write_text(page(json.loads(STORED.read_text(encoding="utf-8"))), encoding="utf-8")
