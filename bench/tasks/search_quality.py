"""How close every search comes to the true network: SHD between essential graphs and F1 of the skeleton.

The table is written into docs/how-to/choose-a-search.md, between its two markers.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from pathlib import Path

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.hill_climb import Arguments, Edges, shuffled

BAR = "no bar: for people who choose a search"
PEERS = ("dagwright",)
NETWORKS = ("asia", "child", "insurance", "alarm", "hailfinder", "hepar2", "win95pts")
SIZES = (1_000, 10_000)
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "choose-a-search.md"
BEGIN, END = "<!-- table made by bench/tasks/search_quality.py -->", "<!-- end of table -->"


def searches() -> list[str]:
    """Every registered search that learns from data alone, by name."""
    from dagwright.registry import entries

    return [entry.name for entry in entries("search") if not entry.needs]


def cases(options: Options) -> Iterable[Case]:
    from bench.samples import draw

    for network in NETWORKS[:2] if options.quick else NETWORKS:
        for rows in SIZES[:1] if options.quick else SIZES:
            sample = str(draw(network, rows))
            for search in searches():
                arguments = {"sample": sample, "order": 0, "search": search, "network": network}
                yield Case(f"{network} {rows} {search}", arguments, repeats=1)


def run_dagwright(arguments: Arguments, clock: Clock) -> dict[str, Edges]:
    import dagwright as dw
    from dagwright.registry import entry

    table = dw.read(shuffled(arguments).labels())
    search = entry(arguments["search"], "search").method()
    with clock:
        found = dw.learn(table, search=search, time_limit=60.0, random_state=1)
    graph = (found.graph if found.dag is None else found.dag).cpdag()
    return {"directed": list(graph.directed_edges), "undirected": list(graph.undirected_edges)}


def findings(results: Results) -> Iterable[Finding]:
    import dagwright as dw
    from bench.networks import read_bif
    from bench.peers import network_file

    lines: dict[tuple[str, int], dict[str, str]] = {}
    seconds: dict[str, list[float]] = {}
    for case in results.cases():
        network, rows, search = case.name.split()
        result = results.get(case.name, "dagwright")
        if result is None:
            continue
        truth = dw.Dag(list(read_bif(network_file(network)).states), read_bif(network_file(network)).edges)
        edges = [[tuple(edge) for edge in result.answer[kind]] for kind in ("directed", "undirected")]
        found = dw.compare(truth, dw.Pdag(truth.nodes, *edges))
        cell = f"{found.shd} ({found.skeleton_f1:.2f})"
        lines.setdefault((network, int(rows)), {})[search] = cell
        seconds.setdefault(search, []).append(result.seconds)
        yield Finding(case.name, "SHD of essential graphs", found.shd, "", note=f"F1 {found.skeleton_f1:.3f}")
    if {case.arguments["network"] for case in results.cases()} == set(NETWORKS):
        write_table(lines, seconds)


def write_table(lines: dict[tuple[str, int], dict[str, str]], seconds: dict[str, list[float]]) -> None:
    columns = list(seconds)
    rows = [f"| network | rows | {' | '.join(columns)} |", f"|---|---:|{'---:|' * len(columns)}"]
    for (network, N), cells in lines.items():
        rows.append(f"| {network} | {N:,} | {' | '.join(cells.get(name, '') for name in columns)} |")
    medians = " | ".join(f"{statistics.median(seconds[name]):.2g}" for name in columns)
    rows.append(f"| median seconds | | {medians} |")
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text("\n".join([before + BEGIN, "", *rows, "", END + after]), encoding="utf-8")
