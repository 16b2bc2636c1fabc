"""Score against time: the default search beside hill climbing, GES and order search alone.

After 2t seconds the default should score no less than the best of the others after t. The same law counted in
evaluations is a test. Time is processor
time on one thread, so that other work on the machine does not matter. The scores over time go to
bench/results/anytime_runs.json, from which `bench.anytime_page` draws charts.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "after 2t seconds the default scores no less than the best of the others after t"
PEERS = ("dagwright", "dagwright_hill_climbing", "dagwright_ges", "dagwright_order_search")
NETWORKS = ("sachs", "child", "insurance", "alarm")
ROWS = (500, 5_000, 50_000)
MOMENTS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
RUNS = Path(__file__).parent.parent / "results" / "anytime_runs.json"
Running = list[tuple[float, float]]


def cases(options: Options) -> Iterable[Case]:
    for network in NETWORKS[:2] if options.quick else NETWORKS:
        for rows in ROWS[:1] if options.quick else ROWS:
            most = 1.0 if options.quick else 2 * MOMENTS[-1]
            arguments = {"network": network, "rows": rows, "seconds": most}
            yield Case(f"{network}_{rows}", arguments, repeats=1)


def running_scores(arguments: dict[str, Any], clock: Clock, search: str | None) -> Running:
    """Each new best score with the seconds since the search began; the first is that of the empty graph."""
    import dagwright as dw

    table = dw.load(arguments["network"]).sample(arguments["rows"], random_state=1)
    seen: Running = [(0.0, dw.score(dw.Dag(table.names), table, score=dw.BIC()).total)]

    # What is imported when it is first used should not count.
    dw.learn({"a": [0, 1] * 9, "b": [0, 0, 1] * 6}, score=dw.BIC(), search=search, progress=lambda _: None)
    cancel = dw.CancelToken()

    def note(event: dw.Event) -> None:
        if event.best is not None and event.best > seen[-1][1]:
            seen.append((time.process_time() - began, event.best))
        if time.process_time() - began > arguments["seconds"]:
            cancel.cancel()

    began = time.process_time()
    with clock:
        found = dw.learn(table, score=dw.BIC(), search=search, progress=note, threads=1, cancel=cancel)
    if found.score > seen[-1][1]:
        seen.append((time.process_time() - began, found.score))
    return seen


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> Running:
    return running_scores(arguments, clock, None)


def run_dagwright_hill_climbing(arguments: dict[str, Any], clock: Clock) -> Running:
    return running_scores(arguments, clock, "HillClimb")


def run_dagwright_ges(arguments: dict[str, Any], clock: Clock) -> Running:
    return running_scores(arguments, clock, "GES")


def run_dagwright_order_search(arguments: dict[str, Any], clock: Clock) -> Running:
    return running_scores(arguments, clock, "OrderSearch")


def after(seen: Running, seconds: float) -> float:
    """The best score so far."""
    return max(score for moment, score in seen if moment <= seconds)


def findings(results: Results) -> Iterable[Finding]:
    stored: dict[str, dict[str, Running]] = {}
    for case in results.cases():
        runs = {peer: results.get(case.name, peer) for peer in PEERS}
        seen = {peer: result.answer for peer, result in runs.items() if result is not None}
        if len(seen) < len(PEERS):
            continue
        ours = seen[PEERS[0]]
        short = {
            moment: max(after(seen[peer], moment) for peer in PEERS[1:]) - after(ours, 2 * moment)
            for moment in MOMENTS
        }
        worst = max(short, key=lambda moment: short[moment])
        stored[case.name] = {
            peer: [(round(moment, 4), score) for moment, score in running] for peer, running in seen.items()
        }
        yield Finding(
            case.name,
            "most below the others",
            max(short[worst], 0.0),
            "nats",
            at_most=1e-6,
            note=f"t = {worst:g} s",
        )
    if len(stored) == len(NETWORKS) * len(ROWS):
        RUNS.write_text(json.dumps(stored) + "\n", encoding="utf-8")
