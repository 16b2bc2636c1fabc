"""How close every registered search for DAGs comes to the truth: SHD of essential graphs, F1 of the skeleton.

The table is written into docs/how-to/choose-a-search.md, between its two markers.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.hill_climb import Arguments, shuffled

BAR = "no bar: for people who choose a search"
PEERS = ("dagwright",)
NETWORKS = ("asia", "child", "insurance", "alarm", "hailfinder", "hepar2", "win95pts")
SIZES = (1_000, 10_000)
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "choose-a-search.md"
BEGIN, END = "<!-- table made by bench/tasks/search_quality.py -->", "<!-- end of table -->"


def cases(options: Options) -> Iterable[Case]:
    from bench.samples import draw

    for network in NETWORKS[:2] if options.quick else NETWORKS:
        for rows in SIZES[:1] if options.quick else SIZES:
            arguments = {"sample": str(draw(network, rows)), "order": 0}
            yield Case(f"{network} {rows}", arguments, repeats=1, timeout=1800.0)


def run_dagwright(arguments: Arguments, clock: Clock) -> dict[str, Any]:
    import dagwright as dw
    from dagwright.registry import entries

    table = dw.read(shuffled(arguments).labels())
    answers = {}
    for entry in entries("search"):
        if entry.needs:
            continue
        before = clock.cpu_seconds
        with clock:
            found = dw.learn(table.with_memo(512), search=entry.method(), time_limit=30.0, random_state=1)
        if not isinstance(found.graph, dw.Dag | dw.Pdag):
            continue  # neither a DAG nor a class of them: there is nothing to compare
        graph = (found.graph if found.dag is None else found.dag).cpdag()
        answers[entry.name] = {
            "directed": list(graph.directed_edges),
            "undirected": list(graph.undirected_edges),
            "seconds": clock.cpu_seconds - before,
        }
    return answers


def findings(results: Results) -> Iterable[Finding]:
    import dagwright as dw
    from bench.networks import read_bif
    from bench.peers import network_file

    lines: dict[tuple[str, int], dict[str, str]] = {}
    seconds: dict[str, list[float]] = {}
    for case in results.cases():
        network, rows = case.name.split()
        result = results.get(case.name, "dagwright")
        if result is None:
            continue
        true = read_bif(network_file(network))
        truth = dw.Dag(list(true.states), true.edges)
        for search, answer in result.answer.items():
            edges = [[tuple(edge) for edge in answer[kind]] for kind in ("directed", "undirected")]
            found = dw.compare(truth, dw.Pdag(truth.nodes, *edges))
            lines.setdefault((network, int(rows)), {})[search] = f"{found.shd} ({found.skeleton_f1:.2f})"
            seconds.setdefault(search, []).append(answer["seconds"])
            yield Finding(case.name, f"SHD of {search}", found.shd, "", note=f"F1 {found.skeleton_f1:.3f}")
    if len(lines) == len(NETWORKS) * len(SIZES):
        write_table(lines, seconds)


def write_table(lines: dict[tuple[str, int], dict[str, str]], seconds: dict[str, list[float]]) -> None:
    columns = list(seconds)
    rows = [f"| network | rows | {' | '.join(columns)} |", f"|---|---:|{'---:|' * len(columns)}"]
    for (network, N), cells in lines.items():
        rows.append(f"| {network} | {N:,} | {' | '.join(cells.get(name, '') for name in columns)} |")
    medians = " | ".join(f"{statistics.median(seconds[name]):.2g}" for name in columns)
    rows.append(f"| median processor seconds | | {medians} |")
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text("\n".join([before + BEGIN, "", *rows, "", END + after]), encoding="utf-8")
