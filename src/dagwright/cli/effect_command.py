"""The command that estimates a causal effect."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Annotated, Any

import typer

from dagwright.cli import completion, inputs, options, output
from dagwright.cli.option_groups import Given, reading, takes
from dagwright.data import Table
from dagwright.errors import OptionError
from dagwright.learning.effect import effect as estimated
from dagwright.learning.learned import Learned
from dagwright.search.control import CancelToken


@takes(reading)
def effect(
    reading: Given,
    data: options.Data,
    graph: options.Graph,
    cause: Annotated[str, typer.Argument(help="A column.", autocompletion=completion.columns)],
    outcome: Annotated[str, typer.Argument(help="Another column.", autocompletion=completion.columns)],
    contrast: Annotated[
        str | None, typer.Option(help="The two states of the cause to compare: from,to.")
    ] = None,
    values: Annotated[
        list[str] | None, typer.Option("--value", help="A number for a state of the outcome: state=number.")
    ] = None,
    observed: Annotated[
        list[str] | None, typer.Option("--observed", help="A column that may be adjusted for; default: all.")
    ] = None,
    level: Annotated[float, typer.Option(help="The level of the interval.")] = 0.95,
    replicates: Annotated[
        int,
        typer.Option(min=0, help="With a saved result: how many times to learn again from resampled rows."),
    ] = 0,
    seed: options.Seed = 0,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Estimate the total effect of one column on another.

    The graph is assumed to be correct, unless --replicates learns a saved result again. For a saved result
    its equivalence class is used: edges of undecided direction give a range."""
    table, known = inputs.read_rows_and_graph(data, graph, reading)
    thing = inputs.drawable(graph)
    saved = thing if isinstance(thing, Learned) else None
    if replicates and saved is None:
        raise OptionError(f"--replicates needs a result that 'dagwright learn -o' saved, not {graph!r}")
    token = CancelToken()
    with output.progress_line(not json) as progress:
        found = estimated(
            known if saved is None else saved,
            cause,
            outcome,
            table,
            states=None if contrast is None else [_state(table, cause, one) for one in contrast.split(",")],
            values=None if not values else dict(_value(table, outcome, one) for one in values),
            observed=observed or None,
            level=level,
            replicates=replicates,
            random_state=seed,
            threads=threads,
            progress=progress,
            cancel=token,
        )
    if json:
        output.write_json(found.to_dict())
    else:
        output.write_prose(str(found))
    if token.cancelled:
        raise typer.Exit(output.INTERRUPTED)


def _state(table: Table, name: str, text: str) -> Hashable:
    """The state of a column that a text stands for."""
    states = table.states_of(name) if name in table.names else ()
    found: Any = next((state for state in states if str(state) == text.strip()), text.strip())
    return found  # type: ignore[no-any-return]


def _value(table: Table, name: str, text: str) -> tuple[Hashable, float]:
    state, _, number = text.rpartition("=")
    try:
        return _state(table, name, state), float(number)
    except ValueError:
        raise OptionError(f"--value takes state=number, got {text!r}") from None
