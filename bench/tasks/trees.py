"""Chow-Liu trees: against PyBNesian's hill climbing, pgmpy's tree search, and a thousand variables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.hill_climb import Arguments, Edges, run_pybnesian, shuffled

BAR = (
    "alarm with 10^6 rows in a fifteenth of PyBNesian's hill climbing; 300x pgmpy's TreeSearch on alarm with "
    "10^4 rows; 1,000 variables x 10^4 rows in memory bounded by blocks"
)
PEERS = ("dagwright", "dagwright_1t", "pybnesian", "pgmpy")
WIDE, WIDE_ROWS = 1_000, 10_000
FEWER, MORE = 15.0, 300.0
# What the columns, the memo of evidence and the matrix of weights may take together, above the interpreter.
MOST_MIB = 512.0

__all__ = ["run_pybnesian"]


def cases(options: Options) -> Iterable[Case]:
    from bench.samples import draw

    small = {"sample": str(draw("alarm", 10_000)), "order": 0}
    yield Case("alarm_10000", small, ("dagwright", "dagwright_1t"), calls=5)
    yield Case("alarm_10000", small, ("pgmpy",), repeats=1)
    if not options.quick:
        large = {"sample": str(draw("alarm", 1_000_000)), "order": 0}
        yield Case("alarm_1000000", large, ("dagwright", "dagwright_1t"), repeats=1, calls=5)
        yield Case("alarm_1000000", large, ("pybnesian",), repeats=1)
    yield Case("1000 variables", {"n": WIDE}, ("dagwright",), repeats=1)


def wide_columns(n: int) -> dict[str, Any]:
    """A chain of columns with three states, each a noisy copy of an earlier one."""
    import numpy as np

    rng = np.random.default_rng(n)
    columns: list[Any] = []
    for at in range(n):
        noise = rng.integers(0, 3, WIDE_ROWS, dtype=np.uint8)
        source = columns[int(rng.integers(0, at))] if at else noise
        columns.append(np.where(rng.random(WIDE_ROWS) < 0.5, source, noise))
    return {f"v{at}": column for at, column in enumerate(columns)}


def tree(arguments: Arguments, clock: Clock, threads: int | None) -> Edges:
    import dagwright as dw

    wide = "n" in arguments
    table = dw.read(wide_columns(arguments["n"]) if wide else shuffled(arguments).arrow())
    learn, search = dw.learn, dw.ChowLiu()
    with clock:
        found = learn(table, search=search, threads=threads)
    return [tuple(edge) for edge in found.graph.edges]


def run_dagwright(arguments: Arguments, clock: Clock) -> Edges:
    return tree(arguments, clock, None)


def run_dagwright_1t(arguments: Arguments, clock: Clock) -> Edges:
    return tree(arguments, clock, 1)


def run_pgmpy(arguments: Arguments, clock: Clock) -> Edges:
    from pgmpy.estimators import TreeSearch

    frame = shuffled(arguments).pandas()
    with clock:
        dag = TreeSearch(frame, n_jobs=1).estimate(
            estimator_type="chow-liu", edge_weights_fn="mutual_info", show_progress=False
        )
    return list(dag.edges())


def findings(results: Results) -> Iterable[Finding]:
    from bench.samples import load
    from bench.scorer import Scorer

    for name, peer, bar in (("alarm_1000000", "pybnesian", FEWER), ("alarm_10000", "pgmpy", MORE)):
        if results.get(name, "dagwright") is None or results.get(name, peer) is None:
            continue
        yield Finding(
            name, f"{peer} / dagwright seconds", results.speedup([name], "dagwright", peer), "x", bar
        )
        one = results.speedup([name], "dagwright_1t", peer, "cpu_seconds")
        yield Finding(name, f"{peer} / dagwright processor time, one thread", one)
    ours, theirs = results.get("alarm_10000", "dagwright"), results.get("alarm_10000", "pgmpy")
    if ours is not None and theirs is not None:
        scorer = Scorer(load(ours.case.arguments["sample"]).codes)
        gap = scorer.bic(ours.answer) - scorer.bic(theirs.answer)
        yield Finding("alarm_10000", "BIC of our tree above pgmpy's", gap, "nats", at_least=-1e-6)
    wide = results.get("1000 variables", "dagwright")
    if wide is not None:
        yield Finding("1000 variables", "links", len(wide.answer), "", at_least=WIDE - 1)
        yield Finding("1000 variables", "seconds", wide.seconds, "s")
        yield Finding("1000 variables", "peak memory", wide.peak_mib, "MiB", at_most=MOST_MIB)
