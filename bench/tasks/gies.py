"""GIES on random linear Gaussian networks with one variable set at a time, against the package gies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "SHD between interventional essential graphs no worse than gies', faster"
PEERS = ("dagwright", "gies")
Matrix = list[list[int]]


def cases(options: Options) -> Iterable[Case]:
    from bench.peers import drawn_by

    for n, graphs in ((5, 3), (10, 2)) if options.quick else ((5, 20), (10, 10), (15, 2)):
        name = f"{n} nodes"
        path = drawn_by("gies", "gies", name, n=n, graphs=20)
        yield Case(name, {"path": str(path), "graphs": graphs}, repeats=1, timeout=1800.0)


def draw(path: str, n: int, graphs: int, rows: int = 200) -> None:
    """Graphs, rows of each environment and targets by sempler, the generator that gies is tested with."""
    import numpy as np
    import sempler
    import sempler.generators

    drawn: dict[str, Any] = {}
    for seed in range(graphs):
        rng = np.random.default_rng(seed)
        arcs = sempler.generators.dag_avg_deg(n, 2.5, random_state=seed)
        weights = arcs * rng.uniform(0.5, 1.5, size=arcs.shape) * rng.choice([-1, 1], size=arcs.shape)
        model = sempler.LGANM(weights, means=(0, 0), variances=(1, 2), random_state=seed)
        targets = [-1, *rng.choice(n, n // 2, replace=False).tolist()]
        drawn[f"weights_{seed}"] = weights
        drawn[f"targets_{seed}"] = np.array(targets)
        drawn[f"rows_{seed}"] = np.stack(
            [
                model.sample(
                    rows,
                    do_interventions={} if target < 0 else {target: (2.0, 1.0)},
                    random_state=1000 * seed + place,
                )
                for place, target in enumerate(targets)
            ]
        )
    np.savez(path, **drawn)


def drawn(path: str, number: int) -> tuple[Any, list[Any], list[list[int]]]:
    """Weights of the arcs, the rows of each environment, and the variables that it sets."""
    import numpy as np

    with np.load(path) as stored:
        targets = [[] if target < 0 else [target] for target in stored[f"targets_{number}"].tolist()]
        return stored[f"weights_{number}"], list(stored[f"rows_{number}"]), targets


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> list[Matrix]:
    import numpy as np

    import dagwright as dw

    answers = []
    for seed in (0, *range(arguments["graphs"])):  # the first warms up
        weights, blocks, targets = drawn(arguments["path"], seed)
        names = [f"v{v:02}" for v in range(len(weights))]
        owner = np.repeat(np.arange(len(blocks)), [len(block) for block in blocks])
        masks = {names[own[0]]: owner == at for at, own in enumerate(targets) if own}
        plain = dw.Table(names, list(np.concatenate(blocks).T), [None] * len(names))
        with clock if answers else Clock():
            table = plain.with_interventions(masks)
            found = dw.learn(table, search=dw.GES(), score=dw.BIC(measure=dw.Gaussian()), threads=1).graph
        matrix = np.zeros((len(names), len(names)), dtype=int)
        for a, b in found.directed_edges:
            matrix[names.index(a), names.index(b)] = 1
        for a, b in found.undirected_edges:
            matrix[names.index(a), names.index(b)] = matrix[names.index(b), names.index(a)] = 1
        answers.append(matrix.tolist())
    return answers[1:]


def run_gies(arguments: dict[str, Any], clock: Clock) -> list[Matrix]:
    import gies

    answers = []
    for seed in (0, *range(arguments["graphs"])):  # the first warms up
        _, blocks, targets = drawn(arguments["path"], seed)
        with clock if answers else Clock():
            found, _ = gies.fit_bic(blocks, targets)
        answers.append(found.astype(int).tolist())
    return answers[1:]


def distance(path: str, seed: int, found: Matrix) -> int:
    """Pairs of nodes with another edge than in the interventional essential graph of the truth."""
    import numpy as np

    import dagwright as dw

    weights, _, targets = drawn(path, seed)
    n = len(weights)
    names = [f"v{v:02}" for v in range(n)]
    truth = dw.Dag(names, [(names[a], names[b]) for a, b in np.argwhere(weights)])
    essential = truth.cpdag([[names[v] for v in target] for target in targets])
    wanted = np.zeros((n, n), dtype=int)
    for a, b in essential.directed_edges:
        wanted[names.index(a), names.index(b)] = 1
    for a, b in essential.undirected_edges:
        wanted[names.index(a), names.index(b)] = wanted[names.index(b), names.index(a)] = 1
    different = (wanted != np.array(found)) | (wanted != np.array(found)).T
    return int(np.triu(different).sum())


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours, theirs = (results.get(case.name, peer) for peer in PEERS)
        if ours is None:
            continue
        path, graphs = case.arguments["path"], case.arguments["graphs"]
        own = sum(distance(path, seed, ours.answer[seed]) for seed in range(graphs)) / graphs
        yield Finding(case.name, "mean SHD", own, "edges")
        if theirs is not None:
            other = sum(distance(path, seed, theirs.answer[seed]) for seed in range(graphs)) / graphs
            yield Finding(case.name, "mean SHD of gies", other, "edges")
            yield Finding(case.name, "SHD above that of gies", own - other, "edges", at_most=0.0)
            yield Finding(case.name, "faster than gies", theirs.cpu_seconds / ours.cpu_seconds, at_least=1.0)
