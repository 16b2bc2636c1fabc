"""Local discovery, level 0.01: all targets of munin1, one target of link, and MMHC with BIC on alarm.

dagwright uses G2; PyBNesian has Pearson's X2 only. Both climb from the empty graph within the edges found.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = (
    "IAMB and MMPC complete on munin1; one target of link in a second by every method; "
    "MMHC at least 2x PyBNesian"
)
PEERS = ("dagwright", "pybnesian")
ALPHA = 0.01
METHODS = ("GrowShrink", "IAMB", "InterIAMB", "FastIAMB", "FdrIAMB", "MMPC", "HitonPC", "HPC")
# A variable of edge with a Markov blanket of nine, about twice the median.
TARGET = "N18_a_m"
ORDERS = 3
Arguments = dict[str, Any]
Answer = dict[str, Any]


def cases(options: Options) -> Iterable[Case]:
    from bench.samples import draw

    ours = ("dagwright",)
    if not options.quick:
        for network, target, methods in (("munin1", None, ("IAMB", "MMPC")), ("link", TARGET, METHODS)):
            sample = str(draw(network, 10_000))
            for method in methods:
                arguments = {"sample": sample, "order": 0, "method": method, "target": target}
                yield Case(f"{network} {method}", arguments, ours)
    sample = str(draw("alarm", 10_000))
    for order in range(ORDERS):
        arguments = {"sample": sample, "order": order, "method": "MMHC", "target": None}
        yield Case(f"alarm MMHC order {order}", arguments)


def shuffled(arguments: Arguments) -> Any:
    from bench.samples import load

    return load(arguments["sample"]).shuffled(arguments["order"])


def run_dagwright(arguments: Arguments, clock: Clock) -> Answer:
    import dagwright as dw

    table = dw.read(shuffled(arguments).arrow())
    options = {"maximize": dw.HillClimb()} if arguments["method"] == "MMHC" else {}
    method = getattr(dw, arguments["method"])(test=dw.GSquare(alpha=ALPHA), **options)
    if arguments["target"] is None:
        learn = dw.learn  # imported at its first use
        with clock:
            found = learn(table, search=method)
        edges = sorted(map(list, found.graph.edges))
        return {
            "edges": edges,
            "tests": found.notes.get("tests", found.evaluations),
            "done": not found.stopped,
        }
    look = dw.blanket if method.finds == "blanket" else dw.neighbors
    with clock:
        around = look(table, arguments["target"], method=method)
    return {"edges": list(around.members), "tests": around.tests, "done": not around.stopped}


def run_pybnesian(arguments: Arguments, clock: Clock) -> Answer:
    import pybnesian

    frame = shuffled(arguments).arrow()
    with clock:
        model = pybnesian.MMHC().estimate(
            pybnesian.ChiSquare(frame),
            pybnesian.ArcOperatorSet(),
            pybnesian.BIC(frame),
            bn_type=pybnesian.DiscreteBNType(),
            alpha=ALPHA,
        )
    return {"edges": sorted(map(list, model.arcs())), "tests": None, "done": True}


def findings(results: Results) -> Iterable[Finding]:
    from bench.samples import load
    from bench.scorer import Scorer

    climbs = [case for case in results.cases() if case.arguments["method"] == "MMHC"]
    for case in results.cases():
        result = results.get(case.name, "dagwright")
        if result is None:
            continue
        yield Finding(case.name, "tests made by dagwright", result.answer["tests"], "")
        if case not in climbs:
            yield Finding(case.name, "complete", float(result.answer["done"]), "", at_least=1.0)
            most = None if case.arguments["target"] is None else 1.0
            yield Finding(case.name, "processor seconds", result.cpu_seconds, "s", at_most=most)
    names = [case.name for case in climbs]
    ours = {str(r.answer["edges"]) for name in names if (r := results.get(name, "dagwright")) is not None}
    yield Finding("alarm MMHC", "graphs over column orders", len(ours), "", at_most=1)
    speedup = results.speedup(names, "dagwright", "pybnesian")
    yield Finding("alarm MMHC", "pybnesian / dagwright seconds", speedup, at_least=2.0)
    cpu = results.speedup(names, "dagwright", "pybnesian", "cpu_seconds")
    yield Finding("alarm MMHC", "pybnesian / dagwright processor time", cpu)
    scorer = Scorer(load(climbs[0].arguments["sample"]).codes)
    for peer in PEERS:
        runs = [r for name in names if (r := results.get(name, peer)) is not None]
        scores = [scorer.bic([(a, b) for a, b in r.answer["edges"]]) for r in runs]
        if scores:
            yield Finding("alarm MMHC", f"median BIC of {peer}", statistics.median(scores), "nats")
