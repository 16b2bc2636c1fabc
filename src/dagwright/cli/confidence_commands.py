"""The commands about the strength of edges: bootstrap and evidence-card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dagwright.base.checkpoint import checkpoint_path
from dagwright.base.whole_file import write_whole
from dagwright.cli import completion, inputs, options, output
from dagwright.cli.methods_from_text import method
from dagwright.cli.option_groups import Given, experiments, known, learning, reading, running, takes
from dagwright.confidence import Confidence
from dagwright.knowledge import Knowledge
from dagwright.learning.edge_evidence import evidence_card as card_of
from dagwright.learning.learn import learn
from dagwright.learning.resampling import bootstrap as resampled
from dagwright.learning.resampling.bootstrapping import KIND as REPLICATES


@takes(learning, known, experiments, running, reading)
def bootstrap(
    learning: Given,
    known: Given,
    experiments: Given,
    running: Given,
    reading: Given,
    data: options.Data,
    replicates: Annotated[
        int | None, typer.Option(min=1, help="The number of replicates; default: 200.")
    ] = None,
    draw: Annotated[
        str | None,
        typer.Option(
            help="How to draw: CaseBootstrap, PoissonBootstrap, BlockBootstrap, BayesianWeights, "
            "Subsample(0.5), Jackknife(20)."
        ),
    ] = None,
    classes: Annotated[
        bool,
        typer.Option(help="Whether directions that differ within the equivalence class count as undecided."),
    ] = True,
    precision: Annotated[
        float | None, typer.Option(help="Stop once no strength has a larger standard error.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="A file for the replicates; the same call resumes from it.")
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            min=0.0, max=1.0, help="List edges of at least this strength; default: the significant ones."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", help="Save the result as JSON; - is stdout.")
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Edge strengths by the bootstrap: learn again from resampled data.

    Ctrl-C keeps the replicates that are done.
    """
    output.require_writable(out)
    output.require_writable(checkpoint)
    checkpoint_path(checkpoint, REPLICATES)  # refuses another file before the data are read
    with output.progress_line(not quiet) as progress:
        found = resampled(
            inputs.under_experiments(inputs.read_learnable(data, reading, known["knowledge"]), **experiments),
            replicates=replicates,
            draw=method(draw, "resampling"),
            classes=classes,
            precision=precision,
            checkpoint=checkpoint,
            progress=progress,
            **learning,
            **known,
            **running,
        )
    if not write_document(found.to_dict(), out, json=json) and not quiet:
        report_edges(found, threshold, known["knowledge"])
    if found.source.endswith("interrupted"):
        raise typer.Exit(output.INTERRUPTED)


def write_document(document: dict[str, Any], out: Path | None, *, json: bool) -> bool:
    """Save what was found; whether it went to stdout as JSON."""
    text = output.as_json(document, indent=None)
    on_stdout = json or output.is_stdout(out)
    if on_stdout:
        output.write(text)
    if out is not None and not output.is_stdout(out):
        write_whole(out, text + "\n")
    return on_stdout


def report_edges(found: Confidence, threshold: float | None, known: Knowledge | None) -> None:
    """The edges with their strengths; None as the threshold asks for the significant ones."""
    edges = found.significant_edges() if threshold is None else found.edges(threshold)
    output.write_grid(
        [("edge", "left"), ("strength", "right"), ("95 %", "right"), ("direction", "right")],
        [
            (
                f"{one.start} -> {one.end}",
                f"{one.strength:.3f}",
                "" if one.low == one.high else f"{one.low:.2f} to {one.high:.2f}",
                f"{one.direction:.3f}",
            )
            for one in edges
        ],
    )
    output.write_prose(f"\n{found.source}")
    if threshold is None:
        output.write_prose(
            f"edges with strength above {found.significance_threshold():.3f} are significant and listed"
        )
    output.write_prose(f"consensus: {found.consensus(threshold, knowledge=known)}".replace("\n", "; "))


@takes(learning, known, experiments, running, reading)
def evidence_card(
    learning: Given,
    known: Given,
    experiments: Given,
    running: Given,
    reading: Given,
    data: options.Data,
    start: Annotated[str, typer.Argument(help="A column.", autocompletion=completion.columns)],
    end: Annotated[str, typer.Argument(help="Another column.", autocompletion=completion.columns)],
    rival: Annotated[
        bool, typer.Option(help="Whether to search for the best network without the edge.")
    ] = True,
    json: options.Json = False,
) -> None:
    """Show the evidence for and against one edge.

    A network is learned first; the edge need not be in it.
    """
    with output.progress_line(not json) as progress:
        table = inputs.read_learnable(data, reading, known["knowledge"], start, end)
        table = inputs.under_experiments(table, **experiments)
        found = learn(table, columns=table.names, progress=progress, **learning, **known, **running)
    interrupted = found.stopped == "cancelled"
    about = card_of(found, start, end, rival=rival and not interrupted, threads=running["threads"])
    if json:
        output.write_json(about.to_dict())
    else:
        output.write_prose(str(about))
    if interrupted:
        raise typer.Exit(output.INTERRUPTED)
