"""How the command line writes what a sentence names: arguments as options, functions as commands."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from dagwright.sentences import ANY, Argument, Call, Named, Sentence

PROGRAM: ContextVar[Any] = ContextVar("dagwright program")
"""The context of the program that runs; it knows its commands and which of them was called."""
OPTIONS = {
    "columns": "column",
    "interventions": "sets",
    "kinds": "kind",
    "missing_values": "missing-value",
    "names": "name",
    "random_state": "seed",
    "scores": "score",
}
"""Options that have another name than the argument of the library."""


@contextmanager
def of_program(context: Any) -> Iterator[None]:
    """Write for the commands of this program."""
    token = PROGRAM.set(context)
    try:
        yield
    finally:
        PROGRAM.reset(token)


def spelled(text: str) -> str:
    """A text of the library as the command that was called writes it."""
    return text.written(_written) if isinstance(text, Sentence) else text


def _written(named: Named) -> str | None:
    program = PROGRAM.get(None)
    commands: Mapping[str, Any] = getattr(getattr(program, "command", None), "commands", {})
    if isinstance(named, Call):
        name = named.name.replace("_", "-")
        return f"'dagwright {name}'" if name in commands else None
    called = commands.get(getattr(program, "invoked_subcommand", None) or "")
    flag = f"--{OPTIONS.get(named.name, named.name).replace('_', '-')}"
    if called is None or not any(flag in option.opts for option in called.params):
        return None
    return as_option(flag, named)


def as_option(flag: str, argument: Argument) -> str:
    """An option with the values of an argument.

    >>> as_option("--exclude", Argument("exclude", ["id", "the name"]))
    "--exclude id --exclude 'the name'"
    >>> as_option("--dates", Argument("dates", {"when": ["year", "month"]}))
    '--dates when=year,month'
    >>> as_option("--quote", Argument("quote", None)), as_option("--json", Argument("json", True))
    ("--quote ''", '--json')
    """
    value = argument.value
    if value is ANY or value is True:
        return flag
    if isinstance(value, Mapping):
        values = [f"{name}={_listed(one)}" for name, one in value.items()]
    else:
        values = (
            list(map(str, value)) if isinstance(value, list | tuple) else ["" if value is None else value]
        )
    return " ".join(f"{flag} {shlex.quote(str(one))}" for one in values)


def _listed(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
