"""One question, whichever method answers it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dagwright.errors import CapacityError, DataError
from dagwright.model.gaussian.inference import answers
from dagwright.model.inference.engine import InferenceEngine, exact_posterior
from dagwright.model.inference.findings import Findings
from dagwright.model.inference.likelihood_weighting import sampled_posteriors
from dagwright.model.inference.loopy import loopy_posteriors
from dagwright.model.inference.methods import (
    AutoInference,
    ExactInference,
    LikelihoodWeighting,
    Method,
)
from dagwright.model.inference.posterior import Posterior
from dagwright.model.inference.support import with_question

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork

log = logging.getLogger(__name__)


def posteriors(
    network: BayesianNetwork, nodes: Sequence[str], findings: Findings, method: Method
) -> dict[str, Any]:
    """P(node | evidence) of the nodes by the method, each with its question."""
    if network.gaussians:
        return with_question(network, findings, answers(network, nodes, findings, method))
    return with_question(network, findings, _answers(network, nodes, findings, method))


def _answers(
    network: BayesianNetwork, nodes: Sequence[str], findings: Findings, method: Method
) -> dict[str, Posterior]:
    if isinstance(method, ExactInference):
        if len(nodes) == 1:
            return {nodes[0]: exact_posterior(network, nodes[0], findings, method.max_bytes)}
        return InferenceEngine(network, max_bytes=method.max_bytes)._answers(nodes, findings)
    if isinstance(method, LikelihoodWeighting):
        return sampled_posteriors(network, nodes, findings, method)[0]
    if isinstance(method, AutoInference):
        return _whatever_fits(network, nodes, findings, method)
    return loopy_posteriors(network, nodes, findings, method)


def _whatever_fits(
    network: BayesianNetwork, nodes: Sequence[str], findings: Findings, method: AutoInference
) -> dict[str, Posterior]:
    try:
        return _answers(network, nodes, findings, method.exact)
    except CapacityError as problem:
        log.info("not exact: %s", problem)
    try:
        answers, effective = sampled_posteriors(network, nodes, findings, method.sampling)
    except DataError as problem:
        log.info("not sampled: %s", problem)
    else:
        if effective >= method.effective:
            return answers
        log.info("not sampled: worth only %.0f samples", effective)
    return loopy_posteriors(network, nodes, findings, method.loopy)
