"""GIES on random linear Gaussian networks with one variable set at a time, against the package gies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "SHD between interventional essential graphs no worse than gies', faster"
PEERS = ("dagwright", "gies")
Matrix = list[list[int]]


def cases(options: Options) -> Iterable[Case]:
    for n, graphs in ((5, 3), (10, 2)) if options.quick else ((5, 20), (10, 10), (15, 2)):
        yield Case(f"{n} nodes", {"n": n, "graphs": graphs}, repeats=1, timeout=1800.0)


def drawn(n: int, seed: int, rows: int = 200) -> tuple[Any, list[Any], list[list[int]]]:
    """Weights of the arcs, the rows of each environment, and the variables that it sets."""
    import numpy as np

    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    weights = np.zeros((n, n))
    for at, a in enumerate(order):
        for b in order[at + 1 :]:
            if rng.random() < 2.5 / (n - 1):
                weights[a, b] = rng.uniform(0.5, 1.5) * rng.choice([-1, 1])
    targets: list[list[int]] = [[], *([int(v)] for v in rng.choice(n, n // 2, replace=False))]
    blocks = []
    for target in targets:
        block = np.zeros((rows, n))
        for v in order:
            noise = rng.normal(size=rows)
            block[:, v] = 2.0 + noise if v in target else block @ weights[:, v] + noise
        blocks.append(block)
    return weights, blocks, targets


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> list[Matrix]:
    import numpy as np

    import dagwright as dw

    answers = []
    names = [f"v{v:02}" for v in range(arguments["n"])]
    for seed in (0, *range(arguments["graphs"])):  # the first warms up
        _, blocks, targets = drawn(arguments["n"], seed)
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
        _, blocks, targets = drawn(arguments["n"], seed)
        with clock if answers else Clock():
            found, _ = gies.fit_bic(blocks, targets)
        answers.append(found.astype(int).tolist())
    return answers[1:]


def distance(n: int, seed: int, found: Matrix) -> int:
    """Pairs of nodes with another edge than in the interventional essential graph of the truth."""
    import numpy as np

    import dagwright as dw

    weights, _, targets = drawn(n, seed)
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
        n, graphs = case.arguments["n"], case.arguments["graphs"]
        own = sum(distance(n, seed, ours.answer[seed]) for seed in range(graphs)) / graphs
        yield Finding(case.name, "mean SHD", own, "edges")
        if theirs is not None:
            other = sum(distance(n, seed, theirs.answer[seed]) for seed in range(graphs)) / graphs
            yield Finding(case.name, "mean SHD of gies", other, "edges")
            yield Finding(case.name, "SHD above that of gies", own - other, "edges", at_most=0.0)
            yield Finding(case.name, "faster than gies", theirs.cpu_seconds / ours.cpu_seconds, at_least=1.0)
