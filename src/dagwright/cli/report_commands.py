"""The commands that write pages and pictures: report and draw."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from dagwright.cli import completion, inputs, options, output
from dagwright.cli.option_groups import Given, experiments, known, learning, reading, running, takes
from dagwright.errors import OptionError
from dagwright.model import BayesianNetwork
from dagwright.reporting import report as make_report
from dagwright.show import draw as draw_picture
from dagwright.show.colors import Theme
from dagwright.show.diagram import Direction
from dagwright.show.difference import View


@takes(learning, known, experiments, running, reading)
def report(
    learning: Given,
    known: Given,
    experiments: Given,
    running: Given,
    reading: Given,
    data: options.Data,
    out: Annotated[
        Path, typer.Option("--output", "-o", help="The page: .html, .md or .json; - is HTML on stdout.")
    ] = Path("report.html"),
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            help="A column of interest: lists the most informative others.",
            autocompletion=completion.columns,
        ),
    ] = None,
    effect: Annotated[
        list[str] | None,
        typer.Option("--effect", help="A causal effect for the page: cause,outcome."),
    ] = None,
    replicates: Annotated[
        int | None,
        typer.Option(
            min=0, help="The number of bootstrap replicates: 200, fewer for long searches; 0: none."
        ),
    ] = None,
    rival_seconds: Annotated[
        float, typer.Option(min=0, help="Seconds for listing the best rival networks; 0: do not list them.")
    ] = 20.0,
    title: Annotated[str | None, typer.Option(help="The title of the page.")] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Learn a network and write one self-contained page about it.

    Ctrl-C writes the page with the results so far.
    """
    output.require_writable(out, ".html", ".htm", ".md", ".json")
    with output.progress_line(not quiet) as progress:
        source = inputs.data_source(data)
        if experiments["interventions"] is not None or not isinstance(source, str):
            source = inputs.under_experiments(inputs.read_table(data, reading), **experiments)
        made = make_report(
            source,
            target=target,
            effects=[_pair(one) for one in effect or ()],
            replicates=replicates,
            rival_seconds=rival_seconds,
            title=title,
            command=shlex.join(["dagwright", *sys.argv[1:]]),
            progress=progress,
            **learning,
            **known,
            **running,
            **(reading if isinstance(source, str) else {}),
        )
    if output.is_stdout(out):
        output.write_bytes(made.to_html().encode())
    else:
        made.save(out)
    output.saved(out, "", {"title": made.title}, json=json, quiet=quiet)
    if made.interrupted:
        raise typer.Exit(output.INTERRUPTED)


def _pair(text: str) -> tuple[str, str]:
    cause, comma, outcome = text.partition(",")
    if not comma:
        raise OptionError(f"--effect takes cause,outcome, got {text!r}")
    return cause.strip(), outcome.strip()


@takes(known)
def draw(
    known: Given,
    source: Annotated[
        str,
        typer.Argument(
            help="A graph, a saved model or confidence, or the file or name of a network.",
            autocompletion=completion.networks,
        ),
    ],
    out: Annotated[
        Path,
        typer.Option("--output", "-o", help="The picture: .svg, .png, .pdf or .html; - is SVG on stdout."),
    ],
    evidence: options.Evidence = None,
    bars: Annotated[
        bool, typer.Option("--bars", help="The probabilities in every node of a network.")
    ] = False,
    strength: Annotated[
        Path | None, typer.Option(help="A file that `bootstrap -o` saved: line width by edge strength.")
    ] = None,
    information: Annotated[
        bool, typer.Option("--information", help="Line width by mutual information.")
    ] = False,
    threshold: Annotated[
        float | None, typer.Option(help="Leave out edges with less strength or information.")
    ] = None,
    around: Annotated[
        list[str] | None, typer.Option("--around", help="Only this node and its Markov blanket.")
    ] = None,
    clusters: Annotated[
        int | None, typer.Option(min=0, help="About this many groups in place of nodes; 0: as many as fit.")
    ] = None,
    group: Annotated[
        list[str] | None, typer.Option("--group", help="A group of nodes of your own: a,b,c.")
    ] = None,
    compare: Annotated[str | None, typer.Option(help="Another graph, to show the differences.")] = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="With --compare: what to call the graphs."),
    ] = None,
    view: Annotated[View, typer.Option(help="With --compare: overlay or 'side by side'.")] = "overlay",
    highlight: Annotated[list[str] | None, typer.Option("--highlight", help="A node to highlight.")] = None,
    heading: Annotated[str, typer.Option(help="The heading of the picture.")] = "",
    theme: Annotated[Theme, typer.Option(help="light, dark, or auto for the reader's setting.")] = "auto",
    direction: Annotated[Direction, typer.Option(help="The direction of arcs: down or right.")] = "down",
    font_size: Annotated[float, typer.Option(help="In pixels.")] = 13.0,
    label_width: Annotated[float, typer.Option(help="Pixels; longer labels are shortened.")] = 170.0,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Draw a graph or a network."""
    output.require_writable(out)
    numbers = bars or bool(evidence)
    network = inputs.read_network(source) if numbers else None
    thing = inputs.drawable(source) if network is None else network
    if isinstance(thing, BayesianNetwork) and not (numbers or information):
        thing = thing.graph
    if name and len(name) != 2:
        raise OptionError("--name is given twice: for the first and for the second graph")
    picture = draw_picture(
        thing,
        bars=numbers,
        evidence=None if network is None else inputs.read_states(network, evidence or (), "--evidence"),
        strength=None if strength is None else inputs.read_confidence(strength),
        information=information,
        threshold=threshold,
        **known,
        around=around or None,
        clusters=[nodes.split(",") for nodes in group] if group else _number_of_groups(clusters),
        compare=None if compare is None else inputs.drawable(compare),
        names=("first", "second") if not name else (name[0], name[1]),
        view=view,
        highlight=highlight or (),
        heading=heading,
        theme=theme,
        direction=direction,
        font_size=font_size,
        label_width=label_width,
        path=None if output.is_stdout(out) else out,
    )
    if output.is_stdout(out):
        output.write_bytes(picture.svg.encode())
    output.saved(out, "", {}, json=json, quiet=quiet)


def _number_of_groups(wanted: int | None) -> bool | int:
    return False if wanted is None else wanted or True
