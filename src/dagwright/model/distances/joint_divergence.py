"""Divergence between the joint distributions of two networks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from dagwright.base.seeds import RandomState
from dagwright.errors import CapacityError, OptionError
from dagwright.model.distances.alignment import aligned
from dagwright.model.inference.engine import MAX_BYTES
from dagwright.model.inference.likelihood import row_log_likelihoods
from dagwright.model.inference.sampling import sample
from dagwright.model.network import BayesianNetwork
from dagwright.model.network_like import NetworkLike, as_network
from dagwright.model.tables.capacity import CELL_BYTES
from dagwright.model.tables.native_tables import numbered_tables
from dagwright.sentences import Argument

Kind = Literal["kl", "hellinger"]
Method = Literal["auto", "exact", "sampling"]


@dataclass(frozen=True)
class Divergence:
    """A divergence, whether it is exact, and the standard error of an estimate."""

    value: float
    kind: Kind
    exact: bool
    standard_error: float

    def __float__(self) -> float:
        return self.value


def divergence(
    first: NetworkLike,
    second: NetworkLike,
    kind: Kind = "kl",
    *,
    method: Method = "auto",
    samples: int = 100_000,
    random_state: RandomState = None,
) -> Divergence:
    """How much two networks over the same variables differ as distributions.

    Parameters
    ----------
    kind
        "kl" is the Kullback-Leibler divergence from the first to the second in nats, infinite if the second
        rules out what the first allows; "hellinger" is the Hellinger distance, between 0 and 1.
    method
        "exact" sums over the tables without listing instantiations, which needs networks of small width;
        "sampling" estimates from rows of the first network; "auto" is exact where memory allows.

    >>> from dagwright import load
    >>> asia = load("asia")
    >>> round(float(divergence(asia, asia.with_table("smoke", [0.6, 0.4]))), 4)
    0.0204
    """
    if kind not in get_args(Kind):
        raise OptionError(
            Argument("kind", kind),
            "; choose 'kl' or 'hellinger'",
        )
    if method not in get_args(Method):
        raise OptionError(
            Argument("method", method),
            "; choose 'auto', 'exact' or 'sampling'",
        )
    if samples < 2:
        raise OptionError(f"an estimate needs at least two samples, not {samples}")
    first = as_network(first, "first network")
    other = aligned(first, as_network(second, "second network"))
    if method != "sampling":
        try:
            value = _kl(first, other) if kind == "kl" else _hellinger(first, other)
            return Divergence(value, kind, exact=True, standard_error=0.0)
        except CapacityError:
            if method == "exact":
                raise
    return _estimate(first, other, kind, samples, random_state)


def _kl(first: BayesianNetwork, second: BayesianNetwork) -> float:
    """sum over nodes of P1(family) log P(node | parents), in the first network less in the second."""
    terms: list[float] = []
    for sign, network in ((1.0, first), (-1.0, second)):
        for node in network.nodes:
            joint = first.joint((*network.parents(node), node))
            possible = joint > 0
            conditional = network.table(node)[possible]
            if np.any(conditional == 0):
                return math.inf
            terms += (sign * joint[possible] * np.log(conditional)).tolist()
    return max(0.0, math.fsum(terms))


def _hellinger(first: BayesianNetwork, second: BayesianNetwork) -> float:
    """sqrt(1 - sum sqrt(P1 P2)); the sum runs over the product of the roots of all tables."""
    log_affinity = numbered_tables(first).native.log_affinity(
        numbered_tables(second).native, MAX_BYTES / CELL_BYTES
    )
    return math.sqrt(max(0.0, -math.expm1(log_affinity)))


def _estimate(
    first: BayesianNetwork, second: BayesianNetwork, kind: Kind, samples: int, random_state: RandomState
) -> Divergence:
    rows = sample(first, samples, random_state=random_state)
    gap = row_log_likelihoods(second, rows) - row_log_likelihoods(first, rows)
    if kind == "kl":
        spread = float(np.std(gap, ddof=1)) if np.all(np.isfinite(gap)) else math.inf
        mean = math.fsum(gap.tolist()) / samples
        return Divergence(max(0.0, -mean), kind, exact=False, standard_error=spread / math.sqrt(samples))
    ratio = np.exp(gap / 2)
    affinity = min(1.0, float(ratio.mean()))
    error = float(np.std(ratio, ddof=1)) / math.sqrt(samples)
    value = math.sqrt(1.0 - affinity)
    # d sqrt(1 - b) = db / (2 sqrt(1 - b)); at 0 the error of the square is all there is.
    spread = error / (2 * value) if value else math.sqrt(error)
    return Divergence(value, kind, exact=False, standard_error=spread)
