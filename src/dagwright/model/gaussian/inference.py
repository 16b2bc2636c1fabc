"""Exact answers in networks with continuous nodes (Cowell 2005), and their fall-back by sampling."""

from __future__ import annotations

import logging
import math
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dagwright.errors import CapacityError, DataError, OptionError
from dagwright.model.gaussian.answer import NumericJoint, NumericPosterior
from dagwright.model.gaussian.elimination import Elimination, Weight
from dagwright.model.gaussian.regression import Regression, Scope, merged
from dagwright.model.gaussian.weights import WeightedStates
from dagwright.model.inference.engine import MAX_BYTES
from dagwright.model.inference.findings import Findings, shown_findings
from dagwright.model.inference.impossible import impossible_evidence
from dagwright.model.inference.methods import AutoInference, ExactInference, LikelihoodWeighting, Method
from dagwright.model.inference.posterior import Posterior
from dagwright.sentences import Argument

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork
    from dagwright.model.tables.checks import Floats

log = logging.getLogger(__name__)
Answer = Posterior | NumericPosterior


class Question:
    """A network with its evidence taken in, ready to be asked about some nodes."""

    def __init__(
        self, network: BayesianNetwork, nodes: Iterable[str], findings: Findings, max_bytes: float = MAX_BYTES
    ) -> None:
        self.network, self.findings, self.max_bytes = network, findings, max_bytes
        self.elimination = Elimination(
            network,
            continuous_ancestors(network, [*nodes, *findings.numbers]),
            {node: np.asarray(code, dtype=np.intp) for node, code in findings.hard.items()},
            max_bytes,
        )
        numbers = {node: np.asarray(value) for node, value in findings.numbers.items()}
        self.weights = self.elimination.absorb(numbers)
        self.states = WeightedStates(network, findings, self.weights, self.elimination.limit)
        self._joints: dict[Scope, Floats] = {}

    def log_evidence(self) -> float:
        return self.states.log_evidence()

    def joint_states(self, scope: Scope) -> Floats:
        """P(discrete nodes | evidence); impossible evidence is refused."""
        if scope not in self._joints:
            found = self.states.joint(scope)
            if found is None:
                raise self._impossible()
            self._joints[scope] = found
        return self._joints[scope]

    def prepare(self, scopes: Iterable[Scope]) -> None:
        """Find the distributions of single nodes in one propagation."""
        single = sorted({scope[0] for scope in scopes if len(scope) == 1} - {s[0] for s in self._joints if s})
        if len(single) > 1:
            found = self.states.marginals(single)
            if found is None:
                raise self._impossible()
            self._joints |= {(node,): values for node, values in zip(single, found, strict=True)}

    def _impossible(self) -> Exception:
        return impossible_evidence(
            self.network, self.findings, lambda part: log_probability(self.network, part, self.max_bytes)
        )

    def number(self, node: str) -> NumericPosterior:
        """The distribution of a continuous node."""
        if node in self.findings.numbers:
            self.joint_states(())
            return NumericPosterior(
                [1.0], [self.findings.numbers[node]], [0.0], scale=self.network.scale(node)
            )
        found = self.elimination.marginal(node)
        return NumericPosterior(
            self.joint_states(found.scope),
            found.intercept,
            np.sqrt(found.variance),
            scale=self.network.scale(node),
        )

    def state(self, node: str) -> Posterior:
        """The distribution of a discrete node."""
        values = self.joint_states((self.states.number[node],))
        return Posterior(zip(self.network.states(node), values.tolist(), strict=True))


def continuous_ancestors(network: BayesianNetwork, nodes: Iterable[str]) -> list[str]:
    """The continuous nodes among these and all their continuous ancestors."""
    found: set[str] = set()
    waiting = [node for node in nodes if node in network._gaussians]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += network._gaussians[node].coefficients
    return sorted(found)


def answers(
    network: BayesianNetwork, nodes: Sequence[str], findings: Findings, method: Method
) -> dict[str, Answer]:
    """P(node | evidence) of the nodes by the method."""
    from dagwright.model.gaussian.weighting import sampled_answers

    if isinstance(method, ExactInference):
        return exact_answers(network, nodes, findings, method.max_bytes)
    if isinstance(method, LikelihoodWeighting):
        return sampled_answers(network, nodes, findings, method)
    if isinstance(method, AutoInference):
        try:
            return exact_answers(network, nodes, findings, method.exact.max_bytes)
        except CapacityError as problem:
            log.info("not exact: %s", problem)
            return sampled_answers(network, nodes, findings, method.sampling)
    raise OptionError(
        "loopy propagation is for networks without continuous nodes; use ",
        Argument("method", "exact"),
        ", 'likelihood_weighting' or 'auto'",
    )


def exact_answers(
    network: BayesianNetwork, nodes: Sequence[str], findings: Findings, max_bytes: float = MAX_BYTES
) -> dict[str, Answer]:
    """P(node | evidence) of the nodes."""
    question = Question(network, nodes, findings, max_bytes)
    if len(nodes) > 1:
        free = [node for node in nodes if node in network._gaussians and node not in findings.numbers]
        scopes = [question.elimination.marginal(node).scope for node in free]
        question.prepare([*scopes, *((question.states.number[n],) for n in nodes if n in network._states)])
    return {
        node: question.number(node) if node in network._gaussians else question.state(node) for node in nodes
    }


def log_probability(network: BayesianNetwork, findings: Findings, max_bytes: float = MAX_BYTES) -> float:
    """The log of the probability or density of the evidence; minus infinity if it is impossible."""
    return Question(network, (), findings, max_bytes).log_evidence()


def joint_of_states(network: BayesianNetwork, targets: Sequence[str], findings: Findings) -> Floats:
    """P(discrete targets | evidence) with one axis per target, in the order given."""
    question = Question(network, (), findings)
    numbers = [question.states.number[node] for node in targets]
    ascending = tuple(sorted(numbers))
    return question.joint_states(ascending).transpose([ascending.index(number) for number in numbers])


def joint_of_numbers(network: BayesianNetwork, targets: Sequence[str], findings: Findings) -> NumericJoint:
    """The joint distribution of continuous targets given the evidence."""
    for node in targets:
        if node not in network.gaussians:
            network.states(node)  # an unknown name is refused
            raise OptionError(
                f"joint() takes discrete or continuous nodes, not both: {node!r} is discrete; ask about the "
                "continuous ones once for each of its states, as evidence"
            )
    if len(set(targets)) != len(targets):
        raise OptionError(f"a joint distribution needs each variable once, not {list(targets)}")
    question = Question(network, targets, findings)
    free = [node for node in targets if node not in findings.numbers]
    order = sorted(free, key=question.elimination.numbers.continuous.__getitem__)
    means, factors, scope = moments_of(question.elimination.joint(order))
    weights = question.joint_states(scope)
    shape = weights.shape
    count = len(free)
    mean = np.zeros((*shape, len(targets)))
    factor = np.zeros((*shape, len(targets), count))
    for place, node in enumerate(targets):
        if node in findings.numbers:
            mean[..., place] = findings.numbers[node]
        else:
            mean[..., place] = means[order.index(node)]
            factor[..., place, :] = factors[order.index(node)]
    covariance = np.einsum("...ik,...jk->...ij", factor, factor)
    seen = shown_findings(network, findings, quoted=False)
    return NumericJoint(
        targets,
        weights.reshape(-1),
        mean.reshape(-1, len(targets)),
        covariance.reshape(-1, len(targets), len(targets)),
        f"{', '.join(targets)}{' | ' if seen else ''}{seen}",
        [network.scale(node) for node in targets],
    )


def moments_of(regressions: Sequence[Regression]) -> tuple[list[Floats], list[Floats], Scope]:
    """Means and rows of a factor of the covariances, from regressions on those before (-1, -2, ...).

    The factor times its transpose is the covariance.
    """
    scope: Scope = ()
    for regression in regressions:
        scope = merged(scope, regression.scope)
    means: list[Floats] = []
    factors: list[Floats] = []
    for place, narrow in enumerate(regressions):
        own = narrow.over(scope)
        mean, factor = own.intercept, np.zeros((*own.intercept.shape, len(regressions)))
        factor[..., place] = np.sqrt(own.variance)
        for column, parent in enumerate(own.parents):
            slope = own.slopes[..., column]
            mean = mean + slope * means[-1 - parent]
            factor = factor + slope[..., None] * factors[-1 - parent]
        means.append(mean)
        factors.append(factor)
    return means, factors, scope


def most_probable(
    network: BayesianNetwork, targets: Sequence[str] | None, findings: Findings
) -> tuple[dict[str, Hashable], float]:
    """The states and numbers of highest joint density, and its log (without targets: of all nodes).

    In each configuration of the discrete nodes the density is highest at the mean, where it is that of the
    noises alone; so these are weights, and the best configuration is a question about states.
    """
    wanted = network.nodes if targets is None else tuple(targets)
    numbers = [node for node in wanted if node in network._gaussians and node not in findings.numbers]
    if targets is not None and numbers and set(continuous_free(network, findings)) != set(numbers):
        raise OptionError(
            f"map() over {numbers[0]!r} and not all continuous nodes has no closed form: the density of a "
            "mixture can have several peaks; ask query() for its density, mpe() for all nodes, or map() for "
            "discrete nodes alone"
        )
    question = Question(network, numbers, findings)
    weights = [*question.weights, *_peaks(question)] if numbers else question.weights
    states = WeightedStates(network, findings, weights, question.elimination.limit)
    discrete = network._states if targets is None or numbers else wanted
    discrete_targets = sorted(states.number[node] for node in discrete if node in network._states)
    codes, log_density = states.most_probable(discrete_targets)
    if not math.isfinite(log_density) or not math.isfinite(question.log_evidence()):
        raise impossible_evidence(network, findings, lambda part: log_probability(network, part))
    found: dict[str, Hashable] = {
        node: network.states(node)[codes[states.number[node]]] for node in wanted if node in network._states
    }
    if numbers:
        fixed = {node: network.code(node, found[node]) for node in network._states if node in found}
        fixed |= {n: codes[states.number[n]] for n in network._states if states.number[n] in codes}
        means = Question(network, numbers, Findings(fixed, {}, findings.numbers))
        found |= {node: means.number(node).mean for node in numbers}
    found |= {node: findings.numbers[node] for node in wanted if node in findings.numbers}
    return {node: found[node] for node in wanted}, log_density


def continuous_free(network: BayesianNetwork, findings: Findings) -> list[str]:
    """The continuous nodes without evidence."""
    return [node for node in network.nodes if node in network._gaussians and node not in findings.numbers]


def _peaks(question: Question) -> list[Weight]:
    """The log-density of each unobserved number at its mean, for each configuration of its scope."""
    names = {number: node for node, number in question.elimination.numbers.continuous.items()}
    weights = []
    for number, regression in question.elimination.in_order():
        certain = regression.variance <= 0
        if np.all(certain):
            continue  # a function of other nodes: it has no density of its own
        if np.any(certain):
            raise DataError(
                f"the most probable values are not defined: {names[number]!r} is a function of its parents "
                "in some configurations only, where its density is infinite; use query() or marginals()"
            )
        height = -0.5 * np.log(2 * np.pi * regression.variance)
        weights.append(Weight(regression.scope, height, np.zeros(height.shape, dtype=np.int64)))
    return weights
