"""Networks by hand: made, changed, fitted, and looked at before a table grows too large."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dagwright.errors import DagwrightError, DataError, FormatError
from dagwright.graph import Dag
from dagwright.graph.graph_like import AnyGraph, as_dag
from dagwright.io import load
from dagwright.learning.learned import Learned
from dagwright.model import BayesianNetwork, LinearGaussian, fit
from dagwright.model.editing import (
    empty_network,
    proportions,
    with_arc,
    with_arc_turned,
    with_equation,
    with_node,
    with_number,
    with_state,
    without_arc,
    without_node,
    without_state,
)
from dagwright.model.tables.capacity import CELL_BYTES, table_sizes
from dagwright.show.placing import place
from dagwright.studio.verbs.models import in_states, network_document, network_of, network_text
from dagwright.studio.verbs.rows import source_of, table_of
from dagwright.studio.verbs.work import Work

LARGE = 10_000
"""A table with more cells than this is warned of."""
STATES = ("no", "yes")
"""The states of nodes that come without any."""
Positions = dict[str, tuple[float, float]]


def made_network(
    work: Work,  # noqa: ARG001
    *,
    name: str,
    network: str | None,
    builtin: str | None,
    file: list[str] | None,
    positions: Positions,
) -> dict[str, Any]:
    """A network that is empty, a copy, one that comes with the library, or one from a file."""
    if network is not None:
        found = network_of(network)
    elif builtin is not None:
        found = load(builtin)
    elif file is not None:
        found = _from_file(Path(source_of(file).path))
    else:
        found = empty_network(name)
    return _answer(found, positions)


def _from_file(path: Path) -> BayesianNetwork:
    held = load(path)
    if isinstance(held, BayesianNetwork):
        return held
    if isinstance(held, Learned | AnyGraph):
        return uniform_network(as_dag(held))
    raise FormatError("the file holds neither a network nor a graph")


def uniform_network(dag: Dag) -> BayesianNetwork:
    """A graph with two states for each node, all equally probable."""
    tables = {node: np.full((2,) * len(dag.parents(node)) + (2,), 0.5) for node in dag.nodes}
    return BayesianNetwork(dag, dict.fromkeys(dag.nodes, STATES), tables)


def _answer(
    network: BayesianNetwork, positions: Positions, warnings: list[str] | None = None
) -> dict[str, Any]:
    kept = {node: (x, y) for node, (x, y) in positions.items()}
    return {
        "network": network_text(network),
        "document": {**network_document(network), "warnings": warnings or []},
        "positions": place(network, kept=kept).positions,
    }


def edit(
    work: Work,  # noqa: ARG001
    *,
    network: str,
    edits: list[dict[str, Any]],
    positions: Positions,
) -> dict[str, Any]:
    """The network after some edits; all of them or none."""
    found, done = network_of(network), []
    for at, change in enumerate(edits):
        done.append(_in_own_states(found, change))
        found = _edited(found, change, at)
    return {**_answer(found, positions, _warnings(found, network_of(network))), "edits": done}


def _in_own_states(network: BayesianNetwork, change: dict[str, Any]) -> dict[str, Any]:
    """A change that names a state as the network has it: a number where the page has its text."""
    if change["do"] != "remove_state" or change.get("node") not in network.nodes or "state" not in change:
        return change
    return {**change, "state": in_states(network, {change["node"]: change["state"]})[change["node"]]}


def _edited(network: BayesianNetwork, change: dict[str, Any], at: int) -> BayesianNetwork:
    kind = change["do"]
    needed = FIELDS[kind]
    for field in needed:
        if field not in change:
            raise DataError(f"edit {at + 1}, {kind}: the field {field!r} is missing")
    given = [change[field] for field in needed]
    if kind == "set_table":
        return _with_table(network, *given, normalize=change.get("normalize", False))
    if kind == "set_equation":
        return _with_equation(network, *given)
    if kind == "remove_state":
        node, state = given
        return without_state(network, node, in_states(network, {node: state})[node])
    found: BayesianNetwork = EDITS[kind](network, *given)
    return found


def _renamed(network: BayesianNetwork, node: str, name: str) -> BayesianNetwork:
    network.parents(node)  # an unknown name is refused
    return network.renamed({node: name})


def _with_equation(
    network: BayesianNetwork,
    node: str,
    intercept: list[float],
    coefficients: dict[str, list[float]],
    sd: list[float],
) -> BayesianNetwork:
    """Other equations of a number: one value for each configuration of its parents with states."""
    network.parents(node)  # an unknown name is refused
    if node not in network.gaussians:
        raise DataError(f"node {node!r} has states, so it takes a table, not an equation")
    own = network.gaussians[node]
    if missing := [parent for parent in own.coefficients if parent not in coefficients]:
        raise DataError(f"the equation of {node!r} lacks the coefficient of {missing[0]!r}")

    def shaped(values: list[float]) -> Any:
        if len(values) != own.intercept.size:
            raise DataError(f"{node!r} has {own.intercept.size:,} equations, but {len(values):,} values came")
        return np.reshape(values, own.shape)

    slopes = {parent: shaped(coefficients[parent]) for parent in own.coefficients}
    made = LinearGaussian(shaped(intercept), slopes, shaped(sd), given=own.given)
    return with_equation(network, node, made)


def _with_table(network: BayesianNetwork, node: str, table: Any, *, normalize: bool) -> BayesianNetwork:
    shape = network.table(node).shape
    rows = int(np.prod(shape[:-1]))
    if len(table) != rows or any(len(row) != shape[-1] for row in table):
        raise DataError(f"the table of {node!r} has {rows:,} rows of {shape[-1]} numbers")
    values = proportions(table) if normalize else np.asarray(table, dtype=np.float64)
    return network.with_table(node, values.reshape(shape))


FIELDS = {
    "add_node": ("node", "states"),
    "add_number": ("node",),
    "remove_node": ("node",),
    "rename_node": ("node", "name"),
    "set_states": ("node", "states"),
    "add_state": ("node", "state"),
    "remove_state": ("node", "state"),
    "add_edge": ("from", "to"),
    "remove_edge": ("from", "to"),
    "turn_edge": ("from", "to"),
    "set_table": ("node", "table"),
    "set_equation": ("node", "intercept", "coefficients", "sd"),
}
EDITS: dict[str, Any] = {
    "add_node": with_node,
    "add_number": with_number,
    "remove_node": without_node,
    "rename_node": _renamed,
    "set_states": BayesianNetwork.with_states,
    "add_state": with_state,
    "add_edge": with_arc,
    "remove_edge": without_arc,
    "turn_edge": with_arc_turned,
}


def _warnings(after: BayesianNetwork, before: BayesianNetwork) -> list[str]:
    old, new = table_sizes(*_counts(before)).cells, table_sizes(*_counts(after)).cells
    return [
        f"the table of {node} has {cells:,} cells now"
        for node, cells in new.items()
        if cells > LARGE and old.get(node, 0) < cells
    ]


def _counts(network: BayesianNetwork) -> tuple[dict[str, int], dict[str, list[str]]]:
    """States and parents of each node. A number counts as one state: it has a row for each configuration."""
    numbers = network.gaussians
    return (
        {node: 1 if node in numbers else network.cardinality(node) for node in network.nodes},
        {node: list(network.parents(node)) for node in network.nodes},
    )


def edit_forecast(work: Work, *, network: str, edits: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: ARG001
    """How large tables would become; arcs and states are counted, and no table is made."""
    found = network_of(network)
    cardinalities, parents = _counts(found)
    before = table_sizes(cardinalities, parents).cells
    for at, change in enumerate(edits):
        _counted(change, at, cardinalities, parents)
    after = table_sizes(cardinalities, parents)
    warnings = [
        f"the table of {node} would have {cells:,} cells ({cells * CELL_BYTES / 2**20:,.1f} MiB) with "
        f"{len(parents[node])} parents"
        for node, cells in after.cells.items()
        if cells > LARGE and cells > before.get(node, 0)
    ]
    return {
        "nodes": [
            {"node": node, "cells": cells, "before": before.get(node)}
            for node, cells in after.cells.items()
            if before.get(node) != cells
        ],
        "warnings": warnings,
        "inference": {"bytes": int(CELL_BYTES * found.forecast_inference().cells), "width": _width(found)},
    }


def _width(network: BayesianNetwork) -> int:
    return network.forecast_inference().width if network.nodes else 0


def _counted(
    change: dict[str, Any], at: int, cardinalities: dict[str, int], parents: dict[str, list[str]]
) -> None:
    kind = change["do"]
    for field in FIELDS[kind]:
        if field not in change:
            raise DataError(f"edit {at + 1}, {kind}: the field {field!r} is missing")
    new = kind in ("add_node", "add_number")
    named = [change[field] for field in ("node", "from", "to") if field in change and not new]
    for node in named:
        if node not in parents:
            raise DagwrightError(f"edit {at + 1}, {kind}: there is no node {node!r}")
    if new:
        cardinalities[change["node"]], parents[change["node"]] = len(change.get("states", [0])), []
    elif kind == "remove_node":
        del cardinalities[change["node"]], parents[change["node"]]
        for given in parents.values():
            if change["node"] in given:
                given.remove(change["node"])
    elif kind == "add_state":
        cardinalities[change["node"]] += 1
    elif kind == "remove_state":
        cardinalities[change["node"]] -= 1
    elif kind == "add_edge" and change["from"] not in parents[change["to"]]:
        parents[change["to"]].append(change["from"])
    elif kind == "remove_edge" and change["from"] in parents[change["to"]]:
        parents[change["to"]].remove(change["from"])
    elif kind == "turn_edge" and change["from"] in parents[change["to"]]:
        start, end = change["from"], change["to"]
        shared = [one for one in dict.fromkeys([*parents[start], *parents[end]]) if one not in (start, end)]
        parents[start], parents[end] = [*shared, end], shared


def fitted(
    work: Work,  # noqa: ARG001
    *,
    network: str,
    source: list[str] | None,
    settings: dict[str, Any],
    positions: Positions,
) -> dict[str, Any]:
    """The graph of the network with tables fitted to the rows of the project."""
    rows, made = table_of(source_of(source), settings), network_of(network)
    fitting = rows if made.gaussians else rows.discretized()
    gaps = any(fitting.missing.values())
    missing = settings["missing"] or ("em" if gaps else None)
    found = fit(made.graph, fitting, missing=missing)
    how = {"discretized": not made.gaussians, "missing": missing}
    return {**_answer(found, positions), "fitting": how}
