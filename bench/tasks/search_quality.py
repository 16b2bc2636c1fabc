"""How close every registered search comes to the truth: SHD of essential graphs, F1 of the skeleton.

Searches that find blankets, or the neighbors of each variable, are compared on their edges alone.
Classifiers (TAN, FAN), structural EM, which is for missing values, and the plain hill climbing of `Maximize`
are left out. The tables are written into docs/how-to/choose-a-search.md, between its two markers.
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
SECONDS = 30.0
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "choose-a-search.md"
BEGIN, END = "<!-- tables made by bench/tasks/search_quality.py -->", "<!-- end of tables -->"
TRUE_ORDER = " (true order)"
LEFT_OUT = {"TAN", "FAN", "StructuralEM", "Maximize"}
# Blankets are the neighbors in the moral graph; all other edges are those of the skeleton.
BLANKETS = {"GrowShrink", "IAMB", "InterIAMB", "FastIAMB", "FdrIAMB", "PairwiseMarkov", "Decomposable"}


def cases(options: Options) -> Iterable[Case]:
    from bench.samples import draw

    for network in NETWORKS[:2] if options.quick else NETWORKS:
        for rows in SIZES[:1] if options.quick else SIZES:
            arguments = {"network": network, "sample": str(draw(network, rows)), "order": 0}
            yield Case(f"{network} {rows}", arguments, repeats=1, timeout=3600.0)


def searches(order: Iterable[str]) -> Iterable[tuple[str, Any]]:
    """Every search with its defaults, and with the true order of the variables where it needs one."""
    import dagwright as dw
    from dagwright.methods.registry import entries

    for entry in entries("search"):
        if entry.name in LEFT_OUT:
            continue
        if entry.needs == ("order",):
            yield entry.name + TRUE_ORDER, entry.method(order=list(order))
        elif entry.name == "Restrict":
            yield "Restrict(PC()).then(OrderSearch())", dw.Restrict(dw.PC()).then(dw.OrderSearch())
        else:
            yield entry.name, entry.method()


def truth(network: str) -> Any:
    import dagwright as dw
    from bench.networks import read_bif
    from bench.peers import network_file

    true = read_bif(network_file(network))
    return dw.Dag(list(true.states), true.edges)


def run_dagwright(arguments: Arguments, clock: Clock) -> dict[str, Any]:
    import dagwright as dw

    table = dw.read(shuffled(arguments).labels())
    answers = {}
    for name, search in searches(truth(arguments["network"]).topological_order()):
        before = clock.cpu_seconds
        try:
            with clock:
                found = dw.learn(table.with_memo(512), search=search, time_limit=SECONDS, random_state=1)
        except dw.DagwrightError as refusal:
            answers[name] = {"refused": str(refusal)}
            continue
        answers[name] = edges_of(found) | {"seconds": clock.cpu_seconds - before}
    return answers


def edges_of(found: Any) -> dict[str, Any]:
    import dagwright as dw

    graph = found.graph if found.dag is None else found.dag
    if not isinstance(graph, dw.Dag | dw.Pdag):
        links = graph if isinstance(graph, dw.UndirectedGraph) else graph.skeleton()
        return {"links": [sorted(link) for link in links.edges]}
    essential = graph.cpdag()
    return {"directed": list(essential.directed_edges), "undirected": list(essential.undirected_edges)}


def findings(results: Results) -> Iterable[Finding]:
    cells: dict[str, dict[str, str]] = {}
    classes: set[str] = set()
    seconds: dict[str, list[float]] = {}
    for case in results.cases():
        result = results.get(case.name, "dagwright")
        if result is None:
            continue
        true = truth(case.arguments["network"])
        for search, answer in result.answer.items():
            if "refused" in answer:
                yield Finding(case.name, f"{search} refused", 1, "", note=answer["refused"])
                continue
            f1, shd = accuracy(true, search, answer)
            seconds.setdefault(search, []).append(answer["seconds"])
            if shd is None:
                cells.setdefault(search, {})[case.name] = f"{f1:.2f}"
                yield Finding(case.name, f"F1 of {search}", f1, "")
            else:
                classes.add(search)
                cells.setdefault(search, {})[case.name] = f"{shd} ({f1:.2f})"
                yield Finding(case.name, f"SHD of {search}", shd, "", note=f"F1 {f1:.3f}")
    if len(results.cases()) == len(NETWORKS) * len(SIZES):
        write_tables(cells, classes, {name: statistics.median(times) for name, times in seconds.items()})


def accuracy(true: Any, search: str, answer: dict[str, Any]) -> tuple[float, int | None]:
    """F1 of the edges, and the structural Hamming distance where the answer is a class of DAGs."""
    import dagwright as dw

    if "links" not in answer:
        edges = [[tuple(edge) for edge in answer[kind]] for kind in ("directed", "undirected")]
        comparison = dw.compare(true, dw.Pdag(true.nodes, *edges))
        return comparison.skeleton_f1, comparison.shd
    wanted = {frozenset(link) for link in (true.moral() if search in BLANKETS else true.skeleton()).edges}
    found = {frozenset(link) for link in answer["links"]}
    return 2 * len(wanted & found) / (len(wanted) + len(found)), None


def write_tables(cells: dict[str, dict[str, str]], classes: set[str], seconds: dict[str, float]) -> None:
    """One table for each kind of answer and each number of rows, a line for each search."""
    others = set(cells) - classes
    parts: list[str] = []
    for wanted, meaning in (
        (classes.__contains__, "Distance between essential graphs (F1 of the skeleton)"),
        (lambda name: name in others - BLANKETS, "Neighbors: F1 of the skeleton"),
        (lambda name: name in others & BLANKETS, "Blankets: F1 of the edges of the moral graph"),
    ):
        names = [name for name in cells if wanted(name)]
        for rows in SIZES:
            parts += [f"### {meaning}, {rows:,} rows", "", *table(names, rows, cells, seconds), ""]
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text("\n".join([before + BEGIN, "", *parts, END + after]), encoding="utf-8")


def table(
    names: list[str], rows: int, cells: dict[str, dict[str, str]], seconds: dict[str, float]
) -> list[str]:
    lines = [f"| | {' | '.join(NETWORKS)} | seconds |", f"|---|{'---:|' * (len(NETWORKS) + 1)}"]
    for name in names:
        found = (cells[name].get(f"{network} {rows}", "–") for network in NETWORKS)
        lines.append(f"| {name} | {' | '.join(found)} | {seconds[name]:.2g} |")
    return lines
