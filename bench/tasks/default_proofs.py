"""Proofs under the default pair of score and structure prior, beside BIC and BDeu alone.

Every network whose optimality BIC or BDeu(1) proves should be proven under the default pair too, in at most
twice the processor time of the slower of the two. Each run begins with a new table, by `Exact` and by the
default search, on one thread. With `--optima FOLDER` the data sets with known optimal scores take part.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Result, Results, SkipTaskError

BAR = "what BIC or BDeu proves the default pair proves, in at most twice the time of the slower"
PEERS = ("dagwright", "dagwright_bic", "dagwright_bdeu")
NETWORKS = ("asia", "sachs", "child", "insurance")
ROWS = (200, 1_000, 10_000)
SEARCHES = ("Exact()", "Auto()")
LIMIT = 75.0
"""Seconds of processor time after which a run ends without a proof."""

A_MOMENT = 0.1
"""Seconds of processor time: shorter runs count as if they took as long."""

MOST = 2.0


def cases(options: Options) -> Iterable[Case]:
    for network in NETWORKS[:2] if options.quick else NETWORKS:
        for rows in ROWS[:2] if options.quick else ROWS:
            yield from of_data(f"{network}_{rows}", {"network": network, "rows": rows})
    if options.optima is not None and not options.quick:
        from bench.tasks.known_optima import cases as known

        try:
            for case in known(options):
                yield from of_data(case.name, case.arguments)
        except SkipTaskError as reason:
            print(f"  left out: {reason}")


def of_data(name: str, arguments: dict[str, Any]) -> Iterable[Case]:
    for search in SEARCHES:
        given = {**arguments, "search": search, "seconds": LIMIT}
        yield Case(f"{name} {search}", given, repeats=1)


def proven(arguments: dict[str, Any], clock: Clock, score: str | None) -> dict[str, Any]:
    import dagwright as dw

    if "sample" in arguments:
        from bench.tasks.hill_climb import shuffled

        table = dw.read(shuffled(arguments).labels())
    else:
        table = dw.load(arguments["network"]).sample(arguments["rows"], random_state=1)
    # What is imported when it is first used should not count.
    dw.learn({"a": [0, 1] * 9, "b": [0, 0, 1] * 6}, score=score, search=arguments["search"])
    cancel, began = dw.CancelToken(), time.process_time()

    def stop_in_time(_: dw.Event) -> None:
        if time.process_time() - began > arguments["seconds"]:
            cancel.cancel()

    with clock:
        found = dw.learn(
            table, score=score, search=arguments["search"], threads=1, progress=stop_in_time, cancel=cancel
        )
    return {"optimal": found.optimal, "score": found.score, "gap": found.gap}


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    return proven(arguments, clock, None)


def run_dagwright_bic(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    return proven(arguments, clock, "BIC()")


def run_dagwright_bdeu(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    return proven(arguments, clock, "BDeu(ess=1)")


def counted(result: Result) -> float:
    return max(result.cpu_seconds, A_MOMENT)


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours = results.get(case.name, PEERS[0])
        others = [results.get(case.name, peer) for peer in PEERS[1:]]
        slower = [counted(one) for one in others if one is not None and one.answer["optimal"]]
        if ours is None or not slower:
            continue
        is_proven = bool(ours.answer["optimal"])
        gap = ours.answer["gap"]
        note = "" if is_proven else "no gap is known" if gap is None else f"gap {gap:.3g} nats"
        yield Finding(case.name, "proven", float(is_proven), "", at_least=1.0, note=note)
        if is_proven:
            words = f"{ours.cpu_seconds:.2f} s, BIC and BDeu at most {max(slower):.2f} s"
            ratio = counted(ours) / max(slower)
            yield Finding(case.name, "time", ratio, at_most=MOST, note=words)
