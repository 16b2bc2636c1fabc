"""`python -m bench.stability`: does the order of columns and rows, or do names, change what is learned?

    python -m bench.stability run --folder FOLDER_WITH_BIF_FILES --minutes 10   # goes on where it stopped
    python -m bench.stability show

Kitson & Constantinou (2024) learn 17 networks from 100 to 100,000 rows in 25 random orders of columns, rows
and names each. This is the same with the networks that have public BIF files. Their table counts an edge of
the essential graph as found if it is there with the same direction or lack of one. Each answer is one line of
JSON in bench/results/stability.jsonl.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import sys
import time
import zlib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import dagwright as dw
from bench.recovery import QUICK, RESULTS, network, read

STORED = RESULTS / "stability.jsonl"
NETWORKS = (
    *("asia", "sachs", "child", "insurance", "water", "mildew"),
    *("alarm", "barley", "hailfinder", "hepar2", "win95pts", "pathfinder"),
)
ROWS = (100, 1_000, 10_000, 100_000)
ORDERS = 25
SETTINGS: dict[str, dict[str, str]] = {
    "HillClimb, BIC": {"search": "HillClimb()", "score": "BIC()"},
    "Tabu, BIC": {"search": "Tabu()", "score": "BIC()"},
    "OrderSearch, BIC": {"search": QUICK, "score": "BIC()"},
    "OrderSearch, default pair": {"search": QUICK},
}
PUBLISHED = {
    "Tabu-Stable": (0.4976, 0.0035, -25.4630),
    "Tabu": (0.4426, 0.0828, -25.4818),
    "HC-Stable": (0.4511, None, -25.4684),
    "HC": (0.3844, 0.0930, -25.5031),
}
"""Mean F1, its standard deviation over orders, and mean BIC per row (Kitson & Constantinou 2024, table 1)."""

Line = dict[str, Any]


def disordered(drawn: dw.Table, order: int) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """The rows with rows, columns and names in random order, and what each name stands for."""
    random = np.random.default_rng([order, 17])
    names = list(drawn.names)
    given = [f"X{k:03d}" for k in random.permutation(len(names))]
    rows = random.permutation(len(drawn))
    chosen = {
        given[at]: np.asarray(drawn.states_of(names[at]))[drawn.codes(names[at])[rows]].astype(str)
        for at in random.permutation(len(names))
    }
    return chosen, dict(zip(given, names, strict=True))


def marks(graph: dw.Pdag, meaning: dict[str, str]) -> set[tuple[Any, ...]]:
    """The edges under their true names; one without direction is a set of two."""
    directed = {(meaning[a], meaning[b]) for a, b in graph.directed_edges}
    return directed | {(frozenset((meaning[a], meaning[b])),) for a, b in graph.undirected_edges}


def measured(true: dw.BayesianNetwork, drawn: dw.Table, order: int, given: dict[str, str]) -> Line:
    columns, meaning = disordered(drawn, order)
    worked = time.process_time()
    found = dw.learn(dw.read(columns), **given)
    seconds = time.process_time() - worked
    edges = marks(found.essential, meaning)
    truth = marks(true.graph.cpdag(), {x: x for x in true.nodes})
    graph = dw.Dag(list(meaning), found.essential.extension().edges)
    bic = dw.score(graph, dw.read(columns), score=dw.BIC()).total
    words = sorted(" -- ".join(sorted(*edge)) if len(edge) == 1 else " -> ".join(edge) for edge in edges)
    return {
        "f1": 2 * len(edges & truth) / (len(edges) + len(truth)),
        "bic_per_row": bic / len(drawn),
        "graph": hashlib.sha256("; ".join(words).encode()).hexdigest()[:16],
        "cpu_seconds": seconds,
    }


def run(chosen: argparse.Namespace) -> None:
    done = {(r["network"], r["rows"], r["order"], r["setting"]) for r in read(STORED)}
    ends = time.process_time() + 60.0 * chosen.minutes
    for rows in ROWS:
        for name in NETWORKS:
            cells = [(order, setting) for order in range(chosen.orders) for setting in SETTINGS]
            wanted = [cell for cell in cells if (name, rows, *cell) not in done]
            true = network(name, chosen.folder) if wanted else None
            if true is None:
                continue
            seed = [zlib.crc32(name.encode()), rows]
            drawn = true.sample(rows, random_state=np.random.default_rng(seed))
            for order, setting in wanted:
                if time.process_time() > ends:
                    return
                key = {"network": name, "rows": rows, "order": order, "setting": setting}
                line = {**key, **measured(true, drawn, order, SETTINGS[setting])}
                with STORED.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
                print(f"{name} {rows} {order} {setting}: {line['f1']:.3f}", flush=True)


def table(lines: Iterable[Line]) -> list[str]:
    """Means over the cells that all settings have finished, beside the published ones."""
    cells: dict[str, dict[tuple[str, int], list[Line]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        cells[line["setting"]][line["network"], line["rows"]].append(line)
    shared = sorted(
        cell
        for cell in set.intersection(*(set(cells[setting]) for setting in SETTINGS))
        if min(len(cells[setting][cell]) for setting in SETTINGS) > 1
    )
    rows = ["| | F1 | standard deviation over orders | BIC per row | cells | orders per cell |"]
    rows.append("|---|---:|---:|---:|---:|---:|")
    for setting in SETTINGS:
        groups = [cells[setting][cell] for cell in shared]
        f1 = statistics.fmean(statistics.fmean(line["f1"] for line in group) for group in groups)
        bic = statistics.fmean(statistics.fmean(line["bic_per_row"] for line in group) for group in groups)
        spread = statistics.fmean(statistics.pstdev(line["f1"] for line in group) for group in groups)
        orders = sorted(map(len, groups))
        counts = f"{orders[0]}" if orders[0] == orders[-1] else f"{orders[0]} to {orders[-1]}"
        rows.append(f"| {setting} | {f1:.4f} | {spread:.4f} | {bic:.4f} | {len(shared)} | {counts} |")
    for name, (f1, deviation, bic) in PUBLISHED.items():
        shown = "–" if deviation is None else f"{deviation:.4f}"
        rows.append(f"| {name}, published, 17 networks | {f1:.4f} | {shown} | {bic:.4f} | 68 | 25 |")
    return rows


def in_words(lines: Iterable[Line]) -> str:
    """On which networks orders lead to different graphs, and how far their BIC differs."""
    cells: dict[tuple[str, int, str], list[Line]] = defaultdict(list)
    for line in lines:
        cells[line["network"], line["rows"], line["setting"]].append(line)
    apart = {key: group for key, group in cells.items() if len({line["graph"] for line in group}) > 1}
    if not apart:
        return "No order changes a graph."
    names = ", ".join(sorted({name for name, _, _ in apart}))
    values = [[line["bic_per_row"] for line in group] for group in apart.values()]
    most = max((max(group) - min(group)) / abs(max(group)) for group in values)
    return (
        f"Orders lead to different graphs in {len(apart)} of {len(cells)} cells, samples from {names}. Within"
        f" a cell the BIC of these graphs differs by at most {100 * most:.2g} %. Some columns of these "
        "samples are equal in every row, so only their names, which are part of the order, tell them apart."
    )


def section() -> list[str]:
    """For the page of comparisons; empty before the study is run."""
    lines = read(STORED)
    if not lines:
        return []
    intro = (
        "Kitson & Constantinou (2024) learn 17 networks from 100 to 100,000 rows in 25 random orders of "
        "columns, rows and names, and count an edge of the essential graph as found if it is there with the "
        "same direction or lack of one. This is the same for those of the networks that have public files "
        "and the cells that are done. The published rows are means over other networks and sizes, so compare "
        "their deviation over orders rather than their F1."
    )
    return ["### Order of columns, rows and names", "", intro, "", *table(lines), "", in_words(lines), ""]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.stability", description=__doc__)
    parser.add_argument("action", choices=("run", "show"))
    parser.add_argument("--folder", type=Path, help="where BIF files of further networks are")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so much processor time")
    parser.add_argument("--orders", type=int, default=ORDERS)
    chosen = parser.parse_args()
    if chosen.action == "run":
        run(chosen)
    lines = read(STORED)
    print("\n".join([*table(lines), "", in_words(lines)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
