"""A network changed by hand: nodes, states and arcs, one step at a time; each step gives a new network.

Tables follow: what was known stays as it was, and what is new is said in the function that makes it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dagwright.data.states import state_key
from dagwright.errors import DataError, GraphError, unknown_name
from dagwright.graph.dag import Dag
from dagwright.model.network import BayesianNetwork
from dagwright.model.tables.capacity import require_capacity
from dagwright.model.tables.checks import Floats, normalized


def empty_network(name: str = "") -> BayesianNetwork:
    """A network without nodes, to begin with.

    >>> empty_network().nodes
    ()
    """
    return BayesianNetwork(Dag(()), {}, {}, metadata=name)


def with_node(network: BayesianNetwork, node: str, states: Sequence[Hashable]) -> BayesianNetwork:
    """A further node without arcs, its states equally probable.

    >>> with_node(empty_network(), "rain", ["no", "yes"]).table("rain").tolist()
    [0.5, 0.5]
    """
    if node in network.nodes:
        raise GraphError(f"there is a node {node!r} already; choose another name")
    if not states:
        raise DataError(f"node {node!r} needs at least one state")
    graph = Dag((*network.nodes, node), network.graph.edges)
    return _rebuilt(network, graph, states={node: states}, tables={node: [1 / len(states)] * len(states)})


def without_node(network: BayesianNetwork, node: str) -> BayesianNetwork:
    """The network without a node; its children lose it as a parent as in `without_arc`."""
    network.states(node)
    for child in network.graph.children(node):
        network = without_arc(network, node, child)
    left = [other for other in network.nodes if other != node]
    return _rebuilt(network, Dag(left, [arc for arc in network.graph.edges if node not in arc]))


def with_arc(network: BayesianNetwork, start: str, end: str) -> BayesianNetwork:
    """A further arc; the child's probabilities do not depend on the new parent yet.

    >>> from dagwright import load
    >>> asia = with_arc(load("asia"), "smoke", "tub")
    >>> asia.parents("tub"), asia.table("tub")[0].tolist()
    (('asia', 'smoke'), [[0.05, 0.95], [0.05, 0.95]])
    """
    states = network.states(start)
    table = network.table(end)
    if start in network.parents(end):
        raise GraphError(f"there is an arc {start} -> {end} already")
    graph = network.graph.with_edges(add=[(start, end)])
    _require_room(network, {end: (*network.parents(end), start)})
    wider = np.repeat(table[..., np.newaxis, :], len(states), axis=-2)
    return _rebuilt(network, graph, tables={end: wider}, parents={end: (*network.parents(end), start)})


def without_arc(network: BayesianNetwork, start: str, end: str) -> BayesianNetwork:
    """The network without an arc; the child's table is the mean over the lost parent's distribution.

    >>> from dagwright import load
    >>> without_arc(load("asia"), "asia", "tub").table("tub").round(4).tolist()
    [0.0104, 0.9896]
    """
    _require_arc(network, start, end)
    parents = network.parents(end)
    weights = _distribution(network, start)
    narrow = np.tensordot(weights, network.table(end), axes=(0, parents.index(start)))
    return _rebuilt(
        network,
        network.graph.with_edges(remove=[(start, end)]),
        tables={end: narrow},
        parents={end: tuple(parent for parent in parents if parent != start)},
    )


def with_arc_turned(network: BayesianNetwork, start: str, end: str) -> BayesianNetwork:
    """The network with an arc the other way and the same joint distribution (Shachter 1986).

    Each of the two nodes also gets the other parents of the other one, which this needs.

    >>> from dagwright import load
    >>> turned = with_arc_turned(load("asia"), "asia", "tub")
    >>> turned.parents("asia"), round(turned.probability("asia", "yes", {"tub": "yes"}), 4)
    (('tub',), 0.0481)
    """
    _require_arc(network, start, end)
    shared = tuple(
        dict.fromkeys((*network.parents(start), *(one for one in network.parents(end) if one != start)))
    )
    added = [(parent, node) for node in (start, end) for parent in shared if parent != node]
    arcs = [arc for arc in network.graph.edges if arc != (start, end)]
    graph = Dag(network.nodes, dict.fromkeys([*arcs, *added, (end, start)]))
    _require_room(network, {start: (*shared, end), end: (*shared, start)})
    # P(start, end | shared), with the axes (shared..., start, end).
    joint = _spread(network, start, (*shared, start, end)) * _spread(network, end, (*shared, start, end))
    of_end = joint.sum(axis=-2)
    swapped = np.swapaxes(joint, -1, -2)  # (shared..., end, start)
    of_start = proportions(swapped)
    return _rebuilt(
        network,
        graph,
        tables={start: of_start, end: of_end},
        parents={start: (*shared, end), end: shared},
    )


def with_state(network: BayesianNetwork, node: str, state: Hashable) -> BayesianNetwork:
    """A further state of a node, last and with probability zero.

    The children's probabilities given the new state are the mean over the old ones.
    """
    states = network.states(node)
    if any(state_key(state) == state_key(one) for one in states):
        raise DataError(f"node {node!r} has a state {state!r} already")
    own = network.table(node)
    tables: dict[str, Floats] = {node: np.concatenate([own, np.zeros((*own.shape[:-1], 1))], axis=-1)}
    for child in network.graph.children(node):
        axis, table = network.parents(child).index(node), network.table(child)
        tables[child] = np.concatenate([table, table.mean(axis=axis, keepdims=True)], axis=axis)
    return _rebuilt(network, network.graph, states={node: (*states, state)}, tables=tables)


def without_state(network: BayesianNetwork, node: str, state: Hashable) -> BayesianNetwork:
    """The network without a state of a node: the node's distributions are those of the other states.

    Where a configuration allowed that state alone, the other states become equally probable.
    """
    gone, states = network.code(node, state), network.states(node)
    if len(states) == 1:
        raise DataError(f"{state!r} is the only state of {node!r}; remove the node in its place")
    tables: dict[str, Floats] = {node: proportions(np.delete(network.table(node), gone, axis=-1))}
    for child in network.graph.children(node):
        tables[child] = np.delete(network.table(child), gone, axis=network.parents(child).index(node))
    left = tuple(one for code, one in enumerate(states) if code != gone)
    return _rebuilt(network, network.graph, states={node: left}, tables=tables)


def proportions(table: ArrayLike) -> Floats:
    """The table with each configuration divided by its sum; equal shares where the sum is zero.

    >>> proportions([[1, 3], [0, 0]]).tolist()
    [[0.25, 0.75], [0.5, 0.5]]
    """
    values = np.asarray(table, dtype=np.float64)
    if not np.all(np.isfinite(values) & (values >= 0)):
        raise DataError("a table holds finite numbers that are not negative")
    shares = normalized(values)
    shares[values.sum(axis=-1) == 0] = 1 / max(values.shape[-1], 1)
    return shares


def _require_arc(network: BayesianNetwork, start: str, end: str) -> None:
    network.states(start)
    if start not in network.parents(end):
        arcs = [f"{a} -> {b}" for a, b in network.graph.edges]
        raise unknown_name("arc", f"{start} -> {end}", arcs)


def _require_room(network: BayesianNetwork, parents: Mapping[str, Sequence[str]]) -> None:
    """Refuse tables that do not fit before they are made."""
    require_capacity({node: network.cardinality(node) for node in network.nodes}, parents)


def _distribution(network: BayesianNetwork, node: str) -> Floats:
    """P(node) by position of the states."""
    return np.asarray(network.marginal([node]), dtype=np.float64)


def _spread(network: BayesianNetwork, node: str, axes: Sequence[str]) -> Floats:
    """The table of a node with an axis for each of ``axes``, of length one where it does not depend on it."""
    own = (*network.parents(node), node)
    table = network.table(node).transpose([own.index(name) for name in axes if name in own])
    shape = [network.cardinality(name) if name in own else 1 for name in axes]
    return np.asarray(table.reshape(shape))


def _rebuilt(
    network: BayesianNetwork,
    graph: Dag,
    *,
    states: Mapping[str, Any] | None = None,
    tables: Mapping[str, Any] | None = None,
    parents: Mapping[str, tuple[str, ...]] | None = None,
) -> BayesianNetwork:
    """A network over another graph; nodes whose states or tables are given lose counts and cut points."""
    new_states, new_tables, new_parents = states or {}, tables or {}, parents or {}
    kept = [node for node in graph.nodes if node in network.nodes and node not in new_tables]

    def behind(node: str) -> Any:
        return network.counts(node)

    return BayesianNetwork(
        graph,
        {node: new_states.get(node) or network.states(node) for node in graph.nodes},
        {node: new_tables[node] if node in new_tables else network.table(node) for node in graph.nodes},
        parents={
            node: new_parents[node] if node in new_parents else network.parents(node)
            for node in graph.nodes
            if node in network.nodes
        },
        counts={node: behind(node) for node in kept if behind(node) is not None},
        pseudo_counts={node: prior for node in kept if (prior := network.pseudo_counts(node)) is not None},
        origins={
            node: origin
            for node, origin in network.origins.items()
            if node in graph.nodes and node not in new_states
        },
        metadata=network.metadata
        if set(network.metadata.node_properties) <= set(graph.nodes)
        else network.name,
    )
