"""Approximate answers by weighted sampling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dagwright.base.seeds import generator
from dagwright.errors import DataError
from dagwright.model.inference.findings import Findings, shown_findings
from dagwright.model.inference.methods import LikelihoodWeighting
from dagwright.model.inference.posterior import Posterior
from dagwright.model.tables.checks import Floats
from dagwright.sentences import Argument

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork


def sampled_posteriors(
    network: BayesianNetwork, nodes: Sequence[str], findings: Findings, method: LikelihoodWeighting
) -> tuple[dict[str, Posterior], float]:
    """P(node | evidence) of the nodes, and the effective number of samples (Kong 1992)."""
    drawn, log_weights = weighted_rows(network, findings, method.samples, generator(method.random_state))
    largest = log_weights.max()
    if np.isneginf(largest):
        raise DataError(
            f"none of {method.samples:,} samples agrees with the evidence "
            f"{shown_findings(network, findings)}; draw more samples, or use ",
            Argument("method", "exact"),
            " or 'loopy'",
        )
    weights = np.exp(log_weights - largest)
    weights /= weights.sum()
    effective = float(1.0 / np.square(weights).sum())
    return {node: weighted_posterior(network, node, drawn[node], weights) for node in nodes}, effective


def weighted_posterior(
    network: BayesianNetwork, node: str, codes: NDArray[np.intp], weights: Floats
) -> Posterior:
    """The distribution of a node in weighted rows; the weights sum to 1."""
    probabilities = np.bincount(codes, weights, network.cardinality(node))
    # Delta method for a ratio estimate: sum of w^2 (indicator - p)^2 (Owen 2013, Eq. 9.8).
    squares = np.bincount(codes, np.square(weights), network.cardinality(node))
    variance = squares * (1 - probabilities) ** 2 + (squares.sum() - squares) * probabilities**2
    return Posterior(
        zip(network.states(node), probabilities.tolist(), strict=True),
        "likelihood_weighting",
        float(np.sqrt(variance.max())),
    )


def weighted_rows(
    network: BayesianNetwork, findings: Findings, samples: int, random: np.random.Generator
) -> tuple[dict[str, NDArray[np.intp]], Floats]:
    """States of the discrete nodes drawn along the arcs, and the log-weights of the observed ones."""
    log_weights = np.zeros(samples)
    drawn: dict[str, NDArray[np.intp]] = {}
    with np.errstate(divide="ignore"):
        for node in network.graph.topological_order():
            if node in network.gaussians:
                continue
            table = network.table(node)
            given = tuple(drawn[parent] for parent in network.parents(node))
            if node in findings.hard:
                code = findings.hard[node]
                drawn[node] = np.full(samples, code, dtype=np.intp)
                log_weights += np.log(table[(*given, code)])
                continue
            cumulative = np.cumsum(table, axis=-1)
            cumulative /= cumulative[..., -1:]
            uniform = random.random(samples)
            rows = cumulative[given] if given else np.broadcast_to(cumulative, (samples, table.size))
            drawn[node] = (uniform[:, None] >= rows).sum(axis=1)
            if node in findings.soft:
                log_weights += np.log(np.asarray(findings.soft[node]))[drawn[node]]
    return drawn, log_weights
