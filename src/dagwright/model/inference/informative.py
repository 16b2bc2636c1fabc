"""Which observation would tell most about a target."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from dagwright.errors import OptionError
from dagwright.model.inference.engine import InferenceEngine
from dagwright.model.inference.findings import Evidence, read_findings

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork


def most_informative(
    network: BayesianNetwork, target: str, evidence: Evidence | None, among: Iterable[str] | None
) -> dict[str, float]:
    """Mutual information in nats between the target and each node given the evidence, largest first.

    I(T; X | e) = sum over t of P(t | e) KL(P(X | t, e) || P(X | e)): one propagation per state of T.
    """
    states = network.states(target)
    findings = read_findings(network, evidence)
    if target in findings.hard:
        raise OptionError(f"the target {target!r} is itself observed; nothing can tell more about it")
    among_nodes = [network._known(node) for node in (network.nodes if among is None else among)]
    candidates = [node for node in among_nodes if node != target and node not in findings.hard]
    engine = InferenceEngine(network)
    given = dict(evidence or {})
    given.pop(target, None)  # a likelihood of the target says nothing more once its state is given
    before = engine.marginals(evidence)
    information = dict.fromkeys(candidates, 0.0)
    for state in states:
        weight = before[target][state]
        if weight == 0.0:
            continue
        after = engine.marginals(given | {target: state})
        for node in candidates:
            p = np.fromiter(after[node].values(), dtype=np.float64)
            q = np.fromiter(before[node].values(), dtype=np.float64)
            seen = p > 0
            information[node] += weight * float(np.sum(p[seen] * np.log(p[seen] / q[seen])))
    ranked = sorted(information.items(), key=lambda item: (-item[1], item[0]))
    return {node: max(value, 0.0) for node, value in ranked}
