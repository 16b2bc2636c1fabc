"""The command that runs the source texts again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dagwright.base.whole_file import write_whole
from dagwright.cli import options, output
from dagwright.reproduce import MEANINGS
from dagwright.reproduce import reproduce as run_again


def reproduce(
    text: Annotated[str, typer.Argument(help="lam-bacchus, jensen-nielsen, pena or cowell.")],
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer seeds and smaller samples in the experiments.")
    ] = False,
    html: Annotated[Path | None, typer.Option("--html", help="Also save the report as a web page.")] = None,
    json: options.Json = False,
) -> None:
    """Reproduce the numbers of a published text.

    Printed and computed numbers are compared, with a verdict for each.
    """
    output.require_writable(html)
    with output.message_line() as show:
        report = run_again(text, quick=quick, progress=show)
    if html is not None:
        write_whole(html, report.to_html())
    if json:
        output.write_json(report.to_dict())
        return
    output.write_prose(report.work)
    for section in report.sections:
        output.write(f"\n{section.title}")
        output.write_grid(
            [("what", "left"), ("printed", "left"), ("computed", "left"), ("verdict", "left")],
            [(row.what, row.printed, row.ours, row.verdict) for row in section.rows],
        )
        for row in section.rows:
            if row.reason:
                output.write_prose(f"  {row.what}: {row.reason}")
    output.write(f"\n{report.summary}")
    for verdict in report.verdicts:
        output.write(f"  {verdict:<9} {MEANINGS[verdict]}")
    if html is not None:
        output.write(f"saved as {html}")
