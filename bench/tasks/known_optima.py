"""Hill climbing against the optimal BIC of data sets whose optimum is known.

The optima, over all DAGs without a parent bound, were published by Liao, Sharma, Cussens and van Beek (2019,
"Finding all Bayesian network structures within a factor of optimal") and are recomputed in double precision.
The folder holds one comma-separated file of integer codes per data set, without a header.
"""

from __future__ import annotations

from collections.abc import Iterable

from bench.task import Case, Finding, Options, Results, SkipTaskError
from bench.tasks.hill_climb import run_dagwright, run_pyagrum, run_pybnesian

__all__ = ["run_dagwright", "run_pyagrum", "run_pybnesian"]

BAR = "no graph scores above the optimum; the gap to it is reported"
PEERS = ("dagwright", "pybnesian", "pyagrum")
OPTIMAL_BIC = {
    "iris": -465.435028,
    "tic-tac-toe": -9396.375857,
    "wine": -1258.445909,
    "mushroom": -89683.453613,
    "insurance1000": -14350.471361,
    "flag": -2748.105209,
    "wdbc": -6602.118072,
    "water1000": -13290.109118,
    "soybean": -3122.063799,
    "alarm": -14390.784302,
    "hailfinder500": -27777.554383,
}


def cases(options: Options) -> Iterable[Case]:
    import numpy as np

    from bench.samples import DATA, Sample

    if options.optima is None:
        raise SkipTaskError("give the folder of data sets with --optima FOLDER")
    for name in OPTIMAL_BIC:
        file = options.optima / f"{name}.csv"
        if not file.exists():
            raise SkipTaskError(f"{file} is missing")
        columns = np.loadtxt(file, delimiter=",", dtype=np.int64, ndmin=2).T
        coded = {f"x{k}": np.unique(column, return_inverse=True) for k, column in enumerate(columns)}
        sample = DATA / f"optimum_{name}.npz"
        Sample(
            {x: codes.astype(np.uint8) for x, (_, codes) in coded.items()},
            {x: [str(state) for state in seen] for x, (seen, _) in coded.items()},
        ).save(sample)
        yield Case(name, {"sample": str(sample), "order": 0}, repeats=1)


def findings(results: Results) -> Iterable[Finding]:
    from bench.samples import load
    from bench.scorer import Scorer

    for case in results.cases():
        scorer = Scorer(load(case.arguments["sample"]).codes)
        best = OPTIMAL_BIC[case.name]
        for peer in results.peers(case.name):
            value = scorer.bic(results.get(case.name, peer).answer)
            yield Finding(
                case.name,
                f"{peer}: nats above the optimum",
                value - best,
                "",
                at_most=1e-8 * abs(best),
                note=f"{100 * (value - best) / abs(best):.3f} %",
            )
