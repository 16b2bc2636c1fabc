"""The commands that say how sure one can be: confidence and card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dagwright import registry
from dagwright.cli import inputs, options, output
from dagwright.confidence import Confidence
from dagwright.confidence import posterior as structure_posterior
from dagwright.knowledge import Knowledge
from dagwright.learning import learn
from dagwright.link_evidence import evidence_card
from dagwright.resampling import bootstrap

Reading = dict[str, Any]


@inputs.reads_data
def confidence(
    how: Reading,
    data: options.Data,
    score: options.Score = None,
    search: options.Search = None,
    knowledge: options.Knowledge = None,
    missing: options.Missing = None,
    replicates: Annotated[
        int | None, typer.Option(min=1, help="How many times to draw and learn; default: 200.")
    ] = None,
    draw: Annotated[
        str | None, typer.Option(help="How to draw: Rows, BayesianWeights, Subsample(0.5), Jackknife(20).")
    ] = None,
    classes: Annotated[
        bool, typer.Option(help="Whether directions that equivalent graphs do not share count as undecided.")
    ] = True,
    precision: Annotated[
        float | None, typer.Option(help="Stop once no strength has a larger standard error.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="A file that keeps the replicates; the same run goes on from it.")
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            min=0.0, max=1.0, help="List links of this strength and more; default: the significant."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option("--output", "-o", help="Save the whole as JSON.")] = None,
    seed: options.Seed = 0,
    threads: options.Threads = None,
    time_limit: options.TimeLimit = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """How sure is each link? Learn from resampled data, again and again. Ctrl-C keeps what there is."""
    known = inputs.read_knowledge(knowledge)
    way = None if draw is None else registry.parse(draw, "resampling")
    with output.progress_line(not quiet) as progress:
        found = bootstrap(
            inputs.read_table(data, how),
            score=inputs.read_score(score),
            search=inputs.read_search(search),
            knowledge=known,
            missing=missing,
            replicates=replicates,
            draw=way,
            classes=classes,
            precision=precision,
            checkpoint=checkpoint,
            random_state=seed,
            threads=threads,
            time_limit=time_limit,
            progress=progress,
        )
    if out is not None:
        out.write_text(found.to_json() + "\n", encoding="utf-8")
    if json:
        output.write(found.to_json())
    elif not quiet:
        _report(found, threshold, known)
    if found.source.endswith("interrupted"):
        raise typer.Exit(output.INTERRUPTED)


def _report(found: Confidence, threshold: float | None, known: Knowledge | None) -> None:
    links = found.significant_links() if threshold is None else found.links(threshold)
    output.write_grid(
        [("link", "left"), ("strength", "right"), ("95 %", "right"), ("this way", "right")],
        [
            (
                f"{one.start} -> {one.end}",
                f"{one.strength:.3f}",
                f"{one.low:.2f} to {one.high:.2f}",
                f"{one.direction:.3f}",
            )
            for one in links
        ],
    )
    output.write(f"\n{found.source}")
    output.write(f"links above {found.significance_threshold():.3f} are significant")
    output.write(f"consensus: {found.consensus(threshold, knowledge=known)}".replace("\n", "; "))


@inputs.reads_data
def posterior(
    how: Reading,
    data: options.Data,
    score: Annotated[
        str | None, typer.Option("--score", help="ln P(data | network), for instance 'BDeu(ess=10)'.")
    ] = None,
    method: Annotated[
        str,
        typer.Option(help="auto, enumerate, exact, order, partition, structure, or 'OrderMCMC(chains=8)'."),
    ] = "auto",
    knowledge: options.Knowledge = None,
    missing: options.Missing = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="A file in which samplers keep their state; they go on from it.")
    ] = None,
    threshold: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="List links of this probability and more.")
    ] = 0.5,
    out: Annotated[Path | None, typer.Option("--output", "-o", help="Save the confidence as JSON.")] = None,
    seed: options.Seed = 0,
    threads: options.Threads = None,
    time_limit: options.TimeLimit = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """How probable is each link? Exact where networks can be listed or summed, else by sampling them."""
    known = inputs.read_knowledge(knowledge)
    chosen = registry.parse(method, "posterior") if "(" in method else method
    with output.progress_line(not quiet) as progress:
        found = structure_posterior(
            inputs.read_table(data, how),
            score=inputs.read_score(score),
            method=chosen,
            knowledge=known,
            missing=missing,
            checkpoint=checkpoint,
            random_state=seed,
            threads=threads,
            time_limit=time_limit,
            progress=progress,
        )
    if out is not None:
        out.write_text(found.confidence.to_json() + "\n", encoding="utf-8")
    if json:
        output.write(found.confidence.to_json())
    elif not quiet:
        _report(found.confidence, threshold, known)
        for warning in found.warnings:
            output.note(warning)


@inputs.reads_data
def card(
    how: Reading,
    data: options.Data,
    start: Annotated[str, typer.Argument(help="A column.")],
    end: Annotated[str, typer.Argument(help="Another column.")],
    score: options.Score = None,
    search: options.Search = None,
    knowledge: options.Knowledge = None,
    missing: options.Missing = None,
    seed: options.Seed = 0,
    threads: options.Threads = None,
    time_limit: options.TimeLimit = None,
    json: options.Json = False,
) -> None:
    """Learn a network and lay open what speaks for and against one link."""
    with output.progress_line(not json) as progress:
        found = learn(
            inputs.read_table(data, how),
            score=inputs.read_score(score),
            search=inputs.read_search(search),
            knowledge=inputs.read_knowledge(knowledge),
            missing=missing,
            random_state=seed,
            threads=threads,
            time_limit=time_limit,
            progress=progress,
        )
    about = evidence_card(found, start, end, threads=threads)
    if json:
        output.write_json(about.to_dict())
    else:
        output.write(str(about))
