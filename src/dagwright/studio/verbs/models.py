"""Networks and results of the project, remembered between calls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from dagwright.errors import OptionError
from dagwright.io.native_json import read_bytes, write_bytes
from dagwright.learning.learned import Learned
from dagwright.learning.task import prepared_to_learn
from dagwright.model import BayesianNetwork, InferenceEngine
from dagwright.model.inference.posterior import Marginals
from dagwright.studio.verbs.numbers import equations_document, figures_of
from dagwright.studio.verbs.rows import Remembered, source_of, table_of

_networks = Remembered(8)
_intervened = Remembered(8)
_engines = Remembered(8)
_marginals = Remembered(8)
_figures = Remembered(8)
_learned = Remembered(4)
MOST_CELLS = 20_000
"""A table with more cells is not shown."""


def network_of(path: str) -> BayesianNetwork:
    """The network in a file that the server wrote; its name is that of its content."""
    return _networks.get(path, lambda: read_bytes(Path(path).read_bytes()))


def intervened(path: str, interventions: dict[str, Any]) -> BayesianNetwork:
    """The network after interventions, if there are any."""

    def made() -> BayesianNetwork:
        network = network_of(path)
        return network.do(in_states(network, interventions)) if interventions else network

    return _intervened.get([path, interventions], made)


def engine_of(path: str, interventions: dict[str, Any]) -> InferenceEngine | BayesianNetwork:
    """The engine that answers questions about the network, after interventions if there are any.

    A network of states alone is compiled; one with numbers answers by itself.
    """

    def made() -> InferenceEngine | BayesianNetwork:
        network = intervened(path, interventions)
        return network if network.gaussians else network.compile()

    return _engines.get([path, interventions], made)


def marginals_of(path: str) -> Marginals:
    """The distribution of every node where nothing is known."""
    return _marginals.get(path, lambda: engine_of(path, {}).marginals())


def figures_before(path: str) -> dict[str, dict[str, Any]]:
    """The figures of every number where nothing is known."""
    found = marginals_of(path)
    return _figures.get(path, lambda: {node: figures_of(found[node]) for node in network_of(path).continuous})


def network_text(network: BayesianNetwork) -> str:
    """The network in the library's own format."""
    return write_bytes(network).decode()


def in_states(network: BayesianNetwork, given: dict[str, Any]) -> dict[str, Any]:
    """Evidence from the page, where every state is a text, in the states of the network."""
    return {node: _in_states(network, node, value) for node, value in given.items()}


def _in_states(network: BayesianNetwork, node: str, value: Any) -> Any:
    if node in network.gaussians:
        return value
    by_text = {str(state): state for state in network.states(node)}
    if isinstance(value, dict):
        return {by_text.get(state, state): likelihood for state, likelihood in value.items()}
    return by_text.get(value, value) if isinstance(value, str) else value


def learned_of(path: str, source: list[str] | None, settings: dict[str, Any]) -> Learned:
    """A result of learning with the rows that it was learned from."""

    def made() -> Learned:
        found = Learned.from_json(Path(path).read_text(encoding="utf-8"))
        prepared = prepared_to_learn(found.study, table_of(source_of(source), settings))
        if found.data.get("fingerprint") != prepared.table.fingerprint:
            raise OptionError("this result was learned from other rows than the project has now")
        return replace(found, table=prepared.table)

    return _learned.get([path, source, settings], made)


def node_document(network: BayesianNetwork, node: str, *, intervals: bool = False) -> dict[str, Any]:
    """One node with its states and its table, one row for each configuration of its parents.

    ``intervals`` asks for the credible intervals of the entries too, which take longer. A number has
    equations in place of a table.
    """
    if node in network.gaussians:
        return equations_document(network, node)
    states, parents = network.states(node), network.parents(node)
    table, counts = network.table(node), network.counts(node)
    small = table.size <= MOST_CELLS
    ends = None
    if intervals and small and counts is not None:
        low, high = network.credible_intervals(node)
        ends = {
            "low": low.reshape(-1, len(states)).tolist(),
            "high": high.reshape(-1, len(states)).tolist(),
        }
    return {
        "name": node,
        "kind": "states",
        "states": [str(state) for state in states],
        "parents": list(parents),
        "parent_states": [[str(state) for state in network.states(parent)] for parent in parents],
        "table": table.reshape(-1, len(states)).tolist() if small else None,
        "counts": counts.reshape(-1, len(states)).tolist() if small and counts is not None else None,
        "intervals": ends,
        "cells": int(table.size),
    }


def network_document(network: BayesianNetwork) -> dict[str, Any]:
    """A network as the page gets it."""
    from dagwright.studio.verbs.graphs import graph_document

    return {
        "graph": graph_document(network.graph),
        "nodes": [node_document(network, node) for node in network.nodes],
        "dimension": network.dimension,
    }
