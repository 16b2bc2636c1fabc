"""Continuous nodes in dagwright's own formats."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dagwright.data.origin import origin_entry
from dagwright.errors import FormatError, unknown_name
from dagwright.model import BayesianNetwork, LinearGaussian
from dagwright.model.gaussian.distribution import FittedRegression
from dagwright.model.tables.checks import Floats

Put = Callable[[Floats], Any]
Get = Callable[[str, Any, list[int]], Floats]
"""How tables go into the document and come out of it, given the node, the entry and the shape."""
UNKNOWN_ERROR = -1.0


def regression_entry(network: BayesianNetwork, node: str, put: Put) -> dict[str, Any]:
    """A continuous node as JSON values."""
    own = network.gaussians[node]
    entry: dict[str, Any] = {"name": node}
    if own.parents:
        entry["parents"] = list(own.parents)
    if own.given:
        entry["given"] = list(own.given)
    entry["regression"] = put(_columns([own.intercept, *own.coefficients.values(), own.sd]))
    if own.fitted is not None:
        errors = [own.fitted.intercept_error, *own.fitted.coefficient_errors.values()]
        entry["rows"] = put(_columns([own.fitted.rows]))
        entry["standard_errors"] = put(np.nan_to_num(_columns(errors), nan=UNKNOWN_ERROR))
    if properties := network.metadata.node_properties.get(node):
        entry["properties"] = dict(properties)
    return entry | origin_entry(network.origins.get(node))


def _columns(arrays: list[Floats]) -> Floats:
    """One row for each configuration."""
    return np.stack([array.reshape(-1) for array in arrays], axis=1)


def regression_of(
    node: str, entry: Mapping[str, Any], cardinalities: Mapping[str, int], get: Get
) -> LinearGaussian:
    """The distribution of a continuous node."""
    parents, given = list(entry.get("parents", ())), list(entry.get("given", ()))
    for parent in given:
        if parent not in parents:
            raise unknown_name(f"discrete parent of {node!r}", parent, parents)
    numeric = [parent for parent in parents if parent not in given]
    shape = [cardinalities[parent] for parent in given]
    cells = math.prod(shape)

    def columns(key: str, count: int) -> list[Floats]:
        found = get(node, entry[key], [cells, count])
        return [found[:, i].reshape(shape) for i in range(count)]

    intercept, *slopes, sd = columns("regression", len(numeric) + 2)
    fitted = None
    if ("rows" in entry) != ("standard_errors" in entry):
        raise FormatError(f"node {node!r} has rows or standard errors, but not both")
    if "rows" in entry:
        (rows,) = columns("rows", 1)
        errors = [
            np.where(each == UNKNOWN_ERROR, np.nan, each)
            for each in columns("standard_errors", len(numeric) + 1)
        ]
        fitted = FittedRegression(rows, errors[0], dict(zip(numeric, errors[1:], strict=True)))
    return LinearGaussian(intercept, dict(zip(numeric, slopes, strict=True)), sd, given=given, fitted=fitted)
