"""The regression of a number on its parents: least squares in each cell, with shrinkage and standard errors.

A cell of the discrete parents borrows from all cells together: their moments are added to its own, worth a
few rows (the normal-Wishart form). So a small cell is near the common regression, and an empty one is equal
to it. Where all rows together are too few, independent columns with the same means and variances are added.
Nothing depends on units. A prior of zero rows gives least squares, which is maximum likelihood.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dagwright.model.gaussian.distribution import FittedRegression, LinearGaussian
from dagwright.model.tables.checks import Floats

COLLINEAR = 1e-10
"""A parent is a linear function of those before it if this share of its variance, or less, is left."""


@dataclass(frozen=True)
class Moments:
    """Number of rows, mean vector, and sums of squares and products around the mean."""

    rows: float
    mean: Floats
    scatter: Floats

    def __add__(self, other: Moments) -> Moments:
        rows = self.rows + other.rows
        if rows <= 0:
            return self
        off = other.mean - self.mean
        between = np.outer(off, off) * (self.rows * other.rows / rows)
        mean = self.mean + off * (other.rows / rows)
        return Moments(rows, mean, self.scatter + other.scatter + between)

    def worth(self, rows: float) -> Moments:
        """The same distribution with another number of rows."""
        return Moments(rows, self.mean, self.scatter * (rows / self.rows if self.rows > 0 else 0.0))

    def independent(self) -> Moments:
        """The same means and variances without covariances."""
        return Moments(self.rows, self.mean, np.diag(np.diagonal(self.scatter)))


def moments(columns: Floats, weights: Floats | None = None) -> Moments:
    """The moments of the columns of an array, rows weighted by frequencies."""
    if not len(columns):
        return Moments(0.0, np.zeros(columns.shape[1]), np.zeros((columns.shape[1],) * 2))
    rows = float(len(columns)) if weights is None else float(weights.sum())
    if rows <= 0:
        return Moments(0.0, np.zeros(columns.shape[1]), np.zeros((columns.shape[1],) * 2))
    share = np.full(len(columns), 1.0 / rows) if weights is None else weights / rows
    mean = share @ columns
    off = columns - mean
    correction = share @ off  # what rounding left of the mean
    mean, off = mean + correction, off - correction
    constant = columns.max(axis=0) == columns.min(axis=0)  # no variance, not even by rounding
    mean, off = np.where(constant, columns[0], mean), np.where(constant, 0.0, off)
    scatter = (off if weights is None else off * weights[:, None]).T @ off
    return Moments(rows, mean, 0.5 * (scatter + scatter.T))


@dataclass(frozen=True)
class Line:
    """A fitted regression: errors are NaN where the data do not determine a number."""

    intercept: float
    slopes: Floats
    sd: float
    intercept_error: float
    slope_errors: Floats


def regress(of: Moments) -> Line:
    """The last column on the others; a parent that those before it determine gets the slope 0."""
    last = len(of.mean) - 1
    scatter = of.scatter
    kept: list[int] = []
    left = scatter.copy()
    for column in range(last):  # which parents are determined by those before them
        if left[column, column] > COLLINEAR * scatter[column, column]:
            left = left - np.outer(left[:, column], left[column]) / left[column, column]
            kept.append(column)
    slopes, errors = np.zeros(last), np.full(last, np.nan)
    scale = np.sqrt(np.diagonal(scatter)[kept])
    inside = scatter[np.ix_(kept, kept)] / np.outer(scale, scale)
    across = scatter[kept, last] / scale
    inverse = np.linalg.inv(inside)
    slopes[kept] = (inverse @ across) / scale
    residual = max(float(scatter[last, last] - slopes @ scatter[:last, last]), 0.0)
    if residual <= COLLINEAR * 1e-3 * scatter[last, last]:
        residual = 0.0  # a function of its parents, up to rounding
    sd = float(np.sqrt(residual / of.rows)) if of.rows > 0 else 0.0
    free = of.rows - len(kept) - 1
    intercept_error = np.nan
    if free > 0:
        variance = residual / free
        errors[kept] = np.sqrt(variance * np.diagonal(inverse)) / scale
        shift = of.mean[kept] / scale
        intercept_error = float(np.sqrt(variance * (1.0 / of.rows + shift @ inverse @ shift)))
    intercept = float(of.mean[last] - slopes @ of.mean[:last])
    return Line(intercept, slopes, sd, intercept_error, errors)


def fitted(
    values: Floats,
    parents: dict[str, Floats],
    given: dict[str, NDArray[np.intp]],
    sizes: Sequence[int],
    weights: Floats | None = None,
    prior_rows: float = 1.0,
) -> tuple[LinearGaussian, NDArray[np.bool_]]:
    """The distribution of a node, and which cells the data and the prior do not determine.

    Parameters
    ----------
    values
        The node's column.
    parents, given
        Columns of its continuous parents, and codes of its discrete ones.
    sizes
        The number of states of each discrete parent.
    weights
        Frequencies of the rows.
    prior_rows
        How many rows of all cells together are added to each cell.
    """
    columns = np.column_stack([*parents.values(), values])
    place = np.ravel_multi_index(tuple(given.values()), tuple(sizes)) if given else np.zeros(len(values), int)
    order = np.argsort(place, kind="stable")
    cells = int(np.prod(sizes, dtype=np.int64)) if given else 1
    ends = np.searchsorted(place[order], np.arange(cells + 1))
    parts = []
    for cell in range(cells):
        rows = order[ends[cell] : ends[cell + 1]]
        parts.append(moments(columns[rows], None if weights is None else weights[rows]))
    return from_moments(parts, list(parents), tuple(given), tuple(sizes), prior_rows)


def from_moments(
    parts: Sequence[Moments],
    parents: Sequence[str],
    given: tuple[str, ...],
    shape: tuple[int, ...],
    prior_rows: float,
) -> tuple[LinearGaussian, NDArray[np.bool_]]:
    """The same from the moments of each cell: of the continuous parents, then the node."""
    pooled = parts[0]
    for part in parts[1:]:
        pooled = pooled + part
    few = len(parents) + 1  # a regression needs more rows than it has slopes and an intercept
    common = pooled + pooled.independent().worth(prior_rows) if pooled.rows <= few else pooled
    whole = regress(common)
    open_cells = np.array([prior_rows <= 0 and part.rows <= few for part in parts])
    lines = [
        whole if len(parts) == 1 or unknown else regress(part + common.worth(prior_rows))
        for part, unknown in zip(parts, open_cells, strict=True)
    ]

    def over_cells(numbers: Sequence[float]) -> Floats:
        return np.array(numbers, dtype=np.float64).reshape(shape)

    slopes = {p: over_cells([line.slopes[i] for line in lines]) for i, p in enumerate(parents)}
    errors = {p: over_cells([line.slope_errors[i] for line in lines]) for i, p in enumerate(parents)}
    own = LinearGaussian(
        over_cells([line.intercept for line in lines]),
        slopes,
        over_cells([line.sd for line in lines]),
        given=given,
        fitted=FittedRegression(
            over_cells([part.rows for part in parts]),
            over_cells([line.intercept_error for line in lines]),
            errors,
        ),
    )
    return own, open_cells.reshape(shape)
