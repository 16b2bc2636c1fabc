"""Numbers as numbers: hill climbing with BIC, PC with Fisher's z, and GES with twice the penalty of BIC.

Linear Gaussian data of `bench.linear`. The clock covers the moments: nothing is remembered beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.linear import linear
from bench.task import Case, Clock, Finding, Options, Results

BAR = (
    "hill climbing at least 10x PyBNesian; PC at least 10x causal-learn and pgmpy and 3x PyBNesian; "
    "GES before xges, all in processor time"
)
PEERS = ("dagwright", "pybnesian", "pgmpy", "causal-learn", "xges")
SPEED = {
    ("climb", "pybnesian"): 10.0,
    ("pc", "pybnesian"): 3.0,
    ("pc", "causal-learn"): 10.0,
    ("pc", "pgmpy"): 10.0,
    ("ges", "xges"): 1.0,
}
ALPHA = 0.01
PATIENCE = 60.0
"""Seconds of processor time; a peer that needs more is stopped, and the ratio is a lower bound."""
Arguments = dict[str, Any]
Edges = list[tuple[str, str]]


def cases(options: Options) -> Iterable[Case]:
    sizes = {"climb": (100, 3.0, 100_000), "pc": (50, 3.0, 10_000), "ges": (750, 2.0, 10_000)}
    if options.quick:
        sizes = dict.fromkeys(sizes, (20, 3.0, 1000))
    for what, (n, degree, rows) in sizes.items():
        peers = ("dagwright", *(peer for task, peer in SPEED if task == what))
        arguments = {"what": what, "n": n, "degree": degree, "rows": rows, "seed": 1}
        yield Case(f"{what} {n} x {rows}", arguments, peers, timeout=40 * PATIENCE, cpu_limit=PATIENCE)


def columns(arguments: Arguments) -> dict[str, Any]:
    drawn = linear(arguments["n"], arguments["degree"], arguments["rows"], arguments["seed"])
    return drawn.columns


def frame(arguments: Arguments) -> Any:
    import pandas as pd

    return pd.DataFrame(columns(arguments))


def batch(arguments: Arguments) -> Any:
    """The form that PyBNesian holds in memory."""
    import pyarrow as pa

    return pa.RecordBatch.from_pydict(columns(arguments))


def run_dagwright(arguments: Arguments, clock: Clock) -> Edges:
    import dagwright as dw

    table, what = dw.read(columns(arguments)), arguments["what"]
    learn = dw.learn
    given: dict[str, Any] = {
        "climb": {"score": dw.BIC(), "search": dw.HillClimb()},
        "pc": {"search": dw.PC(test=dw.FisherZ(ALPHA))},
        "ges": {"score": dw.BIC(discount=2), "search": dw.GES()},
    }[what]
    with clock:
        found = learn(table, **given)
    return [tuple(edge) for edge in found.graph.skeleton().edges]


def run_pybnesian(arguments: Arguments, clock: Clock) -> Edges:
    import pybnesian

    data = batch(arguments)
    with clock:
        if arguments["what"] == "climb":
            kind = pybnesian.GaussianNetworkType()
            model = pybnesian.hc(data, bn_type=kind, score="bic", operators=["arcs"], max_indegree=0)
            return list(model.arcs())
        graph = pybnesian.PC().estimate(pybnesian.LinearCorrelation(data), alpha=ALPHA, use_sepsets=True)
    return [*graph.arcs(), *graph.edges()]


def run_pgmpy(arguments: Arguments, clock: Clock) -> Edges:
    from pgmpy.estimators import PC

    data = frame(arguments)
    with clock:
        found = PC(data).estimate(
            ci_test="pearsonr", significance_level=ALPHA, variant="stable", show_progress=False
        )
    return list(found.edges())


def run_causal_learn(arguments: Arguments, clock: Clock) -> Edges:
    import numpy as np
    from causallearn.search.ConstraintBased.PC import pc

    data = columns(arguments)
    matrix = np.column_stack(list(data.values()))
    with clock:
        found = pc(matrix, ALPHA, "fisherz", stable=True, show_progress=False, node_names=list(data))
    return [(edge.get_node1().get_name(), edge.get_node2().get_name()) for edge in found.G.get_graph_edges()]


def run_xges(arguments: Arguments, clock: Clock) -> Edges:
    import numpy as np
    import xges

    data = columns(arguments)
    names, matrix = list(data), np.column_stack(list(data.values()))
    with clock:
        search = xges.XGES()
        search.fit(matrix)
    return [(names[a], names[b]) for a, b in search.get_a_dag_networkx().edges]


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        what = case.arguments["what"]
        ours = results.get(case.name, "dagwright")
        if ours is None:
            continue
        mine = {frozenset(edge) for edge in ours.answer}
        yield Finding(case.name, "peak memory of dagwright", ours.peak_mib, "MiB")
        for peer in case.peers or ():
            result = results.get(case.name, peer)
            bar = SPEED.get((what, peer))
            if peer == "dagwright":
                continue
            if result is None:
                least = results.least_speedup(case.name, "dagwright", peer)
                if least == least:
                    said = f"at least: stopped after {PATIENCE:.0f} s"
                    yield Finding(case.name, f"{peer} / dagwright processor time", least, "x", bar, note=said)
                continue
            theirs = {frozenset(edge) for edge in result.answer}
            note = (
                f"edges: {len(mine & theirs)} common, {len(mine - theirs)} ours, {len(theirs - mine)} theirs"
            )
            speedup = results.speedup([case.name], "dagwright", peer, clock="cpu_seconds")
            yield Finding(case.name, f"{peer} / dagwright processor time", speedup, "x", bar, note=note)
