"""Questions to a network: marginals, explanations, what to observe next, sensitivity, effects."""

from __future__ import annotations

import itertools
import math
import time
from typing import Any

from dagwright.errors import NotIdentifiableError
from dagwright.model import BayesianNetwork, NumericPosterior
from dagwright.studio.verbs.models import (
    engine_of,
    figures_before,
    in_states,
    intervened,
    marginals_of,
    network_of,
)
from dagwright.studio.verbs.numbers import number_marginal
from dagwright.studio.verbs.work import Work

Evidence = dict[str, Any]
LISTED = 30
SECONDS = 8.0
LARGEST_LOG = 700.0
"""The logarithm of a density above this is shown as this."""
"""How long looking for the most sensitive table entries may take."""


def ask(work: Work, *, network: str, evidence: Evidence, interventions: Evidence) -> dict[str, Any]:  # noqa: ARG001
    """P(node | evidence) of every node, beside what it was before."""
    engine = engine_of(network, interventions)
    seen = in_states(intervened(network, interventions), evidence)
    before, figures = marginals_of(network), figures_before(network)
    after = engine.marginals(seen) if seen or interventions else before
    log_probability = engine.evidence_probability(seen, log=True) if seen else 0.0
    any_node = next(iter(after.values()), None)
    return {
        "marginals": [
            number_marginal(
                node, now, before[node], figures[node], chosen=node in seen or node in interventions
            )
            if node in figures
            else _states(node, now, before[node])
            for node, now in after.items()
        ],
        "log_probability": log_probability,
        "probability": math.exp(min(log_probability, LARGEST_LOG)),
        "density": any(node in figures for node in seen),
        "method": "exact" if any_node is None else any_node.method,
        "unsupported": list(dict.fromkeys(_unsupported(after))) if seen else [],
    }


def _states(node: str, now: Any, before: Any) -> dict[str, Any]:
    return {
        "node": node,
        "kind": "states",
        "states": [str(state) for state in now],
        "probabilities": list(now.values()),
        "before": list(before.values()),
    }


def _unsupported(answers: Any) -> list[str]:
    """The warnings of the first answer about states; they are the same for all of them."""
    of_states = next((one for one in answers.values() if not isinstance(one, NumericPosterior)), None)
    return [] if of_states is None else list(of_states.unsupported)


def most_probable(
    work: Work,  # noqa: ARG001
    *,
    network: str,
    evidence: Evidence,
    interventions: Evidence,
    targets: list[str] | None,
) -> dict[str, Any]:
    """The most probable states together."""
    net = intervened(network, interventions)
    seen = in_states(net, evidence)
    found = net.mpe(seen) if not targets else net.map(targets, seen)
    return {
        "states": {
            node: f"{state:.6g}" if isinstance(state, float) and node in net.gaussians else str(state)
            for node, state in found.items()
        },
        "probability": found.probability,
        "density": bool(net.gaussians),
    }


def informative(
    work: Work,  # noqa: ARG001
    *,
    network: str,
    evidence: Evidence,
    interventions: Evidence,
    target: str,
    among: list[str] | None,
) -> dict[str, Any]:
    """The nodes to observe next."""
    net = intervened(network, interventions)
    found = net.most_informative(target, in_states(net, evidence), among=among or None)
    return {
        "target": target,
        "items": [{"node": node, "nats": nats, "bits": nats / math.log(2)} for node, nats in found.items()],
    }


def sensitivity(
    work: Work,  # noqa: ARG001
    *,
    network: str,
    evidence: Evidence,
    interventions: Evidence,
    target: str,
    state: str,
) -> dict[str, Any]:
    """The table entries that a probability depends on most."""
    net = intervened(network, interventions)
    seen = in_states(net, evidence)
    wanted = in_states(net, {target: state})[target]
    value = net.query(target, seen)[net.states(target)[net.code(target, wanted)]]
    began, complete, items = time.monotonic(), True, []
    for node, configuration, entry_state in _entries(net, target, seen):
        if time.monotonic() - began > SECONDS:
            complete = False
            break
        found = net.sensitivity(target, wanted, (node, entry_state), configuration, seen)
        if found.derivative != 0.0:
            items.append(
                {
                    "node": node,
                    "state": str(entry_state),
                    "configuration": {parent: str(one) for parent, one in configuration.items()},
                    "entry": net.probability(node, entry_state, configuration),
                    "derivative": found.derivative,
                    "low": _at(found, 0.0),
                    "high": _at(found, 1.0),
                }
            )
    items.sort(key=lambda item: -abs(item["derivative"]))
    return {"value": value, "items": items[:LISTED], "complete": complete}


def _at(found: Any, entry: float) -> float | None:
    try:
        return float(found(entry))
    except (ValueError, ZeroDivisionError):
        return None


def _entries(network: BayesianNetwork, target: str, seen: Evidence) -> Any:
    """Entries of the tables that can matter: of the target, of what was seen, and of their ancestors."""
    roots = {target, *seen}
    relevant = roots | set(network.graph.ancestors(sorted(roots)))
    for node in network.graph.topological_order()[::-1]:
        states = network.states(node)
        if node not in relevant or len(states) == 1:
            continue
        parents = network.parents(node)
        for configuration in itertools.product(*(network.states(parent) for parent in parents)):
            for state in states if len(states) > 2 else states[:1]:
                yield node, dict(zip(parents, configuration, strict=True)), state


def effect(work: Work, *, network: str, cause: str, effect: str) -> dict[str, Any]:  # noqa: ARG001
    """The effect of setting a node on another, beside the effect of seeing it.

    A number is set to its mean, and to one standard deviation on either side.
    """
    net = network_of(network)
    own = net.query(cause)
    net.query(effect)  # an unknown name is refused
    rows = []
    for value, possible in _settings(own):
        done = net.do({cause: value}).query(effect)
        seen = net.query(effect, {cause: value}) if possible and cause != effect else None
        rows.append(
            {
                "do": own.shown(value) if isinstance(own, NumericPosterior) else str(value),
                **_effect(done),
                "seen": None if seen is None else _effect(seen),
            }
        )
    try:
        sets = [list(one) for one in net.adjustment_sets(cause, effect)]
    except NotIdentifiableError:
        sets = []
    return {
        "cause": cause,
        "effect": effect,
        "states": [] if effect in net.gaussians else [str(state) for state in net.states(effect)],
        "rows": rows,
        "adjustment_sets": sets,
    }


def _settings(own: Any) -> list[tuple[Any, bool]]:
    """The values that a cause is set to, and whether each can be seen without setting it."""
    if not isinstance(own, NumericPosterior):
        return [(state, share > 0) for state, share in own.items()]
    if own.sd == 0:
        return [(own.mean, True)]
    return [(own.mean + step * own.sd, True) for step in (-1, 0, 1)]


def _effect(answer: Any) -> dict[str, Any]:
    if isinstance(answer, NumericPosterior):
        return {"mean": answer.mean, "sd": answer.sd}
    return {"probabilities": list(answer.values())}
