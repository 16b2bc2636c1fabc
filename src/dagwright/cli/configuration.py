"""A file that holds a whole analysis: for every command the options that would stand on its line.

    [learn]
    data = "patients.csv"
    score = "BDeu(ess=10)"
    knowledge = "known.toml"

Options on the command line override the file. A file that was merely found in the working folder cannot
replace files: an output that it names must not exist yet, unless the command line names the file
or the output.
"""

from __future__ import annotations

import logging
import tomllib
from pathlib import Path
from typing import Any

import typer

from dagwright.cli.help_page import HelpPage
from dagwright.errors import FormatError, OptionError, unknown_name

USUAL = Path("dagwright.toml")
OUTPUTS = ("out", "html")
"""Parameters that name files to write. A checkpoint is not among them: a run continues only from its own."""
FOUND = "dagwright.configuration"
log = logging.getLogger("dagwright")


def apply(context: typer.Context, path: Path | None) -> None:
    """Make the options of a file the defaults of the commands; without a path those of `USUAL`, if any."""
    if path is None:
        if not USUAL.is_file():
            return
        path = USUAL
        context.meta[FOUND] = path
        log.info("options from %s", path)
    commands: dict[str, Any] = getattr(context.command, "commands", {})
    context.default_map = {
        name: _options(path, name, table, commands[name].params)
        for name, table in _read(path, list(commands)).items()
    }


class Configured(HelpPage):
    """A command whose options may come from a file; one that was merely found may not replace files."""

    def invoke(self, ctx: Any) -> Any:
        found = ctx.meta.get(FOUND)
        for name in OUTPUTS:
            target = ctx.params.get(name)
            if (
                found is not None
                and target is not None
                and ctx.get_parameter_source(name).name == "DEFAULT_MAP"
                and Path(target).is_file()
            ):
                raise OptionError(
                    f"{found} names the output {str(target)!r}, which exists; to replace it, "
                    f"name the output on the command line, or give --config {found}"
                )
        return super().invoke(ctx)


def _read(path: Path, commands: list[str]) -> dict[str, dict[str, Any]]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as problem:
        raise FormatError(f"{path}: not TOML: {problem}") from None
    except RecursionError:
        raise FormatError(f"{path}: it is nested too deeply") from None
    except UnicodeDecodeError:
        raise FormatError(f"{path} is not a text file") from None
    for name, table in document.items():
        if name not in commands:
            raise unknown_name(f"command in {path}", name, commands)
        if not isinstance(table, dict):
            raise FormatError(f"{path}: {name!r} is not a table; write [{name}] above its options")
    return document


def _options(path: Path, command: str, table: dict[str, Any], known: list[Any]) -> dict[str, Any]:
    names: dict[str, str] = {}
    for parameter in known:
        for spelling in [parameter.name, *parameter.opts]:
            if spelling and parameter.name:
                names[spelling.lstrip("-").replace("_", "-")] = parameter.name
    result = {}
    for option, value in table.items():
        plain = option.replace("_", "-")
        if plain not in names:
            raise unknown_name(f"option of {command} in {path}", option, sorted(names))
        result[names[plain]] = value
    return result
