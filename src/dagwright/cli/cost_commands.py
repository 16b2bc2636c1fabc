"""The commands about cost: searches race on one's own data, or say beforehand what they will take."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from dagwright import wire
from dagwright.cli import inputs, options, output
from dagwright.cli.methods_from_text import method
from dagwright.cli.option_groups import Given, known, reading, takes
from dagwright.data import Table
from dagwright.errors import DagwrightError
from dagwright.evidence import NodeAverage
from dagwright.graph import Dag
from dagwright.knowledge.checking import edges_of
from dagwright.learning.forecasting import forecast as forecast_search
from dagwright.learning.learn import learn
from dagwright.learning.scoring import score as score_graph
from dagwright.methods import registry
from dagwright.search.traits import asks_tests
from dagwright.sentences import Sentence

FOUND = ("seconds", "score", "edges", "optimal", "stopped")


@takes(known, reading)
def bench(
    known: Given,
    reading: Given,
    data: options.Data,
    search: Annotated[
        list[str] | None,
        options.method_option("--search", "A search to try; default: all that need no arguments.", "search"),
    ] = None,
    score: options.Score = None,
    structure_prior: options.StructurePrior = None,
    missing: options.Missing = None,
    seed: options.Seed = 0,
    threads: options.Threads = None,
    time_limit: options.TimeLimit = 60.0,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Compare searches on the same data: score, edges, seconds.

    The time limit applies to each of them. Ctrl-C stops after the current search.
    """
    table = inputs.read_learnable(data, reading, known["knowledge"])
    names = search or [entry.name for entry in registry.entries("search") if not entry.needs]
    shared = {
        **known,
        "missing": missing,
        "random_state": seed,
        "threads": threads,
        "time_limit": time_limit,
    }
    of_scores = {
        "score": method(score, "score", "measure"),
        "structure_prior": method(structure_prior, "prior"),
    }
    tried: list[dict[str, Any]] = []
    for name in names:
        with output.progress_line(not (json or quiet)) as progress:
            tried.append(_tried(name, table, shared | {"progress": progress}, of_scores))
        if tried[-1]["stopped"] == "cancelled":
            break
    if json:
        output.write_json(tried)
    elif not quiet:
        _report(tried)
    if tried[-1]["stopped"] == "cancelled":
        raise typer.Exit(output.INTERRUPTED)


def _tried(name: str, table: Table, shared: dict[str, Any], of_scores: dict[str, Any]) -> dict[str, Any]:
    """The result of one search; a search by independence tests takes no score, but its DAG is scored too."""
    search = method(name, "search")
    options_of_learn = shared if asks_tests(search) else shared | of_scores
    began = time.perf_counter()
    try:
        # An empty memo: nothing is remembered from the search before.
        found = learn(table.with_memo(512), search=search, **options_of_learn)
    except DagwrightError as problem:
        return {"search": name, **dict.fromkeys(FOUND), "problem": problem.sentence}
    seconds = time.perf_counter() - began
    score = None if found.dag is None else _total(found.dag, table, of_scores["score"], shared["missing"])
    edges = sum(map(len, edges_of(found.graph)))
    facts = (seconds, score, edges, found.optimal, found.stopped)
    return {"search": name, **dict(zip(FOUND, facts, strict=True)), "problem": None}


def _total(dag: Dag, table: Table, score: Any, missing: str | None) -> float | None:
    if missing == "available" and not isinstance(score, NodeAverage):
        return None  # other scores need complete rows
    return score_graph(dag, table, score, missing=missing).total


def _report(tried: list[dict[str, Any]]) -> None:
    best = max((one["score"] for one in tried if one["score"] is not None), default=None)
    output.write_grid(
        [
            ("search", "left"),
            ("seconds", "right"),
            ("score", "right"),
            ("below best", "right"),
            ("edges", "right"),
            ("", "left"),
        ],
        [_row(one, best) for one in tried],
    )
    for one in tried:
        if one["problem"] is not None:
            output.write_prose(Sentence(f"{one['search']}: ", one["problem"]))


def _row(one: dict[str, Any], best: float | None) -> tuple[str, ...]:
    if one["problem"] is not None:
        return one["search"], "", "", "", "", "refused"
    score = one["score"]
    remarks = ["proven"] if one["optimal"] else []
    remarks += {"deadline": ["stopped by the time limit"], "cancelled": ["interrupted"]}.get(
        one["stopped"], []
    )
    return (
        one["search"],
        f"{one['seconds']:.2f}",
        "" if score is None else f"{score:,.2f}",
        "" if score is None or best is None else f"{best - score:,.2f}",
        str(one["edges"]),
        ", ".join(remarks),
    )


@takes(known, reading)
def forecast(
    known: Given,
    reading: Given,
    data: options.Data,
    score: options.Score = None,
    search: Annotated[
        str | None,
        options.method_option(
            "--search",
            "The search, for instance 'Exact(max_parents=3)', or a posterior method; default: Auto.",
            "search",
            "posterior",
        ),
    ] = None,
    structure_prior: options.StructurePrior = None,
    missing: options.Missing = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Estimate the cost of a search or a posterior before it starts."""
    with output.working("forecasting"):
        found = forecast_search(
            inputs.read_learnable(data, reading, known["knowledge"]),
            score=method(score, "score", "test", "measure"),
            search=method(search, "search", "posterior"),
            **known,
            structure_prior=method(structure_prior, "prior"),
            missing=missing,
            threads=threads,
        )
    if json:
        output.write_json(wire.to_dict(found))
    else:
        output.write_prose(str(found))
