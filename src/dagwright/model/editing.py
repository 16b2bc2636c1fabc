"""A network changed by hand: nodes, states and arcs, one step at a time; each step gives a new network.

Tables follow: what was known stays as it was, and what is new is said in the function that makes it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dagwright.data.states import state_key
from dagwright.errors import DataError, GraphError, unknown_name
from dagwright.graph.dag import Dag
from dagwright.model.gaussian.distribution import LinearGaussian
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
    _require_new(network, node)
    if not states:
        raise DataError(f"node {node!r} needs at least one state")
    graph = Dag((*network.nodes, node), network.graph.edges)
    return _rebuilt(network, graph, states={node: states}, tables={node: [1 / len(states)] * len(states)})


def with_number(network: BayesianNetwork, node: str) -> BayesianNetwork:
    """A further continuous node without arcs: standard normal.

    >>> with_number(empty_network(), "size").cpd("size")
    size = 0 + N(0, 1)
    """
    _require_new(network, node)
    graph = Dag((*network.nodes, node), network.graph.edges)
    return _rebuilt(network, graph, tables={node: LinearGaussian()})


def with_equation(network: BayesianNetwork, node: str, own: LinearGaussian) -> BayesianNetwork:
    """The network with another distribution of a continuous node, over the same parents."""
    network.parents(node)  # an unknown name is refused
    if node not in network.gaussians:
        raise DataError(f"node {node!r} has states, so it takes a table, not an equation")
    return _rebuilt(network, network.graph, tables={node: own})


def without_node(network: BayesianNetwork, node: str) -> BayesianNetwork:
    """The network without a node; its children lose it as a parent as in `without_arc`."""
    network.parents(node)  # an unknown name is refused
    for child in network.graph.children(node):
        network = without_arc(network, node, child)
    left = [other for other in network.nodes if other != node]
    return _rebuilt(network, Dag(left, [arc for arc in network.graph.edges if node not in arc]))


def with_arc(network: BayesianNetwork, start: str, end: str) -> BayesianNetwork:
    """A further arc; the child's probabilities or equations do not depend on the new parent yet.

    >>> from dagwright import load
    >>> asia = with_arc(load("asia"), "smoke", "tub")
    >>> asia.parents("tub"), asia.table("tub")[0].tolist()
    (('asia', 'smoke'), [[0.05, 0.95], [0.05, 0.95]])
    """
    for node in (start, end):
        network.parents(node)  # an unknown name is refused
    if start in network.parents(end):
        raise GraphError(f"there is an edge {start} -> {end} already")
    graph = network.graph.with_edges(add=[(start, end)])
    if end in network.gaussians:
        return _rebuilt(network, graph, tables={end: _with_parent(network, start, end)})
    if start in network.gaussians:
        raise GraphError(
            f"{start!r} is a number and {end!r} has states: an edge from a number to a category has no "
            f"table; reverse it, or cut {start!r} into intervals"
        )
    states, table = network.states(start), network.table(end)
    _require_room(network, {end: (*network.parents(end), start)})
    wider = np.repeat(table[..., np.newaxis, :], len(states), axis=-2)
    return _rebuilt(network, graph, tables={end: wider}, parents={end: (*network.parents(end), start)})


def without_arc(network: BayesianNetwork, start: str, end: str) -> BayesianNetwork:
    """The network without an arc; the child's table is the mean over the lost parent's distribution.

    A number keeps its mean and variance where its other parents do not depend on the lost one.

    >>> from dagwright import load
    >>> without_arc(load("asia"), "asia", "tub").table("tub").round(4).tolist()
    [0.0104, 0.9896]
    """
    _require_arc(network, start, end)
    parents = network.parents(end)
    if end in network.gaussians:
        graph = network.graph.with_edges(remove=[(start, end)])
        return _rebuilt(network, graph, tables={end: _without_parent(network, start, end)})
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
    if number := next((node for node in (start, end) if node in network.gaussians), None):
        raise GraphError(
            f"only an edge between discrete nodes can be reversed, and {number!r} is continuous; "
            "remove the edge and add the opposite one"
        )
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
    tables: dict[str, Any] = {node: np.concatenate([own, np.zeros((*own.shape[:-1], 1))], axis=-1)}

    def longer(values: Floats, axis: int) -> Floats:
        return np.concatenate([values, values.mean(axis=axis, keepdims=True)], axis=axis)

    tables |= {child: _along(network, child, node, longer) for child in network.graph.children(node)}
    return _rebuilt(network, network.graph, states={node: (*states, state)}, tables=tables)


def without_state(network: BayesianNetwork, node: str, state: Hashable) -> BayesianNetwork:
    """The network without a state of a node: the node's distributions are those of the other states.

    Where a configuration allowed that state alone, the other states become equally probable.
    """
    gone, states = network.code(node, state), network.states(node)
    if len(states) == 1:
        raise DataError(f"{state!r} is the only state of {node!r}; remove the node in its place")
    tables: dict[str, Any] = {node: proportions(np.delete(network.table(node), gone, axis=-1))}

    def shorter(values: Floats, axis: int) -> Floats:
        return np.delete(values, gone, axis=axis)

    tables |= {child: _along(network, child, node, shorter) for child in network.graph.children(node)}
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


def _along(
    network: BayesianNetwork, child: str, parent: str, change: Callable[[Floats, int], Floats]
) -> Floats | LinearGaussian:
    """The table or the equations of a child after a change along the axis of a parent with states."""
    if child not in network.gaussians:
        return change(network.table(child), network.parents(child).index(parent))
    own = network.gaussians[child]
    axis = own.given.index(parent)
    return LinearGaussian(
        change(own.intercept, axis),
        {name: change(values, axis) for name, values in own.coefficients.items()},
        change(own.sd, axis),
        given=own.given,
    )


def _with_parent(network: BayesianNetwork, start: str, end: str) -> LinearGaussian:
    """The equations of a number with a further parent, on which they do not depend yet."""
    own = network.gaussians[end]
    if start in network.gaussians:
        return LinearGaussian(own.intercept, {**own.coefficients, start: 0.0}, own.sd, given=own.given)

    def wider(values: Floats) -> Floats:
        return np.repeat(values[..., np.newaxis], len(network.states(start)), axis=-1)

    return LinearGaussian(
        wider(own.intercept),
        {parent: wider(values) for parent, values in own.coefficients.items()},
        wider(own.sd),
        given=(*own.given, start),
    )


def _without_parent(network: BayesianNetwork, start: str, end: str) -> LinearGaussian:
    """The equations of a number without a parent, which is averaged over its distribution."""
    own = network.gaussians[end]
    if start in network.gaussians:
        lost, slope = network.query(start), own.coefficients[start]
        return LinearGaussian(
            own.intercept + slope * lost.mean,
            {parent: values for parent, values in own.coefficients.items() if parent != start},
            np.sqrt(np.square(own.sd) + np.square(slope) * lost.variance),
            given=own.given,
        )
    axis, weights = own.given.index(start), _distribution(network, start)

    def mean(values: Floats) -> Floats:
        return np.asarray(np.tensordot(weights, values, axes=(0, axis)))

    intercept = mean(own.intercept)
    off = own.intercept - np.expand_dims(intercept, axis)
    return LinearGaussian(
        intercept,
        {parent: mean(values) for parent, values in own.coefficients.items()},
        np.sqrt(mean(np.square(own.sd) + np.square(off))),
        given=tuple(parent for parent in own.given if parent != start),
    )


def _require_new(network: BayesianNetwork, node: str) -> None:
    if node in network.nodes:
        raise GraphError(f"there is a node {node!r} already; choose another name")


def _require_arc(network: BayesianNetwork, start: str, end: str) -> None:
    network.parents(start)  # an unknown name is refused
    if start not in network.parents(end):
        arcs = [f"{a} -> {b}" for a, b in network.graph.edges]
        raise unknown_name("edge", f"{start} -> {end}", arcs)


def _require_room(network: BayesianNetwork, parents: Mapping[str, Sequence[str]]) -> None:
    """Refuse tables that do not fit before they are made."""
    discrete = [node for node in network.nodes if node not in network.gaussians]
    require_capacity({node: network.cardinality(node) for node in discrete}, parents)


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
    numbers: dict[str, Any] = {node: own for node, own in network.gaussians.items() if node in graph.nodes}
    numbers |= {node: own for node, own in new_tables.items() if isinstance(own, LinearGaussian)}
    discrete = [node for node in graph.nodes if node not in numbers]
    kept = [node for node in discrete if node in network.nodes and node not in new_tables]
    return BayesianNetwork(
        graph,
        {node: new_states.get(node) or network.states(node) for node in discrete},
        numbers
        | {node: new_tables[node] if node in new_tables else network.table(node) for node in discrete},
        parents={
            node: new_parents[node] if node in new_parents else network.parents(node)
            for node in discrete
            if node in network.nodes
        },
        counts={node: counts for node in kept if (counts := network.counts(node)) is not None},
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
