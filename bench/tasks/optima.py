"""The default search on data sets with a known optimum, columns shuffled: is it reached, and when?

The optima, over all DAGs without a parent bound, were published by Liao, Sharma, Cussens and van Beek (2019)
and are recomputed in double precision. The search does not know them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.known_optima import OPTIMAL_BIC
from bench.tasks.known_optima import cases as known_cases

BAR = "the optimum of every data set within 10 seconds (20 on a busy machine), counting included"
PEERS = ("dagwright",)
OPTIMAL_BDEU = {
    "iris": -452.214297,
    "tic-tac-toe": -9423.068332,
    "wine": -1255.358103,
    "insurance1000": -13872.330656,
    "wdbc": -6596.701563,
}
LIMIT = 20.0


def cases(options: Options) -> Iterable[Case]:
    for case in known_cases(options):
        yield Case(f"{case.name} BIC", {**case.arguments, "best": OPTIMAL_BIC[case.name]}, repeats=1)
        if case.name in OPTIMAL_BDEU:
            arguments = {**case.arguments, "best": OPTIMAL_BDEU[case.name], "ess": 1.0}
            yield Case(f"{case.name} BDeu", arguments, repeats=1)


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> dict[str, float]:
    import dagwright as dw
    from bench.tasks.hill_climb import shuffled

    table = dw.read(shuffled(arguments).labels())
    score = dw.BDeu(arguments["ess"]) if "ess" in arguments else dw.BIC()
    seen: list[tuple[float, float]] = []

    def note(event: dw.Event) -> None:
        if event.best is not None:
            seen.append((time.perf_counter() - began, event.best))

    began = time.perf_counter()
    with clock:
        found = dw.learn(table, score=score, progress=note)
    seen.append((time.perf_counter() - began, found.score))
    reached = next(seconds for seconds, best in seen if best >= found.score - 1e-6)
    return {"score": found.score, "reached": reached}


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours = results.get(case.name, "dagwright")
        if ours is None:
            continue
        best = case.arguments["best"]
        # The published values have six decimals.
        yield Finding(
            case.name,
            "nats below the optimum",
            best - ours.answer["score"],
            "",
            at_most=1e-8 * abs(best) + 1e-6,
            note=f"reached after {ours.answer['reached']:.2f} s, {ours.peak_mib:.0f} MiB",
        )
        yield Finding(case.name, "seconds in all", ours.seconds, "s", at_most=LIMIT)
