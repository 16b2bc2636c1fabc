"""Experiments: graphs found with and without them, and how often intervals of effects cover the truth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = (
    "GIES nearer to the truth than GES on pooled or observed rows; given the true graph, 95 % intervals "
    "cover in 93 to 97 %; with learned graphs their coverage is reported"
)
PEERS = ("dagwright",)
Arguments = dict[str, Any]
KINDS = ("numbers", "states", "mixed")


def cases(options: Options) -> Iterable[Case]:
    yield Case("random graphs", {"graphs": 5 if options.quick else 50}, repeats=1)
    for kind in KINDS:
        yield Case(f"coverage {kind}", {"kind": kind, "runs": 100 if options.quick else 1000}, repeats=1)
        learned = {"kind": kind, "runs": 5 if options.quick else 40, "replicates": 20}
        yield Case(f"coverage {kind}, learned graphs", learned, repeats=1)


def run_dagwright(arguments: Arguments, clock: Clock) -> list[float]:
    if "graphs" in arguments:
        return distances(arguments, clock)
    with clock:
        replicates = arguments.get("replicates", 0)
        hits = sum(covered(arguments["kind"], seed, replicates) for seed in range(arguments["runs"]))
    return [hits / arguments["runs"]]


def distances(arguments: Arguments, clock: Clock) -> list[float]:
    """Mean distances from the interventional essential graph: GIES, GES on all rows, GES on the observed."""
    import dagwright as dw

    found = []
    score = dw.BIC(measure=dw.Gaussian())
    for seed in range(arguments["graphs"]):
        truth, table, observed = experiments(seed)
        with clock:
            graph = dw.learn(table, search=dw.GES(), score=score).graph
        wanted = truth.cpdag(table.targets)
        others = (
            dw.learn(rows, search=dw.GES(), score=score).graph
            for rows in (table.with_interventions({}), table.take(range(observed)).with_interventions({}))
        )
        found.append([dw.compare(wanted, one).dag_shd for one in (graph, *others)])
    return [sum(column) / len(found) for column in zip(*found, strict=True)]


def experiments(seed: int, n: int = 10, rows: int = 200, targets: int = 5) -> tuple[Any, Any, int]:
    """A random linear Gaussian network, with rows as observed and with one variable set at a time."""
    import numpy as np

    import dagwright as dw

    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    weights = np.zeros((n, n))
    for at, a in enumerate(order):
        for b in order[at + 1 :]:
            if rng.random() < 2.5 / (n - 1):
                weights[a, b] = rng.uniform(0.5, 1.5) * rng.choice([-1, 1])
    chosen = rng.choice(n, targets, replace=False).tolist()
    blocks = []
    for target in (None, *chosen):
        block = np.zeros((rows, n))
        for v in order:
            noise = rng.normal(size=rows)
            block[:, v] = 2.0 + noise if v == target else block @ weights[:, v] + noise
        blocks.append(block)
    names = [f"v{v}" for v in range(n)]
    masks = {}
    for at, target in enumerate(chosen, start=1):
        mask = np.zeros(rows * (targets + 1), dtype=bool)
        mask[rows * at : rows * (at + 1)] = True
        masks[names[target]] = mask
    table = dw.Table(names, list(np.concatenate(blocks).T), [None] * n).with_interventions(masks)
    arcs = [(names[a], names[b]) for a, b in zip(*np.nonzero(weights), strict=True)]
    return dw.Dag(names, arcs), table, rows


def covered(kind: str, seed: int, replicates: int) -> bool:
    """Whether the 95 % interval of an effect holds the truth, given the true graph or learned ones.

    Graphs are learned with the order of the variables known, again from each of ``replicates`` samples.
    """
    import numpy as np

    import dagwright as dw

    rng = np.random.default_rng(seed)
    if kind == "states":
        z = rng.random(200) < 0.4
        x = rng.random(200) < np.where(z, 0.7, 0.3)
        y = rng.random(200) < np.array([[0.2, 0.5], [0.6, 0.8]])[z.astype(int), x.astype(int)]
        table = dw.Table(["z", "x", "y"], [one.astype(np.uint8) for one in (z, x, y)], [[0, 1]] * 3)
        truth = 0.6 * 0.3 + 0.4 * 0.2
    else:
        z = rng.normal(size=100)
        if kind == "mixed":
            x = rng.random(100) < 1 / (1 + np.exp(-z))
            y = z + 2.0 * x + rng.normal(size=100) * (1 + x)
            table = dw.Table(["z", "x", "y"], [z, x.astype(np.uint8), y], [None, [0, 1], None])
        else:
            x = 0.8 * z + rng.normal(size=100)
            y = 2.0 * x - z + rng.normal(size=100)
            table = dw.Table(["z", "x", "y"], [z, x, y], [None] * 3)
        truth = 2.0
    graph: Any = "z -> x; z -> y; x -> y"
    if replicates:
        graph = dw.learn(table, search=dw.HillClimb(), knowledge=dw.Knowledge(order=["z", "x", "y"]))
    found = dw.effect(graph, "x", "y", table, replicates=replicates)
    return bool(found.low <= truth <= found.high)


def findings(results: Results) -> Iterable[Finding]:
    graphs = results.get("random graphs", "dagwright")
    if graphs is not None:
        gies, pooled, observed = graphs.answer
        yield Finding("random graphs", "SHD of GIES / of GES on pooled rows", gies / pooled, "x", at_most=1.0)
        yield Finding(
            "random graphs", "SHD of GIES / of GES on observed rows", gies / observed, "x", at_most=1.0
        )
        yield Finding("random graphs", "mean SHD of GIES", gies, "edges")
    for kind in KINDS:
        case = f"coverage {kind}"
        found = results.get(case, "dagwright")
        if found is not None:
            yield Finding(case, "intervals that cover", found.answer[0], "share", 0.93, 0.97)
        learned = results.get(f"{case}, learned graphs", "dagwright")
        if learned is not None:
            yield Finding(learned.case.name, "intervals that cover", learned.answer[0], "share")
