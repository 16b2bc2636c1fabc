"""Exact answers: single questions by pruned variable elimination, many questions by a junction tree."""

from __future__ import annotations

import math
import threading
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright import _core
from dagwright.errors import CapacityError, OptionError, require_a
from dagwright.model.inference.findings import Evidence, Findings, UnknownStatePolicy, read_findings
from dagwright.model.inference.impossible import impossible_evidence
from dagwright.model.inference.posterior import Marginals, Posterior
from dagwright.model.inference.support import with_question
from dagwright.model.tables.capacity import CELL_BYTES, MAX_AXES
from dagwright.model.tables.checks import Floats
from dagwright.model.tables.native_tables import (
    InferenceForecast,
    forecast_inference,
    junction_tree,
    numbered_tables,
)

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork

MAX_BYTES = 2 * 2**30
"""Default bound on the memory of one table during exact inference."""


def exact_posterior(
    network: BayesianNetwork, target: str, findings: Findings, max_bytes: float = MAX_BYTES
) -> Posterior:
    """P(target | evidence)."""
    if target in findings.hard:
        require_possible(network, findings, max_bytes)
        return certain(network, target, findings.hard[target])
    return Posterior(
        zip(network.states(target), exact_joint(network, [target], findings, max_bytes).tolist(), strict=True)
    )


def exact_joint(
    network: BayesianNetwork, targets: Sequence[str], findings: Findings, max_bytes: float = MAX_BYTES
) -> Floats:
    """P(targets | evidence) with one axis per target, in the order given."""
    if network.gaussians:
        from dagwright.model.gaussian.inference import joint_of_states

        return joint_of_states(network, targets, findings)
    if len(set(targets)) != len(targets):
        raise OptionError(f"a joint distribution needs each variable once, not {list(targets)}")
    shape = [network.cardinality(node) for node in targets]
    if len(shape) > MAX_AXES or math.prod(shape) > max_bytes / CELL_BYTES:
        raise CapacityError(
            f"the joint distribution of {len(shape)} nodes has {math.prod(map(float, shape)):.3g} cells; one "
            f"table takes {max_bytes / CELL_BYTES:.3g} cells and {MAX_AXES} nodes: ask about fewer nodes, or "
            "draw rows with sample()"
        )
    tables = numbered_tables(network)
    free = sorted((node for node in targets if node not in findings.hard), key=tables.number.__getitem__)
    cells = tables.native.joint(
        tables.hard(findings),
        tables.soft(findings),
        [tables.number[node] for node in free],
        max_bytes / CELL_BYTES,
    )
    if cells is None:
        raise impossible_evidence(network, findings, lambda part: log_probability(network, part, max_bytes))
    result = np.zeros(shape)
    place = tuple(findings.hard.get(node, slice(None)) for node in targets)
    in_order = cells.reshape([network.cardinality(node) for node in free])
    result[place] = in_order.transpose([free.index(node) for node in targets if node in free])
    return result


def log_probability(network: BayesianNetwork, findings: Findings, max_bytes: float = MAX_BYTES) -> float:
    """log P(evidence), minus infinity if it is impossible."""
    if network.gaussians:
        from dagwright.model.gaussian.inference import log_probability as log_density

        return log_density(network, findings, max_bytes)
    tables = numbered_tables(network)
    return tables.native.log_evidence(tables.hard(findings), tables.soft(findings), max_bytes / CELL_BYTES)


def require_possible(network: BayesianNetwork, findings: Findings, max_bytes: float = MAX_BYTES) -> float:
    """log P(evidence), refused if it is impossible."""
    result = log_probability(network, findings, max_bytes)
    if math.isinf(result):
        raise impossible_evidence(network, findings, lambda part: log_probability(network, part, max_bytes))
    return result


def most_probable(
    network: BayesianNetwork,
    targets: Sequence[str] | None,
    findings: Findings,
    max_bytes: float = MAX_BYTES,
) -> tuple[dict[str, Hashable], float]:
    """The most probable states of the targets (all unobserved nodes: None), and log P(states, evidence)."""
    if network.gaussians:
        from dagwright.model.gaussian.inference import most_probable as most_dense

        return most_dense(network, targets, findings)
    wanted = network.nodes if targets is None else tuple(targets)
    for node in wanted:
        network.states(node)
    tables = numbered_tables(network)
    free = sorted({node for node in wanted if node not in findings.hard}, key=tables.number.__getitem__)
    found = tables.native.most_probable(
        tables.hard(findings),
        tables.soft(findings),
        [tables.number[node] for node in free],
        max_bytes / CELL_BYTES,
    )
    if math.isinf(found.log_probability):
        raise impossible_evidence(network, findings, lambda part: log_probability(network, part, max_bytes))
    code = findings.hard | dict(zip(free, found.states, strict=True))
    return {node: network.states(node)[code[node]] for node in wanted}, found.log_probability


def certain(network: BayesianNetwork, node: str, code: int) -> Posterior:
    """All probability on one state."""
    return Posterior((state, float(i == code)) for i, state in enumerate(network.states(node)))


class InferenceEngine:
    """A network compiled for many questions: the junction tree and the messages of the last evidence.

    Every method takes the whole evidence. Messages that the change since the last call does not touch are
    used again, so that one finding more or less costs little. One engine answers one thread at a time.

    >>> import dagwright as dw
    >>> engine = dw.load("asia").compile()
    >>> engine.query("lung", {"smoke": "yes"})["yes"]
    0.1
    """

    def __init__(self, network: BayesianNetwork, *, max_bytes: float = MAX_BYTES) -> None:
        if not max_bytes > 0:
            raise OptionError(f"max_bytes must be positive, not {max_bytes}")
        self._network = network
        self._max_bytes = max_bytes
        self._tables = numbered_tables(network)
        self._names = network.numbering.names
        self._lock = threading.Lock()
        self._native = _core.Propagation(self._tables.native, junction_tree(network), max_bytes / CELL_BYTES)

    @property
    def network(self) -> BayesianNetwork:
        return self._network

    @property
    def forecast(self) -> InferenceForecast:
        """Width and size of the junction tree."""
        return forecast_inference(self._network)

    @property
    def messages_sent(self) -> int:
        """Messages computed since the engine was made."""
        return self._native.messages_sent

    def query(
        self, target: str, evidence: Evidence | None = None, *, unknown_states: UnknownStatePolicy = "error"
    ) -> Posterior:
        """P(target | evidence) by state."""
        require_a(str, target, "the target of query", "the name of one node (joint takes several)")
        self._network.states(target)
        return self._labeled([target], read_findings(self._network, evidence, unknown_states))[target]

    def marginals(
        self, evidence: Evidence | None = None, *, unknown_states: UnknownStatePolicy = "error"
    ) -> Marginals:
        """P(node | evidence) of every node, from one propagation."""
        findings = read_findings(self._network, evidence, unknown_states)
        return Marginals(self._labeled(self._network.nodes, findings))

    def evidence_probability(self, evidence: Evidence, *, log: bool = False) -> float:
        """P(evidence) or its logarithm; for likelihoods the mean likelihood. 0 if it is impossible."""
        with self._lock:
            result = self._enter(read_findings(self._network, evidence))
        return result if log else math.exp(result)

    def _enter(self, findings: Findings) -> float:
        self._native.observe(self._tables.hard(findings), self._tables.soft(findings))
        return self._native.log_evidence()

    def _labeled(self, nodes: Sequence[str], findings: Findings) -> dict[str, Posterior]:
        return with_question(self._network, findings, self._answers(nodes, findings))

    def _answers(self, nodes: Sequence[str], findings: Findings) -> dict[str, Posterior]:
        network = self._network
        with self._lock:
            possible = not math.isinf(self._enter(findings))
            flat = (
                self._native.marginals([self._tables.number[x] for x in nodes]).tolist() if possible else []
            )
        if not possible:
            raise impossible_evidence(
                network, findings, lambda part: log_probability(network, part, self._max_bytes)
            )
        answers = {}
        start = 0
        for node in nodes:
            states = network.states(node)
            answers[node] = Posterior(zip(states, flat[start : start + len(states)], strict=True))
            start += len(states)
        return answers

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_engine, (self._network, self._max_bytes)

    def __repr__(self) -> str:
        return f"InferenceEngine: {len(self._names)} nodes, {self.forecast}"


def _restore_engine(network: BayesianNetwork, max_bytes: float) -> InferenceEngine:
    return InferenceEngine(network, max_bytes=max_bytes)
