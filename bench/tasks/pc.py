"""PC, order-independent form, level 0.01, on shuffled columns: plain degrees of freedom, no bound on sizes.

dagwright, pyAgrum and causal-learn use G2; PyBNesian has Pearson's X2 only, and fails where a test has no
degrees of freedom or a million rows overflow its counts. causal-learn takes empty rows and columns of a
stratum out of the degrees of freedom. Uncertain regions are listed but not resolved, which no peer does.
Garbage of reading is collected before the clock starts, for everyone: with pandas and polars loaded that
takes longer than some of the runs. A peer without an answer is counted as if it had come when the patience
ended; one that fails is named.
"""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = (
    "at least 3x PyBNesian, 10x pyAgrum and 20x causal-learn; one answer whatever the order and threads; "
    "insurance takes no more than 5x the time of alarm"
)
PEERS = ("dagwright", "dagwright_1t", "pybnesian", "pyagrum", "causal-learn")
SPEED = {"pybnesian": 3.0, "pyagrum": 10.0, "causal-learn": 20.0}
ALPHA = 0.01
BLOW_UP = 5.0
PATIENCE = 90.0
NETWORKS = ("alarm", "insurance", "hailfinder", "hepar2", "win95pts", "andes")
ORDERS = 3
Arguments = dict[str, Any]
Answer = dict[str, Any]


def cases(options: Options) -> Iterable[Case]:
    from bench.samples import draw

    for network in NETWORKS[:1] if options.quick else NETWORKS:
        sample = str(draw(network, 10_000))
        yield from with_all_peers(network, sample)
        for order in range(1, ORDERS):
            yield Case(f"{network} order {order}", {"sample": sample, "order": order}, PEERS[:2])
    if not options.quick:
        yield from with_all_peers("alarm 10^6 rows", str(draw("alarm", 1_000_000)))


def with_all_peers(network: str, sample: str) -> Iterable[Case]:
    """The slowest peer is asked once: its times are hundreds of ours, and no repeat changes that."""
    name, arguments = f"{network} order 0", {"sample": sample, "order": 0}
    yield Case(name, arguments, PEERS[:-1], timeout=PATIENCE)
    yield Case(name, arguments, PEERS[-1:], timeout=PATIENCE, repeats=1)


def shuffled(arguments: Arguments) -> Any:
    from bench.samples import load

    return load(arguments["sample"]).shuffled(arguments["order"])


def as_answer(links: Iterable[tuple[str, str]], tests: int | None = None) -> Answer:
    return {"links": sorted(sorted(pair) for pair in links), "tests": tests}


def learn_with_dagwright(arguments: Arguments, clock: Clock, threads: int | None) -> Answer:
    import dagwright as dw

    table = dw.read(shuffled(arguments).arrow())
    # Both are imported at their first use.
    learn, search = dw.learn, dw.PC(test=dw.GSquare(alpha=ALPHA), uncertain="report")
    gc.collect()
    with clock:
        found = learn(table, search=search, threads=threads)
    return as_answer(found.graph.skeleton().edges, found.evaluations)


def run_dagwright(arguments: Arguments, clock: Clock) -> Answer:
    return learn_with_dagwright(arguments, clock, None)


def run_dagwright_1t(arguments: Arguments, clock: Clock) -> Answer:
    return learn_with_dagwright(arguments, clock, 1)


def run_pybnesian(arguments: Arguments, clock: Clock) -> Answer:
    import pybnesian

    frame = shuffled(arguments).arrow()
    gc.collect()
    with clock:
        graph = pybnesian.PC().estimate(pybnesian.ChiSquare(frame), alpha=ALPHA, use_sepsets=True)
    return as_answer([*graph.arcs(), *graph.edges()])


def run_pyagrum(arguments: Arguments, clock: Clock) -> Answer:
    import pyagrum

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sample.csv"
        shuffled(arguments).write_codes(file)
        learner = pyagrum.BNLearner(str(file))
    learner.usePC()
    learner.useG2Test()
    learner.setPCAlpha(ALPHA)
    learner.setPCStable(True)
    learner.useNoPrior()
    gc.collect()
    with clock:
        graph = learner.learnPDAG()
    name = learner.nameFromId
    return as_answer((name(a), name(b)) for a, b in [*graph.arcs(), *graph.edges()])


def run_causal_learn(arguments: Arguments, clock: Clock) -> Answer:
    import numpy as np
    from causallearn.search.ConstraintBased.PC import pc

    codes = shuffled(arguments).codes
    data = np.column_stack(list(codes.values()))
    gc.collect()
    with clock:
        found = pc(data, ALPHA, "gsq", stable=True, show_progress=False, node_names=list(codes))
    edges = [(edge.get_node1().get_name(), edge.get_node2().get_name()) for edge in found.G.get_graph_edges()]
    return as_answer(edges)


def findings(results: Results) -> Iterable[Finding]:
    groups: dict[str, list[Case]] = {}
    for case in results.cases():
        groups.setdefault(case.name.split(" order ")[0], []).append(case)
    for peer in PEERS:
        alarm, insurance = (results.get(f"{name} order 0", peer) for name in ("alarm", "insurance"))
        if alarm is not None and insurance is not None:
            ratio = insurance.cpu_seconds / alarm.cpu_seconds
            bar = BLOW_UP if peer.startswith("dagwright") else None
            yield Finding("insurance", f"processor time of {peer} / that on alarm", ratio, at_most=bar)
    for network, group in groups.items():
        ours = [
            answer
            for case in group
            for peer in PEERS[:2]
            if (result := results.get(case.name, peer)) is not None
            for answer in result.answers
        ]
        if not ours:
            continue
        different = {str(answer) for answer in ours}
        yield Finding(network, "answers over column orders and threads", len(different), "", at_most=1)
        yield Finding(network, "tests made by dagwright", ours[0]["tests"], "")
        for peer in PEERS[2:]:
            yield from against(results, network, group[0].name, peer, ours[0])


def against(results: Results, network: str, case: str, peer: str, answer: Answer) -> Iterable[Finding]:
    """The peer's time divided by ours, by the wall and by the processor."""
    quantity = f"{peer} / dagwright seconds"
    result = results.get(case, peer)
    if result is not None:
        mine, theirs = ({tuple(pair) for pair in one["links"]} for one in (answer, result.answer))
        note = f"links: {len(mine & theirs)} common, {len(mine - theirs)} ours, {len(theirs - mine)} theirs"
        speedup = results.speedup([case], "dagwright", peer)
        yield Finding(network, quantity, speedup, "x", SPEED[peer], note=note)
        cpu = results.speedup([case], "dagwright_1t", peer, "cpu_seconds")
        yield Finding(network, f"{peer} / dagwright processor time, one thread", cpu, "x", SPEED[peer])
        return
    own = results.get(case, "dagwright")
    for failed in results.everything:
        if failed.case.name != case or failed.peer != peer or own is None:
            continue
        if failed.error.startswith("no answer within"):
            note = f"{failed.error}, counted as that"
            yield Finding(network, quantity, PATIENCE / own.seconds, "x", SPEED[peer], note=note)
        else:
            yield Finding(network, f"{peer} fails", 1, "", note=failed.error[:80])
