"""The command that shows how a learned graph depends on the choices made."""

from __future__ import annotations

from typing import Annotated

import typer

from dagwright.cli import inputs, options, output
from dagwright.cli.methods_from_text import method
from dagwright.cli.option_groups import Given, known, reading, running, takes
from dagwright.errors import OptionError
from dagwright.learning.robustness import robustness as learn_under_settings


@takes(known, running, reading)
def robustness(
    known: Given,
    running: Given,
    reading: Given,
    data: options.Data,
    search: options.Search = None,
    score: Annotated[
        list[str] | None,
        options.method_option(
            "--score",
            "A score to try; the others are compared with the first; default: the default score and "
            "structure prior, BIC, AIC, BDeu with 1 and 10.",
            "score",
        ),
    ] = None,
    bins: Annotated[
        list[int] | None,
        typer.Option("--bins", min=2, help="A number of intervals for discretization; default: 2, 3 and 5."),
    ] = None,
    missing: Annotated[
        list[str] | None,
        typer.Option("--missing", help="A policy for missing values; default: drop, state, em if needed."),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Show which edges stay under other scores, intervals and policies.

    The graph is learned once for each setting; one choice changes at a time.
    """
    if data == inputs.STDIN:
        raise OptionError("robustness reads the data several times; name a file in place of -")
    with output.progress_line(not (json or quiet)) as progress:
        found = learn_under_settings(
            inputs.data_source(data),
            search=method(search, "search"),
            scores=[method(text, "score") for text in score] if score else None,
            bins=bins or None,
            missing=missing or None,
            progress=progress,
            **known,
            **running,
            **reading,
        )
    if json:
        output.write_json(
            {
                "settings": found.settings,
                "edges": [
                    {"nodes": pair, "marks": dict(zip(found.settings, marks, strict=True))}
                    for pair, marks in found.edges.items()
                ],
                "distances": found.distances,
                "graphs": {name: str(graph) for name, graph in found.graphs.items()},
                "stopped": found.stopped,
            }
        )
    elif not quiet:
        _heads, *rows = found.rows()
        numbered = [str(number) for number in range(1, len(found.settings) + 1)]
        output.write_grid(
            [("edge", "left"), *((number, "left") for number in numbered), ("settings with it", "right")],
            rows,
        )
        for number, name in zip(numbered, found.settings, strict=True):
            output.write_prose(f"{number}: {name}")
        output.write_prose(f"\n{len(found.always)} of {len(found.edges)} edges under all settings")
    if found.stopped:
        if not quiet:
            output.note("interrupted: settings that were not finished are left out")
        raise typer.Exit(output.INTERRUPTED)
