"""The total effect of a variable on another from rows, given what to adjust for."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagwright.data import Table
from dagwright.errors import DataError, OptionError, unknown_name
from dagwright.learning.linear_effect import student_quantile
from dagwright.sentences import Argument, Literally

Floats = NDArray[np.float64]
SHOWN = 6


class Estimate(NamedTuple):
    """An effect, its standard error and the degrees of freedom of the error."""

    value: float
    error: float
    df: float

    def interval(self, level: float) -> tuple[float, float]:
        """The interval of Student's t."""
        if self.error == 0.0:
            return self.value, self.value
        margin = student_quantile(0.5 + level / 2, self.df) * self.error
        return self.value - margin, self.value + margin


NO_EFFECT = Estimate(0.0, 0.0, math.inf)


class Stratum(NamedTuple):
    """A configuration of the adjustment set, and how often each state of the cause occurs in it."""

    given: tuple[tuple[str, Hashable], ...]
    counts: dict[Hashable, float]


class Question(NamedTuple):
    """A cause, an outcome and how they are counted.

    ``states`` are the two states of a discrete cause that are compared, the first with the second. ``values``
    are the numbers that stand for the states of a discrete outcome.
    """

    cause: str
    outcome: str
    states: tuple[Hashable, Hashable] | None
    values: Mapping[Hashable, float] | None
    words: str


def question(
    table: Table,
    cause: str,
    outcome: str,
    states: Sequence[Hashable] | None,
    values: Mapping[Hashable, float] | None,
) -> Question:
    """The question with its defaults filled in from the columns."""
    for name in (cause, outcome):
        if name not in table.names:
            raise unknown_name("column", name, table.names)
    variable, counted = table.schema[cause], None
    if variable.is_discrete:
        counted = _compared(cause, variable.states, states)
        change = f"from {cause} = {counted[0]} to {cause} = {counted[1]}"
    else:
        if states is not None:
            raise OptionError(
                f"{cause!r} holds numbers: its effect is per unit, without ", Argument("states")
            )
        change = f"per unit of {cause}"
    target = table.schema[outcome]
    if not target.is_discrete:
        return Question(cause, outcome, counted, None, f"change in the mean of {outcome} {change}")
    numbers = _numbers(outcome, target.states, values)
    ones = [state for state, number in numbers.items() if number == 1.0]
    if sorted(numbers.values()) == [0.0] * (len(numbers) - 1) + [1.0]:
        what = f"change in the probability of {outcome} = {ones[0]}"
    else:
        what = f"change in the mean of {outcome}"
    return Question(cause, outcome, counted, numbers, f"{what} {change}")


def _compared(
    cause: str, known: Sequence[Hashable], states: Sequence[Hashable] | None
) -> tuple[Hashable, Hashable]:
    if states is None:
        if len(known) != 2:
            raise OptionError(
                f"{cause!r} has {len(known)} states; name the two to compare: ",
                Argument("states", Literally(f"({known[0]!r}, {known[-1]!r})") if known else None),
            )
        return known[0], known[1]
    if len(states) != 2:
        raise OptionError(Argument("states", tuple(states)), " must be two states, from and to")
    for state in states:
        if state not in known:
            raise unknown_name(f"state of {cause}", str(state), list(map(str, known)))
    return states[0], states[1]


def _numbers(
    outcome: str, states: Sequence[Hashable], values: Mapping[Hashable, float] | None
) -> dict[Hashable, float]:
    if values is not None:
        for state in states:
            if state not in values:
                raise OptionError(Argument("values"), f" lacks the state {state!r} of {outcome!r}")
        return {state: float(values[state]) for state in states}
    if len(states) == 2:
        return {states[0]: 0.0, states[1]: 1.0}
    found: dict[Hashable, float] = {state: float(state) for state in states if isinstance(state, int | float)}
    if len(found) < len(states):
        raise OptionError(
            f"the states of {outcome!r} are not numbers; give ",
            Argument("values", Literally("{state: number}")),
            ", for instance 1 for the state whose probability matters and 0 for the others",
        )
    return found


def estimated(table: Table, request: Question, given: frozenset[str]) -> Estimate:
    """The effect after adjustment: standardization where all is discrete, else a linear regression."""
    names = sorted(given)
    rows = table.select([request.cause, request.outcome, *names]).complete("drop")
    y = outcome_numbers(rows, request)
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    if request.states is not None and all(rows.schema[name].is_discrete for name in names):
        return _standardized(rows, request, names, y, weights)
    return _regressed(rows, request, names, y, weights)


def outcome_numbers(rows: Table, request: Question) -> Floats:
    """The outcome as numbers."""
    if request.values is None:
        return rows.reals(request.outcome)
    numbers = np.array([request.values[state] for state in rows.states_of(request.outcome)])
    found: Floats = numbers[rows.codes(request.outcome).astype(np.intp)]
    return found


def _strata(rows: Table, names: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[Any]]:
    """The number of the stratum of each row, and the codes of each stratum."""
    if not names:
        return np.zeros(rows.n_rows, dtype=np.intp), np.zeros((1, 0), dtype=np.intp)
    codes = np.stack([rows.codes(name).astype(np.intp) for name in names], axis=1)
    distinct, of_row = np.unique(codes, axis=0, return_inverse=True)
    return of_row.ravel(), distinct


def positivity(table: Table, cause: str, given: frozenset[str]) -> tuple[Stratum, ...]:
    """How often each state of a discrete cause occurs in each configuration of discrete others."""
    names = sorted(name for name in given if table.schema[name].is_discrete)
    if not table.schema[cause].is_discrete:
        return ()
    rows = table.select([cause, *names]).complete("drop")
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    of_row, distinct = _strata(rows, names)
    codes = rows.codes(cause)
    return tuple(
        Stratum(
            tuple((name, rows.states_of(name)[code]) for name, code in zip(names, place, strict=True)),
            {
                state: float(weights[(of_row == at) & (codes == code)].sum())
                for code, state in enumerate(rows.states_of(cause))
            },
        )
        for at, place in enumerate(distinct)
    )


def _standardized(
    rows: Table, request: Question, names: Sequence[str], y: Floats, weights: Floats
) -> Estimate:
    """sum over z of P(z) (E[y | x1, z] - E[y | x0, z]), with the error of its influence function."""
    assert request.states is not None
    of_row, distinct = _strata(rows, names)
    known = list(rows.states_of(request.cause))
    codes = rows.codes(request.cause)
    total = weights.sum()
    in_stratum = np.bincount(of_row, weights, minlength=len(distinct))
    parts, means = [], []
    for state in request.states:
        here = codes == known.index(state)
        count = np.bincount(of_row[here], weights[here], minlength=len(distinct))
        lacking = np.flatnonzero((count == 0) & (in_stratum > 0))
        if lacking.size:
            shown = ", ".join(
                f"{name}={rows.states_of(name)[code]}"
                for name, code in zip(names, distinct[lacking[0]], strict=True)
            )
            raise DataError(
                f"{request.cause}={state} never occurs{' where ' + shown if shown else ''} "
                f"({lacking.size} of {len(distinct)} strata), so its effect there cannot be estimated "
                "(positivity); adjust for less, or compare other states: ",
                Argument("states"),
            )
        sums = np.bincount(of_row[here], (weights * y)[here], minlength=len(distinct))
        mean = np.divide(sums, count, out=np.zeros_like(sums), where=count > 0)
        share = np.divide(in_stratum, count, out=np.zeros_like(sums), where=count > 0)
        parts.append(np.where(here, share[of_row] * (y - mean[of_row]), 0.0))
        means.append(mean[of_row])
    difference = means[1] - means[0]
    value = float(weights @ difference / total)
    influence = parts[1] - parts[0] + difference - value
    error = math.sqrt(float(weights @ influence**2)) / total
    return Estimate(value, error, max(total - 2 * len(distinct), 1.0))


def _regressed(rows: Table, request: Question, names: Sequence[str], y: Floats, weights: Floats) -> Estimate:
    """The coefficient of the cause in a linear regression, with errors that allow unequal variances (HC2)."""
    columns, meaning = [np.ones(rows.n_rows)], {}
    for name in (request.cause, *names):
        if not rows.schema[name].is_discrete:
            meaning[name] = {None: len(columns)}
            columns.append(rows.reals(name))
            continue
        states = rows.states_of(name)
        codes = rows.codes(name)
        for code in np.unique(codes)[1:].tolist():
            meaning.setdefault(name, {})[states[code]] = len(columns)
            columns.append((codes == code).astype(np.float64))
    x = np.stack(columns, axis=1)
    contrast = np.zeros(x.shape[1])
    if request.states is None:
        contrast[meaning[request.cause][None]] = 1.0
    else:
        for sign, state in zip((-1.0, 1.0), request.states, strict=True):
            if state in meaning.get(request.cause, {}):
                contrast[meaning[request.cause][state]] += sign
    inverse = np.linalg.pinv((x * weights[:, None]).T @ x)
    if not np.allclose(inverse @ ((x * weights[:, None]).T @ (x @ contrast)), contrast, atol=1e-6):
        raise DataError(
            f"{request.cause!r} is a linear function of {', '.join(map(repr, names)) or 'a constant'} in the "
            "data, so its effect cannot be estimated"
        )
    rest = y - x @ (inverse @ (x.T @ (weights * y)))
    leverage = np.einsum("ij,jk,ik->i", x, inverse, x)
    spread = weights * rest**2 / np.maximum(1.0 - leverage, 1e-9)
    covariance = inverse @ (x.T @ (spread[:, None] * x)) @ inverse
    df = float(weights.sum() - np.linalg.matrix_rank(x))
    if df < 1:
        raise DataError(f"{rows.n_rows} rows are too few for a regression on {x.shape[1]} columns")
    value = float(contrast @ inverse @ (x.T @ (weights * y)))
    return Estimate(value, math.sqrt(max(float(contrast @ covariance @ contrast), 0.0)), df)
