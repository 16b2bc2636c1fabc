"""Output of the command line: answers on stdout, everything else on stderr."""

from __future__ import annotations

import os
import re
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from dagwright.base.documents import as_json as as_json
from dagwright.base.events import telling
from dagwright.base.memory import shown_bytes
from dagwright.base.whole_file import descriptor_of
from dagwright.base.wording import count_of
from dagwright.cli import INTERRUPTED as INTERRUPTED
from dagwright.cli.spelling import spelled as spelled
from dagwright.errors import FormatError

if TYPE_CHECKING:
    from dagwright.base.events import Event, Traffic

Justify = Literal["left", "right"]
UNLIMITED = 10_000
LONGEST_WORD = 24
NARROW = 8
"""A column of text is not made narrower than this to make room for others."""
BAR = 20
PATIENCE = 1.0
"""Seconds before a command that reports no steps says that it is at work."""
STDOUT = "-"
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters, apart from tabs and line ends."""


def write(text: str) -> None:
    """Text on stdout as it is: no colors, no wrapping, and no control characters from names."""
    sys.stdout.write(printable(text) + "\n")


def write_now(text: str) -> None:
    """Text on stdout for whoever waits for it: it is not held back in a buffer."""
    write(text)
    sys.stdout.flush()


def printable(text: str) -> str:
    """The text with control characters written out as in JSON, so that a name cannot steer the terminal.

    >>> printable("a\\x1b[31m")
    'a\\\\u001b[31m'
    """
    return CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def write_prose(text: str) -> None:
    """Sentences on stdout; on a terminal, lines that are too long go on below, set in."""
    write(_wrapped(spelled(text), _width()))


def _width() -> int:
    """The columns to write in: those of the terminal, or of COLUMNS; a file or a pipe has no end."""
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        return UNLIMITED
    return Console().width


def _wrapped(text: str, width: int) -> str:
    lines = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()))
        folded = textwrap.wrap(
            line.lstrip(),
            width,
            initial_indent=indent,
            subsequent_indent=f"{indent}  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines += folded or [""]
    return "\n".join(lines)


def write_json(document: Any) -> None:
    """A document for programs on stdout."""
    write(as_json(document, indent=2))


def is_stdout(path: Path | None) -> bool:
    """Whether an output goes to standard output: "-", /dev/stdout and the like."""
    return path is not None and (str(path) == STDOUT or descriptor_of(path) == 1)


def write_bytes(content: bytes) -> None:
    """The content of a file on stdout."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)


def saved(path: Path, remark: str, facts: Mapping[str, Any], *, json: bool, quiet: bool) -> None:
    """Say that a file was written: for programs with facts about it, for people with a remark."""
    if is_stdout(path):
        return
    if json:
        write_json({"saved": str(path), **facts})
    elif not quiet:
        write(f"saved as {path}: {remark}" if remark else f"saved as {path}")


def require_writable(path: Path | None, *endings: str) -> None:
    """Refuse a file that cannot be written before hours of work are done for it."""
    if path is None or is_stdout(path):
        return
    if endings and path.suffix.lower() not in endings:
        raise FormatError(f"{path}: choose a name that ends in {' or '.join(endings)}")
    if path.is_dir():
        raise FormatError(f"{path} is a folder; name a file in it")
    if not path.absolute().parent.is_dir():
        raise FormatError(f"{path}: there is no folder {str(path.parent)!r}; make it first")


def complain(sentence: str) -> None:
    """The one sentence of an error, on stderr."""
    _remark(f"error: {spelled(sentence)}")


def note(sentence: str) -> None:
    """Something to be careful about, on stderr."""
    _remark(f"warning: {spelled(sentence)}")


def _remark(sentence: str) -> None:
    width = Console(stderr=True).width if sys.stderr.isatty() else UNLIMITED
    sys.stderr.write(printable(_wrapped(sentence, width)) + "\n")


def write_grid(columns: Sequence[tuple[str, Justify]], rows: Sequence[Sequence[str]]) -> None:
    """A table on stdout, as wide as the terminal; a column is its title and how it is justified.

    Texts are folded between words, numbers never; a column without content is left out. Piped into a file or
    a program, lines keep their full length.
    """
    grid = Grid(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    shown = [at for at in range(len(columns)) if not rows or any(row[at] for row in rows)]
    least = {at: _least_width(*columns[at], [row[at] for row in rows]) for at in shown}
    width = _width()
    room = width - 2 * len(shown) + 1  # without the gaps between columns
    texts = [at for at in shown if columns[at][1] != "right"]
    narrowest = {at: min(least[at], NARROW) if at in texts else least[at] for at in shown}
    if sum(narrowest.values()) > room:  # wider than the terminal, which wraps it: nothing is cut off
        width = sum(least.values()) + 2 * len(shown)
    else:
        while sum(least.values()) > room:
            least[max(texts, key=least.__getitem__)] -= 1
    for at in shown:
        title, justify = columns[at]
        grid.add_column(title, justify=justify, overflow="fold", min_width=least[at])
    for row in rows:
        grid.add_row(*(Text(row[at]) for at in shown))
    console = Console(highlight=False, width=width)
    with console.capture() as printed:
        console.print(grid)
    write("\n".join(line.rstrip() for line in printed.get().splitlines()))


def _least_width(title: str, justify: Justify, cells: Sequence[str]) -> int:
    """What a column needs so that numbers stay whole, and words up to a usual length."""
    whole = cells if justify == "right" else [word for cell in cells for word in cell.split()]
    return min(max(map(len, [*whole, *title.split()]), default=0), LONGEST_WORD)


def bar(part: float) -> str:
    """A part of one as a bar."""
    return "█" * round(BAR * part)


@contextmanager
def progress_line(wanted: bool) -> Iterator[Callable[[Event], None] | None]:
    """A line on stderr that follows a search, where stderr is a terminal; else nothing.

    Its bar fills where the end of a phase is known.
    """
    console = Console(stderr=True, highlight=False)
    if not (wanted and console.is_terminal):
        yield None
        return
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    words = TextColumn("{task.description}", markup=False)
    with Progress(
        SpinnerColumn(), words, BarColumn(), TimeElapsedColumn(), console=console, transient=True
    ) as line:
        task = line.add_task("reading", total=None)

        def show(event: Event) -> None:
            line.update(task, description=event_in_words(event), completed=event.done, total=event.total)

        with telling(show):
            yield show


def event_in_words(event: Event) -> str:
    """How far the work is, in one line.

    >>> from dagwright import Event
    >>> event_in_words(Event("scoring parent sets", 3, total=8, unit="variables", best=-1234.5))
    'scoring parent sets: 3 of 8 variables, score -1,234.500'
    """
    of_all = "" if event.total is None else f" of {event.total:,}"
    words = f"{event.phase}: {event.done:,}{of_all} {event.unit}"
    if event.best is not None:
        words += f", score {event.best:,.3f}"
    if event.bound is not None and event.best is not None:
        words += f", gap at most {max(0.0, event.bound - event.best):,.6g}"
    if event.error is not None:
        words += f", largest standard error {event.error:.3g}"
    if event.traffic is not None:
        words += f", {traffic_in_words(event.traffic)}"
    return words


def traffic_in_words(traffic: Traffic) -> str:
    """The cost of counting so far, in words.

    >>> from dagwright.search.events import Traffic
    >>> traffic_in_words(Traffic(12, 3.2e8, bytes_moved=2**21, workers=2, seconds_left=41.0))
    '3.2e+08 rows/s, 12 batches, 2 MiB moved, 2 workers, about 41 s left'
    """
    words = f"{traffic.rows_per_second:.2g} rows/s"
    if traffic.workers:
        moved = shown_bytes(traffic.bytes_moved)
        words += f", {traffic.batches:,} batches, {moved} moved, {count_of(traffic.workers, 'worker')}"
    if traffic.seconds_left is not None:
        words += f", about {traffic.seconds_left:,.0f} s left"
    return words


@contextmanager
def working(words: str, wanted: bool = True) -> Iterator[None]:
    """A line on stderr while work takes longer than a second, where stderr is a terminal; else nothing."""
    console = Console(stderr=True, highlight=False)
    if not (wanted and console.is_terminal):
        yield
        return
    status = console.status(words)
    late = threading.Timer(PATIENCE, status.start)
    late.daemon = True
    late.start()
    try:
        yield
    finally:
        late.cancel()
        late.join()
        status.stop()


@contextmanager
def message_line() -> Iterator[Callable[[str], None] | None]:
    """A line on stderr that says what is being done, where stderr is a terminal; else nothing."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield None
        return
    with console.status("starting") as status:
        yield status.update
