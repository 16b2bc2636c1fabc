"""PC with every native test, level 0.01, on shuffled columns: each within 3 times of GSquare.

A new Table each time, so nothing is counted beforehand. PyBNesian has Pearson's test only and is compared
with all of them.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = (
    "every test within 3x of GSquare's processor time; against PyBNesian's ChiSquare at least 5x for GSquare "
    "and ChiSquare, 3x for the others"
)
TESTS = {
    "GSquare": "GSquare(0.01)",
    "ChiSquare": "ChiSquare(0.01)",
    "adjusted G2": "GSquare(0.01, adjusted=True)",
    "BIC": "BIC()",
    "BayesFactor": "BayesFactor()",
    "Threshold": "Threshold(0.005)",
}
PEERS = ("dagwright", "pybnesian")
NEAR = 3.0
AHEAD = {"GSquare": 5.0, "ChiSquare": 5.0}
OTHERS_AHEAD = 3.0
NETWORKS = ("alarm", "win95pts")


def cases(options: Options) -> Iterable[Case]:
    from bench.samples import draw

    for network in NETWORKS[:1] if options.quick else NETWORKS:
        sample = str(draw(network, 10_000))
        for name, test in TESTS.items():
            arguments = {"sample": sample, "order": 0, "test": test}
            yield Case(f"{network} {name}", arguments, PEERS[:1])
        yield Case(f"{network} PyBNesian", {"sample": sample, "order": 0}, PEERS[1:])


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> dict[str, int]:
    import dagwright as dw
    from bench.samples import load
    from dagwright.methods.registry import parse

    table = dw.read(load(arguments["sample"]).shuffled(arguments["order"]).arrow())
    learn, search = dw.learn, dw.PC(test=parse(arguments["test"], "test", "score"))
    gc.collect()
    with clock:
        found = learn(table, search=search, threads=1)
    return {"tests": found.evaluations}


def run_pybnesian(arguments: dict[str, Any], clock: Clock) -> dict[str, int]:
    from bench.tasks.pc import run_pybnesian as learned

    learned(arguments, clock)
    return {}


def findings(results: Results) -> Iterable[Finding]:
    for network in NETWORKS:
        base, peer = (
            results.get(f"{network} GSquare", PEERS[0]),
            results.get(f"{network} PyBNesian", PEERS[1]),
        )
        for name in TESTS:
            own = results.get(f"{network} {name}", PEERS[0])
            if own is None:
                continue
            if base is not None and name != "GSquare":
                ratio = own.cpu_seconds / base.cpu_seconds
                yield Finding(network, f"processor time of {name} / that of GSquare", ratio, at_most=NEAR)
            if peer is not None:
                ahead = peer.cpu_seconds / own.cpu_seconds
                least = AHEAD.get(name, OTHERS_AHEAD)
                yield Finding(network, f"{name} against PyBNesian", ahead, at_least=least)
