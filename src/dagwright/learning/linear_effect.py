"""A linear regression for one edge between columns of which some hold numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from dagwright.evidence.numbers import Numbers
from dagwright.model.gaussian.least_squares import Moments, regress
from dagwright.model.tables.beta import beta_quantile
from dagwright.model.tables.checks import Floats

LEVEL = 0.95


@dataclass(frozen=True)
class Slope:
    """A coefficient of a regression with its 95 % interval.

    ``of`` is the column of numbers, or the two states that are compared. The interval is that of Student's t.
    """

    of: str
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4g} ({self.low:.4g} to {self.high:.4g})"


@dataclass(frozen=True)
class LinearEffect:
    """The regression of one end of an edge on the other, given the other parents.

    Attributes
    ----------
    response
        The column of numbers that is regressed: the end of the edge, or its start where the end is discrete.
    slopes
        The coefficient of the other column. A discrete one has one for each state but the first: how much
        larger the mean is there than in the first state. Those that the data do not determine are left out.
    partial_correlation
        The partial correlation given the other parents, with its sign; None where a column is discrete.
    explained
        The share of the variance that the other parents leave and that this edge explains: the square of the
        partial correlation, or of its twin for the indicators of states.
    r_squared, r_squared_without
        The share of the whole variance that all parents explain, with this edge and without it.
    """

    response: str
    slopes: tuple[Slope, ...]
    partial_correlation: float | None
    explained: float
    r_squared: float
    r_squared_without: float

    def facts(self) -> list[tuple[str, str]]:
        """The facts of the regression, each with its name."""
        facts = []
        if self.partial_correlation is not None:
            facts.append(("partial correlation", f"{self.partial_correlation:.3f}"))
            facts += [
                ("slope", f"{slope} of {self.response} per unit of {slope.of}") for slope in self.slopes
            ]
        else:
            facts += [
                ("difference", f"{slope} in the mean of {self.response}, {slope.of}") for slope in self.slopes
            ]
        left = " that the other parents leave" if self.r_squared_without > 0 else ""
        variance = (
            f"{self.explained:.1%} of the variance of {self.response}{left}; R² {self.r_squared:.3f}, "
            f"without this edge {self.r_squared_without:.3f}"
        )
        return [*facts, ("variance explained", variance)]


def linear_effect(data: Numbers, start: str, end: str, given: Sequence[str]) -> LinearEffect | None:
    """The regression behind an edge; None where both of its ends are discrete.

    It needs no rows: it is solved from means and covariances, in which a discrete column takes part with the
    indicators of its states.
    """
    numeric = data.table.schema.continuous
    response, other = (end, start) if end in numeric else (start, end)
    if response not in numeric:
        return None
    regressors = _regressors(data)
    inner = [place for name in given for place, _ in regressors[name]]
    own = [place for place, _ in regressors[other]]
    ((last, _),) = regressors[response]
    matrix = data.moments.matrix

    def moments(chosen: list[int]) -> Moments:
        covariance = matrix.covariance[np.ix_(chosen, chosen)]
        return Moments(matrix.N, matrix.means[chosen], covariance * matrix.N)

    with_it = regress(moments([*inner, *own, last]))
    without = regress(moments([*inner, last]))
    whole = float(matrix.covariance[last, last])
    left, before = with_it.sd**2, without.sd**2
    kept = int(np.isfinite(with_it.slope_errors).sum())
    t = student_quantile(0.5 + LEVEL / 2, matrix.N - 1 - kept)
    slopes = []
    for place, (_, meaning) in enumerate(regressors[other], start=len(inner)):
        value, margin = float(with_it.slopes[place]), t * float(with_it.slope_errors[place])
        if math.isfinite(margin):
            slopes.append(Slope(meaning, value, value - margin, value + margin))
    explained = min(max(1.0 - left / before, 0.0), 1.0) if before > 0 else 0.0
    return LinearEffect(
        response,
        tuple(slopes),
        math.copysign(math.sqrt(explained), with_it.slopes[len(inner)]) if other in numeric else None,
        explained,
        1.0 - left / whole if whole > 0 else 0.0,
        1.0 - before / whole if whole > 0 else 0.0,
    )


def _regressors(data: Numbers) -> dict[str, list[tuple[int, str]]]:
    """The columns with which each variable enters a regression: place among the moments, and meaning.

    The first state that occurs is the one that the others are compared with.
    """
    variances = np.diagonal(data.moments.matrix.covariance)
    found: dict[str, list[tuple[int, str]]] = {}
    first = 0
    for variable in data.table.schema:
        if variable.is_discrete:
            named = enumerate(variable.states, start=first)
            occurring = [(place, state) for place, state in named if variances[place] > 0]
            found[variable.name] = [
                (place, f"{variable.name}={state} against {occurring[0][1]}")
                for place, state in occurring[1:]
            ]
        else:
            found[variable.name] = [(first, variable.name)]
        first += variable.cardinality if variable.is_discrete else 1
    return found


@cache
def student_quantile(probability: float, df: float) -> float:
    """The quantile of Student's t for a probability above one half; NaN without degrees of freedom.

    >>> round(student_quantile(0.975, 10), 6)
    2.228139
    """
    if not df > 0:
        return math.nan
    one: Floats = np.array([1.0])
    share = float(beta_quantile(2.0 * (1.0 - probability), one * df / 2.0, one * 0.5)[0])  # df / (df + t²)
    return math.sqrt(df * (1.0 / share - 1.0)) if share > 0 else math.inf
