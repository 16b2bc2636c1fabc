"""A hash that stands for the content of a table, the same on every machine and in every run."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from dagwright.data.origin import Origin
from dagwright.data.states import Codes, state_key


def content_hash(
    names: Sequence[str],
    codes: Sequence[Codes],
    states: Sequence[Sequence[Hashable]],
    origins: Sequence[Origin],
    weights: npt.NDArray[np.float64] | None,
) -> str:
    """Hash of names, states with their types, cut points, codes and weights, bytes in little-endian order."""
    digest = hashlib.blake2b(digest_size=16)
    for name, column, known, origin in zip(names, codes, states, origins, strict=True):
        cuts = None if origin.bins is None else (origin.bins.cuts, origin.bins.scale)
        facts = (name, [state_key(state) for state in known], cuts, origin.other, len(column))
        digest.update(repr(facts).encode())
        digest.update(column.astype(column.dtype.newbyteorder("<"), copy=False).data)
    if weights is not None:
        digest.update(b"weights")
        digest.update(weights.astype("<f8", copy=False).data)
    return digest.hexdigest()
