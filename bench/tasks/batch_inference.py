"""All posterior marginals of 100 cases with a fifth of the nodes observed, on the networks of Fast-BNI.

Each side has 60 s of processor time for a network, compilation included, and answers as many of the cases as
fit into it. Jiang et al. (2023) publish seconds for 2,000 such cases with Fast-BNI on one core of a
2.0 GHz Xeon 8167M: another machine, so its figures stand beside ours without a ratio.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.inference import drawn, in_dagwright, in_pyagrum

BAR = "marginals of the first case equal to 1e-9; seconds per case are reported"
PEERS = ("dagwright", "pyagrum")
FAST_BNI = {
    "hailfinder": 4.0,
    "pathfinder": 68.9,
    "diabetes": 6944.0,
    "pigs": 3729.0,
    "munin2": 2643.0,
    "munin4": 34198.0,
}
"""Seconds for 2,000 cases, sequential version (PPoPP 2023, table 1)."""
FAST_BNI_CASES = 2_000
CASES = 100
SECONDS = 60.0
ONE_IN = 5
KILLED_AFTER = 240.0
"""Seconds of processor time: a single case cannot be interrupted."""

Arguments = dict[str, Any]
Answer = dict[str, Any]


def cases(options: Options) -> Iterable[Case]:
    from bench.peers import network_file

    for name in list(FAST_BNI)[:1] if options.quick else FAST_BNI:
        arguments = {"file": str(network_file(name)), "sets": 5 if options.quick else CASES, "one_in": ONE_IN}
        yield Case(name, arguments, repeats=1, timeout=1800.0, cpu_limit=KILLED_AFTER)


def answered(
    evidence: list[dict[str, int]], ask: Callable[[dict[str, int]], list[float]], clock: Clock
) -> Answer:
    """Marginals of the first case, and how many cases fitted into the time."""
    first: list[float] = []
    done = 0
    for findings in evidence:
        with clock:
            marginals = ask(findings)
        first = first or marginals
        done += 1
        if clock.cpu_seconds > SECONDS:
            break
    return {"first": first, "done": done}


def run_dagwright(arguments: Arguments, clock: Clock) -> Answer:
    network, evidence = drawn(arguments)
    built = in_dagwright(network)
    with clock:
        engine = built.compile()

    def ask(findings: dict[str, int]) -> list[float]:
        marginals = engine.marginals(findings)
        return [p for x in network.states for p in marginals[x].values()]

    return answered(evidence, ask, clock)


def run_pyagrum(arguments: Arguments, clock: Clock) -> Answer:
    import pyagrum

    network, evidence = drawn(arguments)
    built = in_pyagrum(network)
    with clock:
        engine = pyagrum.LazyPropagation(built)

    def ask(findings: dict[str, int]) -> list[float]:
        engine.setEvidence(findings)
        engine.makeInference()
        return [p for x in network.states for p in engine.posterior(x).tolist()]

    return answered(evidence, ask, clock)


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        by_peer = {peer: results.get(case.name, peer) for peer in PEERS}
        for peer, result in by_peer.items():
            if result is not None:
                done = result.answer["done"]
                note = "" if done == case.arguments["sets"] else f"{done} cases within {SECONDS:.0f} s"
                each = 1000 * result.cpu_seconds / done
                yield Finding(case.name, f"{peer}, each case", each, "ms", note=note)
                yield Finding(case.name, f"{peer}, peak memory", result.peak_mib, "MiB")
        published = 1000 * FAST_BNI[case.name] / FAST_BNI_CASES
        yield Finding(case.name, "Fast-BNI, each case, published", published, "ms")
        ours, theirs = by_peer.values()
        if ours is not None and theirs is not None:
            pairs = zip(ours.answer["first"], theirs.answer["first"], strict=True)
            worst = max(abs(a - b) for a, b in pairs)
            yield Finding(case.name, "largest difference from pyagrum", worst, "", at_most=1e-9)
