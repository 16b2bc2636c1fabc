"""The command that chooses between searches and scores by rows they have not seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from dagwright import wire
from dagwright.cli import completion, inputs, options, output
from dagwright.cli.methods_from_text import method, number_or_method
from dagwright.cli.option_groups import Given, known, reading, takes
from dagwright.learning.cross_validation import CrossValidation
from dagwright.learning.cross_validation import cross_validate as validated
from dagwright.search.traits import asks_tests


@takes(known, reading)
def cross_validate(
    known: Given,
    reading: Given,
    data: options.Data,
    search: Annotated[
        list[str] | None, options.method_option("--search", "A search to try; default: Auto.", "search")
    ] = None,
    score: Annotated[
        list[str] | None,
        options.method_option("--score", f"A score to try; default: {options.USUAL.score}.", "score"),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            help="Predict this column from the others instead of whole rows.",
            autocompletion=completion.columns,
        ),
    ] = None,
    folds: Annotated[int, typer.Option(min=2, help="The number of folds.")] = 10,
    parameter_prior: Annotated[
        str,
        typer.Option(help="A score such as 'BDeu(ess=10)', or a number per cell; 0: maximum likelihood."),
    ] = "BDeu(ess=1)",
    structure_prior: options.StructurePrior = None,
    missing: options.Missing = None,
    seed: options.Seed = 0,
    threads: options.Threads = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Rank searches and scores by their loss on held-out rows.

    Every search that maximizes a score is tried with every score. Loss is in nats per row.
    """
    shared = {**known, "structure_prior": method(structure_prior, "prior")}
    with output.progress_line(not (json or quiet)) as progress:
        ranked = validated(
            inputs.read_learnable(data, reading, known["knowledge"], *(() if target is None else (target,))),
            {name: shared | tried for name, tried in _candidates(search or ["Auto"], score)},
            target=target,
            folds=folds,
            parameter_prior=number_or_method(parameter_prior, "score"),
            missing=missing,
            random_state=seed,
            threads=threads,
            progress=progress,
        )
    if json:
        output.write_json(wire.to_dict(ranked))
    elif not quiet:
        _report(ranked)
    if ranked.stopped:
        raise typer.Exit(output.INTERRUPTED)


def _candidates(searches: list[str], scores: list[str] | None) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in searches:
        search = method(name, "search")
        if asks_tests(search) or not scores:
            yield name, {"search": search}
            continue
        for score in scores:
            yield f"{name} with {score}", {"search": search, "score": method(score, "score", "measure")}


def _report(ranked: CrossValidation) -> None:
    heads: list[tuple[str, output.Justify]] = [
        ("", "left"),
        ("loss", "right"),
        ("+-", "right"),
        ("behind", "right"),
        ("+-", "right"),
    ]
    rows = [
        (one.name, *(f"{value:.5f}" for value in (one.loss, one.error, one.behind, one.behind_error)))
        for one in ranked.ranking
    ]
    if ranked.ranking[0].rmse is not None:
        heads += [("RMSE", "right"), ("R²", "right")]
        rows = [
            (*row, f"{one.rmse:.5g}", f"{one.r_squared:.4f}")
            for row, one in zip(rows, ranked.ranking, strict=True)
        ]
    output.write_grid(heads, rows)
    alike = [name for name in ranked.indistinguishable if name != ranked.best]
    output.write_prose(f"\n{ranked.best} predicts best")
    if alike:
        output.write_prose(f"not significantly worse: {', '.join(alike)}")
