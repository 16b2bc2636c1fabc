"""Univariate regressions over configurations of discrete nodes, and the exchange of two of them.

A regression is X = intercept + slopes . parents + N(0, variance), one for each configuration of a *scope* of
discrete nodes. The exchange is Bayes' theorem for two of them (Shachter & Kenley 1989; Cowell 2005,
"Local propagation in conditional Gaussian Bayesian networks", JMLR 6): it inverts no matrix and allows zero
variances.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagwright.base.memory import shown_bytes
from dagwright.errors import CapacityError
from dagwright.model.tables.capacity import CELL_BYTES, MAX_AXES
from dagwright.model.tables.checks import Floats
from dagwright.sentences import Argument

CANCELED = 1e-13
"""A sum of two terms that is smaller than this share of them is rounding, and taken for zero."""

COPIES = 4
"""Arrays of one regression that an exchange holds at once."""

Scope = tuple[int, ...]


@dataclass(frozen=True)
class Regression:
    """One variable given others; every array has one axis per node of the scope, of size 1 if constant.

    Attributes
    ----------
    scope
        Numbers of the discrete nodes, ascending.
    intercept, variance
        Arrays over the scope.
    parents
        Numbers of the continuous parents, ascending in an order in which parents come first.
    slopes
        The same with a last axis for the parents.
    size
        The size of the terms that were summed in the intercept: rounding is relative to it.
    """

    scope: Scope
    intercept: Floats
    parents: tuple[int, ...]
    slopes: Floats
    variance: Floats
    size: Floats

    def over(self, scope: Scope) -> Regression:
        """The same regression over a wider scope."""
        if scope == self.scope:
            return self
        return Regression(
            scope,
            spread(self.intercept, self.scope, scope),
            self.parents,
            spread(self.slopes, self.scope, scope),
            spread(self.variance, self.scope, scope),
            spread(self.size, self.scope, scope),
        )

    def among(self, parents: tuple[int, ...]) -> Floats:
        """The slopes of these parents, zero for those that are not its own."""
        if parents == self.parents:
            return self.slopes
        wide = np.zeros((*self.slopes.shape[:-1], len(parents)))
        place = {parent: i for i, parent in enumerate(parents)}
        wide[..., [place[parent] for parent in self.parents]] = self.slopes
        return wide

    def without(self, parent: int, value: Floats, rows: int) -> Regression:
        """The regression with a parent fixed at a value, or at one for each row."""
        at = self.parents.index(parent)
        wide = self.over(merged(self.scope, (rows,))) if value.ndim else self
        known = of_rows(value, wide.scope)
        term = wide.slopes[..., at] * known
        return Regression(
            wide.scope,
            wide.intercept + term,
            self.parents[:at] + self.parents[at + 1 :],
            np.delete(wide.slopes, at, axis=-1),
            wide.variance,
            wide.size + np.abs(term),
        )


def spread(array: NDArray[Any], scope: Scope, wider: Scope) -> NDArray[Any]:
    """The array with axes of size 1 for the nodes that are only in the wider scope."""
    sizes = dict(zip(scope, array.shape, strict=False))
    return array.reshape((*(sizes.get(node, 1) for node in wider), *array.shape[len(scope) :]))


def merged(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    """All members of both, ascending."""
    return first if first == second or not second else tuple(sorted({*first, *second}))


def of_rows(value: Floats, scope: Scope) -> Floats:
    """A value, or one for each row, in the shape of the scope, whose first axis is that of the rows."""
    return value.reshape(-1, *[1] * (len(scope) - 1)) if value.ndim else value


@dataclass(frozen=True)
class Limit:
    """The memory that one array over a scope may take; names are for the error."""

    sizes: Mapping[int, int]
    names: Mapping[int, str]
    max_bytes: float

    def require(self, scope: Scope, parents: int) -> None:
        """Refuse a scope whose arrays would not fit."""
        cells = math.prod(float(self.sizes[node]) for node in scope)
        needed = COPIES * CELL_BYTES * cells * (parents + 1)
        if needed > self.max_bytes or len(scope) >= MAX_AXES:
            nodes = [self.names[node] for node in scope if node in self.names]
            shown = ", ".join(nodes[:6]) + (", ..." if len(nodes) > 6 else "")
            raise CapacityError(
                f"exact inference needs {cells:.3g} regressions at once ({shown_bytes(needed)}), one for "
                f"each configuration of {len(nodes)} discrete nodes that meet in one continuous part "
                f"({shown}); observe some of them, or use ",
                Argument("method", "likelihood_weighting"),
                " or 'auto'",
            )


def composed(regression: Regression, parent: Regression, limit: Limit) -> Regression:
    """The regression with its last parent replaced by what that depends on."""
    scope = merged(regression.scope, parent.scope)
    parents = merged(regression.parents[:-1], parent.parents)
    limit.require(scope, len(parents))
    y, x = regression.over(scope), parent.over(scope)
    slope = y.slopes[..., -1]
    return Regression(
        scope,
        y.intercept + slope * x.intercept,
        parents,
        _sum(_rest(y, parents), slope[..., None] * x.among(parents)),
        y.variance + slope * slope * x.variance,
        y.size + np.abs(slope) * x.size,
    )


def exchanged(
    regression: Regression, parent: Regression, value: Floats | int, rows: int, limit: Limit
) -> tuple[Regression, Regression]:
    """Both regressions after the arc from the last parent X to the child Y is turned round.

    Parameters
    ----------
    value
        The observed value of Y, or one for each row, which then stands in the regression of X for Y itself;
        or the new number of Y as a parent of X, below all others.

    Returns
    -------
    child, parent
        Y without X, and X given Y.
    """
    child = composed(regression, parent, limit)
    known = None if isinstance(value, int) else value
    scope = child.scope if known is None or not known.ndim else merged(child.scope, (rows,))
    limit.require(scope, len(child.parents))
    y, x = regression.over(scope), parent.over(scope)
    total = child.over(scope).variance
    slope = y.slopes[..., -1]
    positive = total > 0
    safe = np.where(positive, total, 1.0)
    # X | Y: the share of X that stays, and the weight of Y. Both variances 0: Y says nothing more of X.
    stay = np.where(positive, y.variance / safe, 1.0)
    gain = np.where(positive, slope * x.variance / safe, 0.0)
    rest = _rest(y, child.parents)
    slopes = _sum(stay[..., None] * x.among(child.parents), -gain[..., None] * rest)
    intercept = stay * x.intercept - gain * y.intercept
    size = stay * x.size + np.abs(gain) * y.size
    if known is None:
        parents: tuple[int, ...] = (int(value), *child.parents)
        shape = np.broadcast_shapes(slopes.shape[:-1], gain.shape)
        slopes = np.concatenate(
            [
                np.broadcast_to(gain, shape)[..., None],
                np.broadcast_to(slopes, (*shape, len(child.parents))),
            ],
            axis=-1,
        )
    else:
        parents = child.parents
        term = gain * of_rows(known, scope)
        intercept = intercept + term
        size = size + np.abs(term)
    return child, Regression(scope, intercept, parents, slopes, stay * x.variance, size)


def _rest(regression: Regression, parents: tuple[int, ...]) -> Floats:
    """The slopes of all but the last parent, among the parents given."""
    short = Regression(
        regression.scope,
        regression.intercept,
        regression.parents[:-1],
        regression.slopes[..., :-1],
        regression.variance,
        regression.size,
    )
    return short.among(parents)


def _sum(first: Floats, second: Floats) -> Floats:
    """first + second, zero where only rounding is left."""
    total = first + second
    total[np.abs(total) <= CANCELED * (np.abs(first) + np.abs(second))] = 0.0
    return total
