"""The 5 % level of tests of numbers: how often each rejects a true independence, in 20,000 draws."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "tests at the level of 5 % reject 4 to 6 % of true independences"
PEERS = ("dagwright",)
DRAWS = 20_000
PAIRS = 25
ROWS = (200, 2_000, 20_000)


def cases(options: Options) -> Iterable[Case]:
    for rows in ROWS[:1] if options.quick else ROWS:
        draws = 1_000 if options.quick else DRAWS
        yield Case(f"{rows} rows", {"rows": rows, "draws": draws}, repeats=1, timeout=3_600.0)


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> dict[str, float]:
    import numpy as np

    import dagwright as dw
    from dagwright.graph.query import Query

    rows, tables = arguments["rows"], arguments["draws"] // PAIRS
    numbers = {"t": dw.StudentT(0.05), "Fisher z": dw.FisherZ(0.05)}
    curved = dw.LikelihoodRatio(0.05, measure=dw.Embedded(degree=3))
    numbers["embedded, degree 3"] = curved
    mixed = {
        "F": dw.StudentT(0.05),
        "Bartlett": dw.FisherZ(0.05),
        "embedded, degree 1, likelihood ratio": dw.LikelihoodRatio(0.05, measure=dw.Embedded()),
        "conditional Gaussian": dw.LikelihoodRatio(0.05, measure=dw.ConditionalGaussian()),
    }
    rejected = dict.fromkeys([*numbers, *mixed], 0)
    rng = np.random.default_rng(rows)
    with clock:
        for _ in range(tables):
            z = rng.normal(size=rows)
            data: dict[str, Any] = {"z": z}
            for i in range(PAIRS):
                data[f"x{i:02}"] = z + rng.normal(size=rows)
                data[f"y{i:02}"] = z + rng.normal(size=rows)
                data[f"s{i:02}"] = rng.integers(0, 2, rows, dtype=np.uint8)
            states = [["a", "b"] if name.startswith("s") else None for name in data]
            table = dw.Table(list(data), list(data.values()), states)
            pairs = [Query(f"x{i:02}", f"y{i:02}", "z") for i in range(PAIRS)]
            blocks = [Query(f"x{i:02}", f"s{i:02}", "z") for i in range(PAIRS)]
            for tests, queries in ((numbers, pairs), (mixed, blocks)):
                for name, test in tests.items():
                    rejected[name] += sum(not one.independent for one in test.on(table).test(queries))
    return {name: count / (tables * PAIRS) for name, count in rejected.items()}


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        result = results.get(case.name, "dagwright")
        for name, share in (result.answer if result is not None else {}).items():
            yield Finding(case.name, f"share rejected by {name}", share, "", 0.04, 0.06)
