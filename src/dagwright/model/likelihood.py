"""The probability of data under a network: in all, per node and per row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright.data import Table
from dagwright.data.missing import require_complete
from dagwright.evidence.counting import Counting
from dagwright.model.checks import Floats

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork


def complete_rows(network: BayesianNetwork, data: Any) -> Table:
    """The data in the states of the network, refused if a cell is missing."""
    table = network.encode(data)
    require_complete(table)
    return table


def node_log_likelihoods(network: BayesianNetwork, data: Any) -> dict[str, float]:
    """sum over the cells of a family of N_ijk log P(k | j), for each node."""
    counting = Counting(complete_rows(network, data))
    result = {}
    for node in network.nodes:
        family = [counting.table.column_index(name) for name in (*network.parents(node), node)]
        codes, counts = counting.cells(family)
        probabilities = network.table(node)[tuple(codes.T.astype(np.intp))]
        result[node] = (
            -math.inf if np.any(probabilities == 0) else math.fsum((counts * np.log(probabilities)).tolist())
        )
    return result


def log_likelihood(network: BayesianNetwork, data: Any) -> float:
    """log P(data): the sum over the nodes."""
    return math.fsum(node_log_likelihoods(network, data).values())


def row_log_likelihoods(network: BayesianNetwork, data: Any) -> Floats:
    """log P(row) of every row."""
    table = complete_rows(network, data)
    total = np.zeros(table.n_rows)
    for node in network.nodes:
        place = tuple(table.codes(name) for name in (*network.parents(node), node))
        with np.errstate(divide="ignore"):
            logs = np.log(network.table(node))
        total += logs[place]
    return total
