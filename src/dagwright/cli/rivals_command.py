"""The command that lists the networks near the best."""

from __future__ import annotations

from typing import Annotated

import typer

from dagwright import wire
from dagwright.cli import inputs, options, output
from dagwright.cli.option_groups import Given, known, parent_sets, reading, takes
from dagwright.search.rivals import MOST_NETWORKS, Rivals, credible_set
from dagwright.search.rivals import rivals as find_rivals

FEW = 10


@takes(known, parent_sets, reading)
def rivals(
    known: Given,
    parent_sets: Given,
    reading: Given,
    data: options.Data,
    most: Annotated[
        int | None,
        typer.Option(
            "--most",
            "-k",
            min=1,
            help=f"How many networks; default: {FEW}, or {MOST_NETWORKS:,} with --bayes-factor.",
        ),
    ] = None,
    bayes_factor: Annotated[
        float | None,
        typer.Option(min=1.0, help="Instead, all networks within this Bayes factor of the best."),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """List the highest-scoring networks, exactly.

    They are grouped into equivalence classes, whose members the data cannot tell apart.
    """
    with output.progress_line(not (json or quiet)) as progress:
        table = inputs.read_learnable(data, reading, known["knowledge"])
        given = {**known, **parent_sets, "progress": progress}
        found = (
            find_rivals(table, most or FEW, **given)
            if bayes_factor is None
            else credible_set(table, bayes_factor=bayes_factor, most=most or MOST_NETWORKS, **given)
        )
    if json:
        output.write_json(wire.to_dict(found))
    elif not quiet:
        _report(found)
    if found.stopped == "cancelled":
        raise typer.Exit(output.INTERRUPTED)


def _report(found: Rivals) -> None:
    if not found.networks:
        output.write_prose("stopped before any network was found; give more time, or bound --max-parents")
        return
    output.write_grid(
        [("below best", "right"), ("networks", "right"), ("class", "left")],
        [(f"{found.best - one.score:.4f}", str(len(one.members)), str(one.graph)) for one in found.classes()],
    )
    output.write_prose(f"\n{len(found)} networks listed; the best scores {found.best:.6f} nats")
    if found.within is not None:
        output.write_prose(f"these are all networks within {found.within:.4g} nats of the best")
    if found.stopped:
        output.write_prose("stopped early: there may be more")
