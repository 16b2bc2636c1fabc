"""The command that runs the request of a saved result again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from dagwright.cli import inputs, options, output
from dagwright.cli.commands import report_result
from dagwright.errors import OptionError
from dagwright.learning.learned import Learned


def rerun(
    model: Annotated[Path, typer.Argument(help="A result that 'dagwright learn -o model.json' saved.")],
    data: Annotated[
        str | None,
        typer.Argument(help="The data; by default the file that the result was learned from."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", help="Save the new result as .json; - is stdout.")
    ] = None,
    threads: options.Threads = None,
    time_limit: options.TimeLimit = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Learn again as a saved result was learned.

    Uses the same search, score, knowledge, options and seed. The output says whether data and result are the
    same.
    """
    output.require_writable(out)
    saved = Learned.load(model)
    study, source = saved.study, data or saved.study.source
    if not source:
        raise OptionError(f"{model} does not say which file it was learned from; name the data after it")
    if study.not_repeatable:
        output.note(f"the answer may differ from the saved one: {study.not_repeatable}")
    with output.progress_line(not quiet) as progress:
        found = study.learn(
            inputs.data_source(source), threads=threads, time_limit=time_limit, progress=progress
        )
    found = replace(found, study=replace(found.study, source=source))
    to_stdout = json or output.is_stdout(out)
    if to_stdout:
        output.write(found.to_json())
    if out is not None and not output.is_stdout(out):
        found.save(out)
    if not (quiet or to_stdout):
        report_result(found, out)
        output.write_prose(f"\n{_verdict(saved, found)}")
    if found.stopped == "cancelled":
        raise typer.Exit(output.INTERRUPTED)


def _verdict(saved: Learned, found: Learned) -> str:
    """How the new answer relates to the saved one, in a sentence."""
    if saved.study.fingerprint != found.study.fingerprint:
        return "These are not the data of the saved result, so the answers may differ."
    same = found.graph == saved.graph and found.score == saved.score
    return f"The same data give {'the same answer' if same else 'another answer'} as the saved result."
