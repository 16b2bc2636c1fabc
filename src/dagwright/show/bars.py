"""The probabilities of a network's states as bars in its nodes, and its numbers as densities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dagwright.data.origin import PLAIN
from dagwright.errors import OptionError
from dagwright.graph.holders import held_network
from dagwright.model import BayesianNetwork
from dagwright.sentences import Call
from dagwright.show.densities import density_of
from dagwright.show.diagram import Bar, Density
from dagwright.show.state_runs import group_label, state_groups

MOST_STATES = 12


def network_of(thing: Any) -> BayesianNetwork:
    """The network itself, that of a Markov network, or that of a result that still has its data."""
    if isinstance(thing, BayesianNetwork):
        return thing
    made = held_network(thing)
    if isinstance(made, BayesianNetwork):
        return made
    raise OptionError(
        f"probabilities need a network, and a {type(thing).__name__} has none; ",
        Call("fit"),
        " makes one of a graph",
    )


def node_contents(
    thing: Any, nodes: Iterable[str], evidence: Mapping[str, Any] | None
) -> dict[str, tuple[Bar, ...] | Density]:
    """Bars of states and densities of numbers: marginals, or under evidence posteriors beside them."""
    network = network_of(thing)
    before = network.marginals()
    after = network.marginals(evidence) if evidence else before
    observed = evidence or {}
    result: dict[str, tuple[Bar, ...] | Density] = {}
    for node in nodes:
        changed = bool(evidence) and node not in observed
        if node in network.gaussians:
            earlier = before[node] if changed else None
            result[node] = density_of(after[node], before[node], earlier, chosen=node in observed)
            continue
        bars = [
            Bar(
                str(state),
                float(after[node][state]),
                float(before[node][state]) if changed else None,
                node in observed and after[node][state] >= 1 - 1e-12,
                number,
            )
            for number, state in enumerate(network.states(node))
        ]
        origin = network.origins.get(node, PLAIN)
        result[node] = _shown(bars, ordered=origin.orders(network.states(node)))
    return result


def _shown(bars: list[Bar], *, ordered: bool) -> tuple[Bar, ...]:
    """All bars, or several states in one bar where there are many."""
    labels = [bar.label for bar in bars]
    return tuple(
        bars[group[0]]
        if len(group) == 1
        else _together([bars[at] for at in group], group_label(labels, group))
        for group in state_groups([bar.share for bar in bars], MOST_STATES, ordered=ordered)
    )


def _together(bars: list[Bar], label: str) -> Bar:
    before = None if bars[0].before is None else sum(bar.before or 0.0 for bar in bars)
    return Bar(label, sum(bar.share for bar in bars), before, any(bar.chosen for bar in bars))
