"""How `--help` looks: commands in groups; the options of a command, those for reading data apart."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand, TyperGroup

COMMANDS = "Commands"
OPTIONS = "Options"
WHOLE = 1_000
"""No sentence is longer: descriptions wrap in place of being cut."""
REPEATED = "..."


class FrontPage(TyperGroup):
    """The program, whose help lists its commands in groups by their panel."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        sections: dict[str, list[tuple[str, Any]]] = {}
        for name, command in self.commands.items():
            sections.setdefault(getattr(command, "rich_help_panel", None) or COMMANDS, []).append(
                (name, command)
            )
        widest = max(map(len, self.commands), default=0)
        for title, members in sections.items():
            with formatter.section(title):
                formatter.write_dl(
                    [
                        (name.ljust(widest), command.get_short_help_str(limit=WHOLE))
                        for name, command in members
                    ]
                )


class HelpPage(TyperCommand):
    """A command whose help groups its options by their panel; "..." follows what may be given again."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # For completion the line ends before the value of its last option, which parsing would stumble over.
        if ctx.resilient_parsing and args and args[-1] in self._options_with_values(ctx):
            args = args[:-1]
        return super().parse_args(ctx, args)

    def _options_with_values(self, ctx: Any) -> set[str]:
        options = (one for one in self.get_params(ctx) if one.param_type_name == "option")
        return {flag for one in options if not getattr(one, "is_flag", False) for flag in one.opts}

    def format_options(self, ctx: Any, formatter: Any) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], OPTIONS: []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            panel = getattr(parameter, "rich_help_panel", None)
            title = "Arguments" if parameter.param_type_name == "argument" else panel or OPTIONS
            spelling = _plain_type(record[0])
            repeated = getattr(parameter, "multiple", False)
            sections.setdefault(title, []).append(
                (f"{spelling} {REPEATED}" if repeated else spelling, record[1])
            )
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def _plain_type(spelling: str) -> str:
    """A type in angle brackets without what the help text or the dots say: <list[str]>, <int range>."""
    return re.sub(r"<(?:list\[)?(\w+)(?: range)?\]?>", r"<\1>", spelling)
