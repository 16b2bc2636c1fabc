"""The measures of numbers in plain NumPy: slow, and nothing shared with the core."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from dagwright import _core

Array = NDArray[np.float64]
Column = NDArray[np.float64] | tuple[NDArray[np.uint8], int]

#: Eight rows small enough to check by hand: three columns of numbers, a binary and a ternary column.
SMALL: dict[str, Column] = {
    "a": np.arange(1.0, 9.0),
    "b": np.array([2.0, 1, 4, 3, 6, 5, 8, 9]),
    "c": np.array([1.0, 0, 2, 1, 3, 5, 4, 7]),
    "d": (np.array([0, 0, 0, 0, 1, 1, 1, 1], np.uint8), 2),
    "e": (np.array([0, 1, 2, 0, 1, 2, 0, 1], np.uint8), 3),
}


def mixed_table(columns: Iterable[Column], weights: Array | None = None) -> _core.MixedTable:
    listed = list(columns)
    arrays = [[column[0] if isinstance(column, tuple) else column] for column in listed]
    states = [column[1] if isinstance(column, tuple) else None for column in listed]
    return _core.MixedTable.from_columns(arrays, states, len(arrays[0][0]), weights)


def embedded(columns: Sequence[Column]) -> Array:
    """The columns of a set: numbers, and indicators of all states but the first that occurs."""
    parts: list[Array] = []
    for column in columns:
        if isinstance(column, tuple):
            codes = column[0]
            states = sorted(set(codes.tolist()))[1:]
            parts += [(codes == state).astype(float) for state in states]
        else:
            parts.append(column)
    rows = len(columns[0][0] if isinstance(columns[0], tuple) else columns[0]) if columns else 0
    return np.column_stack(parts) if parts else np.empty((rows, 0))


def normal_fit(values: Array, weights: Array | None = None) -> float:
    """-N/2 (log|Sigma| + d log 2 pi e), divisor N."""
    if values.shape[1] == 0:
        return 0.0
    weights = np.ones(len(values)) if weights is None else weights
    total = weights.sum()
    centered = values - weights @ values / total
    sigma = (centered * weights[:, None]).T @ centered / total
    sign, logdet = np.linalg.slogdet(sigma)
    assert sign > 0
    return float(-total / 2 * (logdet + values.shape[1] * math.log(2 * math.pi * math.e)))


def gaussian(columns: Sequence[Column], weights: Array | None = None) -> tuple[float, float]:
    values = embedded(columns) if columns else np.empty((0, 0))
    d = values.shape[1]
    return normal_fit(values, weights), d + d * (d + 1) / 2


def bge(
    columns: Sequence[Array], n: int, alpha_mu: float, alpha_w: float, mean: Array, scale: Array
) -> float:
    size = len(columns)
    if size == 0:
        return 0.0
    x = np.column_stack(columns)
    N = len(x)
    centered = x - x.mean(axis=0)
    shift = (x.mean(axis=0) - mean)[:, None]
    prior = np.diag(scale)
    posterior = prior + centered.T @ centered + N * alpha_mu / (N + alpha_mu) * (shift @ shift.T)
    j = np.arange(1, size + 1)
    spare = alpha_w - n
    return float(
        size / 2 * math.log(alpha_mu / (N + alpha_mu))
        - size * N / 2 * math.log(math.pi)
        + np.sum(gammaln((N + spare + j) / 2) - gammaln((spare + j) / 2))
        + (spare + size) / 2 * np.linalg.slogdet(prior)[1]
        - (N + spare + size) / 2 * np.linalg.slogdet(posterior)[1]
    )


def conditional_gaussian(columns: Sequence[Column]) -> tuple[float, float]:
    if not columns:
        return 0.0, 0.0
    numbers = [column for column in columns if not isinstance(column, tuple)]
    coded = [column for column in columns if isinstance(column, tuple)]
    rows = len(numbers[0] if numbers else coded[0][0])
    k = len(numbers)
    x = np.column_stack(numbers) if numbers else np.empty((rows, 0))
    fit = 0.0
    for states in itertools.product(*(range(column[1]) for column in coded)):
        here = np.ones(rows, bool)
        for column, state in zip(coded, states, strict=True):
            here &= column[0] == state
        if here.any():
            fit += here.sum() * math.log(here.sum() / rows) + normal_fit(x[here])
    q = math.prod(column[1] for column in coded)
    return fit, q * (1 + k * (k + 3) / 2) - 1
