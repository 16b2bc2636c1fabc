"""Time and memory of the default search, 100 to 1,000 variables, 5,000 rows of a random sparse network."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "1,000 variables within 10 minutes and 4 GiB; skeleton F1 at least that of hill climbing"
PEERS = ("dagwright", "dagwright_hc")
ROWS = 5_000
SIZES = (100, 200, 500, 1_000)
Edges = list[tuple[str, str]]


def random_network(n: int, seed: int = 1, rows: int = ROWS) -> tuple[dict[str, Any], Edges]:
    """Columns of a network with two parents on average, two or three states, and clear dependences."""
    import numpy as np

    rng = np.random.default_rng([n, seed])
    order = rng.permutation(n)
    states = rng.integers(2, 4, n)
    columns: dict[int, Any] = {}
    edges: Edges = []
    for place, child in enumerate(order):
        parents = rng.choice(order[:place], size=min(place, int(rng.integers(0, 5))), replace=False)
        edges += [(f"v{parent}", f"v{child}") for parent in parents]
        key = np.zeros(rows, dtype=np.int64)
        for parent in parents:
            key = key * states[parent] + columns[int(parent)]
        configurations = int(np.prod(states[parents])) if len(parents) else 1
        # Rows of the table concentrated on one or two states, so that parents matter.
        cumulative = rng.dirichlet(np.full(states[child], 0.5), size=configurations).cumsum(axis=1)
        drawn = (rng.random(rows)[:, None] > cumulative[key]).sum(axis=1)
        columns[int(child)] = np.minimum(drawn, states[child] - 1).astype(np.uint8)
    return {f"v{k}": columns[k] for k in range(n)}, edges


def cases(options: Options) -> Iterable[Case]:
    for n in SIZES[:1] if options.quick else SIZES:
        yield Case(str(n), {"n": n}, repeats=1, timeout=1200.0)


def learned(arguments: dict[str, Any], clock: Clock, search: str) -> dict[str, Any]:
    import dagwright as dw

    columns, _ = random_network(arguments["n"])
    table = dw.read(columns)
    with clock:
        found = dw.learn(table, search=getattr(dw, search)())
    return {"edges": [list(edge) for edge in found.graph.edges], "score": found.score}


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    return learned(arguments, clock, "Auto")


def run_dagwright_hc(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    return learned(arguments, clock, "HillClimb")


def skeleton_f1(edges: Iterable[Iterable[str]], truth: Edges) -> float:
    found = {frozenset(edge) for edge in edges}
    true = {frozenset(edge) for edge in truth}
    return 2 * len(found & true) / max(1, len(found) + len(true))


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        n = case.arguments["n"]
        ours, climbed = (results.get(case.name, peer) for peer in PEERS)
        if ours is None:
            continue
        truth = random_network(n)[1]
        largest = n == SIZES[-1]
        yield Finding(f"{n} variables", "seconds", ours.seconds, "s", at_most=600.0 if largest else None)
        yield Finding(
            f"{n} variables", "peak memory", ours.peak_mib, "MiB", at_most=4096.0 if largest else None
        )
        f1 = skeleton_f1(ours.answer["edges"], truth)
        if climbed is None:
            yield Finding(f"{n} variables", "skeleton F1", f1, "")
            continue
        yield Finding(
            f"{n} variables",
            "skeleton F1",
            f1,
            "",
            at_least=skeleton_f1(climbed.answer["edges"], truth),
            note="the bar is hill climbing's",
        )
        yield Finding(
            f"{n} variables",
            "score above hill climbing",
            ours.answer["score"] - climbed.answer["score"],
            "nats",
            at_least=0.0,
        )
