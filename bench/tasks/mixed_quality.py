"""How near to the graph that made the numbers, and the numbers and states.

Linear Gaussian data (50 nodes, mean degree 3, standardized) and mixed data in the manner of Lee & Hastie,
both of `bench.linear`. The share of arcs along which the explained variance rises stands beside the
distances: data in which it is near 1 give the order away. Figures for mixed data to compare with: the
tables of the degenerate Gaussian score (Andrews, Ramsey & Cooper 2019, Tables 1, 2), with a structure prior
of one expected parent.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from typing import Any

from bench.linear import lee_hastie, linear, r2_sortability
from bench.task import Case, Clock, Finding, Options, Results

BAR = (
    "our default no farther than the best peer; mixed adjacencies within 0.03 of the published precision "
    "and recall"
)
PEERS = ("dagwright", "dagwright_ges", "pybnesian", "causal-learn", "xges")
SEEDS = 5
PUBLISHED = {(100, 2): (0.99, 0.98), (100, 4): (0.95, 0.97), (500, 4): (0.97, 0.96)}
SLACK = 0.03
Arguments = dict[str, Any]
Answer = dict[str, Any]


def cases(options: Options) -> Iterable[Case]:
    seeds = range(1 if options.quick else SEEDS)
    for rows in (1_000,) if options.quick else (1_000, 10_000):
        for seed in seeds:
            arguments = {"kind": "linear", "n": 50, "degree": 3, "rows": rows, "seed": seed}
            yield Case(f"linear {rows} seed {seed}", arguments, repeats=1, timeout=300.0)
    for n, degree in list(PUBLISHED)[: 1 if options.quick else None]:
        for seed in seeds:
            arguments = {"kind": "mixed", "n": n, "degree": degree, "rows": 1_000, "seed": seed}
            yield Case(f"mixed {n}/{degree} seed {seed}", arguments, PEERS[:2], repeats=1, timeout=600.0)


def drawn(arguments: Arguments) -> Any:
    made = linear if arguments["kind"] == "linear" else lee_hastie
    return made(arguments["n"], arguments["degree"], arguments["rows"], arguments["seed"])


def learned(arguments: Arguments, clock: Clock, **given: Any) -> Answer:
    import dagwright as dw

    data = drawn(arguments)
    columns = {
        name: column if column.dtype.kind == "f" else [f"s{code}" for code in column]
        for name, column in data.columns.items()
    }
    table, learn = dw.read(columns), dw.learn
    with clock:
        found = learn(table, **given)
    graph = found.essential
    return {
        "directed": [list(edge) for edge in graph.directed_edges],
        "undirected": [list(edge) for edge in graph.undirected_edges],
    }


def run_dagwright(arguments: Arguments, clock: Clock) -> Answer:
    return learned(arguments, clock)


def run_dagwright_ges(arguments: Arguments, clock: Clock) -> Answer:
    import dagwright as dw

    return learned(arguments, clock, search=dw.GES())


def _matrix(arguments: Arguments) -> tuple[list[str], Any]:
    import numpy as np

    data = drawn(arguments).columns
    return list(data), np.column_stack(list(data.values()))


def run_pybnesian(arguments: Arguments, clock: Clock) -> Answer:
    import pandas as pd
    import pybnesian

    data = pd.DataFrame(drawn(arguments).columns)
    with clock:
        model = pybnesian.hc(data, bn_type=pybnesian.GaussianNetworkType(), score="bic", operators=["arcs"])
    return {"dag": [list(arc) for arc in model.arcs()]}


def run_causal_learn(arguments: Arguments, clock: Clock) -> Answer:
    from causallearn.search.PermutationBased.BOSS import boss

    names, matrix = _matrix(arguments)
    with clock:
        graph = boss(matrix, score_func="local_score_BIC_from_cov", verbose=False, node_names=names)
    directed, undirected = [], []
    for edge in graph.get_graph_edges():
        pair = [edge.get_node1().get_name(), edge.get_node2().get_name()]
        (directed if "ARROW" in str(edge.get_endpoint2()) else undirected).append(pair)
    return {"directed": directed, "undirected": undirected}


def run_xges(arguments: Arguments, clock: Clock) -> Answer:
    import xges

    names, matrix = _matrix(arguments)
    with clock:
        search = xges.XGES()
        search.fit(matrix)
    return {"dag": [[names[a], names[b]] for a, b in search.get_a_dag_networkx().edges]}


def findings(results: Results) -> Iterable[Finding]:
    groups: dict[str, list[Case]] = {}
    for case in results.cases():
        groups.setdefault(case.name.split(" seed ")[0], []).append(case)
    for name, group in groups.items():
        distances: dict[str, float] = {}
        for peer in PEERS:
            found = [
                compared(case.arguments, result.answer)
                for case in group
                if (result := results.get(case.name, peer)) is not None
            ]
            if len(found) < len(group):
                continue
            distance, precision, recall = (statistics.mean(column) for column in zip(*found, strict=True))
            distances[peer] = distance
            bars: tuple[float | None, float | None] = (None, None)
            if name.startswith("mixed") and peer == "dagwright":
                published = PUBLISHED[group[0].arguments["n"], group[0].arguments["degree"]]
                bars = (published[0] - SLACK, published[1] - SLACK)
            yield Finding(name, f"precision of adjacencies, {peer}", precision, "", bars[0])
            yield Finding(name, f"recall of adjacencies, {peer}", recall, "", bars[1])
        best = min(
            (value for peer, value in distances.items() if not peer.startswith("dagwright")), default=None
        )
        for peer, value in distances.items():
            bar = best if peer == "dagwright" else None
            yield Finding(name, f"structural Hamming distance, {peer}", value, "", at_most=bar)
        if name.startswith("linear"):
            yield Finding(name, "R2-sortability", statistics.mean(map(sortable, group)), "")


def compared(arguments: Arguments, answer: Answer) -> tuple[float, float, float]:
    """The distance of essential graphs, and precision and recall of adjacencies."""
    from dagwright import Dag, Pdag, compare

    data = drawn(arguments)
    truth = Dag(list(data.columns), data.arcs)
    if "dag" in answer:
        estimate = Dag(truth.nodes, [tuple(arc) for arc in answer["dag"]]).cpdag()
    else:
        estimate = Pdag(truth.nodes, map(tuple, answer["directed"]), map(tuple, answer["undirected"]))
    true, found = ({frozenset(edge) for edge in graph.skeleton().edges} for graph in (truth, estimate))
    common = len(true & found)
    return compare(truth, estimate).shd, common / max(len(found), 1), common / max(len(true), 1)


def sortable(case: Case) -> float:
    import numpy as np

    data = drawn(case.arguments)
    number = {name: at for at, name in enumerate(data.columns)}
    return r2_sortability(
        np.array(list(data.columns.values())), [(number[a], number[b]) for a, b in data.arcs]
    )
