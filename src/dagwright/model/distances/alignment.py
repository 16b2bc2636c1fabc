"""Two networks over the same variables, brought to the same order of states."""

from __future__ import annotations

import numpy as np

from dagwright.data.states import shown_states, state_key
from dagwright.errors import DataError, unknown_name
from dagwright.model.network import BayesianNetwork


def aligned(first: BayesianNetwork, second: BayesianNetwork) -> BayesianNetwork:
    """The second network with its states in the order of the first; refused if they are not the same."""
    for node in second.nodes:
        if node not in first.graph:
            raise unknown_name("node of the second network", node, first.nodes)
    order: dict[str, list[int]] = {}
    for node in first.nodes:
        if node not in second.graph:
            raise unknown_name("node of the first network", node, second.nodes)
        there = {state_key(state): place for place, state in enumerate(second.states(node))}
        here = [state_key(state) for state in first.states(node)]
        if set(there) != set(here):
            raise DataError(
                f"node {node!r} has the states {shown_states(first.states(node))} in one network and "
                f"{shown_states(second.states(node))} in the other"
            )
        order[node] = [there[key] for key in here]
    if all(places == sorted(places) for places in order.values()):
        return second
    return BayesianNetwork(
        second.graph,
        {node: first.states(node) for node in second.nodes},
        {
            node: second.table(node)[np.ix_(*(order[name] for name in (*second.parents(node), node)))]
            for node in second.nodes
        },
        parents={node: second.parents(node) for node in second.nodes},
        metadata=second.metadata,
    )
