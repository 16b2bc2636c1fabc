"""Likelihood weighting where exact inference does not fit: states are drawn, numbers are integrated out.

Discrete nodes have discrete parents only, so their states can be drawn without the numbers. For each draw
the numbers are Gaussian, so the density of the evidence and the distribution of a target are exact (the
Rao-Blackwell form of likelihood weighting).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dagwright.base.seeds import generator
from dagwright.errors import DataError
from dagwright.model.gaussian.answer import NumericPosterior
from dagwright.model.gaussian.elimination import ROWS, Elimination
from dagwright.model.gaussian.regression import spread
from dagwright.model.inference.findings import Findings, shown_findings
from dagwright.model.inference.methods import LikelihoodWeighting
from dagwright.model.inference.posterior import Posterior
from dagwright.model.tables.checks import Floats
from dagwright.sentences import Argument

if TYPE_CHECKING:
    from dagwright.model.gaussian.inference import Answer
    from dagwright.model.network import BayesianNetwork

CHUNK_NUMBERS = 4_000_000
"""Numbers in the regressions of one chunk of draws."""


def sampled_answers(
    network: BayesianNetwork, nodes: Sequence[str], findings: Findings, method: LikelihoodWeighting
) -> dict[str, Answer]:
    """P(node | evidence) of the nodes, each with its standard error."""
    from dagwright.model.gaussian.inference import continuous_ancestors

    drawn, log_weights = weighted_states(network, findings, method)
    relevant = continuous_ancestors(network, [*nodes, *findings.numbers])
    free = [node for node in nodes if node in network._gaussians and node not in findings.numbers]
    chunk = max(1, CHUNK_NUMBERS // max(1, len(relevant)) ** 2)
    means = {node: np.empty(method.samples) for node in free}
    sds = {node: np.empty(method.samples) for node in free}
    atoms = np.zeros(method.samples, dtype=np.int64)
    for start in range(0, method.samples, chunk):
        part = slice(start, start + chunk)
        codes = {node: column[part] for node, column in drawn.items()}
        rows = len(log_weights[part])
        system = Elimination(network, relevant, codes, np.inf, rows)
        for weight in system.absorb({node: np.asarray(value) for node, value in findings.numbers.items()}):
            log_weights[part] += spread(weight.log, weight.scope, (ROWS,))
            atoms[part] += np.broadcast_to(weight.atoms, rows) if not weight.scope else weight.atoms
        for node in free:
            found = system.marginal(node).over((ROWS,))
            means[node][part] = found.intercept
            sds[node][part] = np.sqrt(found.variance)
    weights = _normalized(network, findings, method, log_weights, atoms)
    answers: dict[str, Answer] = {}
    for node in nodes:
        if node in network._states:
            answers[node] = _of_states(network, node, drawn[node], weights)
        elif node in findings.numbers:
            value = findings.numbers[node]
            answers[node] = NumericPosterior(
                [1.0], [value], [0.0], "likelihood_weighting", scale=network.scale(node)
            )
        else:
            mean = float(weights @ means[node])
            # Delta method for a ratio estimate (Owen 2013, Eq. 9.8).
            error = float(np.sqrt(np.square(weights) @ np.square(means[node] - mean)))
            answers[node] = NumericPosterior(
                weights, means[node], sds[node], "likelihood_weighting", error, scale=network.scale(node)
            )
    return answers


def weighted_states(
    network: BayesianNetwork, findings: Findings, method: LikelihoodWeighting
) -> tuple[dict[str, NDArray[np.intp]], Floats]:
    """States of the discrete nodes drawn along the arcs, and the log-weights of observed states."""
    from dagwright.model.inference.likelihood_weighting import weighted_rows

    return weighted_rows(network, findings, method.samples, generator(method.random_state))


def _normalized(
    network: BayesianNetwork,
    findings: Findings,
    method: LikelihoodWeighting,
    log_weights: Floats,
    atoms: NDArray[np.int64],
) -> Floats:
    possible = np.isfinite(log_weights)
    if not np.any(possible):
        raise DataError(
            f"none of {method.samples:,} samples agrees with the evidence "
            f"{shown_findings(network, findings)}; draw more samples, or use ",
            Argument("method", "exact"),
        )
    possible &= atoms == atoms[possible].max()  # certain numbers outweigh densities
    weights = np.where(possible, np.exp(log_weights - log_weights[possible].max()), 0.0)
    return np.asarray(weights / weights.sum())


def _of_states(network: BayesianNetwork, node: str, codes: NDArray[np.intp], weights: Floats) -> Posterior:
    from dagwright.model.inference.likelihood_weighting import weighted_posterior

    return weighted_posterior(network, node, codes, weights)
