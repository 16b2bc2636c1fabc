"""How near to the graph that made columns of numbers and of states.

Mixed data in the manner of Lee & Hastie (`bench.linear`). Figures to compare with: the tables of the
degenerate Gaussian score (Andrews, Ramsey & Cooper 2019, Tables 1 and 2), greedy equivalence search with a
structure prior of one expected parent.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from typing import Any

from bench.graphs_of_numbers import Answer, compared, essential
from bench.linear import lee_hastie
from bench.task import Case, Clock, Finding, Options, Results

BAR = "precision and recall of adjacencies at most 0.03 below the published ones"
PEERS = ("dagwright", "dagwright_ges")
SEEDS = 5
PUBLISHED = {(100, 2): (0.99, 0.98), (100, 4): (0.95, 0.97), (500, 4): (0.97, 0.96)}
SLACK = 0.03
Arguments = dict[str, Any]


def cases(options: Options) -> Iterable[Case]:
    for n, degree in list(PUBLISHED)[: 1 if options.quick else None]:
        for seed in range(1 if options.quick else SEEDS if n < 500 else 2):
            arguments = {"n": n, "degree": degree, "rows": 1_000, "seed": seed}
            yield Case(f"{n}/{degree} seed {seed}", arguments, repeats=1, timeout=1_800.0)


def learned(arguments: Arguments, clock: Clock, **given: Any) -> Answer:
    import dagwright as dw

    columns = {
        name: column if column.dtype.kind == "f" else [f"s{code}" for code in column]
        for name, column in lee_hastie(**arguments).columns.items()
    }
    table, learn = dw.read(columns), dw.learn
    with clock:
        found = learn(table, **given)
    return essential(found.essential)


def run_dagwright(arguments: Arguments, clock: Clock) -> Answer:
    return learned(arguments, clock)


def run_dagwright_ges(arguments: Arguments, clock: Clock) -> Answer:
    import dagwright as dw

    return learned(arguments, clock, search=dw.GES())


def findings(results: Results) -> Iterable[Finding]:
    groups: dict[str, list[Case]] = {}
    for case in results.cases():
        groups.setdefault(case.name.split(" seed ")[0], []).append(case)
    for name, group in groups.items():
        published = PUBLISHED[group[0].arguments["n"], group[0].arguments["degree"]]
        for peer in PEERS:
            answers = [(case, results.get(case.name, peer)) for case in group]
            found = [
                compared(lee_hastie(**case.arguments), result.answer)
                for case, result in answers
                if result is not None
            ]
            if len(found) < len(group):
                continue
            means = [statistics.mean(column) for column in zip(*found, strict=True)]
            bars = [bar - SLACK if peer == "dagwright" else None for bar in published]
            yield Finding(name, f"precision of adjacencies, {peer}", means[1], "", bars[0])
            yield Finding(name, f"recall of adjacencies, {peer}", means[2], "", bars[1])
            yield Finding(name, f"structural Hamming distance, {peer}", means[0], "")
