"""The commands about candidate parent sets: score them for any solver, and solve a score file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from dagwright import wire
from dagwright.cli import inputs, options, output
from dagwright.cli.option_groups import Given, known, parent_sets, reading, takes
from dagwright.search.best_of_sets import OnSets
from dagwright.search.best_of_sets import solve as solve_sets
from dagwright.search.candidates import CandidateSets
from dagwright.search.candidates import candidates as find_candidates
from dagwright.search.solving import Solution


@takes(known, parent_sets, reading)
def candidates(
    known: Given,
    parent_sets: Given,
    reading: Given,
    data: options.Data,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Save a score file (.jkl) in the format of Jaakkola and GOBNILP."
        ),
    ] = None,
    within: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="Also keep sets for networks this many nats below the best; 0 keeps ties.",
        ),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Score the parent sets that an optimal network may need.

    The command solve and other solvers read the file of -o.
    """
    output.require_writable(out)
    with output.progress_line(not (json or quiet)) as progress:
        table = inputs.read_learnable(data, reading, known["knowledge"])
        found = find_candidates(table, within=within, progress=progress, **known, **parent_sets)
    lost = [] if out is None else found.save(out)
    if json:
        output.write_json(_facts(found, out, lost))
    elif not quiet:
        _report(found, out, lost)
    if found.stopped == "cancelled":
        raise typer.Exit(output.INTERRUPTED)


def _facts(found: CandidateSets, out: Path | None, lost: list[str]) -> dict[str, Any]:
    return {
        "score": found.score_name,
        "sets": found.sizes(),
        "evaluations": found.evaluations,
        "bound": found.bound(),
        "stopped": found.stopped,
        "saved": None if out is None else str(out),
        "losses": lost,
    }


def _report(found: CandidateSets, out: Path | None, lost: list[str]) -> None:
    best = {node: found.of(node)[0] for node in found.nodes}
    output.write_grid(
        [("variable", "left"), ("parent sets", "right"), ("best score", "right"), ("its parents", "left")],
        [
            (node, f"{count:,}", f"{best[node].score:.4f}", ", ".join(best[node].parents) or "none")
            for node, count in found.sizes().items()
        ],
    )
    output.write_prose(
        f"\n{len(found):,} parent sets of {found.evaluations:,} families scored by {found.score_name}"
    )
    if math.isfinite(found.bound()):
        output.write_prose(f"upper bound on the score of any network: {found.bound():.6f} nats")
    if found.stopped is not None:
        output.write_prose("stopped early: parent sets are missing")
    if out is not None:
        output.write(f"saved as {out}")
    for loss in lost:
        output.note(loss)


def solve(
    scores: Annotated[Path, typer.Argument(help="A score file (.jkl) of this or another program.")],
    way: Annotated[
        OnSets,
        typer.Option(
            "--method", help="auto, dp (dynamic programming over subsets), astar or ilp (branch and cut)."
        ),
    ] = "auto",
    memory: Annotated[int | None, typer.Option(min=1, help="The memory limit in bytes.")] = None,
    time_limit: options.TimeLimit = None,
    threads: options.Threads = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Find the optimal network over the parent sets of a score file.

    The optimum is proven, or the optimality gap is given.
    """
    with output.progress_line(not (json or quiet)) as progress:
        found = solve_sets(
            CandidateSets.load(scores),
            method=way,
            memory=memory,
            time_limit=time_limit,
            threads=threads,
            progress=progress,
        )
    if json:
        output.write_json(wire.to_dict(found))
    elif not quiet:
        _solution(found)
    if found.stopped == "cancelled":
        raise typer.Exit(output.INTERRUPTED)


def _solution(found: Solution) -> None:
    output.write(found.graph.as_text() + "\n")
    output.write("\n".join(f"{start} -> {end}" for start, end in found.graph.edges))
    proof = "proven best" if found.optimal else f"at most {found.gap:.6f} below the best"
    output.write_prose(f"\nscore {found.score:.6f}, {proof}; {found.method}")
    if found.stopped is not None or found.out_of_memory:
        output.write_prose(
            "stopped early: " + ("memory was used up" if found.out_of_memory else found.stopped or "")
        )
