"""Greedy hill climbing with BIC (add, delete, reverse; no parent bound) on shuffled columns."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "at least 5x PyBNesian and 10x pyAgrum; median BIC over column orders at most 0.1 % below theirs"
PEERS = ("dagwright", "dagwright_1t", "pybnesian", "pyagrum", "pgmpy")
SPEED = {"pybnesian": 5.0, "pyagrum": 10.0}
ORDERS = 10
SLOWEST = "pgmpy"

# Orders of the columns that a slow peer is given, where ten would take it longer than some minutes.
FEWER_ORDERS = {
    ("alarm_10000", "pgmpy"): 1,
    ("alarm_1000000", "pyagrum"): 2,
    ("alarm_1000000", "pgmpy"): 0,
    ("andes_10000", "pyagrum"): 3,
    ("andes_10000", "pgmpy"): 0,
}
Arguments = dict[str, Any]
Edges = list[tuple[str, str]]


def cases(options: Options) -> Iterable[Case]:
    from bench.samples import draw

    sizes = (
        [("alarm", 10_000)] if options.quick else [("alarm", 10_000), ("andes", 10_000), ("alarm", 1_000_000)]
    )
    for network, rows in sizes:
        name = f"{network}_{rows}"
        sample = str(draw(network, rows))
        repeats, calls = (options.repeats, 3) if name == "alarm_10000" else (1, 1)
        for order in range(3 if options.quick else ORDERS):
            peers = [peer for peer in PEERS if order < FEWER_ORDERS.get((name, peer), ORDERS)]
            quick = tuple(peer for peer in peers if peer != SLOWEST)
            case = Case(f"{name} order {order}", {"sample": sample, "order": order}, quick, repeats, calls)
            yield case
            if SLOWEST in peers:
                yield replace(case, peers=(SLOWEST,), repeats=1, calls=1)


def shuffled(arguments: Arguments) -> Any:
    from bench.samples import load

    return load(arguments["sample"]).shuffled(arguments["order"])


def learn_with_dagwright(arguments: Arguments, clock: Clock, threads: int | None) -> Edges:
    import dagwright as dw

    table = dw.read(shuffled(arguments).arrow())
    learn, score, search = dw.learn, dw.BIC(), dw.HillClimb()  # imported at their first use
    with clock:
        found = learn(table, score=score, search=search, threads=threads)
    return [tuple(edge) for edge in found.graph.edges]


def run_dagwright(arguments: Arguments, clock: Clock) -> Edges:
    return learn_with_dagwright(arguments, clock, None)


def run_dagwright_1t(arguments: Arguments, clock: Clock) -> Edges:
    return learn_with_dagwright(arguments, clock, 1)


def run_pybnesian(arguments: Arguments, clock: Clock) -> Edges:
    import pybnesian

    frame = shuffled(arguments).arrow()
    with clock:  # max_indegree=0 is no bound
        model = pybnesian.hc(
            frame, bn_type=pybnesian.DiscreteBNType(), score="bic", operators=["arcs"], max_indegree=0
        )
    return model.arcs()


def run_pyagrum(arguments: Arguments, clock: Clock) -> Edges:
    import pyagrum

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sample.csv"
        shuffled(arguments).write_codes(file)
        learner = pyagrum.BNLearner(str(file))
    learner.useScoreBIC()
    learner.useNoPrior()
    learner.useGreedyHillClimbing()
    learner.setNumberOfThreads(1)  # two gain a third at best and lose a factor of five on a busy machine
    with clock:
        dag = learner.learnDAG()
    return [(learner.nameFromId(a), learner.nameFromId(b)) for a, b in dag.arcs()]


def run_pgmpy(arguments: Arguments, clock: Clock) -> Edges:
    from pgmpy.estimators import HillClimbSearch

    frame = shuffled(arguments).pandas()
    with clock:
        dag = HillClimbSearch(frame).estimate(scoring_method="bic-d", show_progress=False)
    return list(dag.edges())


def findings(results: Results) -> Iterable[Finding]:
    from bench.samples import load
    from bench.scorer import Scorer, is_acyclic

    groups: dict[str, list[Case]] = {}
    for case in results.cases():
        groups.setdefault(case.name.split(" order ")[0], []).append(case)
    for name, group in groups.items():
        scorer = Scorer(load(group[0].arguments["sample"]).codes)
        finished = {
            peer: [r for case in group if (r := results.get(case.name, peer)) is not None] for peer in PEERS
        }
        for peer, runs in finished.items():
            broken = [r.case.name for r in runs if not is_acyclic(scorer.codes, r.answer)]
            if broken:
                yield Finding(name, f"{peer}: cyclic answers", len(broken), "", at_most=0, note=broken[0])
        bics = {peer: [scorer.bic(r.answer) for r in runs] for peer, runs in finished.items() if runs}
        if "dagwright" not in bics:
            continue
        graphs = {frozenset(map(tuple, r.answer)) for r in finished["dagwright"] + finished["dagwright_1t"]}
        yield Finding(name, "graphs over column orders and threads", len(graphs), "", at_most=1)
        for peer in PEERS[1:]:
            if peer not in bics:
                continue
            note = f"{len(bics[peer])} orders"
            cases_of_peer = [r.case.name for r in finished[peer]]
            speedup = results.speedup(cases_of_peer, "dagwright", peer)
            yield Finding(name, f"{peer} / dagwright seconds", speedup, "x", SPEED.get(peer), note=note)
            if peer in SPEED:
                one = results.speedup(cases_of_peer, "dagwright_1t", peer)
                yield Finding(name, f"{peer} / dagwright seconds, one thread", one)
                cpu = results.speedup(cases_of_peer, "dagwright_1t", peer, "cpu_seconds")
                yield Finding(name, f"{peer} / dagwright processor time, one thread", cpu)
            if peer == "dagwright_1t":
                continue
            ours, theirs = statistics.median(bics["dagwright"]), statistics.median(bics[peer])
            yield Finding(
                name,
                f"median BIC above {peer}",
                100 * (ours - theirs) / abs(theirs),
                "%",
                -0.1 if peer in SPEED else None,
                note=f"{ours - theirs:+.1f} nats",
            )
        peaks = {peer: max(r.peak_mib for r in runs) for peer, runs in finished.items() if runs}
        memory = ", ".join(f"{peer} {peak:.0f}" for peer, peak in peaks.items())
        yield Finding(name, "peak memory of dagwright", peaks["dagwright"], "MiB", note=f"MiB: {memory}")
