"""Exact search: optima proven, dynamic programming by size, rivals counted.

The optima, over all DAGs without a parent bound, and the number of near-optimal networks of wine were
published by Liao, Sharma, Cussens and van Beek (2019). Dynamic programming is timed from candidate sets of
random scores.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results, SkipTaskError
from bench.tasks.known_optima import OPTIMAL_BIC
from bench.tasks.known_optima import cases as known_cases
from bench.tasks.optima import OPTIMAL_BDEU

BAR = (
    "optima proven within 600 s, scoring included (wdbc and soybean: the gap is reported); dynamic "
    "programming: 20 variables in 2 s, 25 in 20 s and 4 GiB, 28 within 16 GiB; wine: 308 networks in 7 "
    "classes within ln 3, 48 optimal"
)
PEERS = ("dagwright",)
LIMIT = 600.0
QUICK_LIMIT = 30.0
OPEN = ("wdbc", "soybean")
MORE_MEMORY = {"wdbc": 14 * 2**30}
"""For a table of all sets of its 31 variables."""
SUBSETS = {20: (2.0, 4.0), 25: (20.0, 4.0), 28: (None, 16.0)}
"""Variables: most seconds and GiB."""


def cases(options: Options) -> Iterable[Case]:
    limit = QUICK_LIMIT if options.quick else LIMIT
    for n in SUBSETS:
        if n < 28 or not options.quick:
            yield Case(f"{n} variables", {"variables": n}, repeats=1)
    try:
        known = list(known_cases(options))
    except SkipTaskError:
        return
    for case in known:
        arguments = {**case.arguments, "limit": limit}
        bic = {**arguments, "best": OPTIMAL_BIC[case.name]}
        yield Case(f"{case.name} BIC", bic, repeats=1, timeout=limit + 300)
        if case.name in OPTIMAL_BDEU:
            bdeu = {**arguments, "best": OPTIMAL_BDEU[case.name], "ess": 1.0}
            yield Case(f"{case.name} BDeu", bdeu, repeats=1, timeout=limit + 300)
            if case.name in MORE_MEMORY and not options.quick:
                memory = MORE_MEMORY[case.name]
                given = {**bdeu, "memory": memory}
                yield Case(f"{case.name} BDeu, {memory / 2**30:g} GiB", given, repeats=1, timeout=limit + 300)
        if case.name == "wine":
            yield Case("wine rivals", {**arguments, "factor": 3.0}, repeats=1)


def random_sets(n: int) -> Any:
    """200 sets of up to six parents and the empty set for each of n variables, larger ones scoring more."""
    import numpy as np

    import dagwright as dw

    rng = np.random.default_rng(n)
    offsets, starts, scores, members = [0], [0], [], []
    for child in range(n):
        others = [v for v in range(n) if v != child]
        sets = {
            tuple(sorted(rng.choice(others, rng.integers(1, 7), replace=False).tolist())) for _ in range(200)
        }
        scored = sorted(
            [(-100.0, ()), *((float(-rng.random() * 99), one) for one in sorted(sets))], reverse=True
        )
        for score, parents in scored:
            scores.append(score)
            members.extend(parents)
            starts.append(len(members))
        offsets.append(len(scores))
    names = [f"x{v}" for v in range(n)]
    return dw.CandidateSets.from_arrays(
        names, np.array(offsets), np.array(scores), np.array(starts), np.array(members, dtype=np.int32)
    )


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    import dagwright as dw
    from bench.tasks.hill_climb import shuffled

    if "variables" in arguments:
        sets = random_sets(arguments["variables"])
        with clock:
            solved = dw.solve(sets, method="dp")
        return {"optimal": solved.optimal, "largest": solved.pieces[0]}
    table = dw.read(shuffled(arguments).labels())
    if "factor" in arguments:
        with clock:
            found = dw.credible_set(table, bayes_factor=arguments["factor"])
        return {"networks": len(found), "classes": len(found.classes()), "optima": len(found.optima)}
    score = dw.BDeu(arguments["ess"]) if "ess" in arguments else dw.BIC()
    search = dw.Exact(memory=arguments["memory"]) if "memory" in arguments else dw.Exact()
    with clock:
        learned = dw.learn(table, score=score, search=search, time_limit=arguments["limit"])
    return {
        "score": learned.score,
        "optimal": learned.optimal,
        "gap": learned.gap,
        "method": learned.notes["method"],
    }


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours = results.get(case.name, "dagwright")
        if ours is None:
            continue
        answer = ours.answer
        if "variables" in case.arguments:
            seconds, gib = SUBSETS[case.arguments["variables"]]
            yield Finding(case.name, "seconds", ours.seconds, "s", at_most=seconds)
            yield Finding(case.name, "memory", ours.peak_mib / 1024, "GiB", at_most=gib)
        elif "factor" in case.arguments:
            for what, count in (("networks", 308), ("classes", 7), ("optima", 48)):
                yield Finding(case.name, what, answer[what], "", at_least=count, at_most=count)
        else:
            yield from _proof(case, answer, ours.seconds)


def _proof(case: Case, answer: dict[str, Any], seconds: float) -> Iterable[Finding]:
    best = case.arguments["best"]
    is_open = case.name.split()[0] in OPEN
    gap = math.inf if answer["gap"] is None else answer["gap"]
    note = f"{answer['method']}, {seconds:.1f} s"
    yield Finding(case.name, "gap", gap, "nats", at_most=None if is_open else 1e-6, note=note)
    # The published values have six decimals.
    below = best - answer["score"]
    yield Finding(case.name, "nats below the optimum", below, "", at_most=1e-8 * abs(best) + 1e-6)
