"""How near to the graph that made the numbers: Gaussian networks, and random dense ones.

The networks are read from a folder of XDSL files (`--networks`), as the seven of Kitson & Constantinou
(2025). The random ones have the generator of Nazaret & Blei (2024), `bench.linear.dense`, standardized.
Columns are in random order. Variances and explained variances that rise along the arcs give the order of the
nodes away (Reisach et al. 2021, 2023): the share of arcs along which they do stands beside the distances.
Each peer has 60 seconds of processor time; slow ones are asked about small networks only.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.graphs_of_numbers import Answer, compared, essential, of_causal_learn, of_dag
from bench.linear import Drawn, dense, kept, load, r2_sortability, shuffled, variance_sortability
from bench.task import Case, Clock, Finding, Options, Results, SkipTaskError

BAR = "the mean distance of our default is no larger than that of the best peer"
OURS = ("dagwright", "dagwright_ges", "dagwright_boss", "dagwright_hill_climb")
PEERS = (*OURS, "pybnesian", "pgmpy", "causal-learn.boss", "causal-learn.grasp", "causal-learn.ges", "xges")
LARGEST = {"pgmpy": 20, "causal-learn.ges": 20}
"""Variables of the largest networks that these end on within 60 s."""
SEEDS = 3
PATIENCE = 60.0
Arguments = dict[str, Any]


def cases(options: Options) -> Iterable[Case]:
    if options.networks is None:
        raise SkipTaskError("needs --networks, a folder of Gaussian networks in XDSL")
    files = sorted(options.networks.glob("*.xdsl*"), key=lambda path: path.stat().st_size)
    for rows in (1_000,) if options.quick else (1_000, 10_000):
        for path in files[: 2 if options.quick else None]:
            yield asked(f"{path.name.split('_c.')[0]} {rows}", kept(sampled(path, rows), path.name, rows))
        for seed in range(1 if options.quick else SEEDS):
            drawn = dense(50, 3.0, rows, seed)
            yield asked(f"random {seed} {rows}", kept(drawn, f"random{seed}", rows))


def asked(name: str, path: Path) -> Case:
    n = len(load(path).columns)
    peers = tuple(peer for peer in PEERS if n <= LARGEST.get(peer, n))
    return Case(name, {"path": str(path)}, peers, repeats=1, timeout=900.0, cpu_limit=PATIENCE)


def sampled(path: Path, rows: int) -> Drawn:
    import dagwright as dw

    network = dw.load(path)
    columns = network.sample(rows, random_state=rows).to_dict()
    return shuffled(Drawn(columns, [(a, b) for a, b in network.graph.edges]), rows)


def learned(arguments: Arguments, clock: Clock, **given: Any) -> Answer:
    import dagwright as dw

    table, learn = dw.read(load(arguments["path"]).columns), dw.learn
    with clock:
        found = learn(table, **given)
    return essential(found.essential)


def run_dagwright(arguments: Arguments, clock: Clock) -> Answer:
    return learned(arguments, clock)


def run_dagwright_ges(arguments: Arguments, clock: Clock) -> Answer:
    import dagwright as dw

    return learned(arguments, clock, search=dw.GES())


def run_dagwright_boss(arguments: Arguments, clock: Clock) -> Answer:
    import dagwright as dw

    return learned(arguments, clock, search=dw.BOSS())


def run_dagwright_hill_climb(arguments: Arguments, clock: Clock) -> Answer:
    import dagwright as dw

    return learned(arguments, clock, search=dw.HillClimb())


def frame(arguments: Arguments) -> Any:
    import pandas as pd

    return pd.DataFrame(load(arguments["path"]).columns)


def batch(arguments: Arguments) -> Any:
    """The form that PyBNesian holds in memory."""
    import pyarrow as pa

    return pa.RecordBatch.from_pydict(load(arguments["path"]).columns)


def matrix(arguments: Arguments) -> tuple[list[str], Any]:
    import numpy as np

    columns = load(arguments["path"]).columns
    return list(columns), np.column_stack(list(columns.values()))


def run_pybnesian(arguments: Arguments, clock: Clock) -> Answer:
    import pybnesian

    data = batch(arguments)
    with clock:
        model = pybnesian.hc(data, bn_type=pybnesian.GaussianNetworkType(), score="bic", operators=["arcs"])
    return of_dag(model.arcs())


def run_pgmpy(arguments: Arguments, clock: Clock) -> Answer:
    from pgmpy.estimators import HillClimbSearch

    data = frame(arguments)
    with clock:
        found = HillClimbSearch(data).estimate(scoring_method="bic-g", show_progress=False)
    return of_dag(found.edges())


def run_causal_learn_boss(arguments: Arguments, clock: Clock) -> Answer:
    from causallearn.search.PermutationBased.BOSS import boss

    names, data = matrix(arguments)
    with clock:
        graph = boss(data, score_func="local_score_BIC_from_cov", verbose=False, node_names=names)
    return of_causal_learn(graph)


def run_causal_learn_grasp(arguments: Arguments, clock: Clock) -> Answer:
    from causallearn.search.PermutationBased.GRaSP import grasp

    names, data = matrix(arguments)
    with clock:
        graph = grasp(data, score_func="local_score_BIC_from_cov", verbose=False, node_names=names)
    return of_causal_learn(graph)


def run_causal_learn_ges(arguments: Arguments, clock: Clock) -> Answer:
    from causallearn.search.ScoreBased.GES import ges

    names, data = matrix(arguments)
    with clock:
        found = ges(data, score_func="local_score_BIC_from_cov", node_names=names)
    return of_causal_learn(found["G"])


def run_xges(arguments: Arguments, clock: Clock) -> Answer:
    import xges

    names, data = matrix(arguments)
    with clock:
        search = xges.XGES()
        search.fit(data)
    return of_dag([names[a], names[b]] for a, b in search.get_a_dag_networkx().edges)


def findings(results: Results) -> Iterable[Finding]:
    distances: dict[str, dict[str, float]] = {}
    for case in results.cases():
        drawn = load(case.arguments["path"])
        for peer in case.peers or PEERS:
            if (result := results.get(case.name, peer)) is not None:
                distances.setdefault(peer, {})[case.name] = compared(drawn, result.answer)[0]
                yield Finding(case.name, f"SHD, {peer}", distances[peer][case.name], "")
        yield Finding(case.name, "true edges", len(drawn.arcs), "")
        yield Finding(case.name, "variance sortability", variance_sortability(drawn), "")
        yield Finding(case.name, "R2 sortability", r2_sortability(drawn), "")
    for peer, theirs in distances.items():
        if peer in OURS:
            continue
        common = [name for name in theirs if name in distances.get("dagwright", {})]
        if common:
            bar = statistics.mean(theirs[name] for name in common)
            ours = statistics.mean(distances["dagwright"][name] for name in common)
            note = f"on the {len(common)} samples that {peer} answers, with a mean of {bar:.3g}"
            yield Finding(f"mean, {peer}", "SHD, dagwright", ours, "", at_most=bar, note=note)
