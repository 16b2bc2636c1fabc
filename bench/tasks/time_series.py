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
    from bench.peers import drawn_by

    for series, processes in ((5, 2), (10, 2)) if options.quick else ((5, 10), (10, 10), (20, 3)):
        name = f"{series} series"
        path = drawn_by("tigramite", "time_series", name, series=series, steps=500, processes=10)
        yield Case(name, {"path": str(path), "processes": processes}, repeats=1, timeout=1800.0)


def draw(path: str, series: int, steps: int, processes: int) -> None:
    """Stationary processes of tigramite's generator, (steps, series), and their edges [cause, lag, effect].

    Each series depends on its own last step. As many edges as series join different ones, three in ten within
    a step.
    """
    import numpy as np
    from tigramite.toymodels import structural_causal_processes as generator

    drawn: dict[str, Any] = {}
    seed = 0
    while len(drawn) < 2 * processes:
        links, noises = generator.generate_structural_causal_process(
            N=series,
            L=series,
            dependency_coeffs=[-0.5, 0.5],
            auto_coeffs=[0.5, 0.7],
            contemp_fraction=0.3,
            max_lag=MAX_LAG,
            seed=seed,
        )
        values, nonstationary = generator.structural_causal_process(links, T=steps, noises=noises, seed=seed)
        seed += 1
        # The check of the generator leaves out edges within a step: some processes explode all the same.
        if nonstationary or np.abs(values).max() > 1000:
            continue
        number = len(drawn) // 2
        drawn[f"values_{number}"] = values
        drawn[f"edges_{number}"] = np.array(
            [[cause, -lag, effect] for effect, causes in links.items() for (cause, lag), *_ in causes]
        )
    np.savez(path, **drawn)


def drawn(path: str, number: int) -> tuple[Any, Links]:
    """The rows of one process, and its edges."""
    import numpy as np

    with np.load(path) as stored:
        return stored[f"values_{number}"], stored[f"edges_{number}"].tolist()


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> list[Links]:
    import dagwright as dw
    from dagwright.data.windows import moments_of

    answers = []
    search = dw.PCMCIPlus(test=dw.StudentT(alpha=ALPHA), max_lag=MAX_LAG)
    for seed in (0, *range(arguments["processes"])):  # the first warms up
        values, _ = drawn(arguments["path"], seed)
        names = [f"s{i}" for i in range(values.shape[1])]
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
        values, _ = drawn(arguments["path"], seed)
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
        truths = [drawn(arguments["path"], seed)[1] for seed in range(arguments["processes"])]
        own = sum(map(f1, ours.answer, truths)) / len(truths)
        yield Finding(case.name, "F1 of edges", own, "")
        if theirs is not None:
            other = sum(map(f1, theirs.answer, truths)) / len(truths)
            yield Finding(case.name, "F1 of tigramite", other, "")
            yield Finding(case.name, "F1 above tigramite's", own - other, "", at_least=-0.02)
            yield Finding(
                case.name, "faster than tigramite", theirs.cpu_seconds / ours.cpu_seconds, at_least=10.0
            )
