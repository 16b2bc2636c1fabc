"""The commands for what is around one variable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from dagwright import wire
from dagwright.cli import completion, inputs, options, output
from dagwright.cli.methods_from_text import method
from dagwright.cli.option_groups import Given, known, reading, takes
from dagwright.learning.neighborhood import Neighborhood
from dagwright.learning.neighborhood import blanket as find_blanket
from dagwright.learning.neighborhood import neighbors as find_neighbors
from dagwright.methods import registry

Target = Annotated[str, typer.Argument(help="The target column.", autocompletion=completion.columns)]


def _local(incomplete: str) -> list[str]:
    names = [entry.name for entry in registry.entries("search") if entry.module.startswith("search.local.")]
    return [name for name in names if name.lower().startswith(incomplete.lower())]


def looking(
    *,
    by: Annotated[
        str | None,
        typer.Option(
            "--method",
            help="The method, for instance 'HitonPC(test=GSquare(alpha=0.05))'.",
            autocompletion=_local,
        ),
    ] = None,
    missing: options.Missing = None,
    threads: options.Threads = None,
    time_limit: options.TimeLimit = None,
) -> Given:
    """How to look around a variable, as `blanket` and `neighbors` take it."""
    return {
        "method": method(by, "search"),
        "missing": missing,
        "threads": threads,
        "time_limit": time_limit,
    }


@takes(known, reading, looking)
def blanket(
    reading: Given,
    known: Given,
    looking: Given,
    data: options.Data,
    target: Target,
    json: options.Json = False,
) -> None:
    """Find the Markov blanket of one column.

    These are its parents, its children and their other parents: given them, it is independent of all other
    columns. The whole graph is not learned.
    """
    _show(find_blanket, data, reading, target, known | looking, json=json)


@takes(known, reading, looking)
def neighbors(
    reading: Given,
    known: Given,
    looking: Given,
    data: options.Data,
    target: Target,
    json: options.Json = False,
) -> None:
    """Find the parents and children of one column.

    The whole graph is not learned.
    """
    _show(find_neighbors, data, reading, target, known | looking, json=json)


def _show(
    look: Callable[..., Neighborhood], data: str, how: Given, target: str, looking: Given, *, json: bool
) -> None:
    table = inputs.read_learnable(data, how, looking["knowledge"], target)
    found = look(table, target, **looking)
    if json:
        output.write_json(wire.to_dict(found))
    else:
        output.write_prose(str(found))
    if found.stopped == "cancelled":
        raise typer.Exit(output.INTERRUPTED)
