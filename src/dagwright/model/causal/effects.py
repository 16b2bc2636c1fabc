"""Nodes that are set rather than seen: surgery on the graph, effects, adjustment (Pearl 2009)."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright.errors import DataError, GraphError, NotIdentifiableError, OptionError
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_dag
from dagwright.graph.mag import Mag
from dagwright.graph.paths import marks_of, open_path, path_text
from dagwright.graph.separation import minimal_separators
from dagwright.model.gaussian.distribution import LinearGaussian
from dagwright.model.inference.findings import finite_number
from dagwright.model.tables.checks import Floats
from dagwright.sentences import Argument, Literally

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork

MAX_LISTED = 1000
"""Minimal separators looked at; a graph can have exponentially many."""


def intervened(network: BayesianNetwork, setting: Mapping[str, Any]) -> BayesianNetwork:
    """The network in which the nodes of the setting have lost their causes and have the states given.

    A state may also be a distribution {state: probability}, and a number a `LinearGaussian` without parents:
    the node is then drawn from it.
    """
    if not setting:
        raise OptionError("do() needs at least one node and its state")
    graph = network.graph.with_edges(
        remove=[(parent, node) for node in setting for parent in network.parents(node)]
    )
    tables: dict[str, Any] = {
        node: network.gaussians[node] if node in network.gaussians else network.table(node)
        for node in network.nodes
        if node not in setting
    }
    for node, state in setting.items():
        if node in network.gaussians:
            tables[node] = (
                state
                if isinstance(state, LinearGaussian)
                else LinearGaussian(finite_number(network, node, state), sd=0.0)
            )
            continue
        row = np.zeros(network.cardinality(node))
        if isinstance(state, Mapping):
            for each, probability in state.items():
                row[network.code(node, each)] = probability
        else:
            row[network.code(node, state)] = 1.0
        tables[node] = row
    return type(network)(
        graph,
        {node: network.states(node) for node in network.nodes if node not in network.gaussians},
        tables,
        parents={
            node: () if node in setting else network.parents(node)
            for node in network.nodes
            if node not in network.gaussians
        },
        origins=network.origins,
        metadata=network.metadata,
    )


def backdoor_sets(
    graph: GraphLike, cause: str, effect: str, observed: Iterable[str] | None = None
) -> Iterator[frozenset[str]]:
    """Minimal adjustment sets by the back-door criterion, smallest first (Pearl 2009, Definition 3.3.1).

    A set qualifies if it holds no descendant of the cause and blocks every path into the cause, which is
    separation of cause and effect in the graph without the arrows out of the cause.
    """
    graph = as_dag(graph, differ="what blocks back-door paths depends on directions")
    _checked_pair(graph, cause, effect)
    seen = _observed(graph, observed)
    allowed = seen - {cause, effect, *graph.descendants(cause)}
    cut = graph.with_edges(remove=[(cause, child) for child in graph.children(cause)])
    yield from smallest_first(minimal_separators(cut, cause, effect, allowed))


def smallest_first(sets: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """The first sets of a list that may be very long, by their size."""
    return sorted(itertools.islice(sets, MAX_LISTED), key=lambda each: (len(each), sorted(each)))


def adjusted_distribution(
    network: BayesianNetwork,
    effect: str,
    setting: Mapping[str, Hashable],
    observed: Iterable[str] | None = None,
) -> dict[Hashable, float]:
    """P(effect | do(cause = state)) from what is observed: sum over z of P(effect | cause, z) P(z).

    Refused with the reason if no observed set satisfies the back-door criterion.
    """
    if len(setting) != 1:
        raise OptionError(f"adjustment is for one cause at a time, not {list(setting)}; use do() for more")
    ((cause, state),) = setting.items()
    code = network.code(cause, state)
    network.states(effect)  # a continuous node is refused
    graph = network.graph
    chosen = next(backdoor_sets(graph, cause, effect, observed), None)
    if chosen is None:
        raise not_identifiable(graph, cause, effect, observed)
    given = sorted(chosen)
    joint = network.joint([*given, cause, effect])
    weights = joint.sum(axis=(-1, -2))
    below = joint[..., code, :].sum(axis=-1)
    if np.any((below == 0) & (weights > 0)):
        raise DataError(
            f"{cause}={state!r} never occurs for some states of {', '.join(given) or 'the rest'}, so its "
            "effect there cannot be estimated; use do()"
        )
    shares = np.divide(weights, below, out=np.zeros_like(weights), where=below > 0)
    values = (joint[..., code, :] * shares[..., None]).reshape(-1, joint.shape[-1]).sum(axis=0)
    return dict(zip(network.states(effect), values.tolist(), strict=True))


def not_identifiable(
    graph: Dag, cause: str, effect: str, observed: Iterable[str] | None
) -> NotIdentifiableError:
    """The refusal, naming an open back-door path."""
    allowed = _observed(graph, observed) - {cause, effect, *graph.descendants(cause)}
    cut = graph.with_edges(remove=[(cause, child) for child in graph.children(cause)])
    return NotIdentifiableError(
        f"the effect of {cause!r} on {effect!r} cannot be found by adjusting for what is observed: the path "
        f"{still_open(cut, cause, effect, allowed)} stays open; observe a node on it, or use do() on the "
        "full network"
    )


def still_open(cut: Dag | Mag, cause: str, effect: str, allowed: frozenset[str]) -> str:
    """A path that no allowed set closes.

    If any allowed set separates, then so do all allowed ancestors of both (van der Zander, Liśkiewicz &
    Textor 2014); so what these leave open proves that none does.
    """
    marks = marks_of(cut)
    above = marks.ancestors(cut._nodes.number(cause)) | marks.ancestors(cut._nodes.number(effect))
    path = open_path(cut, cause, effect, allowed.intersection(cut._nodes.name_all(above)))
    assert path is not None
    return path_text(cut, path)


def average_causal_effect(
    network: BayesianNetwork,
    cause: str,
    effect: str,
    states: tuple[Hashable, Hashable],
    values: Mapping[Hashable, float] | None = None,
    evidence: Mapping[str, Any] | None = None,
) -> float:
    """E[effect | do(cause = states[1])] - E[effect | do(cause = states[0])].

    Parameters
    ----------
    values
        A number for each state of the effect; without them, states that are numbers count as such.
    evidence
        What is observed after the intervention; both expectations are given it.
    """
    _checked_pair(network.graph, cause, effect)
    if effect in network.gaussians:
        means = [intervened(network, {cause: state}).query(effect, evidence).mean for state in states]
        return float(means[1] - means[0])
    of_states = _values(network, effect, values)
    low, high = (
        sum(p * v for p, v in zip(_after(network, {cause: s}, effect, evidence), of_states, strict=True))
        for s in states
    )
    return float(high - low)


def _after(
    network: BayesianNetwork, setting: Mapping[str, Any], effect: str, evidence: Mapping[str, Any] | None
) -> list[float]:
    return list(intervened(network, setting).query(effect, evidence).values())


def _values(network: BayesianNetwork, effect: str, values: Mapping[Hashable, float] | None) -> Floats:
    states = network.states(effect)
    if values is None:
        numbers = [s for s in states if isinstance(s, int | float)]
        if len(numbers) < len(states):
            raise OptionError(
                f"the states of {effect!r} are not numbers; give ",
                Argument("values", Literally("{state: number}")),
                ", for instance 1 for the state whose probability matters and 0 for the others",
            )
        return np.array(numbers, dtype=np.float64)
    by_code = {network.code(effect, state): float(value) for state, value in values.items()}
    lacking = [state for code, state in enumerate(states) if code not in by_code]
    if lacking:
        raise OptionError(
            Argument("values"),
            f" lacks the state {lacking[0]!r} of {effect!r}",
        )
    return np.array([by_code[code] for code in range(len(states))])


def _observed(graph: Dag, observed: Iterable[str] | None) -> frozenset[str]:
    names = graph.nodes if observed is None else tuple(observed)
    for node in names:
        graph.parents(node)  # an unknown name is refused
    return frozenset(names)


def _checked_pair(graph: Dag, cause: str, effect: str) -> None:
    graph.parents(cause)
    graph.parents(effect)
    if cause == effect:
        raise GraphError(f"cause and effect must differ, both are {cause!r}")
