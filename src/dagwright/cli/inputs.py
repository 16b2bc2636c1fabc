"""From words on the command line to the library's values."""

from __future__ import annotations

import functools
import inspect
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dagwright import registry
from dagwright.cli import options
from dagwright.data import Table, read
from dagwright.errors import FormatError, GraphError, OptionError, unknown_name
from dagwright.graph import Dag, Pag, Pdag
from dagwright.graph.mark_notation import has_marks
from dagwright.io import load, load_graph, networks
from dagwright.io.formats import format_of
from dagwright.io.graph_parts import Graph
from dagwright.knowledge import Knowledge
from dagwright.learned import Learned, is_learned
from dagwright.model import BayesianNetwork

STDIN = "-"
ARROWS = ("->", "<-", "--", "o-", "-o", ";")
GRAPH_TEXT = ("", ".txt")


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


def read_score(text: str | None, *kinds: registry.Kind) -> Any:
    """The score that --score names; None if it was not given."""
    return None if text is None else registry.parse(text, *(kinds or ("score",)))


def read_search(text: str | None) -> Any:
    """The search that --search names; None if it was not given."""
    return None if text is None else registry.parse(text, "search")


def read_knowledge(path: Path | None) -> Knowledge | None:
    """The knowledge in the file of --knowledge; None if it was not given."""
    return None if path is None else Knowledge.load(path)


def read_table(data: str, how: dict[str, Any]) -> Table:
    """The table named on the command line."""
    return read(data_source(data), **how)


def read_graph(text: str) -> Dag | Pdag | Pag:
    """A graph: written out ("A -> B; C"), a file that holds such text, or a saved model."""
    if not os.path.isfile(text):  # noqa: PTH113  a long text is no path, and Path would say so loudly
        if any(arrow in text for arrow in ARROWS):
            return _parse(text)
        raise FormatError(
            f"{text!r} is neither a file nor a graph; write 'A -> B; B -> C' or name a saved model"
        )
    path = Path(text)
    if path.suffix.lower() in GRAPH_TEXT:
        return _parse(path.read_text(encoding="utf-8-sig"))
    graph = load_graph_file(text, None)
    if not isinstance(graph, Dag | Pdag | Pag):
        raise OptionError(f"{text} holds an undirected graph, and a directed one is needed here")
    return graph


def drawable(source: str) -> Learned | Graph | Pag:
    """What can be drawn: a graph written out, a saved result, the graph of a file or a built-in network."""
    path = Path(source)
    if source in networks():
        return load_graph(source)
    if path.suffix.lower() == ".json" and path.is_file() and is_learned(path):
        return Learned.load(path)
    if path.is_file() and path.suffix.lower() not in GRAPH_TEXT:
        return load_graph(source)
    return read_graph(source)


def load_graph_file(source: str, source_format: str | None) -> Graph | Pag:
    """The graph in a file: of a saved result, of a network, or alone."""
    path = Path(source)
    if source_format is None and path.suffix.lower() == ".json" and is_learned(path):
        return Learned.load(path).graph
    return load_graph(source, format=source_format)


def read_network(source: str, source_format: str | None = None) -> BayesianNetwork:
    """A network with numbers: a file or a built-in name."""
    path = Path(source)
    if source_format is None and path.suffix.lower() == ".json" and path.is_file() and is_learned(path):
        raise FormatError(
            f"{source} holds a learned graph without probabilities; 'dagwright fit DATA {source} -o "
            "network.json' adds them"
        )
    if path.is_file() and source_format is None and format_of(path).holds == "graph":
        raise FormatError(
            f"{source} holds a graph without probabilities; 'dagwright fit DATA {source} -o network.json' "
            "adds them"
        )
    return load(source, format=source_format)


def read_states(network: BayesianNetwork, texts: Sequence[str], option: str) -> dict[str, Any]:
    """Observed states from "node=state", likelihoods from "node=state:0.8,state:0.2"."""
    found: dict[str, Any] = {}
    for text in texts:
        node, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"{option} takes node=state, not {text!r}")
        by_name = {str(state): state for state in network.states(node)}
        if value in by_name:
            found[node] = by_name[value]
            continue
        parts = [part.rpartition(":") for part in value.split(",")]
        if not all(colon for _, colon, _ in parts):
            raise unknown_name(f"state of {node!r}", value, list(by_name))
        found[node] = {}
        for state, _, weight in parts:
            if state not in by_name:
                raise unknown_name(f"state of {node!r}", state, list(by_name))
            try:
                found[node][by_name[state]] = float(weight)
            except ValueError:
                raise OptionError(f"{option} {text!r}: {weight!r} is not a number") from None
    return found


def _parse(text: str) -> Dag | Pdag | Pag:
    if has_marks(text):
        return Pag.parse(text)
    return Pdag.parse(text) if "--" in text else Dag.parse(text)


def dag_over(graph: Dag | Pdag | Pag, names: tuple[str, ...]) -> Dag:
    """The graph over all columns; a column it does not mention has no arcs."""
    if isinstance(graph, Pag):
        raise GraphError("a graph with circles or bidirected edges is no DAG; give one with -> only")
    if isinstance(graph, Pdag):
        graph = graph.extension()
    for node in graph.nodes:
        if node not in names:
            raise unknown_name("column", node, names)
    return Dag(names, graph.edges)
