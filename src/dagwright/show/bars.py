"""The probabilities of a network's states as bars in its nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dagwright.errors import OptionError
from dagwright.model import BayesianNetwork
from dagwright.show.diagram import Bar

MOST_STATES = 12


def network_of(thing: Any) -> BayesianNetwork:
    """The network itself, that of a Markov network, or that of a result that still has its data."""
    if isinstance(thing, BayesianNetwork):
        return thing
    found = getattr(thing, "network", None)
    made = found() if callable(found) else found
    if isinstance(made, BayesianNetwork):
        return made
    raise OptionError(
        f"probabilities need a network, and a {type(thing).__name__} has none; fit() makes one of a graph"
    )


def state_bars(
    thing: Any, nodes: Iterable[str], evidence: Mapping[str, Any] | None
) -> dict[str, tuple[Bar, ...]]:
    """Bars for each node: marginals, or under evidence posteriors with the marginals as ticks."""
    network = network_of(thing)
    before = network.marginals()
    after = network.marginals(evidence) if evidence else before
    observed = evidence or {}
    result: dict[str, tuple[Bar, ...]] = {}
    for node in nodes:
        bars = [
            Bar(
                str(state),
                float(after[node][state]),
                float(before[node][state]) if evidence and node not in observed else None,
                node in observed and after[node][state] >= 1 - 1e-12,
                number,
            )
            for number, state in enumerate(network.states(node))
        ]
        result[node] = _shown(bars)
    return result


def _shown(bars: list[Bar]) -> tuple[Bar, ...]:
    """All bars, or those of the likeliest states and one for the rest together."""
    if len(bars) <= MOST_STATES:
        return tuple(bars)
    likely = sorted(range(len(bars)), key=lambda at: (-bars[at].share, at))[: MOST_STATES - 1]
    kept = [bars[at] for at in sorted(likely)]
    rest = [bar for at, bar in enumerate(bars) if at not in set(likely)]
    before = None if rest[0].before is None else sum(bar.before or 0.0 for bar in rest)
    return (*kept, Bar(f"{len(rest)} others", sum(bar.share for bar in rest), before))
