"""Tests of partial correlations by ranks, for monotone relations and ordered states."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.data import Table
from dagwright.data.missing import require_complete
from dagwright.data.reach import require_reach
from dagwright.errors import OptionError, require_a
from dagwright.evidence.chi_squared import TestSpec
from dagwright.evidence.numbers import Numbers
from dagwright.evidence.partial_correlation import BoundPartialCorrelation, PartialCorrelationTest, StudentT
from dagwright.methods.method_like import read_methods
from dagwright.methods.traits import MIXED, DataKind, Reads
from dagwright.sentences import Argument

Floats = NDArray[np.float64]
By = Literal["spearman", "kendall"]
LEAST_EIGENVALUE = 1e-8
ROUNDS = 100
SETTLED = 1e-7


@dataclass(frozen=True)
class Ranked(TestSpec):
    """A test of partial correlations whose correlations come from ranks (Harris & Drton 2013).

    Rank correlations become correlations of the normal variables behind monotone transformations: 2 sin(pi
    rho/6) of Spearman's rho, sin(pi tau/2) of Kendall's tau-b. Equal values share the mean of their ranks.
    Where the matrix is not positive definite, the nearest correlation matrix takes its place. Discrete
    columns need ordered states, or two.

    Parameters
    ----------
    test
        `StudentT`, `FisherZ` or `LikelihoodRatio`; its alpha decides.
    by
        ``"spearman"`` or ``"kendall"``.

    >>> Ranked(StudentT(0.05)).describe()
    "Ranked, Student t of Spearman's rho, independent if p > 0.05"
    """

    summary: ClassVar[str] = "partial correlations from ranks, for monotone relations and ordered states"
    citation: ClassVar[str] = "Harris & Drton 2013"
    takes: ClassVar[frozenset[DataKind]] = MIXED
    reads: ClassVar[Reads] = "rows in memory"

    test: PartialCorrelationTest = field(default_factory=StudentT)
    by: By = "spearman"
    name: ClassVar[str] = "Ranked"

    def __post_init__(self) -> None:
        read_methods(self, test=("test",))
        require_a(
            PartialCorrelationTest,
            self.test,
            "the test of Ranked",
            "StudentT(), FisherZ() or LikelihoodRatio()",
        )

    def definition(self) -> str:
        of = "Spearman's rho" if self.by == "spearman" else "Kendall's tau"
        return f"{self.test.name} of {of}, {self.test.definition()}"

    def on(self, data: Any) -> BoundPartialCorrelation:
        numbers = Numbers.of(data)
        require_reach(self, numbers.table, 24.0 * len(numbers.names))
        require_complete(numbers.table)
        correlations = rank_correlations(numbers.table, self.by)
        moments = _core.SetMoments.given(numbers.N, [0.0] * len(numbers.names), correlations)
        return BoundPartialCorrelation(self.test, numbers, _core.GaussianMeasure(moments), self)


def rank_correlations(table: Table, by: By) -> Floats:
    """The correlations behind the ranks of the columns of a complete table."""
    columns = [_ordered_values(table, name) for name in table.names]
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    if by == "spearman":
        ranks = np.array([mid_ranks(column, weights) for column in columns])
        ranks -= np.average(ranks, axis=1, weights=weights)[:, None]
        products = (ranks * weights) @ ranks.T
        rho = _normalized(products)
        found = 2.0 * np.sin(math.pi / 6.0 * rho)
    else:
        if table.weights is not None:
            raise OptionError("Kendall's tau takes no weights; use ", Argument("by", "spearman"))
        n = len(columns)
        concordance = np.array(
            [[kendall_sum(columns[i], columns[j]) if i <= j else 0.0 for j in range(n)] for i in range(n)]
        )
        found = np.sin(math.pi / 2.0 * _normalized(concordance + np.triu(concordance, 1).T))
    np.fill_diagonal(found, 1.0)
    return nearest_correlations(found)


def _ordered_values(table: Table, name: str) -> Floats:
    variable = table.schema[name]
    if not variable.is_discrete:
        return table.reals(name)
    if variable.cardinality > 2 and not variable.ordered:
        raise OptionError(
            f"{name!r} has {variable.cardinality} states without an order, and ranks need one; use StudentT()"
        )
    return table.codes(name).astype(np.float64)


def _normalized(products: Floats) -> Floats:
    """Products over the roots of the diagonal; constant columns correlate with nothing."""
    roots = np.sqrt(np.maximum(np.diag(products), 0.0))
    safe = np.where(roots > 0.0, roots, 1.0)
    found: Floats = np.clip(products / safe[:, None] / safe, -1.0, 1.0)
    return found


def mid_ranks(values: Floats, weights: Floats) -> Floats:
    """Ranks from 1 on; equal values share the mean of theirs, and a row counts by its weight.

    >>> mid_ranks(np.array([5.0, 7.0, 5.0]), np.ones(3))
    array([1.5, 3. , 1.5])
    """
    _, group = np.unique(values, return_inverse=True)
    size = np.bincount(group, weights)
    ends = np.cumsum(size)
    mean: Floats = ends - size / 2.0 + 0.5
    return mean[group]


def kendall_sum(x: Floats, y: Floats) -> float:
    """Concordant minus discordant pairs of rows; of a column with itself, the pairs that are not equal.

    >>> kendall_sum(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    1.0
    """
    n = len(x)
    order = np.lexsort((y, x))
    discordant = _inversions(y[order])
    tied_x, tied_y, tied_both = (_tied_pairs(*columns) for columns in ((x,), (y,), (x, y)))
    untied = n * (n - 1) // 2 - tied_x - tied_y + tied_both
    return float(untied - 2 * discordant)


def _tied_pairs(*columns: Floats) -> int:
    _, counts = np.unique(np.array(columns), axis=1, return_counts=True)
    return int(np.sum(counts.astype(np.int64) * (counts - 1) // 2))


def _inversions(values: Floats) -> int:
    """Pairs of which the earlier is larger, by merging sorted blocks of growing size."""
    size = 1 << max(len(values) - 1, 0).bit_length()
    _, ranks = np.unique(values, return_inverse=True)
    blocks = np.full(size, len(values), dtype=np.int64)
    blocks[: len(values)] = ranks
    found, width = 0, 1
    while width < size:
        pairs = blocks.reshape(-1, 2 * width)
        order = np.argsort(pairs, axis=1, kind="stable")
        place = np.argsort(order, axis=1)[:, width:]
        # The k-th of the right half has place - k of the left half before it.
        found += int(np.sum(width - (place - np.arange(width))))
        blocks = np.take_along_axis(pairs, order, axis=1).ravel()
        width *= 2
    return found


def nearest_correlations(matrix: Floats) -> Floats:
    """The nearest matrix with ones on the diagonal and no eigenvalue near zero (Higham 2002)."""
    values = np.linalg.eigvalsh(matrix)
    if values[0] >= LEAST_EIGENVALUE:
        return matrix
    current, correction = matrix.copy(), np.zeros_like(matrix)
    for _ in range(ROUNDS):
        shifted = current - correction
        values, vectors = np.linalg.eigh(shifted)
        projected = (vectors * np.maximum(values, LEAST_EIGENVALUE)) @ vectors.T
        correction = projected - shifted
        before, current = current, projected.copy()
        np.fill_diagonal(current, 1.0)
        if np.max(np.abs(current - before)) < SETTLED:
            break
    current = (current + current.T) / 2.0
    least = float(np.linalg.eigvalsh(current)[0])
    if least < LEAST_EIGENVALUE:  # what is left by rounding
        current = (current + (LEAST_EIGENVALUE - least) * np.eye(len(current))) / (
            1 + LEAST_EIGENVALUE - least
        )
    return current
