"""Crossings of the edges in a layered drawing, against Graphviz dot (Debian's or any other on the path)."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from typing import Any

from bench import peers
from bench.networks import read_bif
from bench.task import Case, Clock, Finding, Options, Results, SkipTaskError

BAR = "at most 1.5 times the crossings of dot on every network, and the largest is laid out in seconds"
PEERS = ("dagwright", "graphviz")
NETWORKS = (
    *("asia", "cancer", "earthquake", "survey", "sachs", "child", "insurance", "water", "mildew", "alarm"),
    *("barley", "hailfinder", "hepar2", "win95pts", "pathfinder", "munin1", "andes", "diabetes", "pigs"),
    *("link", "munin"),
)
QUICK = ("asia", "alarm", "hailfinder", "andes")
FONT = 14.0


def cases(options: Options) -> Iterable[Case]:
    if shutil.which("dot") is None:
        raise SkipTaskError("Graphviz's dot is not on the path")
    for name in QUICK if options.quick else NETWORKS:
        network = read_bif(peers.network_file(name))
        number = {node: position for position, node in enumerate(network.parents)}
        links = [[number[a], number[b]] for a, b in network.edges]
        yield Case(name, {"nodes": list(number), "links": links}, repeats=1)


def crossings(routes: list[list[tuple[float, float]]]) -> int:
    """Proper intersections of different curves, each a chain of cubics drawn with 12 straight pieces."""
    import numpy as np

    t = np.linspace(0, 1, 13)[:, None]
    weights = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t**3)
    begins, ends, owners = [], [], []
    for owner, route in enumerate(routes):
        points = np.array(route, dtype=float)
        for at in range(0, len(points) - 1, 3):
            line = sum(w * point for w, point in zip(weights, points[at : at + 4], strict=True))
            begins.append(line[:-1])
            ends.append(line[1:])
            owners.append(np.full(12, owner))
    if not begins:
        return 0
    a, b, owner = np.concatenate(begins), np.concatenate(ends), np.concatenate(owners)
    by_height = np.argsort(np.minimum(a, b)[:, 1], kind="stable")
    a, b, owner = a[by_height], b[by_height], owner[by_height]
    low, high = np.minimum(a, b), np.maximum(a, b)

    def side(p: Any, q: Any, r: Any) -> Any:
        return (q[:, 0] - p[:, 0]) * (r[:, 1] - p[:, 1]) - (q[:, 1] - p[:, 1]) * (r[:, 0] - p[:, 0])

    total = 0
    for start in range(0, len(a), 256):
        rows = slice(start, start + 256)
        stop = int(np.searchsorted(low[:, 1], high[rows, 1].max(), side="right"))
        others = slice(start, stop)
        near = (low[rows, None] <= high[None, others]).all(-1) & (high[rows, None] >= low[None, others]).all(
            -1
        )
        i, j = np.nonzero(near & (owner[rows, None] != owner[None, others]))
        i, j = i + start, j + start
        i, j = i[i < j], j[i < j]
        apart = (side(a[i], b[i], a[j]) * side(a[i], b[i], b[j]) < 0) & (
            side(a[j], b[j], a[i]) * side(a[j], b[j], b[i]) < 0
        )
        total += int(apart.sum())
    return total


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> dict[str, float]:
    from dagwright.show.layout import layered
    from dagwright.show.text_width import text_width

    sizes = [(text_width(node, FONT) + 20, 2 * FONT) for node in arguments["nodes"]]
    links = [(a, b) for a, b in arguments["links"]]
    with clock:
        found = layered(sizes, links)
    return {
        "crossings": crossings([list(route) for route in found.routes]),
        "width": found.width,
        "height": found.height,
    }


def run_graphviz(arguments: dict[str, Any], clock: Clock) -> dict[str, float]:
    nodes = "".join(f'n{at}[label="{name}"];' for at, name in enumerate(arguments["nodes"]))
    arcs = "".join(f"n{a}->n{b}[arrowhead=none];" for a, b in arguments["links"])
    source = f"digraph{{node[shape=box fontname=Helvetica fontsize={FONT}];{nodes}{arcs}}}"
    with clock:
        done = subprocess.run(["dot", "-Tplain"], input=source, capture_output=True, text=True, check=True)
    routes = []
    _, _, width, height = done.stdout.splitlines()[0].split()
    for line in done.stdout.splitlines():
        words = line.split()
        if words[0] == "edge":
            numbers = list(map(float, words[4 : 4 + 2 * int(words[3])]))
            routes.append(list(zip(numbers[::2], numbers[1::2], strict=True)))
    return {"crossings": crossings(routes), "width": 72 * float(width), "height": 72 * float(height)}


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours, theirs = results.get(case.name, "dagwright"), results.get(case.name, "graphviz")
        if ours is None or theirs is None:
            continue
        note = f"{ours.answer['crossings']} and {theirs.answer['crossings']}"
        ratio = ours.answer["crossings"] / max(theirs.answer["crossings"], 1)
        yield Finding(case.name, "crossings / dot's", ratio, at_most=1.5, note=note)
        area = ours.answer["width"] * ours.answer["height"]
        yield Finding(case.name, "area / dot's", area / (theirs.answer["width"] * theirs.answer["height"]))
        yield Finding(case.name, "processor time", ours.cpu_seconds, "s", at_most=5.0)
