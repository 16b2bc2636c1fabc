"""The default search against hill climbing of other libraries, 10,000 rows of standard networks, BIC.

Each library has ten minutes. When dagwright first holds a network as good as the best peer's is compared with
the time that the fastest peer needs for its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.hill_climb import run_pgmpy, run_pyagrum, run_pybnesian, shuffled

__all__ = ["run_pgmpy", "run_pyagrum", "run_pybnesian"]

BAR = "BIC never below the best peer's, reached before the fastest peer has its own answer"
PEERS = ("dagwright", "pybnesian", "pyagrum", "pgmpy")
NETWORKS = ("insurance", "alarm", "hailfinder", "hepar2", "win95pts", "andes", "pigs", "link", "munin1")
TEN_MINUTES = 600.0
# Progress is told every 50 ms; for the quick networks that is too coarse.
SHORT_LIMITS = tuple(0.01 * 1.25**k for k in range(16))


def cases(options: Options) -> Iterable[Case]:
    from bench.samples import draw

    for network in NETWORKS[:2] if options.quick else NETWORKS:
        arguments = {"sample": str(draw(network, 10_000)), "order": 0}
        yield Case(network, arguments, repeats=1, timeout=TEN_MINUTES)


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    """The whole search, and before it the best of ever longer time limits, each from a fresh table."""
    import time

    import dagwright as dw

    labels = shuffled(arguments).labels()
    seen: list[tuple[float, float]] = []

    def note(event: dw.Event) -> None:
        if event.best is not None:
            seen.append((time.perf_counter() - began, event.best))

    for limit in SHORT_LIMITS:
        table = dw.read(labels)
        began = time.perf_counter()
        score = dw.learn(table, time_limit=limit).score
        seen.append((time.perf_counter() - began, score))
    table = dw.read(labels)
    began = time.perf_counter()
    with clock:
        found = dw.learn(table, progress=note)
    seen.append((time.perf_counter() - began, found.score))
    return {"edges": [list(edge) for edge in found.graph.edges], "seen": seen}


def findings(results: Results) -> Iterable[Finding]:
    from bench.samples import load
    from bench.scorer import Scorer

    for case in results.cases():
        ours = results.get(case.name, "dagwright")
        if ours is None:
            continue
        scorer = Scorer(load(case.arguments["sample"]).codes)
        value = scorer.bic([tuple(edge) for edge in ours.answer["edges"]])
        peers = {peer: results.get(case.name, peer) for peer in PEERS[1:]}
        finished = {peer: result for peer, result in peers.items() if result is not None}
        yield Finding(case.name, "seconds of the whole search", ours.seconds, "s")
        yield Finding(case.name, "peak memory", ours.peak_mib, "MiB")
        if not finished:
            continue
        scores = {peer: scorer.bic(result.answer) for peer, result in finished.items()}
        best = max(scores, key=lambda peer: scores[peer])
        fastest = min(finished, key=lambda peer: finished[peer].seconds)
        yield Finding(
            case.name, f"BIC above the best peer ({best})", value - scores[best], "nats", at_least=0.0
        )
        reached = min(
            (seconds for seconds, score in ours.answer["seen"] if score >= scores[best]), default=float("inf")
        )
        yield Finding(
            case.name,
            f"{fastest}'s seconds / ours to that BIC",
            finished[fastest].seconds / reached,
            "x",
            at_least=1.0,
        )
