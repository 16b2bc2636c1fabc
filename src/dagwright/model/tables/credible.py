"""Credible intervals of the entries of a table.

Under a Dirichlet posterior with parameters a_k the entry k follows Beta(a_k, a - a_k), a the sum of all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagwright.errors import OptionError
from dagwright.model.tables.beta import beta_quantile
from dagwright.model.tables.checks import Floats
from dagwright.model.tables.parameters import counts_behind

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork


def credible_intervals(network: BayesianNetwork, node: str, level: float = 0.95) -> tuple[Floats, Floats]:
    """The ends of the central intervals; see `BayesianNetwork.credible_intervals`."""
    if not 0 < level < 1:
        raise OptionError(f"the level of an interval must be between 0 and 1, got {level}")
    prior = network.pseudo_counts(node)
    posterior = counts_behind(network, node) + (1.0 if prior is None else prior)
    rest = posterior.sum(axis=-1, keepdims=True) - posterior
    tail = (1.0 - level) / 2.0
    return beta_quantile(tail, posterior, rest), beta_quantile(1.0 - tail, posterior, rest)
