"""The probabilities of a network's states, and of classes of its numbers, as bars in its nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from dagwright.data.origin import PLAIN
from dagwright.errors import OptionError
from dagwright.graph.holders import held_network
from dagwright.model import BayesianNetwork, NumericPosterior
from dagwright.sentences import Call
from dagwright.show.diagram import Bar
from dagwright.show.state_runs import group_label, state_groups

MOST_STATES = 12
STEPS = (-1.5, -0.5, 0.5, 1.5)
"""Where the classes of a number end, in standard deviations from its mean."""


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
        if node in network.gaussians:
            shown_before = before[node] if evidence and node not in observed else None
            result[node] = number_bars(after[node], before[node], shown_before, chosen=node in observed)
            continue
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
        origin = network.origins.get(node, PLAIN)
        result[node] = _shown(bars, ordered=origin.orders(network.states(node)))
    return result


def number_bars(
    answer: NumericPosterior, scale: NumericPosterior, before: NumericPosterior | None, *, chosen: bool
) -> tuple[Bar, ...]:
    """The distribution of a number in classes of one standard deviation around the mean of ``scale``."""
    if scale.sd <= 0:
        return (Bar(f"{scale.mean:.4g}", 1.0, None, chosen),)
    cuts = [scale.mean + step * scale.sd for step in STEPS]
    texts = [f"{cut:.4g}" for cut in cuts]
    labels = [f"below {texts[0]}", *(f"{a} to {b}" for a, b in pairwise(texts)), f"above {texts[-1]}"]
    shares = _class_shares(answer, cuts)
    earlier = [None] * len(labels) if before is None else _class_shares(before, cuts)
    return tuple(
        Bar(label, share, was, chosen and share >= 1 - 1e-12)
        for label, share, was in zip(labels, shares, earlier, strict=True)
    )


def _class_shares(answer: NumericPosterior, cuts: list[float]) -> list[float]:
    below = [0.0, *map(float, answer.cdf(cuts)), 1.0]
    return [high - low for low, high in pairwise(below)]


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
