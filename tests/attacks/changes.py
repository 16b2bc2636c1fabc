"""Values that are wrong in a plausible way."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

NUMBERS = [
    -1,
    0,
    1,
    2,
    4,
    5,
    6,
    63,
    64,
    65,
    100,
    255,
    256,
    65535,
    65536,
    2**31,
    2**32 - 1,
    2**32,
    2**63,
    2**64,
]
FLOATS = [-1.0, 0.0, 0.5, 1.0, 1e-300, 1e18, 1e300, float("inf"), float("-inf"), float("nan")]
OBJECTS: list[Any] = [None, "x", b"x", 1.5, True, [], {}, (), object(), [[]], [None], ["x"], np.zeros(3)]


def changed(value: Any, rng: random.Random) -> Any:
    """Another value of the same kind that is wrong in a plausible way, or of another kind."""
    if rng.random() < 0.08:
        return rng.choice(OBJECTS)
    if isinstance(value, bool):
        return rng.choice([True, False, 2, None])
    if isinstance(value, int):
        return rng.choice(NUMBERS)
    if isinstance(value, float):
        return rng.choice(FLOATS)
    if isinstance(value, np.ndarray):
        return changed_array(value, rng)
    if isinstance(value, list | tuple):
        return changed_list(value, rng)
    return value


def changed_list(value: Any, rng: random.Random) -> Any:
    parts, how = list(value), rng.randrange(5)
    if how == 0:
        parts = parts[:-1]
    elif how == 1:
        parts += parts[:1] or [0]
    elif parts:
        at = rng.randrange(len(parts))
        parts[at] = parts[0] if how == 2 else changed(parts[at], rng)
    else:
        parts = [rng.choice(NUMBERS)]
    return type(value)(parts)


def changed_array(value: Any, rng: random.Random) -> Any:
    how = rng.randrange(6)
    if how == 0:
        return value[:-1].copy()
    if how == 1:
        return np.concatenate([value, value])
    if how == 2:
        return value.astype(
            rng.choice([np.float64, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.bool_])
        )
    if how == 3:
        return np.asfortranarray(np.stack([value, value], axis=-1))
    other = value.copy()
    if other.size:
        choices = FLOATS if other.dtype.kind == "f" else [0, 1, 4, 5, 200, np.iinfo(np.int32).max]
        with np.errstate(all="ignore"):
            other.reshape(-1)[rng.randrange(other.size)] = np.array(rng.choice(choices)).astype(other.dtype)
    return other
