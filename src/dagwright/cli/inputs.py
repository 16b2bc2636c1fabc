"""From words on the command line to the library's values."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dagwright.cli.output import note
from dagwright.confidence import Confidence
from dagwright.data import Table, read, read_to_learn
from dagwright.data.read import reading_of_other
from dagwright.errors import FormatError, OptionError, unknown_name
from dagwright.graph import Dag, Mag, Pag, Pdag, UndirectedGraph
from dagwright.graph.graph_like import AnyGraph, as_dag, as_graph
from dagwright.graph.notation import is_graph_text
from dagwright.io import load, networks
from dagwright.knowledge import Knowledge
from dagwright.learning.learned import Learned
from dagwright.model import BayesianNetwork
from dagwright.model.causal.effects import intervened
from dagwright.model.inference.findings import UnknownStatePolicy, finite_number

STDIN = "-"
GRAPH_TEXT = ("", ".txt")
CODING = {"kinds", "states", "discretize", "rare", "max_number_states", "dates"}
"""Options that say how columns become states."""


def data_source(data: str) -> Any:
    """The argument for `read`: a path, or the bytes of standard input for "-"."""
    return io.BytesIO(sys.stdin.buffer.read()) if data == STDIN else data


def read_knowledge(
    path: Path | None, required: Sequence[str], forbidden: Sequence[str], tiers: Sequence[str]
) -> Knowledge | None:
    """The knowledge of --knowledge, --require, --forbid and --tier together; None if none was given."""
    if path is None and not (required or forbidden or tiers):
        return None
    told = Knowledge(
        required=[edge for text in required for edge in _statements(text)],
        forbidden=[edge for text in forbidden for edge in _statements(text)],
        tiers=[[name.strip() for name in tier.split(",") if name.strip()] for tier in tiers] or None,
    )
    return told if path is None else Knowledge.load(path) + told


def read_interventions(column: str | None, sets: Sequence[str]) -> dict[str, dict[str, list[str]]] | None:
    """The targets of each condition from --condition and --sets; None if neither was given."""
    if column is None:
        if sets:
            raise OptionError("--sets says what a condition sets; name the column of conditions: --condition")
        return None
    targets: dict[str, list[str]] = {}
    for text in sets:
        state, equals, names = text.partition("=")
        if not equals:
            raise OptionError(f"--sets takes condition=variables, such as 'drug=Akt,PKC', got {text!r}")
        targets[state.strip()] = [name.strip() for name in names.split(",") if name.strip()]
    return {column: targets}


def under_experiments(table: Table, interventions: dict[str, dict[str, list[str]]] | None) -> Table:
    """The table with what its experiments set."""
    return table if interventions is None else table.with_interventions(interventions)


def _statements(text: str) -> list[str]:
    return [part for part in text.split(";") if part.strip()]


def read_table(data: str, how: dict[str, Any]) -> Table:
    """The table named on the command line."""
    return read(data_source(data), **how)


def read_learnable(
    data: str, how: dict[str, Any], knowledge: Knowledge | None = None, *named: str, tell: bool = True
) -> Table:
    """The table to learn from: columns that look like identifiers are left out, which a note says.

    ``named`` are columns that were asked for by name; these, and those that the knowledge names, are kept.
    ``tell`` is False where the result itself says what was left out.
    """
    kept = {*(() if knowledge is None else knowledge.named), *named}
    table = read_to_learn(data_source(data), kept, **how)
    for remark in table.notes:
        if tell and "was left out" in remark:
            note(remark)
    return table


def read_windows(data: str, how: dict[str, Any], series: dict[str, Any]) -> Table:
    """Windows of the time series in a file; ``series`` are the options of `Table.lagged`."""
    roles = [series.get("time"), series.get("sequence"), *series.get("static", ())]
    return read_to_learn(data_source(data), {name for name in roles if name}, **how).lagged(**series)


def read_graph(text: str) -> AnyGraph:
    """A graph: written out ("A -> B; C"), in a file, of a saved model, or of a built-in network."""
    # A long text is no path, and Path would say so loudly.
    if is_graph_text(text) or text in networks() or os.path.isfile(text):  # noqa: PTH113
        return as_graph(Path(text) if os.path.isfile(text) else text)  # noqa: PTH113
    raise FormatError(
        f"{text!r} is neither a file nor a graph; write 'A -> B; B -> C', or name a saved model or a "
        "built-in network"
    )


def read_rows_and_graph(data: str, text: str, how: dict[str, Any]) -> tuple[Table, AnyGraph]:
    """The rows and a graph over their columns; see `read_rows_and_result`."""
    table, thing = read_rows_and_result(data, text, how)
    return table, as_graph(thing)


def read_rows_and_result(data: str, text: str, how: dict[str, Any]) -> tuple[Table, Any]:
    """The rows and what has a graph over their columns: a graph, a network or a saved result.

    A saved result knows the states and cut points of its columns and how they were read: these hold unless
    options say how to code the columns. Columns that look like identifiers are left out unless the graph
    names them.
    """
    thing = drawable(text)
    graph = as_graph(thing)
    saved = thing.template if isinstance(thing, Learned) else None
    if saved is not None and not CODING & set(how):
        source = data_source(data)
        table = saved.encode(source, **{**reading_of_other(source, saved.reading), **how})
    else:
        table = read_learnable(data, how, None, *graph.nodes)
    return table, thing


def read_new_rows(
    network: BayesianNetwork, data: str, how: dict[str, Any], unknown_states: UnknownStatePolicy
) -> Table:
    """Rows in the states and cut points of a network, unless options say how to code the columns."""
    if CODING & set(how):
        return read_table(data, how)
    return network.template.encode(
        data_source(data), absent="leave out", unknown_states=unknown_states, **how
    )


def read_confidence(path: Path) -> Confidence:
    """Read a file that `confidence` or `posterior` saved."""
    try:
        return Confidence.from_json(path.read_text(encoding="utf-8"))
    except FormatError as problem:
        raise FormatError(f"{path}: {problem}") from None


def drawable(source: str) -> Learned | Confidence | BayesianNetwork | AnyGraph:
    """A graph to draw: written out, from a saved result, from a file, or built in."""
    known = source in networks() or Path(source).is_file()
    found: Learned | Confidence | BayesianNetwork | AnyGraph = load(source) if known else read_graph(source)
    return found


def read_network(source: str, source_format: str | None = None) -> BayesianNetwork:
    """A network with numbers: a file or a built-in name."""
    found = load(source, format=source_format)
    if not isinstance(found, BayesianNetwork):
        raise FormatError(
            f"{source} holds a {'learned ' if isinstance(found, Learned) else ''}graph without "
            f"probabilities; 'dagwright fit DATA {source} -o network.json' adds them"
        )
    return found


def intervened_network(source: str, do: Sequence[str] | None) -> BayesianNetwork:
    """A network, after setting from outside what --do says."""
    network = read_network(source)
    setting = read_states(network, do or (), "--do")
    return intervened(network, setting) if setting else network


def read_states(
    network: BayesianNetwork, texts: Sequence[str], option: str, unknown_states: UnknownStatePolicy = "error"
) -> dict[str, Any]:
    """Observed states and numbers from "node=state", likelihoods from "node=state:0.8,state:0.2"."""
    found: dict[str, Any] = {}
    for text in texts:
        node, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"{option} takes node=state, not {text!r}")
        if node in found:
            raise OptionError(f"{option} names {node!r} twice; give it once")
        if node in network.gaussians:
            found[node] = finite_number(network, node, value)
            continue
        by_name = {str(state): state for state in network.states(node)}
        if value in by_name:
            found[node] = by_name[value]
        elif (number := _position(network, node, value)) is not None:
            found[node] = network.states(node)[number]
        elif ":" in value:
            found[node] = _likelihoods(node, by_name, value, f"{option} {text!r}")
        elif unknown_states == "ignore":
            found[node] = value
        else:
            raise unknown_name(f"state of {node!r}", value, list(by_name))
    return found


def _position(network: BayesianNetwork, node: str, text: str) -> int | None:
    """The interval that contains the number or date of a text, for a node that has cut points."""
    origin = network.origins.get(node)
    return None if origin is None or origin.bins is None else origin.bins.position(origin.bins.value(text))


def _likelihoods(node: str, by_name: dict[str, Any], value: str, where: str) -> dict[Any, float]:
    found = {}
    for state, colon, weight in (part.rpartition(":") for part in value.split(",")):
        if not colon:
            raise OptionError(f"{where}: {weight!r} has no likelihood; write state:0.8")
        if state not in by_name:
            raise unknown_name(f"state of {node!r}", state, list(by_name))
        try:
            found[by_name[state]] = float(weight)
        except ValueError:
            raise OptionError(f"{where}: {weight!r} is not a number") from None
    return found


def read_oracle(text: str) -> Dag | Mag | UndirectedGraph | list[str]:
    """An independence oracle: a graph, or statements such as 'I(A,B|C); I(A,D)'."""
    if text.lstrip().startswith("I("):
        return [statement for part in text.splitlines() for statement in part.split(";") if statement.strip()]
    graph = read_graph(text)
    if isinstance(graph, Pag):
        return Mag(graph.nodes, graph.edges)
    if isinstance(graph, Pdag) and not graph.directed_edges:
        return UndirectedGraph(graph.nodes, graph.undirected_edges)
    return as_dag(graph)


def columns_of(text: str, names: tuple[str, ...]) -> str | list[str]:
    """A column, or several as "a,b" where no column has that name."""
    parts = text.split(",")
    return parts if text not in names and len(parts) > 1 else text
