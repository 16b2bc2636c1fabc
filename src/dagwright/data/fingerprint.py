"""A hash that stands for the content of a table, the same on every machine and in every run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.data.schema import Continuous, Schema, Variable
from dagwright.data.states import state_key


def content_hash(
    schema: Schema,
    columns: Sequence[npt.NDArray[Any]],
    weights: npt.NDArray[np.float64] | None,
    interventions: Mapping[str, npt.NDArray[np.bool_]],
) -> str:
    """Hash of names, states with their types, cut points, cells, weights and interventions, little-endian."""
    digest = hashlib.blake2b(digest_size=16)
    for variable, column in zip(schema, columns, strict=True):
        digest.update(repr((*_facts(variable), len(column))).encode())
        digest.update(column.astype(column.dtype.newbyteorder("<"), copy=False).data)
    if weights is not None:
        digest.update(b"weights")
        digest.update(weights.astype("<f8", copy=False).data)
    for name, mask in sorted(interventions.items()):
        digest.update(f"set {name!r}".encode())
        digest.update(mask.data)
    return digest.hexdigest()


def _facts(variable: Variable) -> tuple[Any, ...]:
    if isinstance(variable, Continuous):
        return (variable.name, "numbers", variable.scale)
    bins = variable.bins
    cuts = None if bins is None else (bins.cuts, bins.scale)
    return (variable.name, [state_key(state) for state in variable.states], cuts, variable.origin.other)
