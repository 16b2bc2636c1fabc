"""The command that asks a dynamic network about a sequence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dagwright.cli import inputs, options, output
from dagwright.cli.option_groups import Given, reading, takes
from dagwright.dynamic.network import PARTICLES, DynamicNetwork, Method
from dagwright.errors import OptionError


@takes(reading)
def dynamic(
    reading: Given,
    network: Annotated[Path, typer.Argument(help="A dynamic network that 'dagwright fit --lags' saved.")],
    evidence: Annotated[
        str | None,
        typer.Argument(
            help="One sequence, a row for each step; - is standard input. Default: no observations."
        ),
    ] = None,
    steps: Annotated[
        int | None, typer.Option("--ahead", min=1, help="Forecast this many steps after the last row.")
    ] = None,
    smooth: Annotated[
        bool, typer.Option("--smooth", help="Each step given all rows, not only those up to it.")
    ] = False,
    way: Annotated[Method, typer.Option("--method", help="exact, particles, or auto.")] = "auto",
    particles: Annotated[int, typer.Option(min=1, help="The number of particles.")] = PARTICLES,
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Filter, smooth or forecast a sequence with a dynamic network.

    By default each step given the rows up to it; --smooth uses all rows; --ahead forecasts.
    """
    model = DynamicNetwork.load(network)
    if steps is not None and smooth:
        raise OptionError("--ahead forecasts and --smooth looks back; give one of them")
    if steps is None and evidence is None:
        raise OptionError("without rows there is only a forecast; say how many steps: --ahead 10")
    seen = None if evidence is None else inputs.read_table(evidence, reading)
    if steps is not None:
        found = model.forecast(steps, seen, method=way, particles=particles, random_state=seed)
    else:
        ask = model.smooth if smooth else model.filter
        found = ask(seen, method=way, particles=particles, random_state=seed)
    if json:
        output.write_json(found.to_dict())
    else:
        output.write(str(found))
