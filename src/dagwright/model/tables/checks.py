"""The parts of a network, refused unless sound."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagwright.data import Table
from dagwright.data.states import checked_states, shown_states
from dagwright.errors import DataError, GraphError, OptionError, unknown_name
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_dag, as_graph

Floats = NDArray[np.float64]
States = tuple[Hashable, ...]
SUM_TOLERANCE = 1e-9
"""How far the probabilities of one configuration may sum from 1."""


def dag_for(graph: GraphLike, table: Table) -> Dag:
    """The DAG to put tables on; of a class of DAGs a member, settled by the data and not by names."""
    if isinstance(graph, Dag):
        return graph
    shape = as_graph(graph)
    columns = table.canonical()[0].names
    return as_dag(graph, order=[*columns, *sorted(set(shape.nodes) - set(columns))])


def on_axes(values: Floats, parents: Sequence[str], wanted: Sequence[str]) -> Floats:
    """Values of a family with its parents' axes in another order; the node's own axis stays last."""
    return values.transpose(*[parents.index(parent) for parent in wanted], len(wanted))


def checked_parents(graph: Dag, given: Mapping[str, Sequence[str]] | None) -> dict[str, tuple[str, ...]]:
    """The parents of each node in the order of its table's axes; alphabetical unless given."""
    for node in given or {}:
        if node not in graph:
            raise unknown_name("node", node, graph.nodes)
    parents = {}
    for node in graph.nodes:
        known = graph.parents(node)
        parents[node] = tuple((given or {}).get(node, known))
        if sorted(parents[node]) != sorted(known):
            raise GraphError(f"node {node!r}: the order {parents[node]} is not one of its parents {known}")
    return parents


def checked_node_states(
    graph: Dag, states: Mapping[str, Sequence[Hashable]], continuous: Collection[str] = ()
) -> dict[str, States]:
    """The states of every discrete node, refused if a node has none."""
    require_all_nodes("states", graph, states, but=continuous)
    result = {}
    for node in graph.nodes:
        if node in continuous:
            continue
        try:
            result[node] = checked_states(node, states[node])
        except DataError as problem:
            raise DataError(str(problem).replace("column", "node", 1)) from None
        if not result[node]:
            raise DataError(f"node {node!r} has no states; give at least one")
    return result


def require_all_nodes(what: str, graph: Dag, given: Mapping[str, object], but: Collection[str] = ()) -> None:
    """Refuse a mapping that is not about exactly the nodes of the graph, but for some."""
    for node in given:
        if node not in graph:
            raise unknown_name("node", node, graph.nodes)
        if node in but:
            raise OptionError(f"node {node!r} is continuous, so it has no {what}")
    for node in graph.nodes:
        if node not in given and node not in but:
            raise OptionError(f"node {node!r} has no {what}")


def own_array(
    node: str, what: str, values: ArrayLike, shape: tuple[int, ...], *, broadcast: bool = False
) -> Floats:
    """A read-only C-contiguous copy of the values, refused unless numbers of the right shape."""
    try:
        array = np.array(values, dtype=np.float64, order="C", copy=True)
    except (TypeError, ValueError):
        raise DataError(f"node {node!r}: {what} must be numbers in an array of shape {shape}") from None
    fits = array.shape == shape
    if broadcast and not fits and array.ndim <= len(shape):
        aligned = shape[len(shape) - array.ndim :]
        fits = all(size in (1, full) for size, full in zip(array.shape, aligned, strict=True))
    if not fits:
        raise DataError(
            f"node {node!r}: the {what} have shape {array.shape}, but its parents and itself have "
            f"{shape} states"
        )
    array += 0.0  # turns -0.0 into 0.0, so that equal tables are equal bytes
    array.flags.writeable = False
    return array


def own_counts(
    node: str, what: str, values: ArrayLike, shape: tuple[int, ...], *, broadcast: bool = False
) -> Floats:
    """The same for counts, which are finite and not negative."""
    counts = own_array(node, what, values, shape, broadcast=broadcast)
    if not np.all(np.isfinite(counts) & (counts >= 0)):
        raise DataError(f"node {node!r}: {what} must be finite and not negative")
    return counts


def require_probabilities(
    node: str, table: Floats, parents: Sequence[str], states: Mapping[str, States]
) -> None:
    """Refuse a table with an entry that is not a probability or a configuration that does not sum to 1."""
    wrong = ~((table >= 0) & (table <= 1 + SUM_TOLERANCE))
    if np.any(wrong):
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        state = states[node][place[-1]]
        raise DataError(
            f"node {node!r}, state {state!r}{configuration(parents, states, place)}: {table[place]:.12g} is "
            "not a probability"
        )
    sums = table.sum(axis=-1)
    off = np.abs(sums - 1.0) > SUM_TOLERANCE
    if np.any(off):
        place = tuple(int(i) for i in np.argwhere(off)[0])
        raise DataError(
            f"node {node!r}{configuration(parents, states, place)}: the probabilities of "
            f"{shown_states(states[node])} sum to {sums[place]:.12g}, not to 1"
        )


def configuration(parents: Sequence[str], states: Mapping[str, States], place: Sequence[int]) -> str:
    """The parent configuration at a place of a table, for messages; empty for roots.

    >>> configuration(["Rain"], {"Rain": ("no", "yes")}, [1, 0])
    ", given Rain='yes'"
    """
    shown = ", ".join(f"{p}={states[p][i]!r}" for p, i in zip(parents, place, strict=False))
    return f", given {shown}" if shown else ""


def normalized(table: ArrayLike) -> Floats:
    """The table with every configuration divided by its sum; for rounded figures from print or files."""
    values = np.array(table, dtype=np.float64)
    sums = values.sum(axis=-1, keepdims=True)
    np.divide(values, sums, out=values, where=(sums > 0) & (sums != 1.0))
    return values
