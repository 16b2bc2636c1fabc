"""The commands about cost: searches race on one's own data, or say beforehand what they will take."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Annotated, Any

import typer

from dagwright import registry
from dagwright.cli import inputs, options, output
from dagwright.data.missing import apply_policy
from dagwright.errors import DagwrightError
from dagwright.evidence import score as score_graph
from dagwright.learning import learn
from dagwright.learning_task import asks_tests
from dagwright.search.forecast import forecast as forecast_search

Reading = dict[str, Any]


@inputs.reads_data
def bench(
    how: Reading,
    data: options.Data,
    search: Annotated[
        list[str] | None,
        typer.Option(
            "--search", help="A search to try; may be repeated. Default: all that need no arguments."
        ),
    ] = None,
    score: options.Score = None,
    knowledge: options.Knowledge = None,
    missing: options.Missing = None,
    seed: options.Seed = 0,
    threads: options.Threads = None,
    time_limit: options.TimeLimit = 60.0,
    json: options.Json = False,
) -> None:
    """Try searches on the same data: what each finds, what its DAG scores and how long it takes."""
    table = inputs.read_table(data, how)
    rows = apply_policy(table, missing)
    chosen_score = inputs.read_score(score)
    known = inputs.read_knowledge(knowledge)
    names = search or [entry.name for entry in registry.entries("search") if not entry.needs]
    tried: list[dict[str, Any]] = []
    for name in names:
        method = registry.parse(name, "search")
        began = time.perf_counter()
        with output.progress_line(not json) as progress:
            try:
                found = learn(
                    table.with_memo(512),  # nothing remembered from the search before
                    search=method,
                    score=None if asks_tests(method) else chosen_score,
                    knowledge=known,
                    missing=missing,
                    random_state=seed,
                    threads=threads,
                    time_limit=time_limit,
                    progress=progress,
                )
            except DagwrightError as problem:
                tried.append({"search": name, "problem": str(problem)})
                continue
        tried.append(
            {
                "search": name,
                "seconds": time.perf_counter() - began,
                "score": None if found.dag is None else score_graph(found.dag, rows, chosen_score).total,
                "links": len(
                    found.graph.skeleton().edges if hasattr(found.graph, "skeleton") else found.graph.edges
                ),
                "optimal": found.optimal,
                "stopped": found.stopped,
            }
        )
        if found.stopped == "cancelled":
            break
    if json:
        output.write_json(tried)
        return
    best = max((one["score"] for one in tried if one.get("score") is not None), default=None)
    output.write_grid(
        [
            ("search", "left"),
            ("seconds", "right"),
            ("score", "right"),
            ("below best", "right"),
            ("links", "right"),
            ("", "left"),
        ],
        [_row(one, best) for one in tried],
    )


def _row(one: dict[str, Any], best: float | None) -> tuple[str, ...]:
    if "problem" in one:
        return one["search"], "", "", "", "", one["problem"]
    score = one["score"]
    remarks = ["proven optimal"] if one["optimal"] else []
    remarks += {"deadline": ["stopped by the time limit"], "cancelled": ["interrupted"]}.get(
        one["stopped"], []
    )
    return (
        one["search"],
        f"{one['seconds']:.2f}",
        "" if score is None else f"{score:,.2f}",
        "" if score is None or best is None else f"{best - score:,.2f}",
        str(one["links"]),
        ", ".join(remarks),
    )


@inputs.reads_data
def forecast(
    how: Reading,
    data: options.Data,
    search: options.Search = None,
    score: options.Score = None,
    knowledge: options.Knowledge = None,
    missing: options.Missing = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Say what a search will cost on these data before it starts: families, memory, time."""
    found = forecast_search(
        inputs.read_table(data, how),
        search=inputs.read_search(search),
        score=inputs.read_score(score),
        knowledge=inputs.read_knowledge(knowledge),
        missing=missing,
        threads=threads,
    )
    if json:
        output.write_json(asdict(found))
    else:
        output.write(str(found))
