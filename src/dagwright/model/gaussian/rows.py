"""Rows of states and numbers: their densities, predictions and completions under a network.

Rows are grouped by what is missing. Within a group all rows are taken at once: they are one more axis of the
regressions, and the missing states are the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dagwright.data import Table
from dagwright.data.states import code_dtype
from dagwright.errors import CapacityError, ImpossibleEvidenceError
from dagwright.model.gaussian.elimination import ROWS, Elimination, numbering
from dagwright.model.gaussian.inference import continuous_ancestors
from dagwright.model.gaussian.regression import Scope, spread
from dagwright.model.inference.findings import UnknownStatePolicy
from dagwright.model.tables.checks import Floats

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork

Codes = NDArray[np.intp]
MISSING = -1
MOST_CASES = 1 << 16
"""Configurations of the missing states of one row."""
CHUNK_NUMBERS = 1 << 22
"""Numbers in the arrays of one chunk of rows."""


@dataclass(frozen=True)
class MixedRows:
    """Columns of a network's nodes: codes of states, -1 if missing, and numbers, NaN if missing."""

    count: int
    codes: dict[str, Codes]
    numbers: dict[str, Floats]
    weights: Floats | None = None

    def table(self, network: BayesianNetwork) -> Table:
        """The rows as a table with the states of a network."""
        columns: list[Any] = []
        for node in network.nodes:
            if node in self.numbers:
                columns.append(self.numbers[node])
                continue
            dtype = code_dtype(network.cardinality(node))
            known = self.codes[node] != MISSING
            columns.append(np.where(known, self.codes[node], np.iinfo(dtype).max).astype(dtype))
        return Table.from_schema(network.template.schema, columns, weights=self.weights)

    def missing(self, node: str) -> NDArray[np.bool_]:
        known = self.codes.get(node)
        return np.isnan(self.numbers[node]) if known is None else known == MISSING


def read_rows(network: BayesianNetwork, data: Any, unknown_states: UnknownStatePolicy = "error") -> MixedRows:
    """The columns of the data that are nodes; other columns are ignored, and absent nodes are missing."""
    return table_rows(network.encode(data, missing_columns=True, unknown_states=unknown_states))


def table_rows(table: Table) -> MixedRows:
    """The columns of a table by name."""
    codes, numbers = {}, {}
    for variable in table.schema:
        name = variable.name
        if not variable.is_discrete:
            numbers[name] = table.reals(name)
            continue
        codes[name] = table.codes(name).astype(np.intp)
        codes[name][table.gaps(name)] = MISSING
    return MixedRows(table.n_rows, codes, numbers, table.weights)


class SolvedRows:
    """Rows with the same missing cells.

    Attributes
    ----------
    rows
        Which rows they are.
    scope
        The numbers of the missing discrete nodes that matter.
    log_joint
        The log-density of what is known with each configuration of the missing states: an axis for the rows,
        then one for each node of the scope.
    """

    def __init__(
        self, network: BayesianNetwork, data: MixedRows, rows: Codes, known: set[str], wanted: Sequence[str]
    ) -> None:
        self.network, self.rows = network, rows
        numbers = numbering(network)
        relevant = {*known, *wanted, *network.graph.ancestors([*known, *wanted])}
        free = sorted(numbers.discrete[node] for node in relevant & set(data.codes) if node not in known)
        self.scope: Scope = tuple(free)
        codes = {node: data.codes[node][rows] for node in data.codes if node in known}
        self.elimination = Elimination(
            network, continuous_ancestors(network, relevant), codes, np.inf, len(rows)
        )
        weights = self.elimination.absorb({n: data.numbers[n][rows] for n in data.numbers if n in known})
        sizes = tuple(self.elimination.limit.sizes[node] for node in free)
        log = np.zeros((len(rows), *sizes))
        atoms = np.zeros((len(rows), *sizes), dtype=np.int64)
        whole = (ROWS, *self.scope)
        for weight in weights:
            log = log + spread(weight.log, weight.scope, whole)
            atoms = atoms + spread(weight.atoms, weight.scope, whole)
        for node in sorted(relevant & set(data.codes), key=numbers.discrete.__getitem__):
            scope, table = _log_table(network, node, codes, numbers.discrete)
            log = log + spread(table, scope, whole)
        if weights:  # certain numbers outweigh densities
            axes = tuple(range(1, log.ndim))
            highest = np.where(np.isfinite(log), atoms, -1).max(axis=axes, keepdims=True)
            log = np.where(atoms == highest, log, -np.inf)
        self.log_joint: Floats = log

    def log_densities(self) -> Floats:
        """The log-density of what is known in each row."""
        flat = self.log_joint.reshape(len(self.rows), -1)
        largest = flat.max(axis=1)
        safe = np.where(np.isfinite(largest), largest, 0.0)
        with np.errstate(divide="ignore"):
            return np.asarray(safe + np.log(np.exp(flat - safe[:, None]).sum(axis=1)))

    def shares(self) -> Floats:
        """P(missing states | what is known); NaN in impossible rows."""
        with np.errstate(invalid="ignore"):
            off = self.log_joint - self.log_densities().reshape(-1, *[1] * len(self.scope))
        return np.exp(off)

    def chances(self, node: str) -> Floats:
        """P(node | what is known): one row each, one column per state."""
        at = 1 + self.scope.index(self.elimination.numbers.discrete[node])
        others = tuple(axis for axis in range(1, 1 + len(self.scope)) if axis != at)
        return np.asarray(self.shares().sum(axis=others))

    def mean(self, node: str) -> Floats:
        """The mean of an unobserved number in each row."""
        found = self.elimination.marginal(node)
        means = spread(found.intercept, found.scope, (ROWS, *self.scope))
        return np.asarray((self.shares() * means).reshape(len(self.rows), -1).sum(axis=1))

    def most_probable(self) -> dict[int, Codes]:
        """The most probable configuration of the missing states in each row, of equal ones the first."""
        if not self.scope:
            return {}
        flat = self.log_joint.reshape(len(self.rows), -1)
        places = np.unravel_index(flat.argmax(axis=1), self.log_joint.shape[1:])
        return dict(zip(self.scope, places, strict=True))


def _log_table(
    network: BayesianNetwork, node: str, codes: Mapping[str, Codes], number: Mapping[str, int]
) -> tuple[Scope, Floats]:
    """log P(node | parents) at the known states of each row, with axes for the missing ones."""
    family = (*network.parents(node), node)
    fixed = [axis for axis, name in enumerate(family) if name in codes]
    free = sorted(set(range(len(family))) - set(fixed), key=lambda axis: number[family[axis]])
    scope = tuple(number[family[axis]] for axis in free)
    with np.errstate(divide="ignore"):
        log = np.log(network.table(node)).transpose(*fixed, *free)
    return (ROWS, *scope) if fixed else scope, log[tuple(codes[family[axis]] for axis in fixed)]


def solved(
    network: BayesianNetwork, data: MixedRows, wanted: Callable[[set[str]], Sequence[str]]
) -> Iterator[SolvedRows]:
    """The rows in groups by what is missing.

    Parameters
    ----------
    wanted
        The missing nodes that are asked about, given the nodes that are known.
    """
    gaps = {node: data.missing(node) for node in network.nodes}
    group: Codes = np.zeros(data.count, dtype=np.intp)
    for gap in gaps.values():
        if gap.any():
            group = np.unique(2 * group + gap, return_inverse=True)[1].reshape(-1)
    order = np.argsort(group, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(group[order])) + 1) if data.count else ():
        known = {node for node, gap in gaps.items() if not gap[rows[0]]}
        targets = wanted(known)
        relevant = {*known, *targets, *network.graph.ancestors([*known, *targets])}
        missing = [node for node in data.codes if node in relevant and node not in known]
        cases = math.prod(network.cardinality(node) for node in missing)
        if cases > MOST_CASES:
            raise CapacityError(
                f"row {int(rows[0])} lacks {len(missing)} states that matter ({', '.join(missing[:6])}...), "
                f"which have {cases:.3g} configurations; ask about this row with query(), or drop its column"
            )
        chunk = max(1, CHUNK_NUMBERS // (cases * max(1, len(continuous_ancestors(network, relevant)))))
        for start in range(0, len(rows), chunk):
            yield SolvedRows(network, data, rows[start : start + chunk], known, targets)


def log_densities(
    network: BayesianNetwork, data: Any, unknown_states: UnknownStatePolicy = "error"
) -> Floats:
    """The log-density of what is known in each row; minus infinity if it is impossible."""
    rows = read_rows(network, data, unknown_states)
    result = np.empty(rows.count)
    for part in solved(network, rows, lambda _: ()):
        result[part.rows] = part.log_densities()
    return result


def hidden(rows: MixedRows, target: str) -> MixedRows:
    """The rows without the column of the target."""
    codes, numbers = dict(rows.codes), dict(rows.numbers)
    if target in codes:
        codes[target] = np.full(rows.count, MISSING, dtype=np.intp)
    else:
        numbers[target] = np.full(rows.count, np.nan)
    return MixedRows(rows.count, codes, numbers, rows.weights)


def target_chances(
    network: BayesianNetwork, data: Any, target: str, impossible: str, unknown_states: UnknownStatePolicy
) -> Floats:
    """P(target | the other cells) in each row, by state."""
    rows = hidden(read_rows(network, data, unknown_states), target)
    result = np.empty((rows.count, network.cardinality(target)))
    for part in solved(network, rows, lambda _: (target,)):
        result[part.rows] = part.chances(target)
    _require_possible(result[:, 0], impossible)
    return result


def target_means(
    network: BayesianNetwork, data: Any, target: str, impossible: str, unknown_states: UnknownStatePolicy
) -> Floats:
    """The mean of a continuous target given the other cells of each row."""
    rows = hidden(read_rows(network, data, unknown_states), target)
    result = np.empty(rows.count)
    for part in solved(network, rows, lambda _: (target,)):
        result[part.rows] = part.mean(target)
    _require_possible(result, impossible)
    return result


def completed(network: BayesianNetwork, data: Any, unknown_states: UnknownStatePolicy) -> MixedRows:
    """The rows with missing states at the most probable ones, missing numbers at their mean given these."""
    rows = read_rows(network, data, unknown_states)
    codes = {node: column.copy() for node, column in rows.codes.items()}
    numbers = {node: column.copy() for node, column in rows.numbers.items()}
    names = {number: node for node, number in numbering(network).discrete.items()}
    everything = set(network.nodes)
    for part in solved(network, rows, lambda known: sorted(everything - known)):
        impossible = ~np.isfinite(part.log_densities())
        if np.any(impossible):
            raise _impossible_row(int(part.rows[impossible.argmax()]))
        for number, found in part.most_probable().items():
            codes[names[number]][part.rows] = found
    states_known = MixedRows(rows.count, codes, rows.numbers)
    for part in solved(network, states_known, lambda known: sorted(everything - known)):
        for node in network.continuous:
            if np.isnan(rows.numbers[node][part.rows[0]]):
                numbers[node][part.rows] = part.mean(node)
    return MixedRows(rows.count, codes, numbers, rows.weights)


def _require_possible(values: Floats, impossible: str) -> None:
    wrong = np.isnan(values)
    if np.any(wrong) and impossible == "error":
        raise _impossible_row(int(wrong.argmax()))


def _impossible_row(row: int) -> ImpossibleEvidenceError:
    return ImpossibleEvidenceError(
        f"row {row} is impossible in this network; leave such rows out, or fit the network with a prior that "
        "leaves no state impossible"
    )
