"""Answers without support in the data: configurations of parents that never occurred."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright.errors import CapacityError
from dagwright.model.inference.findings import Findings, shown_findings
from dagwright.model.inference.posterior import Posterior

if TYPE_CHECKING:
    from dagwright.model.gaussian.answer import NumericPosterior
    from dagwright.model.network import BayesianNetwork

NOTABLE = 0.05
"""The share of an answer from which on a configuration without rows is worth a warning."""


def with_question(
    network: BayesianNetwork, findings: Findings, answers: Mapping[str, Posterior | NumericPosterior]
) -> dict[str, Any]:
    """The answers with their questions; what they rest on is looked up when it is first read."""
    seen = shown_findings(network, findings, quoted=False)
    given = f" | {seen}" if seen else ""
    return {
        node: answer.asked(f"{node}{given}", lambda node=node: unsupported(network, node, findings))  # type: ignore[misc]
        for node, answer in answers.items()
    }


def unsupported(network: BayesianNetwork, target: str, findings: Findings) -> tuple[str, ...]:
    """Configurations of parents without a row that carry a notable share of P(target | evidence)."""
    return tuple(_unsupported(network, target, findings))


def _unsupported(network: BayesianNetwork, target: str, findings: Findings) -> Iterator[str]:
    from dagwright.model.inference.engine import exact_joint

    if network.gaussians:
        return  # rows behind regressions are in their standard errors
    seen = [target, *findings.hard, *findings.soft]
    for node in sorted({*network.graph.ancestors(seen), *seen}):
        counts, parents = network.counts(node), network.parents(node)
        if counts is None or not parents:
            continue
        empty = counts.sum(axis=-1) <= 0
        place = tuple(findings.hard.get(parent, slice(None)) for parent in parents)
        if not np.any(empty[place]):
            continue
        try:
            shares = np.where(empty, exact_joint(network, parents, findings), 0.0)
        except CapacityError:
            return
        total = float(shares.sum())
        if total >= NOTABLE:
            largest = np.unravel_index(int(shares.argmax()), shares.shape)
            case = ", ".join(
                f"{parent}={network.states(parent)[code]}"
                for parent, code in zip(parents, largest, strict=True)
            )
            others = int(np.count_nonzero(shares)) - 1
            more = f" (and {others} more)" if others else ""
            yield f"no row has {case}{more}, and {total:.0%} of this answer rests on P({node} | {case})"
