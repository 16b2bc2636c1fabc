"""Approximate answers by weighted sampling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dagwright.errors import DataError
from dagwright.model.checks import Floats
from dagwright.model.findings import Findings, shown_findings
from dagwright.model.methods import LikelihoodWeighting
from dagwright.model.posterior import Posterior
from dagwright.seeds import generator

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork


def sampled_posteriors(
    network: BayesianNetwork, nodes: Sequence[str], findings: Findings, method: LikelihoodWeighting
) -> tuple[dict[str, Posterior], float]:
    """P(node | evidence) of the nodes, and the effective number of samples (Kong 1992)."""
    drawn, log_weights = _weighted_rows(network, findings, method)
    largest = log_weights.max()
    if np.isneginf(largest):
        raise DataError(
            f"none of {method.samples:,} samples agrees with the evidence "
            f"{shown_findings(network, findings)}; draw more samples, or use method='exact' or 'loopy'"
        )
    weights = np.exp(log_weights - largest)
    weights /= weights.sum()
    effective = float(1.0 / np.square(weights).sum())
    answers = {}
    for node in nodes:
        probabilities = np.bincount(drawn[node], weights, network.cardinality(node))
        # Delta method for a ratio estimate: sum of w^2 (indicator - p)^2 (Owen 2013, Eq. 9.8).
        squares = np.bincount(drawn[node], np.square(weights), network.cardinality(node))
        variance = squares * (1 - probabilities) ** 2 + (squares.sum() - squares) * probabilities**2
        answers[node] = Posterior(
            zip(network.states(node), probabilities.tolist(), strict=True),
            "likelihood_weighting",
            float(np.sqrt(variance.max())),
        )
    return answers, effective


def _weighted_rows(
    network: BayesianNetwork, findings: Findings, method: LikelihoodWeighting
) -> tuple[dict[str, np.ndarray], Floats]:
    random = generator(method.random_state)
    log_weights = np.zeros(method.samples)
    drawn: dict[str, np.ndarray] = {}
    with np.errstate(divide="ignore"):
        for node in network.graph.topological_order():
            table = network.table(node)
            given = tuple(drawn[parent] for parent in network.parents(node))
            if node in findings.hard:
                code = findings.hard[node]
                drawn[node] = np.full(method.samples, code)
                log_weights += np.log(table[(*given, code)])
                continue
            cumulative = np.cumsum(table, axis=-1)
            cumulative /= cumulative[..., -1:]
            uniform = random.random(method.samples)
            rows = cumulative[given] if given else np.broadcast_to(cumulative, (method.samples, table.size))
            drawn[node] = (uniform[:, None] >= rows).sum(axis=1)
            if node in findings.soft:
                log_weights += np.log(np.asarray(findings.soft[node]))[drawn[node]]
    return drawn, log_weights
