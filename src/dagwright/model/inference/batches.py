"""Many rows at once: predictions, completions and likelihoods of rows with missing cells.

Rows are grouped by what is missing and by the states that matter to it, so that equal work is done once.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.data import Table
from dagwright.data.bins import value_on
from dagwright.data.sources import columns_as_given
from dagwright.data.states import code_dtype, missing_code
from dagwright.errors import ImpossibleEvidenceError, OptionError, shortened
from dagwright.evidence.threads import available_threads
from dagwright.model.gaussian.rows import completed, log_densities, target_chances, target_means
from dagwright.model.inference.engine import MAX_BYTES
from dagwright.model.inference.findings import UnknownStatePolicy
from dagwright.model.inference.streams import array_by_batch, by_batch, is_on_disk, table_by_batch
from dagwright.model.tables.capacity import CELL_BYTES
from dagwright.model.tables.checks import Floats
from dagwright.model.tables.native_tables import NumberedTables, numbered_tables
from dagwright.sentences import Argument

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork

log = logging.getLogger("dagwright")
Impossible = Literal["error", "missing"]


@dataclass(frozen=True)
class IncompleteRows:
    """Rows in the states of a network, grouped for its native core."""

    table: Table
    tables: NumberedTables
    grouped: _core.GroupedRows
    threads: int

    def posteriors(self, states: int) -> Floats:
        flat = self.grouped.posteriors(self.tables.native, MAX_BYTES / CELL_BYTES, self.threads)
        return flat.reshape(self.table.n_rows, states)

    def completions(self) -> NDArray[np.int64]:
        flat = self.grouped.completions(self.tables.native, MAX_BYTES / CELL_BYTES, self.threads)
        return flat.reshape(self.table.n_rows, len(self.tables.number)).astype(np.int64)

    def log_likelihoods(self) -> Floats:
        return self.grouped.log_likelihoods(self.tables.native, MAX_BYTES / CELL_BYTES, self.threads)

    def expected_counts(self, native: _core.NetworkTables) -> _core.ExpectedCounts:
        return self.grouped.expected_counts(native, MAX_BYTES / CELL_BYTES, self.threads)


def incomplete_rows(
    network: BayesianNetwork,
    data: Any,
    *,
    target: str | None = None,
    unknown_states: UnknownStatePolicy = "error",
    threads: int | None = None,
) -> IncompleteRows:
    """The rows of the data, nodes without a column being missing everywhere; a target counts as missing."""
    if threads is not None and threads < 1:
        raise OptionError(f"threads must be at least 1, not {threads}")
    table = network.encode(data, missing_columns=True, unknown_states=unknown_states)
    tables = numbered_tables(network)
    native = _core.Table.from_codes(
        [table.codes(name) for name in table.names], list(table.cardinalities), table.n_rows, table.weights
    )
    columns = [table.column_index(node) for node in network.numbering]
    number = None if target is None else tables.number[target]
    grouped = _core.GroupedRows(tables.native, native, columns, number)
    log.info("%d rows in %d groups", table.n_rows, grouped.groups)
    return IncompleteRows(table, tables, grouped, threads or available_threads())


def posterior_rows(
    network: BayesianNetwork,
    data: Any,
    target: str,
    impossible: Impossible,
    unknown_states: UnknownStatePolicy,
    threads: int | None,
) -> Floats:
    """P(target | the other cells of the row): one row each, one column per state of the target."""
    if is_on_disk(data):
        options = target, impossible, unknown_states, threads
        return array_by_batch(data, lambda rows: posterior_rows(network, rows, *options))
    if impossible not in ("error", "missing"):
        raise OptionError(
            Argument("impossible", impossible),
            "; choose 'error' or 'missing'",
        )
    if network.gaussians:
        return target_chances(network, data, target, impossible, unknown_states)
    states = network.states(target)
    rows = incomplete_rows(network, data, target=target, unknown_states=unknown_states, threads=threads)
    result = rows.posteriors(len(states))
    result[_impossible_rows(network, rows.table, target, threads)] = np.nan
    wrong = np.flatnonzero(np.isnan(result[:, 0]))
    if wrong.size and impossible == "error":
        raise _impossible_row(network, rows.table, int(wrong[0]), wrong.size, target)
    return result


def _impossible_rows(
    network: BayesianNetwork, table: Table, target: str | None, threads: int | None
) -> NDArray[np.bool_]:
    """Which rows have probability zero, the target left aside, wherever the contradiction lies.

    What is around a missing cell decides about its state, so an answer alone does not show the rest.
    """
    if all(np.all(network.table(node) > 0) for node in network.nodes):
        return np.zeros(table.n_rows, dtype=np.bool_)
    if target is not None:
        at = table.column_index(target)
        codes = [table.codes(name) for name in table.names]
        codes[at] = np.full_like(codes[at], missing_code(codes[at]))
        table = table.with_codes(codes, table.states, table.weights)
    return np.isneginf(incomplete_rows(network, table, threads=threads).log_likelihoods())


def predicted_states(
    network: BayesianNetwork,
    data: Any,
    target: str,
    impossible: Impossible,
    unknown_states: UnknownStatePolicy,
    threads: int | None,
) -> list[Hashable]:
    """The most probable state of the target in each row, the first of ties; None for impossible evidence."""
    if not isinstance(target, str):
        raise OptionError(
            "predict takes the data, then the name of one target; the target is ", shortened(target)
        )
    if is_on_disk(data):
        options = target, impossible, unknown_states, threads
        batches = by_batch(data, lambda rows: predicted_states(network, rows, *options))
        return [state for batch in batches for state in batch]
    if target in network.gaussians:
        means = target_means(network, data, target, impossible, unknown_states)
        scale = network.scale(target)
        return [None if math.isnan(mean) else value_on(mean, scale) for mean in means.tolist()]
    probabilities = posterior_rows(network, data, target, impossible, unknown_states, threads)
    states = np.empty(network.cardinality(target) + 1, dtype=object)
    states[:-1] = np.fromiter(network.states(target), dtype=object)
    known = ~np.isnan(probabilities[:, 0]) if probabilities.size else np.zeros(0, dtype=bool)
    best = np.full(len(probabilities), len(states) - 1)
    best[known] = probabilities[known].argmax(axis=1)
    result: list[Hashable] = states[best].tolist()
    return result


def given_columns(data: Any) -> dict[str, list[Any]]:
    """The columns of rows to predict from, as they were given."""
    if callable(getattr(data, "read", None)):
        raise OptionError("a stream can be read once only; give a path or a table to join predictions to")
    return data.to_dict() if isinstance(data, Table) else columns_as_given(data)


def imputed(
    network: BayesianNetwork, data: Any, unknown_states: UnknownStatePolicy, threads: int | None
) -> Table:
    """The rows with their missing cells filled by the jointly most probable states."""
    if is_on_disk(data):
        return table_by_batch(data, lambda rows: imputed(network, rows, unknown_states, threads))
    if network.gaussians:
        return completed(network, data, unknown_states).table(network)
    rows = incomplete_rows(network, data, unknown_states=unknown_states, threads=threads)
    table = rows.table
    found = rows.completions()
    wrong = np.flatnonzero((found == -2).any(axis=1) | _impossible_rows(network, table, None, threads))
    if wrong.size:
        raise _impossible_row(network, table, int(wrong[0]), wrong.size)
    codes = []
    for node in table.names:
        column = table.codes(node)
        gaps = column == missing_code(column)
        filled = column.copy()
        filled[gaps] = found[gaps, rows.tables.number[node]].astype(code_dtype(network.cardinality(node)))
        codes.append(filled)
    return table.with_codes(codes, table.states, table.weights)


def row_log_probabilities(
    network: BayesianNetwork, data: Any, unknown_states: UnknownStatePolicy, threads: int | None
) -> Floats:
    """log P(observed cells) of every row."""
    if is_on_disk(data):
        return array_by_batch(
            data, lambda rows: row_log_probabilities(network, rows, unknown_states, threads)
        )
    if network.gaussians:
        return log_densities(network, data, unknown_states)
    return incomplete_rows(network, data, unknown_states=unknown_states, threads=threads).log_likelihoods()


def _impossible_row(
    network: BayesianNetwork, table: Table, row: int, how_many: int, target: str | None = None
) -> ImpossibleEvidenceError:
    cells = {
        node: network.states(node)[int(table.codes(node)[row])]
        for node in table.names
        if node != target and int(table.codes(node)[row]) != missing_code(table.codes(node))
    }
    shown = ", ".join(f"{node}={state!r}" for node, state in list(cells.items())[:6])
    return ImpossibleEvidenceError(
        f"row {row} ({shown}{', ...' if len(cells) > 6 else ''}) has probability zero in this network"
        + (f", and so have {how_many - 1:,} more rows" if how_many > 1 else "")
        + "; fit the network with a prior that leaves no state impossible, or leave such rows out",
        evidence=cells,
    )
