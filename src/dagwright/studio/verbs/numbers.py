"""Numbers as the page gets them: the equations of a node, and the density of an answer."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from dagwright.model import BayesianNetwork, NumericPosterior
from dagwright.show.densities import density_of

MOST_EQUATIONS = 2_000
"""A node with more configurations of its discrete parents is not shown."""


def equations_document(network: BayesianNetwork, node: str) -> dict[str, Any]:
    """A continuous node: one equation for each configuration of its discrete parents."""
    own = network.gaussians[node]
    given = [network.states(parent) for parent in own.given]
    shape = tuple(map(len, given))
    full = own.spread(shape)
    small = math.prod(shape) <= MOST_EQUATIONS
    places = itertools.product(*map(range, shape)) if small else ()
    errors = {} if own.fitted is None else own.fitted.coefficient_errors

    def at(values: Any, place: tuple[int, ...]) -> float | None:
        value = float(np.broadcast_to(values, shape)[place])
        return value if math.isfinite(value) else None

    return {
        "name": node,
        "kind": "number",
        "states": [],
        "parents": list(network.parents(node)),
        "given": list(own.given),
        "given_states": [[str(state) for state in states] for states in given],
        "coefficients": list(own.coefficients),
        "equations": [
            {
                "intercept": at(full.intercept, place),
                "coefficients": [at(values, place) for values in full.coefficients.values()],
                "sd": at(full.sd, place),
                "rows": None if own.fitted is None else at(own.fitted.rows, place),
                "errors": [at(errors[parent], place) if parent in errors else None for parent in errors],
                "text": full.equation(node, place),
            }
            for place in places
        ],
        "cells": own.dimension,
    }


def number_marginal(
    node: str, now: NumericPosterior, before: NumericPosterior, known: dict[str, Any], *, chosen: bool
) -> dict[str, Any]:
    """The distribution of a number now and before: in figures, and as curves on one axis.

    ``known`` are the figures of the distribution before, which stay the same from question to question.
    """
    drawn = density_of(now, before, before, chosen=chosen)
    return {
        "node": node,
        "kind": "number",
        **(known if now == before else figures_of(now)),
        "axis": list(drawn.axis),
        "curve": _points(drawn.curve),
        "before": {**known, "curve": _points(drawn.before)},
    }


def figures_of(answer: NumericPosterior) -> dict[str, Any]:
    """Mean, standard deviation and the interval of 95 %."""
    return {"mean": answer.mean, "sd": answer.sd, "interval": list(answer.interval())}


def _points(curve: tuple[tuple[float, float], ...]) -> list[list[float]]:
    return [[round(x, 4), round(y, 4)] for x, y in curve]
