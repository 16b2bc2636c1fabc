"""PCMCI+ with partial correlations on random autocorrelated linear processes, against tigramite."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "F1 of edges no worse than tigramite's by more than 0.02, at least 10 times faster"
PEERS = ("dagwright", "tigramite")
MAX_LAG, ALPHA = 2, 0.01
Links = list[list[int]]


def cases(options: Options) -> Iterable[Case]:
    for series, processes in ((5, 2), (10, 2)) if options.quick else ((5, 10), (10, 10), (20, 3)):
        arguments = {"series": series, "steps": 500, "processes": processes}
        yield Case(f"{series} series", arguments, repeats=1, timeout=1800.0)


def drawn(series: int, steps: int, seed: int) -> tuple[Any, Links]:
    """A stable process, as (steps, series), and its edges [cause, lag, effect].

    Each series depends on its own last step. As many edges as series join different ones, three in ten within
    a step.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    while True:
        order = rng.permutation(series)
        weights = np.zeros((MAX_LAG + 1, series, series))
        weights[1][np.diag_indices(series)] = rng.uniform(0.5, 0.8, size=series)
        for _ in range(series):
            a, b = sorted(rng.choice(series, 2, replace=False))
            lag = 0 if rng.random() < 0.3 else int(rng.integers(1, MAX_LAG + 1))
            start, end = (a, b) if lag == 0 or rng.random() < 0.5 else (b, a)
            weights[lag, order[start], order[end]] = rng.choice([-1, 1]) * rng.uniform(0.3, 0.6)
        inverse = np.linalg.inv(np.eye(series) - weights[0])
        companion = np.zeros((MAX_LAG * series, MAX_LAG * series))
        for lag in range(1, MAX_LAG + 1):
            companion[(lag - 1) * series : lag * series, :series] = weights[lag] @ inverse
        companion[:-series, series:] = np.eye((MAX_LAG - 1) * series)
        if np.abs(np.linalg.eigvals(companion)).max() < 0.95:
            break
    values = np.zeros((steps + 200, series))
    noise = rng.normal(size=values.shape) * rng.uniform(0.5, 2.0, size=series)
    for t in range(MAX_LAG, len(values)):
        past = sum(values[t - lag] @ weights[lag] for lag in range(1, MAX_LAG + 1))
        values[t] = (past + noise[t]) @ inverse
    links = [[int(i), int(lag), int(j)] for lag, i, j in np.argwhere(weights)]
    return values[200:], links


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> list[Links]:
    import dagwright as dw
    from dagwright.data.windows import moments_of

    answers = []
    names = [f"s{i}" for i in range(arguments["series"])]
    search = dw.PCMCIPlus(test=dw.StudentT(alpha=ALPHA), max_lag=MAX_LAG)
    for seed in (0, *range(arguments["processes"])):  # the first warms up
        values, _ = drawn(arguments["series"], arguments["steps"], seed)
        table = dw.Table(names, list(values.T), [None] * len(names))
        with clock if answers else Clock():
            graph = dw.learn(table.lagged(2 * MAX_LAG), search=search, threads=1).graph
        at = moments_of(graph.nodes)
        links = []
        for start, end in (*graph.directed_edges, *graph.undirected_edges):
            cause, effect = at[start], at[end]
            links.append([names.index(cause.series), cause.lag, names.index(effect.series)])
        answers.append(links)
    return answers[1:]


def run_tigramite(arguments: dict[str, Any], clock: Clock) -> list[Links]:
    import numpy as np
    from tigramite.data_processing import DataFrame
    from tigramite.independence_tests.parcorr import ParCorr
    from tigramite.pcmci import PCMCI

    answers = []
    for seed in (0, *range(arguments["processes"])):  # the first warms up
        values, _ = drawn(arguments["series"], arguments["steps"], seed)
        with clock if answers else Clock():
            method = PCMCI(DataFrame(values), ParCorr(), verbosity=0)
            graph = method.run_pcmciplus(tau_min=0, tau_max=MAX_LAG, pc_alpha=ALPHA)["graph"]
        links = []
        for i, j, lag in np.argwhere(graph != ""):
            if lag > 0 or graph[i, j, lag] == "-->" or (i < j and graph[i, j, lag] != "<--"):
                links.append([int(i), int(lag), int(j)])
        answers.append(links)
    return answers[1:]


def f1(found: Links, truth: Links) -> float:
    """Of edges between different series, whatever the direction of those within a step."""

    def plain(links: Links) -> set[tuple[int, int, int]]:
        apart = [(i, lag, j) for i, lag, j in links if i != j]
        return {(min(i, j), 0, max(i, j)) if lag == 0 else (i, lag, j) for i, lag, j in apart}

    ours, wanted = plain(found), plain(truth)
    return 2 * len(ours & wanted) / (len(ours) + len(wanted)) if ours or wanted else 1.0


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours, theirs = (results.get(case.name, peer) for peer in PEERS)
        if ours is None:
            continue
        arguments = case.arguments
        truths = [
            drawn(arguments["series"], arguments["steps"], seed)[1] for seed in range(arguments["processes"])
        ]
        own = sum(map(f1, ours.answer, truths)) / len(truths)
        yield Finding(case.name, "F1 of edges", own, "")
        if theirs is not None:
            other = sum(map(f1, theirs.answer, truths)) / len(truths)
            yield Finding(case.name, "F1 of tigramite", other, "")
            yield Finding(case.name, "F1 above tigramite's", own - other, "", at_least=-0.02)
            yield Finding(
                case.name, "faster than tigramite", theirs.cpu_seconds / ours.cpu_seconds, at_least=10.0
            )
