"""The distribution of a continuous node: a linear regression on its parents with normal noise."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dagwright.base.wording import aligned
from dagwright.errors import DataError
from dagwright.graph.viewable import Viewable
from dagwright.model.tables.checks import Floats
from dagwright.sentences import Argument

MOST_LINES = 40


class LinearGaussian:
    """A number that is a linear function of its continuous parents plus normal noise.

    Without ``given`` it is linear Gaussian; with it there is one such regression for each configuration of
    the discrete parents, so it is conditional linear Gaussian. A standard deviation of 0 makes the node a
    function of its parents. Two distributions are equal if their numbers are.

    Parameters
    ----------
    intercept
        A number, or an array with one axis for each node in ``given``.
    coefficients
        For each continuous parent its coefficient: a number, or an array as above.
    sd
        The standard deviation of the noise: a number, or an array as above.
    given
        The discrete parents, in the order of the axes.
    fitted
        Standard errors and numbers of rows, where the distribution comes from data.

    >>> LinearGaussian(3.1, {"height": 0.52}, sd=4.2)
    LinearGaussian(3.1 + 0.52 * height + N(0, 4.2))
    """

    __slots__ = ("coefficients", "fitted", "given", "intercept", "sd")
    intercept: Floats
    coefficients: dict[str, Floats]
    sd: Floats
    given: tuple[str, ...]
    fitted: FittedRegression | None

    def __init__(
        self,
        intercept: ArrayLike = 0.0,
        coefficients: Mapping[str, ArrayLike] | None = None,
        sd: ArrayLike = 1.0,
        *,
        given: Sequence[str] = (),
        fitted: FittedRegression | None = None,
    ) -> None:
        of_parents = dict(coefficients or {})
        axes = (given,) if isinstance(given, str) else tuple(given)
        arrays = [_numbers("intercept", intercept), _numbers("standard deviation", sd)]
        arrays += [_numbers(f"coefficient of {parent!r}", value) for parent, value in of_parents.items()]
        if len({*axes, *of_parents}) < len(axes) + len(of_parents):
            raise DataError(f"a parent is named twice: {[*axes, *of_parents]}")
        try:
            shape = np.broadcast_shapes((1,) * len(axes), *(array.shape for array in arrays))
        except ValueError:
            shapes = ", ".join(str(array.shape) for array in arrays)
            raise DataError(f"intercept, coefficients and sd have shapes that differ: {shapes}") from None
        if len(shape) != len(axes):
            raise DataError(
                f"the numbers have {len(shape)} axes, but ",
                Argument("given"),
                f" names {len(axes)} discrete parents; give one axis for each",
            )
        own = [_own(array, shape) for array in arrays]
        if np.any(own[1] < 0):
            raise DataError(f"a standard deviation cannot be negative, got {float(own[1].min()):g}")
        object.__setattr__(self, "intercept", own[0])
        object.__setattr__(self, "sd", own[1])
        object.__setattr__(self, "coefficients", dict(zip(of_parents, own[2:], strict=True)))
        object.__setattr__(self, "given", axes)
        object.__setattr__(self, "fitted", fitted)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a LinearGaussian cannot be changed; make a new one")

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of states of each discrete parent."""
        return self.intercept.shape

    @property
    def parents(self) -> tuple[str, ...]:
        """Discrete parents in the order of the axes, then the continuous ones."""
        return (*self.given, *self.coefficients)

    @property
    def dimension(self) -> int:
        """Number of free parameters: intercept, coefficients and variance of each configuration."""
        return (2 + len(self.coefficients)) * self.intercept.size

    def spread(self, shape: tuple[int, ...]) -> LinearGaussian:
        """The same distribution with arrays of the full shape."""
        if shape == self.shape:
            return self
        return LinearGaussian(
            np.broadcast_to(self.intercept, shape),
            {parent: np.broadcast_to(value, shape) for parent, value in self.coefficients.items()},
            np.broadcast_to(self.sd, shape),
            given=self.given,
            fitted=self.fitted,
        )

    def renamed(self, names: Mapping[str, str]) -> LinearGaussian:
        """The same distribution with other names of the parents."""
        fitted = self.fitted
        if fitted is not None:
            errors = {names.get(p, p): value for p, value in fitted.coefficient_errors.items()}
            fitted = FittedRegression(fitted.rows, fitted.intercept_error, errors)
        return LinearGaussian(
            self.intercept,
            {names.get(p, p): value for p, value in self.coefficients.items()},
            self.sd,
            given=[names.get(p, p) for p in self.given],
            fitted=fitted,
        )

    def in_order(self) -> LinearGaussian:
        """The same distribution with its parents in alphabetical order."""
        axes = sorted(range(len(self.given)), key=self.given.__getitem__)
        return LinearGaussian(
            self.intercept.transpose(axes),
            {p: self.coefficients[p].transpose(axes) for p in sorted(self.coefficients)},
            self.sd.transpose(axes),
            given=[self.given[axis] for axis in axes],
        )

    def equation(self, node: str = "", place: tuple[int, ...] = ()) -> str:
        """The regression of one configuration as text.

        >>> LinearGaussian(1, {"a": -2}, 0).equation("y")
        'y = 1 - 2 * a'
        """
        text = f"{float(self.intercept[place]):.6g}"
        for parent, values in self.coefficients.items():
            value = float(values[place])
            text += f" {'-' if value < 0 else '+'} {abs(value):.6g} * {parent}"
        sd = float(self.sd[place])
        text += f" + N(0, {sd:.6g})" if sd > 0 else ""
        return f"{node} = {text}" if node else text

    def _key(self) -> tuple[Any, ...]:
        ordered = self.in_order()
        values = [ordered.intercept, ordered.sd, *ordered.coefficients.values()]
        return ordered.parents, self.shape, tuple(array.tobytes() for array in values)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, LinearGaussian) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.intercept, self.coefficients, self.sd, self.given, self.fitted)
        return _restore, parts

    def __repr__(self) -> str:
        if self.intercept.size == 1:
            return f"LinearGaussian({self.equation(place=(0,) * len(self.given))})"
        terms = "".join(f", {parent}" for parent in self.coefficients)
        return (
            f"LinearGaussian(intercept{terms}, sd for {self.intercept.size} cases of {', '.join(self.given)})"
        )


class FittedRegression:
    """The regression behind a `LinearGaussian` that was fitted to data.

    Attributes
    ----------
    rows
        Rows of each configuration of the discrete parents.
    intercept_error, coefficient_errors
        Standard errors, in the same shape; NaN where a configuration has too few rows.
    """

    __slots__ = ("coefficient_errors", "intercept_error", "rows")

    def __init__(
        self, rows: ArrayLike, intercept_error: ArrayLike, coefficient_errors: Mapping[str, ArrayLike]
    ) -> None:
        self.rows = np.asarray(rows, dtype=np.float64)
        self.intercept_error = np.asarray(intercept_error, dtype=np.float64)
        self.coefficient_errors = {
            parent: np.asarray(values, dtype=np.float64) for parent, values in coefficient_errors.items()
        }


class Equation(Viewable):
    """The distribution of a continuous node with its names: it prints as an equation.

    Attributes
    ----------
    node
        The node.
    distribution
        Intercept, coefficients and standard deviation.
    states
        The states of each discrete parent.
    """

    __slots__ = ("distribution", "node", "states")

    def __init__(
        self, node: str, distribution: LinearGaussian, states: Sequence[Sequence[Hashable]] = ()
    ) -> None:
        self.node = node
        self.distribution = distribution
        self.states = tuple(map(tuple, states))

    def rows(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """The equations for readers: heads, and a row for each configuration of the discrete parents."""
        own = self.distribution
        cases = itertools.product(*map(enumerate, self.states))
        rows = []
        for case in cases:
            place = tuple(position for position, _ in case)
            rows.append((*(str(state) for _, state in case), own.equation(self.node, place)))
        return (*own.given, self.node), rows

    def standard_errors(self) -> dict[str, Floats]:
        """The standard errors by parent, that of the intercept under the node's name; empty if unknown."""
        fitted = self.distribution.fitted
        return {} if fitted is None else {self.node: fitted.intercept_error} | fitted.coefficient_errors

    def __str__(self) -> str:
        heads, rows = self.rows()
        if not self.states:
            return rows[0][-1]
        lines = aligned([heads, *rows[:MOST_LINES]])
        more = [f"and {len(rows) - MOST_LINES:,} more rows"] if len(rows) > MOST_LINES else []
        title = f"{self.node} | {', '.join(self.distribution.parents)}"
        return "\n".join([title, *(f"  {line}" for line in [*lines, *more])])

    __repr__ = __str__

    def __reduce__(self) -> tuple[Any, ...]:
        return Equation, (self.node, self.distribution, self.states)


def _numbers(what: str, given: ArrayLike) -> Floats:
    try:
        array = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"the {what} must be a number or an array of numbers, not {given!r}") from None
    if not np.all(np.isfinite(array)):
        raise DataError(f"the {what} must be finite, got {given!r}")
    return array


def _own(array: Floats, shape: tuple[int, ...]) -> Floats:
    own = np.array(np.broadcast_to(array, shape), order="C")
    own += 0.0  # turns -0.0 into 0.0, so that equal numbers are equal bytes
    own.flags.writeable = False
    return own


def _restore(
    intercept: Floats,
    coefficients: dict[str, Floats],
    sd: Floats,
    given: tuple[str, ...],
    fitted: FittedRegression | None,
) -> LinearGaussian:
    return LinearGaussian(intercept, coefficients, sd, given=given, fitted=fitted)
