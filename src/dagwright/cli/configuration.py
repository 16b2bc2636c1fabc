"""A file that holds a whole analysis: for every command the options that would stand on its line.

    [learn]
    data = "patients.csv"
    score = "BDeu(ess=10)"
    knowledge = "known.toml"

What is said on the command line goes before what the file says.
"""

from __future__ import annotations

import logging
import tomllib
from pathlib import Path
from typing import Any

import typer

from dagwright.errors import FormatError, unknown_name

USUAL = Path("dagwright.toml")
log = logging.getLogger("dagwright")


def apply(context: typer.Context, path: Path | None) -> None:
    """Make the options of a file the defaults of the commands; without a path those of `USUAL`, if any."""
    if path is None:
        if not USUAL.is_file():
            return
        path = USUAL
        log.info("options from %s", path)
    commands: dict[str, Any] = getattr(context.command, "commands", {})
    context.default_map = {
        name: _options(path, name, table, commands[name].params)
        for name, table in _read(path, list(commands)).items()
    }


def _read(path: Path, commands: list[str]) -> dict[str, dict[str, Any]]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as problem:
        raise FormatError(f"{path}: not TOML: {problem}") from None
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
