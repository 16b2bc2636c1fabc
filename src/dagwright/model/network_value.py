"""A network as a value: what makes two equal, what is hashed, and what is printed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dagwright.base.wording import count_of
from dagwright.data.states import shown_states, state_key

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork
    from dagwright.model.tables.checks import Floats

SHOWN = 20
"""Nodes that a printed network names."""


def same_distribution(first: BayesianNetwork, second: BayesianNetwork) -> bool:
    """Whether two networks have the same graph, states, tables and regressions."""
    return (
        first.graph == second.graph
        and dict(first.gaussians) == dict(second.gaussians)
        and all(
            list(map(state_key, first.states(node))) == list(map(state_key, second.states(node)))
            and np.array_equal(_by_name(first, node), _by_name(second, node))
            for node in _discrete(first)
        )
    )


def digest_of(network: BayesianNetwork) -> int:
    """A number that equal networks share, the same in every process."""
    digest = hashlib.blake2b(digest_size=8)
    for node in sorted(_discrete(network)):
        states = [state_key(state) for state in network.states(node)]
        digest.update(repr((node, network.graph.parents(node), states)).encode("utf-8", "replace"))
        digest.update(np.ascontiguousarray(_by_name(network, node)).tobytes())
    for node in sorted(network.gaussians):
        ordered = network.gaussians[node].in_order()
        digest.update(repr((node, ordered.parents)).encode("utf-8", "replace"))
        for values in (ordered.intercept, ordered.sd, *ordered.coefficients.values()):
            digest.update(np.ascontiguousarray(values).tobytes())
    return int.from_bytes(digest.digest(), "little", signed=True)


def shown_network(network: BayesianNetwork) -> str:
    """The network in a few lines."""
    name = f" {network.name!r}" if network.name else ""
    head = (
        f"BayesianNetwork{name}: {count_of(len(network.nodes), 'node')}, "
        f"{count_of(len(network.graph.edges), 'arc')}, {count_of(network.dimension, 'parameter')}"
    )
    head += f" ({estimated})" if (estimated := network.estimation) else ""
    lines = [f"  {_shown_node(network, node)}" for node in network.nodes[:SHOWN]]
    more = [f"  and {len(network.nodes) - SHOWN} more nodes"] if len(network.nodes) > SHOWN else []
    return "\n".join([head, *lines, *more])


def _shown_node(network: BayesianNetwork, node: str) -> str:
    given = network.parents(node)
    condition = f" | {', '.join(given)}" if given else ""
    if node not in network.gaussians:
        return f"P({node}{condition}): {shown_states(network.states(node))}"
    own = network.gaussians[node]
    return own.equation(node) if not own.given else f"p({node}{condition}): {own.intercept.size} regressions"


def _discrete(network: BayesianNetwork) -> Sequence[str]:
    return [node for node in network.nodes if node not in network.gaussians]


def _by_name(network: BayesianNetwork, node: str) -> Floats:
    """The table with the parents' axes in alphabetical order."""
    parents = network.parents(node)
    axes = sorted(range(len(parents)), key=parents.__getitem__)
    return network.table(node).transpose(*axes, len(parents))
