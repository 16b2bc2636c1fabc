"""How good a network is on rows it was not fitted to, and how its beliefs compare with another's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dagwright.errors import DataError, OptionError
from dagwright.graph.graph_like import GraphLike, as_dag
from dagwright.graph.viewable import Viewable
from dagwright.model.distances.alignment import aligned
from dagwright.model.distances.blanket_distance import conditional_given_blanket
from dagwright.model.inference.findings import Evidence
from dagwright.model.inference.likelihood import complete_rows, log_likelihood
from dagwright.model.network_like import NetworkLike, as_network
from dagwright.model.tables.checks import Floats
from dagwright.search.walks import require_at_least


def log_loss(network: NetworkLike, data: Any) -> float:
    """Minus the mean log-likelihood of a row, in nats: smaller is better; held-out rows make it honest.

    >>> from dagwright import load
    >>> asia = load("asia")
    >>> round(log_loss(asia, asia.sample(1000, random_state=1)), 2)
    2.2
    """
    known = as_network(network)
    rows = known.encode(data)
    if rows.N == 0:
        raise DataError("the loss of no rows is undefined")
    return -log_likelihood(known, rows) / rows.N


@dataclass(frozen=True)
class Calibration(Viewable):
    """Predicted probabilities against what happened.

    Attributes
    ----------
    predicted, observed, weight
        Per bin: the mean predicted probability, the share of cases in which the state occurred, and how many
        predictions fell there. Empty bins are left out.
    error
        The expected calibration error: the mean of |predicted - observed|, weighted.
    brier
        The mean over the rows of sum over states of (predicted - occurred)^2.
    """

    target: str
    predicted: Floats
    observed: Floats
    weight: Floats
    error: float
    brier: float


def calibration(network: NetworkLike, data: Any, target: str, *, bins: int = 10) -> Calibration:
    """Calibration of the predictions of one node from all others: stated probability against frequency.

    Every state of every row is one prediction, put in one of ``bins`` equal intervals of probability. Rows
    that the network rules out are an error.
    """
    network = as_network(network)
    require_at_least("bins", bins, 1)
    rows = complete_rows(network, data)
    if rows.N == 0:
        raise DataError("the calibration on no rows is undefined")
    if target in network.continuous:
        raise DataError(f"{target!r} holds numbers; calibration is about the probabilities of states")
    if network.continuous:
        probabilities = network.predict_proba(rows, target)
    else:
        given = {name: rows.codes(name) for name in network.graph.markov_blanket(target)}
        probabilities = conditional_given_blanket(network, target, given)
        if not given:
            probabilities = np.repeat(probabilities, rows.n_rows, axis=0)
    undefined = np.flatnonzero(np.isnan(probabilities[:, 0]))
    if undefined.size:
        raise DataError(
            f"row {int(undefined[0])}: the network gives the states around {target!r} probability zero, so "
            "it predicts nothing"
        )
    occurred = rows.codes(target)[:, None] == np.arange(network.cardinality(target))
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    each = np.broadcast_to(weights[:, None], probabilities.shape).ravel()
    bin_of = np.minimum((probabilities * bins).astype(np.intp), bins - 1).ravel()
    total: Floats = np.bincount(bin_of, each, bins).astype(np.float64)
    predicted = np.bincount(bin_of, each * probabilities.ravel(), bins)
    observed = np.bincount(bin_of, each * occurred.ravel(), bins)
    used = total > 0
    brier = float(weights @ ((probabilities - occurred) ** 2).sum(axis=1) / weights.sum())
    return Calibration(
        target,
        predicted[used] / total[used],
        observed[used] / total[used],
        total[used],
        float(np.abs(predicted - observed).sum() / total.sum()),
        brier,
    )


@dataclass(frozen=True)
class BlanketAgreement:
    """Markov blankets of one graph against those of another, node by node.

    ``jaccard`` is |both| / |either|, 1 for two empty blankets; the mean over the nodes is ``mean``.
    """

    jaccard: dict[str, float]
    missing: dict[str, tuple[str, ...]]
    extra: dict[str, tuple[str, ...]]

    @property
    def mean(self) -> float:
        return float(np.mean(list(self.jaccard.values()))) if self.jaccard else 1.0


def blanket_agreement(truth: GraphLike, found: GraphLike) -> BlanketAgreement:
    """Which members of the Markov blankets of ``truth`` are in those of ``found``.

    Equivalent DAGs have the same blankets, so a class of DAGs does as well as one of them.
    """
    first, second = as_dag(truth, "true graph"), as_dag(found, "found graph")
    if set(first.nodes) != set(second.nodes):
        raise DataError("blankets are compared over the same nodes; the graphs have different ones")
    jaccard, missing, extra = {}, {}, {}
    for node in first.nodes:
        a, b = set(first.markov_blanket(node)), set(second.markov_blanket(node))
        jaccard[node] = len(a & b) / len(a | b) if a | b else 1.0
        missing[node], extra[node] = tuple(sorted(a - b)), tuple(sorted(b - a))
    return BlanketAgreement(jaccard, missing, extra)


@dataclass(frozen=True)
class BeliefComparison:
    """Posterior marginals of two networks under the same findings: node -> (first, second)."""

    beliefs: dict[str, tuple[Floats, Floats]]

    @property
    def largest_difference(self) -> float:
        return max((float(np.abs(a - b).max()) for a, b in self.beliefs.values()), default=0.0)


def compare_beliefs(
    first: NetworkLike,
    second: NetworkLike,
    evidence: Evidence | None = None,
    *,
    priors: Mapping[str, ArrayLike] | None = None,
) -> BeliefComparison:
    """The same findings in two networks, and what each then believes (Lam & Bacchus 1994, Example 1).

    Parameters
    ----------
    evidence
        Observed states, or likelihoods, as in `BayesianNetwork.query`.
    priors
        New distributions of root nodes, in both networks.
    """
    first = as_network(first, "first network")
    other = aligned(first, as_network(second, "second network"))
    for node, probabilities in (priors or {}).items():
        if first.parents(node) or other.parents(node):
            raise OptionError(f"node {node!r} has parents, so it has no prior to change")
        first, other = (network.with_table(node, probabilities) for network in (first, other))
    here, there = first.marginals(evidence), other.marginals(evidence)
    return BeliefComparison(
        {
            node: (np.array(list(here[node].values())), np.array(list(there[node].values())))
            for node in first.nodes
        }
    )
