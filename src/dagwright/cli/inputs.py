"""From words on the command line to the library's values."""

from __future__ import annotations

import functools
import inspect
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dagwright import registry
from dagwright.cli import options
from dagwright.data import Table, read
from dagwright.errors import FormatError, OptionError, unknown_name
from dagwright.graph import Dag, Pdag, UndirectedGraph
from dagwright.learned import Learned

STDIN = "-"
ARROWS = ("->", "<-", "--", ";")


def data_source(data: str) -> Any:
    """What `read` takes: a path, or the bytes of standard input for "-"."""
    return io.BytesIO(sys.stdin.buffer.read()) if data == STDIN else data


def reading(
    *,
    format: options.Format = None,  # noqa: A002
    separator: options.Separator = None,
    column: options.Columns = None,
    exclude: options.Exclude = None,
    weights: options.Weights = None,
    discretise: options.Discretise = None,
) -> dict[str, Any]:
    """The options of `read` that were given."""
    given = {
        "format": format,
        "separator": "\t" if separator == "\\t" else separator,
        "columns": column or None,
        "exclude": exclude or None,
        "weights": weights,
        "discretise": None if discretise is None else registry.parse(discretise, "discretisation"),
    }
    return {name: value for name, value in given.items() if value is not None}


def reads_data(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `reading`; it gets their values as its argument ``how``."""
    own = inspect.signature(command, eval_str=True).parameters
    shared = inspect.signature(reading, eval_str=True).parameters
    parameters = [*(option for name, option in own.items() if name != "how"), *shared.values()]

    @functools.wraps(command)
    def with_options(**values: Any) -> None:
        how = reading(**{name: values.pop(name) for name in shared})
        command(**values, how=how)

    with_options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {option.name: option.annotation for option in parameters}
    return with_options


def read_table(data: str, how: dict[str, Any]) -> Table:
    """The table named on the command line."""
    return read(data_source(data), **how)


def read_graph(text: str) -> Dag | Pdag:
    """A graph: written out ("A -> B; C"), a file that holds such text, or a saved model."""
    if not os.path.isfile(text):  # noqa: PTH113  a long text is no path, and Path would say so loudly
        if any(arrow in text for arrow in ARROWS):
            return _parse(text)
        raise FormatError(
            f"{text!r} is neither a file nor a graph; write 'A -> B; B -> C' or name a saved model"
        )
    path = Path(text)
    if path.suffix.lower() == ".json":
        graph = Learned.load(path).graph
        if isinstance(graph, UndirectedGraph):
            raise OptionError(f"{text} holds an undirected graph, and a directed one is needed here")
        return graph
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
