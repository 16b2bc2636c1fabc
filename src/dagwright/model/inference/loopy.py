"""Approximate answers by loopy belief propagation on the factor graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dagwright.errors import DagwrightError, DataError
from dagwright.model.inference.findings import Findings, shown_findings
from dagwright.model.inference.likelihood_weighting import sampled_posteriors
from dagwright.model.inference.methods import LikelihoodWeighting, LoopyPropagation
from dagwright.model.inference.posterior import Posterior
from dagwright.model.tables.checks import Floats
from dagwright.sentences import Argument

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork


def loopy_posteriors(
    network: BayesianNetwork, nodes: Sequence[str], findings: Findings, method: LoopyPropagation
) -> dict[str, Posterior]:
    """P(node | evidence) of the nodes once the messages have settled."""
    scopes: list[tuple[str, ...]] = []
    factors: list[Floats] = []
    for node in sorted(network.nodes):
        axes = (*network.parents(node), node)
        place = tuple(findings.hard.get(axis, slice(None)) for axis in axes)
        scopes.append(tuple(axis for axis in axes if axis not in findings.hard))
        factors.append(np.asarray(network.table(node)[place]))
        if node in findings.soft and node not in findings.hard:
            scopes.append((node,))
            factors.append(np.asarray(findings.soft[node]))
    to_variable = {
        (f, axis): np.full(network.cardinality(axis), 1.0 / network.cardinality(axis))
        for f, scope in enumerate(scopes)
        for axis in scope
    }
    at: dict[str, list[int]] = {}
    for f, scope in enumerate(scopes):
        for axis in scope:
            at.setdefault(axis, []).append(f)

    def belief(axis: str, without: int | None = None) -> Floats:
        result = np.ones(network.cardinality(axis))
        for f in at[axis]:
            if f != without:
                result *= to_variable[f, axis]
                result /= result.sum() or 1.0
        return result

    impossible = DagwrightError(
        "loopy propagation found no state with a positive probability given "
        f"{shown_findings(network, findings)}; the evidence may be impossible: ask with ",
        Argument("method", "exact"),
    )
    for _ in range(method.max_iterations):
        change = 0.0
        for f, scope in enumerate(scopes):
            incoming = [belief(axis, without=f) for axis in scope]
            for i, axis in enumerate(scope):
                message = _outgoing(factors[f], incoming, i)
                total = message.sum()
                if not total > 0:
                    raise impossible
                new = (1 - method.damping) * message / total + method.damping * to_variable[f, axis]
                change = max(change, float(np.abs(new - to_variable[f, axis]).max()))
                to_variable[f, axis] = new
        if change < method.tolerance:
            break
    else:
        raise DagwrightError(
            f"loopy propagation did not settle in {method.max_iterations} iterations (last change "
            f"{change:.2g}); raise max_iterations or damping, or use another method"
        )
    found = {}
    for node in nodes:
        if node in findings.hard:
            found[node] = np.eye(network.cardinality(node))[findings.hard[node]]
        else:
            values = belief(node)
            if not values.sum() > 0:
                raise impossible
            found[node] = values / values.sum()
    errors = (
        dict.fromkeys(nodes, 0.0) if _is_forest(scopes) else _errors(network, found, findings, method.check)
    )
    return {
        node: Posterior(zip(network.states(node), values.tolist(), strict=True), "loopy", errors[node])
        for node, values in found.items()
    }


def _is_forest(scopes: Sequence[tuple[str, ...]]) -> bool:
    """Whether the graph of factors and variables has no loop, so that the messages are exact."""
    root: dict[object, object] = {}

    def top(x: object) -> object:
        while root.setdefault(x, x) != x:
            x = root[x]
        return x

    for number, scope in enumerate(scopes):
        for axis in scope:
            if top(number) == top(axis):
                return False
            root[top(axis)] = top(number)
    return True


def _errors(
    network: BayesianNetwork, found: dict[str, Floats], findings: Findings, rows: int
) -> dict[str, float | None]:
    """How far the beliefs are from a weighted sample at most, with the standard error of that."""
    unknown: dict[str, float | None] = dict.fromkeys(found)
    if rows == 0:
        return unknown
    try:
        sampled, _ = sampled_posteriors(network, list(found), findings, LikelihoodWeighting(rows))
    except DataError:
        return unknown
    return {
        node: max(abs(p - q) for p, q in zip(values.tolist(), sampled[node].values(), strict=True))
        + (sampled[node].error or 0.0)
        for node, values in found.items()
    }


def _outgoing(factor: Floats, incoming: list[Floats], to: int) -> Floats:
    """The factor times every message but one, summed over all axes but that one."""
    result = factor
    for axis in range(factor.ndim - 1, -1, -1):
        if axis != to:
            result = np.tensordot(result, incoming[axis], axes=([axis], [0]))
    return np.asarray(result)
