"""The loss of a network on rows that it was not fitted to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dagwright.data import Table
from dagwright.data.states import missing_code
from dagwright.errors import DataError
from dagwright.model import BayesianNetwork, log_loss

TINY = 1e-12


class Loss(NamedTuple):
    """The loss of a network on the rows of one fold.

    ``nats`` is minus the mean log-probability of a row, or its log-density where it holds numbers. For a
    target of numbers, ``squares`` is the sum of squared errors of its predicted mean and ``around_mean`` that
    of the mean in the rows of the fit, both over ``rows`` rows.
    """

    nats: float
    squares: float = 0.0
    around_mean: float = 0.0
    rows: float = 0.0


def held_out_loss(network: BayesianNetwork, held: Table, fitted: Table, target: str | None) -> Loss:
    """The loss on held-out rows.

    Parameters
    ----------
    held, fitted
        The rows to predict, and those of the fit.
    target
        The column to predict from the others; None for whole rows.
    """
    if target is None:
        return Loss(log_loss(network, held))
    if target in network.gaussians:
        return _loss_of_numbers(network, held, fitted, target)
    held = held.take(held.codes(target) != missing_code(held.codes(target)))
    probabilities = network.predict_proba(held, target)
    of_truth = probabilities[np.arange(held.n_rows), held.codes(target)]
    return Loss(float(-np.average(np.log(np.maximum(of_truth, TINY)), weights=held.weights)))


def _loss_of_numbers(network: BayesianNetwork, held: Table, fitted: Table, target: str) -> Loss:
    held = held.take(~np.isnan(held.reals(target)))
    known = fitted.take(~np.isnan(fitted.reals(target)))
    if not held.n_rows or not known.n_rows:
        raise DataError(f"a fold has no rows with a value of {target!r}; use fewer folds")
    truth = held.reals(target)
    others = held.select([name for name in held.names if name != target])
    with np.errstate(invalid="ignore"):
        log_density = network.row_log_probabilities(held) - network.row_log_probabilities(others)
    predicted = np.array(network.predict(held, target), dtype=np.float64)
    mean = np.average(known.reals(target), weights=known.weights)
    weights = np.ones(held.n_rows) if held.weights is None else held.weights
    return Loss(
        float(-np.average(log_density, weights=weights)),
        float(weights @ np.square(truth - predicted)),
        float(weights @ np.square(truth - mean)),
        float(weights.sum()),
    )


def accuracy(losses: Sequence[Loss]) -> tuple[float | None, float | None]:
    """RMSE and R squared over all folds; None for targets that are not numbers."""
    rows = math.fsum(loss.rows for loss in losses)
    if not rows:
        return None, None
    squares, whole = (math.fsum(loss[place] for loss in losses) for place in (1, 2))
    return math.sqrt(squares / rows), (1.0 - squares / whole if whole > 0 else 0.0)
