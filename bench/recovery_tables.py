"""The tables of the recovery study: means over cells that all settings of a table have finished."""

from __future__ import annotations

import statistics
from collections import defaultdict
from typing import Any

Line = dict[str, Any]
MEASURES = (
    ("SHD per true edge", lambda r: r["shd"] / r["edges"]),
    ("F1 of the skeleton", lambda r: r["skeleton_f1"]),
    ("F1 of the arrowheads", lambda r: r["arrowhead_f1"]),
    ("log-loss on fresh rows, nats per row", lambda r: r.get("log_loss")),
    ("score below the best of the same score", lambda r: r.get("gap")),
    ("seconds", lambda r: r.get("seconds")),
)
ENOUGH = 0.8
"""A setting joins the tables when it has this part of the cells that the fullest setting has."""


def tables(lines: list[Line]) -> str:
    """Markdown: for each measure a row per setting, a column per number of rows."""
    finished = [line for line in lines if "error" not in line]
    if not finished:
        return "nothing is there yet"
    with_gaps(finished)
    by_setting: dict[str, dict[tuple[str, int, int], Line]] = defaultdict(dict)
    for line in finished:
        by_setting[line["setting"]][line["network"], line["rows"], line["sample"]] = line
    most = max(map(len, by_setting.values()))
    whole = {name: found for name, found in by_setting.items() if len(found) >= ENOUGH * most}
    shared = set.intersection(*(set(found) for found in whole.values()))
    sizes = sorted({rows for _, rows, _ in shared})
    networks = len({name for name, _, _ in shared})
    parts = [f"{len(shared)} cells of {networks} networks that {len(whole)} settings have finished"]
    for title, value in MEASURES:
        parts += ["", f"## {title}: mean (median, standard deviation)", ""]
        parts += [f"| | {' | '.join(f'{rows:,} rows' for rows in sizes)} | all |"]
        parts += [f"|---|{'---:|' * (len(sizes) + 1)}"]
        rows_of_table = []
        for name, found in whole.items():
            chosen = [[value(found[c]) for c in sorted(shared) if c[1] == rows] for rows in sizes]
            numbers = [[v for v in column if v is not None] for column in chosen]
            every = [v for column in numbers for v in column]
            if every:
                shown = " | ".join(map(in_words, [*numbers, every]))
                rows_of_table.append((statistics.fmean(every), f"| {name} | {shown} |"))
        parts += [row for _, row in sorted(rows_of_table, reverse=title.startswith("F1"))]
    left = sorted(set(by_setting) - set(whole))
    if left:
        parts += ["", f"Not in the tables for lack of cells: {', '.join(left)}."]
    failed = sorted({f"{r['setting']} on {r['network']}: {r['error']}" for r in lines if "error" in r})
    return "\n".join([*parts, *(["", "Errors:", *failed] if failed else [])])


def with_gaps(lines: list[Line]) -> None:
    """How far each answer is below the best score that any search found with the same score and prior."""
    best: dict[tuple[Any, ...], float] = {}
    for line in lines:
        if line.get("score") is not None:
            best[cell(line)] = max(best.get(cell(line), line["score"]), line["score"])
    for line in lines:
        if line.get("score") is not None:
            line["gap"] = best[cell(line)] - line["score"]


def cell(line: Line) -> tuple[Any, ...]:
    how = line["how"]
    return (line["network"], line["rows"], line["sample"], how["score"], how["prior"])


def in_words(numbers: list[float]) -> str:
    if not numbers:
        return "–"
    spread = statistics.stdev(numbers) if len(numbers) > 1 else 0.0
    return f"{statistics.fmean(numbers):.3g} ({statistics.median(numbers):.3g}, {spread:.2g})"
