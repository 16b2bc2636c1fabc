"""The application: its commands, and the one place where an error becomes a sentence and an exit status."""

from __future__ import annotations

import logging
import sys
import warnings
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer

from dagwright.cli import (
    candidates_command,
    commands,
    confidence_commands,
    configuration,
    cost_commands,
    dynamic_command,
    effect_command,
    local_commands,
    model_commands,
    output,
    plausibility_command,
    posterior_command,
    report_commands,
    reproduce_command,
    rerun_command,
    rivals_command,
    robustness_command,
    studio_command,
    validation_command,
)
from dagwright.cli.help_page import FrontPage
from dagwright.cli.spelling import of_program
from dagwright.errors import DagwrightError, NotFinishedError
from dagwright.version import __version__

NO_THREADS = ("can't start new thread", "Resource temporarily unavailable")
"""How Python and the core say that the system gives no more threads."""


class Commands(FrontPage):
    """Runs a command; what the library refuses is told in one sentence, without a traceback."""

    def invoke(self, ctx: Any) -> Any:
        with of_program(ctx):
            return self._invoked(ctx)

    def _invoked(self, ctx: Any) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.showwarning = lambda message, *_, **__: output.note(str(message))
                return super().invoke(ctx)
        except DagwrightError as problem:
            output.complain(problem.sentence)
            if isinstance(problem, NotFinishedError) and problem.interrupted:
                raise typer.Exit(output.INTERRUPTED) from None
        except BrokenPipeError:
            raise
        except OSError as problem:
            output.complain(f"{problem.filename or 'input or output'}: {problem.strerror or problem}")
        except UnicodeError as problem:
            output.complain(f"a text that is not UTF-8: {problem}")
        except MemoryError:
            output.complain("there is not enough memory")
        except RuntimeError as problem:
            if not any(words in str(problem) for words in NO_THREADS):
                raise
            output.complain("the system gives this process no more threads; try --threads 1")
        except KeyboardInterrupt:
            output.complain("interrupted")
            raise typer.Exit(output.INTERRUPTED) from None
        raise typer.Exit(1)


app = typer.Typer(
    name="dagwright",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        output.write(f"dagwright {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Write a log to stderr.")] = False,
    config: Annotated[
        Path | None,
        typer.Option(help="A file with options of the commands; default: dagwright.toml in this folder."),
    ] = None,
) -> None:
    """Learn Bayesian networks from data."""
    configuration.apply(context, config)
    if verbose:
        logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")


GROUPS = {
    "Data": (commands.describe, commands.independence_test, cost_commands.forecast),
    "Learning": (
        commands.learn,
        rerun_command.rerun,
        report_commands.report,
        local_commands.blanket,
        local_commands.neighbors,
        candidates_command.candidates,
        candidates_command.solve,
    ),
    "Confidence": (
        confidence_commands.bootstrap,
        posterior_command.posterior,
        rivals_command.rivals,
        robustness_command.robustness,
        confidence_commands.evidence_card,
        validation_command.cross_validate,
    ),
    "Graphs": (
        commands.score,
        commands.compare,
        effect_command.effect,
        plausibility_command.plausibility,
        report_commands.draw,
    ),
    "Networks": (
        model_commands.fit,
        model_commands.query,
        model_commands.predict,
        model_commands.sample,
        dynamic_command.dynamic,
        model_commands.convert,
    ),
    "Studio": (studio_command.studio,),
    "About dagwright": (
        commands.methods,
        model_commands.networks,
        cost_commands.bench,
        reproduce_command.reproduce,
    ),
}
"""The commands under the headings of --help."""

for heading, members in GROUPS.items():
    for command in members:
        app.command(cls=configuration.Configured, rich_help_panel=heading)(command)


def main() -> None:
    """Run the command line. What it writes is UTF-8, also into a pipe on a system that has another habit."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    app()
