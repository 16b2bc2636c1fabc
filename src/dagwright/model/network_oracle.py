"""The independences of the distribution of a network, as an oracle: tests on an infinite sample from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dagwright.graph.oracle import Oracle
from dagwright.graph.query import Query
from dagwright.graph.separation import separated_all

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork

ROUNDING = 1e-12
"""Conditional mutual information, in nats, that rounding alone can leave."""


class NetworkOracle(Oracle):
    """Independence in the joint distribution of a network with parameters.

    Separated variables are independent. For the others the tables decide: the conditional mutual information
    of the distribution is computed, so that parameters that hide an arc count as they are.

    >>> from dagwright import load
    >>> NetworkOracle(load("asia")).independent("asia", "smoke")
    True
    """

    def __init__(self, network: BayesianNetwork) -> None:
        super().__init__(network.nodes)
        self.network = network

    def _answer(self, queries: Sequence[Query]) -> list[bool]:
        separated = separated_all(self.network.graph, queries)
        return [
            known or self.information(query) <= ROUNDING
            for known, query in zip(separated, queries, strict=True)
        ]

    def information(self, query: Query) -> float:
        """CMI(x, y | given) in nats."""
        sides = [sorted(side) for side in (query.given, query.x, query.y)]
        joint = self.network.joint([name for side in sides for name in side])
        p = joint.reshape([math.prod(map(self.network.cardinality, side)) for side in sides])
        expected = p.sum(axis=2, keepdims=True) * p.sum(axis=1, keepdims=True)
        occurs = p > 0
        ratio = (p * p.sum(axis=(1, 2), keepdims=True))[occurs] / expected[occurs]
        return max(0.0, math.fsum((p[occurs] * np.log(ratio)).tolist()))
