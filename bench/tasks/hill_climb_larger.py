"""Plain hill climbing with BIC on the samples of the task `larger`, against the fastest peer."""

from __future__ import annotations

from collections.abc import Iterable

from bench.task import Case, Finding, Options, Results
from bench.tasks.hill_climb import run_dagwright, run_dagwright_1t, run_pybnesian
from bench.tasks.larger import NETWORKS, TEN_MINUTES

__all__ = ["run_dagwright", "run_dagwright_1t", "run_pybnesian"]

BAR = "at least 5x PyBNesian on every sample"
PEERS = ("dagwright", "dagwright_1t", "pybnesian")


def cases(options: Options) -> Iterable[Case]:
    from bench.samples import draw

    for network in NETWORKS[:2] if options.quick else NETWORKS:
        arguments = {"sample": str(draw(network, 10_000)), "order": 0}
        yield Case(network, arguments, repeats=1, calls=1, timeout=TEN_MINUTES)


def findings(results: Results) -> Iterable[Finding]:
    from bench.samples import load
    from bench.scorer import Scorer

    for case in results.cases():
        ours, theirs = results.get(case.name, "dagwright"), results.get(case.name, "pybnesian")
        if ours is None or theirs is None:
            continue
        speed = results.speedup([case.name], "dagwright", "pybnesian")
        yield Finding(case.name, "pybnesian / dagwright seconds", speed, "x", 5.0)
        one = results.speedup([case.name], "dagwright_1t", "pybnesian")
        yield Finding(case.name, "pybnesian / dagwright seconds, one thread", one, "x")
        scorer = Scorer(load(case.arguments["sample"]).codes)
        gain = scorer.bic(ours.answer) - scorer.bic(theirs.answer)
        yield Finding(case.name, "BIC above pybnesian's", gain, "nats")
        yield Finding(case.name, "peak memory", ours.peak_mib, "MiB")
