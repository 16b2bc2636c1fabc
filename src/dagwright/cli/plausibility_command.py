"""The command that tests what a graph implies."""

from __future__ import annotations

from typing import Annotated

import typer

from dagwright.cli import inputs, options, output
from dagwright.cli.methods_from_text import method
from dagwright.cli.option_groups import Given, reading, takes
from dagwright.learning.plausibility import PERMUTATIONS
from dagwright.learning.plausibility import plausibility as judged


@takes(reading)
def plausibility(
    reading: Given,
    data: options.Data,
    graph: options.Graph,
    test: Annotated[
        str | None, typer.Option(help="An independence test or a score, for instance 'GSquare(alpha=0.01)'.")
    ] = None,
    fdr: Annotated[
        str | None, typer.Option(help="False-discovery-rate control, for instance BenjaminiYekutieli.")
    ] = None,
    permutations: Annotated[
        int, typer.Option(min=0, help="How many permutations of the names of the graph to test; 0: none.")
    ] = PERMUTATIONS,
    missing: options.Missing = None,
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Test the independences that a graph implies.

    The same graph with permuted names is tested for comparison."""
    table, known = inputs.read_rows_and_graph(data, graph, reading)
    found = judged(
        known,
        table,
        test=method(test, "test", "score", "measure"),
        fdr=method(fdr, "correction"),
        permutations=permutations,
        missing=missing,
        random_state=seed,
    )
    if json:
        output.write_json(found.to_dict())
    else:
        output.write_prose(str(found))
