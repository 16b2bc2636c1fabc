"""How an answer moves with one number of one table."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dagwright.errors import DataError
from dagwright.model.inference.engine import log_probability, require_possible
from dagwright.model.inference.findings import Evidence, Findings, read_findings

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork


@dataclass(frozen=True)
class Sensitivity:
    """P(target | evidence) as a function of one table entry: (a x + b) / (c x + d) (Laskey 1995).

    The other entries of the same configuration keep their ratios as the entry moves.

    Attributes
    ----------
    parameter
        The entry as it stands in the network.
    value
        The answer at that entry.
    derivative
        The slope of the answer there.
    coefficients
        a, b, c and d.
    """

    parameter: float
    value: float
    derivative: float
    coefficients: tuple[float, float, float, float]

    def __call__(self, x: float) -> float:
        """The answer if the entry were ``x``."""
        if not 0 <= x <= 1:
            raise DataError(f"a table entry must be between 0 and 1, got {x}")
        a, b, c, d = self.coefficients
        if not c * x + d > 0:
            raise DataError(f"the evidence is impossible if the entry is {x}")
        return (a * x + b) / (c * x + d)

    def parameter_for(self, value: float) -> float | None:
        """The entry at which the answer would be ``value``; None if none between 0 and 1 does."""
        a, b, c, d = self.coefficients
        slope = a - value * c
        if slope == 0:
            return None
        x = (value * d - b) / slope
        return x if 0 <= x <= 1 else None


def sensitivity(
    network: BayesianNetwork,
    target: str,
    state: Hashable,
    parameter: tuple[str, Hashable],
    configuration: Mapping[str, Hashable] | None = None,
    evidence: Evidence | None = None,
) -> Sensitivity:
    """How P(target = state | evidence) depends on the table entry P(parameter | configuration)."""
    node, of_state = parameter
    x = network.probability(node, of_state, configuration)
    code = network.code(node, of_state)
    place = tuple(network.code(parent, (configuration or {})[parent]) for parent in network.parents(node))
    findings = read_findings(network, evidence)
    require_possible(network, findings)
    wanted = network.code(target, state)
    contradicts = findings.hard.get(target, wanted) != wanted
    joint = Findings(findings.hard | {target: wanted}, findings.soft)

    def at(entry: float) -> tuple[float, float]:
        changed = network.with_table(node, _with_entry(network, node, place, code, entry))
        with_target = 0.0 if contradicts else math.exp(log_probability(changed, joint))
        return with_target, math.exp(log_probability(changed, findings))

    # Both probabilities are linear in the entry, so two points give them.
    (b, d), (joint_at_1, evidence_at_1) = at(0.0), at(1.0)
    a, c = joint_at_1 - b, evidence_at_1 - d
    below = c * x + d
    return Sensitivity(x, (a * x + b) / below, (a * d - b * c) / below**2, (a, b, c, d))


def _with_entry(
    network: BayesianNetwork, node: str, place: tuple[int, ...], code: int, entry: float
) -> np.ndarray:
    table = network.table(node).copy()
    if table.shape[-1] == 1:
        raise DataError(f"node {node!r} has one state only; its probability cannot change")
    row = table[place]
    others = np.delete(row, code)
    rest = others / others.sum() if others.sum() > 0 else np.full(others.size, 1 / others.size)
    table[place] = np.insert(rest * (1.0 - entry), code, entry)
    return table
