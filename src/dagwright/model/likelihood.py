"""The probability of data under a network: in all, per node and per row.

Missing cells are summed over, row by row within each pattern of missing cells.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dagwright.data import Table
from dagwright.data.states import missing_code
from dagwright.errors import MissingValuesError
from dagwright.evidence.counting import Counting
from dagwright.model.checks import Floats
from dagwright.model.elimination import ROWS, Factor, eliminate_rows
from dagwright.model.findings import Findings
from dagwright.model.inference import log_probability

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork


ROWS_AT_ONCE = 4096
WORTH_A_BATCH = 16
"""Rows of one pattern from which on summing for all at once is faster than asking one by one."""


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
    """log P(data): the sum over the nodes, or over the rows if cells are missing."""
    table = network.encode(data)
    if not any(table.missing.values()):
        return math.fsum(node_log_likelihoods(network, table).values())
    values = row_log_likelihoods(network, table)
    if table.weights is not None:
        counted = table.weights > 0
        values = table.weights[counted] * values[counted]
    return math.fsum(values.tolist())


def row_log_likelihoods(network: BayesianNetwork, data: Any) -> Floats:
    """log P(row) of every row, P of what is known in it."""
    table = network.encode(data)
    total = np.zeros(table.n_rows)
    for known, rows in patterns(table):
        codes = {node: table.codes(node)[rows] for node in network.nodes if node in known}
        if len(known) == len(network.nodes) or len(rows) >= WORTH_A_BATCH:
            total[rows] = _of_pattern(network, codes, len(rows))
        else:
            for place, row in enumerate(rows):
                findings = Findings({node: int(column[place]) for node, column in codes.items()}, {})
                total[row] = log_probability(network, findings)
    return total


def _of_pattern(network: BayesianNetwork, codes: dict[str, NDArray[Any]], rows: int) -> Floats:
    """log P of rows that are known at the same nodes: hidden nodes are summed out for many rows at once."""
    total = np.zeros(rows)
    hidden: list[Factor] = []
    for node in sorted({*codes, *network.graph.ancestors(codes)} if codes else ()):
        family = (*network.parents(node), node)
        if codes.keys() >= set(family):
            with np.errstate(divide="ignore"):
                total += np.log(network.table(node))[tuple(codes[name] for name in family)]
        else:
            hidden.append((family, network.table(node)))
    for start in range(0, rows if hidden else 0, ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        given = {node: column[part] for node, column in codes.items()}
        with np.errstate(divide="ignore"):
            total[part] += np.log(eliminate_rows(hidden, given, (ROWS,)))
    return total


def patterns(table: Table) -> Iterator[tuple[frozenset[str], NDArray[np.intp]]]:
    """The rows grouped by which of their cells are known."""
    gaps = [name for name, missing in table.missing.items() if missing]
    if not gaps:
        yield frozenset(table.names), np.arange(table.n_rows)
        return
    known = np.stack([table.codes(name) != missing_code(table.codes(name)) for name in gaps], axis=1)
    packed = np.ascontiguousarray(np.packbits(known, axis=1))
    _, first, group = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(group.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(group.ravel()))
    always = [name for name in table.names if name not in gaps]
    for row, rows in zip(first, np.split(order, ends[:-1]), strict=True):
        seen = [name for name, is_known in zip(gaps, known[row], strict=True) if is_known]
        yield frozenset([*always, *seen]), rows
