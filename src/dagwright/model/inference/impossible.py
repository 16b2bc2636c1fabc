"""Which part of the evidence is impossible: the smallest combination of probability zero."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from dagwright.errors import ImpossibleEvidenceError
from dagwright.model.inference.findings import Findings, shown_findings

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork

MAX_COMBINATIONS = 2000
"""Combinations asked about, beyond a first irreducible one, in search of a smaller one."""


def impossible_evidence(
    network: BayesianNetwork, findings: Findings, log_probability: Callable[[Findings], float]
) -> ImpossibleEvidenceError:
    """The error that names the smallest impossible combination within evidence of probability zero."""

    def impossible(nodes: set[str]) -> bool:
        return math.isinf(log_probability(findings.only(nodes)))

    everything = [*findings.hard, *findings.soft, *findings.numbers]
    smallest = set(everything)
    for node in everything:  # leaves a combination every part of which is needed
        if impossible(smallest - {node}):
            smallest.discard(node)
    queries = 0
    for size in range(1, len(smallest)):
        for nodes in itertools.combinations(everything, size):
            queries += 1
            if queries > MAX_COMBINATIONS:
                return _error(network, findings, smallest)
            if impossible(set(nodes)):
                return _error(network, findings, set(nodes))
    return _error(network, findings, smallest)


def _error(network: BayesianNetwork, findings: Findings, nodes: set[str]) -> ImpossibleEvidenceError:
    part = findings.only(nodes)
    shown = shown_findings(network, part)
    return ImpossibleEvidenceError(
        f"the evidence {shown} has probability zero in this network; drop a part of it, or fit the network "
        "with a prior that leaves no state impossible",
        evidence={node: network.states(node)[code] for node, code in part.hard.items()}
        | dict(part.soft)
        | dict(part.numbers),
    )
