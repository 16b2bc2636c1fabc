"""From words on the command line to the library's values."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

from dagwright import registry
from dagwright.data import Table, read
from dagwright.errors import FormatError, unknown_name
from dagwright.graph import Dag, Pdag
from dagwright.learned import Learned

STDIN = "-"
ARROWS = ("->", "<-", "--", ";")


def data_source(data: str) -> Any:
    """What `read` takes: a path, or the bytes of standard input for "-"."""
    return io.BytesIO(sys.stdin.buffer.read()) if data == STDIN else data


def reading(
    *,
    format: str | None = None,  # noqa: A002
    separator: str | None = None,
    columns: list[str] | None = None,
    exclude: list[str] | None = None,
    weights: str | None = None,
    discretise: str | None = None,
) -> dict[str, Any]:
    """The options of `read` that were given."""
    options = {
        "format": format,
        "separator": "\t" if separator == "\\t" else separator,
        "columns": columns or None,
        "exclude": exclude or None,
        "weights": weights,
        "discretise": None if discretise is None else registry.parse(discretise, "discretisation"),
    }
    return {name: value for name, value in options.items() if value is not None}


def read_table(data: str, options: dict[str, Any]) -> Table:
    """The table named on the command line."""
    return read(data_source(data), **options)


def read_graph(text: str) -> Dag | Pdag:
    """A graph: written out ("A -> B; C"), a file that holds such text, or a saved model."""
    path = Path(text)
    if any(arrow in text for arrow in ARROWS):
        return _parse(text)
    if not path.is_file():
        raise FormatError(
            f"{text!r} is neither a file nor a graph; write 'A -> B; B -> C' or name a saved model"
        )
    if path.suffix.lower() == ".json":
        return Learned.load(path).graph
    return _parse(path.read_text(encoding="utf-8-sig"))


def _parse(text: str) -> Dag | Pdag:
    return Pdag.parse(text) if "--" in text else Dag.parse(text)


def dag_over(graph: Dag | Pdag, names: tuple[str, ...]) -> Dag:
    """The graph over all columns; a column it does not mention has no arcs."""
    if isinstance(graph, Pdag):
        graph = graph.extension()
    for node in graph.nodes:
        if node not in names:
            raise unknown_name("column", node, names)
    return Dag(names, graph.edges)
