"""How `--help` looks: the options of a command, then apart from them those for reading data."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand

OPTIONS = "Options"
REPEATED = "..."


class HelpPage(TyperCommand):
    """A command whose help groups its options by their panel; "..." follows what may be given again."""

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
