"""The mutual information of the two ends of each link, in bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dagwright.data import Table
from dagwright.errors import OptionError
from dagwright.evidence import mutual_information
from dagwright.graph.holders import HoldsNetwork, HoldsTable
from dagwright.model import BayesianNetwork
from dagwright.sentences import Argument
from dagwright.show.diagram import LinkLook
from dagwright.show.graph_diagram import Weights


def link_information(thing: Any, links: Sequence[LinkLook]) -> Weights:
    """Under a network, or in the data that a result was learned from."""
    table = thing.table if isinstance(thing, HoldsTable) else None
    network = thing.network if isinstance(thing, HoldsNetwork) else thing
    pairs = [(link.start, link.end) for link in links]
    if isinstance(network, BayesianNetwork):
        values = [_of_joint(network.joint(pair)) for pair in pairs]
    elif isinstance(table, Table):
        policy = "available" if any(table.missing.values()) else None
        values = [mutual_information(table, a, b, unit="bits", missing=policy) for a, b in pairs]
    else:
        raise OptionError(
            Argument("information", True),
            f" needs a network or the data of a search, and a {type(thing).__name__} has neither; ",
            Argument("strength"),
            " takes numbers of your own",
        )
    found = {frozenset(pair): value for pair, value in zip(pairs, values, strict=True)}
    return Weights(found, "mutual information", " bits", max(values, default=1.0))


def _of_joint(joint: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    seen = joint > 0
    return float(max(0.0, np.sum(joint[seen] * np.log2(joint[seen] / apart[seen]))))
