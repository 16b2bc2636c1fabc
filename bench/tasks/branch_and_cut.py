"""Branch and cut, by HiGHS and by SCIP, on data sets with a published optimum: proven, and when?

The optima, over all DAGs without a parent bound, were published by Liao, Sharma, Cussens and van Beek (2019).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.known_optima import OPTIMAL_BIC
from bench.tasks.known_optima import cases as known_cases
from bench.tasks.optima import OPTIMAL_BDEU

BAR = "the optimum proven within 600 s, scoring included; for wdbc and soybean the gap is reported"
PEERS = ("dagwright",)
SOLVERS = ("highs", "scip")
LIMIT = 600.0
QUICK = ("iris", "tic-tac-toe", "wine", "insurance1000", "flag")
OPEN = ("wdbc", "soybean")
ELSEWHERE = ("mushroom",)  # dense: dynamic programming over subsets is the better method


def cases(options: Options) -> Iterable[Case]:
    for case in known_cases(options):
        if case.name in ELSEWHERE or (options.quick and case.name not in QUICK):
            continue
        for solver in SOLVERS:
            arguments = {**case.arguments, "solver": solver, "name": case.name}
            bic = {**arguments, "best": OPTIMAL_BIC[case.name]}
            yield Case(f"{case.name} BIC {solver}", bic, repeats=1, timeout=LIMIT + 300)
            if case.name in OPTIMAL_BDEU and case.name not in OPEN:  # no solver is reached in time
                bdeu = {**arguments, "best": OPTIMAL_BDEU[case.name], "ess": 1.0}
                yield Case(f"{case.name} BDeu {solver}", bdeu, repeats=1, timeout=LIMIT + 300)


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    import dagwright as dw
    from bench.tasks.hill_climb import shuffled

    table = dw.read(shuffled(arguments).labels())
    score = dw.BDeu(arguments["ess"]) if "ess" in arguments else dw.BIC()
    search = dw.BranchAndCut(solver=arguments["solver"])
    with clock:
        found = dw.learn(table, score=score, search=search, time_limit=LIMIT)
    return {"score": found.score, "optimal": found.optimal, "gap": found.gap, "notes": found.notes}


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours = results.get(case.name, "dagwright")
        if ours is None:
            continue
        answer, best = ours.answer, case.arguments["best"]
        # The published values have six decimals.
        tolerance = 1e-8 * abs(best) + 1e-6
        wanted = None if case.arguments["name"] in OPEN else tolerance
        yield Finding(case.name, "nats below the optimum", best - answer["score"], "", at_most=wanted)
        gap = float("inf") if answer["gap"] is None else answer["gap"]
        yield Finding(case.name, "proven gap in nats", gap, "", at_most=wanted)
        note = f"{answer['notes'].get('nodes', 0)} nodes"
        yield Finding(case.name, "seconds in all", ours.seconds, "s", at_most=LIMIT, note=note)
