"""Slow, plain answers by enumeration, against which the native ones are tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dagwright.model.inference.findings import Evidence, read_findings
from dagwright.model.tables.checks import Floats

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork


def full_joint(network: BayesianNetwork, evidence: Evidence | None = None) -> Floats:
    """P(all nodes, evidence) with one axis per node in the order of the nodes."""
    axis = {node: i for i, node in enumerate(network.nodes)}
    result = np.ones([network.cardinality(node) for node in network.nodes])

    def spread(table: Floats, over: Sequence[str]) -> Floats:
        order = sorted(range(len(over)), key=lambda i: axis[over[i]])
        shape = [network.cardinality(node) if node in over else 1 for node in network.nodes]
        return table.transpose(order).reshape(shape)

    for node in network.nodes:
        result = result * spread(network.table(node), (*network.parents(node), node))
    findings = read_findings(network, evidence)
    for node, code in findings.hard.items():
        result = result * spread(np.eye(network.cardinality(node))[code], [node])
    for node, values in findings.soft.items():
        result = result * spread(np.asarray(values), [node])
    return result


def enumerated_joint(
    network: BayesianNetwork, targets: Sequence[str], evidence: Evidence | None = None
) -> Floats:
    """P(targets, evidence) with one axis per target in the order given."""
    whole = full_joint(network, evidence)
    summed = tuple(i for i, node in enumerate(network.nodes) if node not in targets)
    left = [node for node in network.nodes if node in targets]
    return np.asarray(whole.sum(axis=summed)).transpose([left.index(node) for node in targets])


def enumerated_posterior(
    network: BayesianNetwork, target: str, evidence: Evidence | None = None
) -> Mapping[object, float]:
    """P(target | evidence) by state."""
    values = enumerated_joint(network, [target], evidence)
    return dict(zip(network.states(target), (values / values.sum()).tolist(), strict=True))
