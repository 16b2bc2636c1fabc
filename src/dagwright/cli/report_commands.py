"""The commands that write pages and pictures: report and draw."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from dagwright.cli import inputs, options, output
from dagwright.reporting import report as make_report
from dagwright.show import draw as draw_picture
from dagwright.show.colours import Theme
from dagwright.show.diagram import Direction

Reading = dict[str, Any]


@inputs.reads_data
def report(
    how: Reading,
    data: options.Data,
    out: Annotated[Path, typer.Option("--output", "-o", help="The page: .html, .md or .json.")],
    score: options.Score = None,
    search: options.Search = None,
    knowledge: options.Knowledge = None,
    missing: options.Missing = None,
    target: Annotated[
        str | None, typer.Option("--target", "-t", help="A column of interest: what tells most about it?")
    ] = None,
    replicates: Annotated[
        int, typer.Option(min=0, help="How often to learn from resampled data for the confidence; 0: never.")
    ] = 100,
    rival_seconds: Annotated[
        float, typer.Option(min=0, help="How long listing the best rival networks may take; 0: not at all.")
    ] = 20.0,
    title: Annotated[str | None, typer.Option(help="What stands above the page.")] = None,
    seed: options.Seed = 0,
    threads: options.Threads = None,
    quiet: options.Quiet = False,
) -> None:
    """Learn a network and write one self-contained page about it."""
    with output.progress_line(not quiet) as progress:
        source = inputs.data_source(data)
        made = make_report(
            source if isinstance(source, str) else inputs.read_table(data, how),
            score=inputs.read_score(score),
            search=inputs.read_search(search),
            knowledge=inputs.read_knowledge(knowledge),
            missing=missing,
            target=target,
            replicates=replicates,
            rival_seconds=rival_seconds,
            title=title,
            command=shlex.join(["dagwright", *sys.argv[1:]]),
            random_state=seed,
            threads=threads,
            progress=progress,
            **(how if isinstance(source, str) else {}),
        )
    made.save(out)
    if not quiet:
        output.write(f"saved as {out}")


def draw(
    source: Annotated[str, typer.Argument(help="A graph, a saved model, or the file or name of a network.")],
    out: Annotated[Path, typer.Option("--output", "-o", help="The picture: .svg, .png, .pdf or .html.")],
    evidence: options.Evidence = None,
    bars: Annotated[
        bool, typer.Option("--bars", help="The probabilities in every node of a network.")
    ] = False,
    around: Annotated[
        list[str] | None, typer.Option("--around", help="Only this node and its blanket; may be repeated.")
    ] = None,
    theme: Annotated[Theme, typer.Option(help="light, dark, or auto for what the reader prefers.")] = "auto",
    direction: Annotated[Direction, typer.Option(help="Where arcs lead: down or right.")] = "down",
) -> None:
    """Draw a graph or a network."""
    network = inputs.read_network(source) if bars or evidence else None
    draw_picture(
        network if network is not None else inputs.drawable(source),
        bars=bars or None,
        evidence=None if network is None else inputs.read_states(network, evidence or (), "--evidence"),
        around=around or None,
        theme=theme,
        direction=direction,
        path=out,
    )
    output.write(f"saved as {out}")
