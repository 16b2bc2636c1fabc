"""The probability of data under a network: in all, per node and per row.

Missing cells are summed over.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright.data import Table
from dagwright.errors import MissingValuesError, OptionError
from dagwright.evidence.counting import Counting
from dagwright.model.inference.batches import row_log_probabilities
from dagwright.model.tables.checks import Floats
from dagwright.sentences import Call

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork


def complete_rows(network: BayesianNetwork, data: Any) -> Table:
    """The data in the states of the network, refused if a cell is missing."""
    table = network.encode(data)
    for node, gaps in table.missing.items():
        if gaps:
            raise MissingValuesError(
                f"{gaps:,} values of {node!r} are missing, but complete rows are needed here; "
                "read(...).complete('drop') leaves incomplete ones out"
            )
    return table


def node_log_likelihoods(network: BayesianNetwork, data: Any) -> dict[str, float]:
    """sum over the cells of a family of N_ijk log P(k | j), for each node.

    Rows in which an experiment set the node do not count.
    """
    rows = complete_rows(network, data)
    result = {}
    for node in network.nodes:
        counting = Counting(rows.unset(node))
        family = [counting.table.column_index(name) for name in (*network.parents(node), node)]
        codes, counts = counting.cells(family)
        probabilities = network.table(node)[tuple(codes.T.astype(np.intp))]
        result[node] = (
            -math.inf if np.any(probabilities == 0) else math.fsum((counts * np.log(probabilities)).tolist())
        )
    return result


def log_likelihood(network: BayesianNetwork, data: Any) -> float:
    """log P(data): the sum over the nodes, or over the rows if cells are missing."""
    table = network.encode(data, missing_columns=bool(network.gaussians))
    if not network.gaussians and not any(table.missing.values()):
        return math.fsum(node_log_likelihoods(network, table).values())
    if table.interventions:
        raise OptionError(
            "the log-likelihood of rows that experiments have set needs complete rows of states; score the "
            "graph on them instead: ",
            Call("score"),
        )
    values = row_log_likelihoods(network, table)
    if table.weights is not None:
        counted = table.weights > 0
        values = table.weights[counted] * values[counted]
    return math.fsum(values.tolist())


def row_log_likelihoods(network: BayesianNetwork, data: Any) -> Floats:
    """log P(row) of every row, P of what is known in it."""
    rows = network.encode(data, missing_columns=bool(network.gaussians))
    return row_log_probabilities(network, rows, "error", None)
