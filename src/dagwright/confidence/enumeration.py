"""Every network with its posterior probability, where they can be listed."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.confidence import sampled_features
from dagwright.confidence.confidence import Confidence
from dagwright.confidence.methods import EnumeratedPosterior
from dagwright.confidence.setting import Setting
from dagwright.errors import CapacityError, NotFinishedError, OptionError
from dagwright.graph.counting import all_dags, dags_in_words
from dagwright.graph.dag import Dag


class WeighedDag(NamedTuple):
    """One network: its prior probability, ln P(data | network) and its posterior probability."""

    dag: Dag
    prior: float
    log_likelihood: float
    probability: float


class Enumerated(NamedTuple):
    """All networks that are possible, most probable first, and what follows from them."""

    dags: tuple[WeighedDag, ...]
    log_evidence: float
    confidence: Confidence
    evaluations: int


@cache
def _parent_masks(n: int) -> NDArray[np.int64]:
    """One row per DAG on n nodes, with the parents of each node as a bit mask."""
    rows = []
    for arcs in all_dags(n):
        masks = [0] * n
        for start, end in arcs:
            masks[end] |= 1 << start
        rows.append(masks)
    found = np.array(rows, dtype=np.int64).reshape(len(rows), n)
    found.setflags(write=False)
    return found


def _by_full_mask(weights: _core.FamilyWeights, n: int) -> NDArray[np.float64]:
    """Entry (child, mask of all variables): the logarithm of the family's weight."""
    table = np.full((n, 1 << n), -np.inf)
    for child in range(n):
        candidates = weights.candidates(child)
        logs = weights.logs(child)
        for mask, log in enumerate(logs.tolist()):
            full = sum(1 << candidates[at] for at in range(len(candidates)) if mask >> at & 1)
            table[child, full] = log
    return table


def enumerate_networks(setting: Setting) -> Enumerated:
    """Score every network that knowledge and the prior allow."""
    n = len(setting.names)
    if n > EnumeratedPosterior.MOST:
        raise CapacityError(
            f"there are {dags_in_words(n)} networks over {n} variables; listing them stops at "
            f"{EnumeratedPosterior.MOST} variables, use ExactPosterior() or PartitionMCMC()"
        )
    masks = _parent_masks(n)
    everyone = [[other for other in range(n) if other != child] for child in range(n)]

    def totals(score: _core.LocalScore) -> tuple[NDArray[np.float64], int]:
        weights = _core.FamilyWeights(
            score, setting.knowledge.native, everyone, threads=setting.control.threads
        )
        table = _by_full_mask(weights, n)
        found = np.sum([table[child, masks[:, child]] for child in range(n)], axis=0)
        return np.asarray(found), weights.evaluations

    log_prior, _ = totals(setting.prior_score())
    log_likelihood, evaluations = totals(setting.likelihood.native)
    edges = setting.knowledge.required_links
    number = setting.knowledge.numbering.number
    for one, other in edges:
        a, b = number[one], number[other]
        joined = (masks[:, a] >> b & 1) | (masks[:, b] >> a & 1)
        log_prior = np.where(joined == 1, log_prior, -np.inf)
    possible = np.flatnonzero(np.isfinite(log_prior))
    if len(possible) == 0:
        raise OptionError("no network is possible under the prior and the knowledge")
    prior = np.exp(log_prior[possible] - np.max(log_prior[possible]))
    prior /= math.fsum(prior)
    joint = np.log(prior) + log_likelihood[possible]
    top = float(np.max(joint))
    if not math.isfinite(top):
        raise OptionError("the data are impossible under every network that the prior allows")
    shares = np.exp(joint - top)
    total = math.fsum(shares)
    shares /= total
    parents = masks[possible]
    networks = ((parents[:, None, :] >> np.arange(n)[None, :, None]) & 1).astype(bool)
    order = sorted(range(len(possible)), key=lambda at: (-shares[at], parents[at].tolist()))
    names = setting.table.names
    found: list[WeighedDag] = []
    for at in order:
        if len(found) % 500 == 0:
            setting.control.report("listing networks", len(found), "networks", total=len(order))
            reason = setting.control.stopped()
            if reason == "cancelled":
                raise KeyboardInterrupt
            if reason is not None:
                raise NotFinishedError("the time limit came before all networks were listed; give more time")
        arcs = [(setting.names[a], setting.names[b]) for a, b in np.argwhere(networks[at])]
        found.append(
            WeighedDag(
                Dag(names, arcs),
                float(prior[at]),
                float(log_likelihood[possible[at]]),
                float(shares[at]),
            )
        )
    columns = np.ix_(*[[setting.names.index(name) for name in names]] * 2)
    rows = parents.astype(np.uint64)[:, :, None]
    confidence = Confidence(
        names,
        np.clip(np.tensordot(shares, networks, 1), 0.0, 1.0)[columns],
        f"exact posterior, {setting.prior.describe()}, all {len(found):,} networks listed; "
        f"{setting.score_in_words()}",
        **sampled_features.features(rows, shares, setting.names, names, setting.control),
    )
    return Enumerated(tuple(found), top + math.log(total), confidence, evaluations)
