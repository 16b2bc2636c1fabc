"""From the text of an option to the method it names: 'BDeu(ess=10)', "BDe(Network('asia'), ess=5)"."""

from __future__ import annotations

from typing import Any

from dagwright.cli import inputs
from dagwright.data import Table, read
from dagwright.errors import OptionError
from dagwright.graph.graph_like import AnyGraph
from dagwright.methods import registry
from dagwright.model import BayesianNetwork


def _graph(text: str) -> AnyGraph:
    return inputs.read_graph(text)


def _network(source: str) -> BayesianNetwork:
    return inputs.read_network(source)


def _data(source: str) -> Table:
    return read(source)


VALUES = {"Graph": _graph, "Network": _network, "Data": _data}
"""What may stand where a method takes a graph, a network or data: Graph('A -> B'), Network('asia')."""


def method(text: str | None, *kinds: registry.Kind) -> Any:
    """The method of one of these kinds that a text names; None if the option was not given."""
    try:
        return None if text is None else registry.parse(text, *kinds, values=VALUES)
    except OptionError as problem:
        if problem.wanted != "a Dag":
            raise
        raise OptionError(f"{problem}; write a graph as Graph('A -> B')") from None


def number_or_method(text: str | None, *kinds: registry.Kind) -> Any:
    """A number as it is, else the method that a text names; None if the option was not given."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return method(text, *kinds)


def name_or_method(text: str | None, *kinds: registry.Kind) -> Any:
    """A word such as "drop" or "auto" as it is; what is written with parentheses or a known name is built."""
    known = {entry.name.lower() for kind in kinds for entry in registry.entries(kind)}
    plain = text is None or ("(" not in text and (text.islower() or text.lower() not in known))
    return text if plain else method(text, *kinds)
