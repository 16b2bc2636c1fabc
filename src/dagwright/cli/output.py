"""What people see: answers on stdout, everything else on stderr."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

Progress = Callable[[str, int, float], None]
Justify = Literal["left", "right"]
UNLIMITED = 10_000
SHORT = 16
BAR = 20
INTERRUPTED = 130


def write(text: str) -> None:
    """Text on stdout as it is: no colours, no wrapping."""
    sys.stdout.write(text + "\n")


def write_json(document: Any) -> None:
    """A document for programs on stdout; JSON has no infinities, they become null."""
    write(json.dumps(_finite(document), indent=2, ensure_ascii=False, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def complain(sentence: str) -> None:
    """The one sentence of an error, on stderr."""
    sys.stderr.write(f"error: {sentence}\n")


def note(sentence: str) -> None:
    """Something to be careful about, on stderr."""
    sys.stderr.write(f"warning: {sentence}\n")


def write_grid(columns: Sequence[tuple[str, Justify]], rows: Sequence[Sequence[str]]) -> None:
    """A table on stdout, as wide as the terminal; a column is its title and how it is justified.

    Long cells are folded, short ones are not. Piped into a file or a program, lines keep their full length.
    """
    grid = Grid(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for at, (title, justify) in enumerate(columns):
        longest = max((len(row[at]) for row in rows), default=0)
        grid.add_column(title, justify=justify, overflow="fold", no_wrap=longest <= SHORT)
    for row in rows:
        grid.add_row(*(Text(cell) for cell in row))
    console = Console(highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = UNLIMITED
    with console.capture() as printed:
        console.print(grid)
    write("\n".join(line.rstrip() for line in printed.get().splitlines()))


def bar(part: float) -> str:
    """A part of one as a bar."""
    return "█" * round(BAR * part)


@contextmanager
def progress_line(wanted: bool) -> Iterator[Progress | None]:
    """A line on stderr that follows a search, where stderr is a terminal; else nothing."""
    console = Console(stderr=True, highlight=False)
    if not (wanted and console.is_terminal):
        yield None
        return
    with console.status("reading") as status:

        def show(phase: str, steps: int, best: float) -> None:
            # Resampling has no score, only a count.
            of_score = "" if phase == "replicates" else f" steps, score {best:,.3f}"
            status.update(f"{phase}: {steps:,}{of_score}")

        yield show


@contextmanager
def message_line() -> Iterator[Callable[[str], None] | None]:
    """A line on stderr that says what is being done, where stderr is a terminal; else nothing."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield None
        return
    with console.status("starting") as status:
        yield status.update
