"""The mutual information of the two ends of each edge, in bits; partial correlations of numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dagwright.data import Table
from dagwright.errors import OptionError
from dagwright.evidence import mutual_information
from dagwright.graph.holders import HoldsNetwork, HoldsTable
from dagwright.learning.edge_evidence import evidence_cards
from dagwright.learning.learned import Learned
from dagwright.model import BayesianNetwork
from dagwright.sentences import Argument
from dagwright.show.diagram import EdgeLook
from dagwright.show.graph_diagram import Weights


def edge_information(thing: Any, edges: Sequence[EdgeLook]) -> Weights:
    """Under a network, or in the data that a result was learned from."""
    table = thing.table if isinstance(thing, HoldsTable) else None
    network = thing.network if isinstance(thing, HoldsNetwork) else thing
    pairs = [(edge.start, edge.end) for edge in edges]
    if isinstance(thing, Learned) and thing.table is not None and thing.table.schema.continuous:
        return _partial_correlations(thing)
    if isinstance(network, BayesianNetwork) and network.gaussians:
        raise OptionError(
            Argument("information", True),
            " of a network with numbers needs the data of a search: draw the result of learn()",
        )
    if isinstance(network, BayesianNetwork):
        values = [_of_joint(network.joint(pair)) for pair in pairs]
    elif isinstance(table, Table):
        policy = "available" if any(table.missing.values()) else None
        values = [mutual_information(table, a, b, unit="bits", missing=policy) for a, b in pairs]
    else:
        raise OptionError(
            Argument("information", True),
            " needs a network, or a result of learning that still has its data; ",
            Argument("strength"),
            " takes numbers of your own",
        )
    found = {frozenset(pair): value for pair, value in zip(pairs, values, strict=True)}
    return Weights(found, "mutual information", " bits", max(values, default=1.0))


def _partial_correlations(found: Learned) -> Weights:
    """The size of the partial correlation of each edge, or of its twin for the indicators of states."""
    values = {}
    for card in evidence_cards(found):
        share = 1.0 - 2.0 ** (-2.0 * card.bits)  # 1 - r², from -log2(1 - r²) / 2 bits
        values[frozenset((card.start, card.end))] = math.sqrt(max(share, 0.0))
    return Weights(values, "partial correlation")


def _of_joint(joint: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    seen = joint > 0
    return float(max(0.0, np.sum(joint[seen] * np.log2(joint[seen] / apart[seen]))))
