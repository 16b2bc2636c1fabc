"""Questions to a network: marginals, explanations, what to observe next, sensitivity, effects."""

from __future__ import annotations

import itertools
import math
import time
from typing import Any

from dagwright.errors import NotIdentifiableError
from dagwright.model import BayesianNetwork
from dagwright.studio.verbs.models import engine_of, in_states, network_of
from dagwright.studio.verbs.work import Work

Evidence = dict[str, Any]
LISTED = 30
SECONDS = 8.0
"""How long looking for the most sensitive table entries may take."""


def _asked(network: str, interventions: Evidence) -> BayesianNetwork:
    return engine_of(network, interventions).network


def ask(work: Work, *, network: str, evidence: Evidence, interventions: Evidence) -> dict[str, Any]:  # noqa: ARG001
    """P(node | evidence) of every node, beside what it was before."""
    engine = engine_of(network, interventions)
    seen = in_states(engine.network, evidence)
    before = engine_of(network, {}).marginals()
    after = engine.marginals(seen) if seen or interventions else before
    log_probability = engine.evidence_probability(seen, log=True) if seen else 0.0
    any_node = next(iter(after.values()), None)
    return {
        "marginals": [
            {
                "node": node,
                "states": [str(state) for state in posterior],
                "probabilities": list(posterior.values()),
                "before": list(before[node].values()),
            }
            for node, posterior in after.items()
        ],
        "log_probability": log_probability,
        "probability": math.exp(log_probability),
        "method": "exact" if any_node is None else any_node.method,
        "unsupported": [] if any_node is None or not seen else list(any_node.unsupported),
    }


def most_probable(
    work: Work,  # noqa: ARG001
    *,
    network: str,
    evidence: Evidence,
    interventions: Evidence,
    targets: list[str] | None,
) -> dict[str, Any]:
    """The most probable states together."""
    asked = _asked(network, interventions)
    seen = in_states(asked, evidence)
    found = asked.mpe(seen) if not targets else asked.map(targets, seen)
    return {"states": {node: str(state) for node, state in found.items()}, "probability": found.probability}


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
    asked = _asked(network, interventions)
    found = asked.most_informative(target, in_states(asked, evidence), among=among or None)
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
    asked = _asked(network, interventions)
    seen = in_states(asked, evidence)
    wanted = in_states(asked, {target: state})[target]
    value = asked.query(target, seen)[asked.states(target)[asked.code(target, wanted)]]
    began, complete, items = time.monotonic(), True, []
    for node, configuration, entry_state in _entries(asked, target, seen):
        if time.monotonic() - began > SECONDS:
            complete = False
            break
        found = asked.sensitivity(target, wanted, (node, entry_state), configuration, seen)
        if found.derivative != 0.0:
            items.append(
                {
                    "node": node,
                    "state": str(entry_state),
                    "configuration": {parent: str(one) for parent, one in configuration.items()},
                    "entry": asked.probability(node, entry_state, configuration),
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
    """The effect of setting a node on another, beside the effect of seeing it."""
    asked = network_of(network)
    rows = []
    asked.states(effect)
    for state in asked.states(cause):
        done = asked.do({cause: state}).query(effect)
        possible = asked.query(cause)[state] > 0
        seen = asked.query(effect, {cause: state}) if possible and cause != effect else None
        rows.append(
            {
                "do": str(state),
                "probabilities": list(done.values()),
                "seen": None if seen is None else list(seen.values()),
            }
        )
    try:
        sets = [list(one) for one in asked.adjustment_sets(cause, effect)]
    except NotIdentifiableError:
        sets = []
    return {
        "cause": cause,
        "effect": effect,
        "states": [str(state) for state in asked.states(effect)],
        "rows": rows,
        "adjustment_sets": sets,
    }
