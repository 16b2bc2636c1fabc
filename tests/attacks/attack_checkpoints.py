"""Damaged checkpoints of samplers and of the bootstrap."""

from __future__ import annotations

import functools
import io
import json
import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from slips import answered

import dagwright as dw
from dagwright.errors import DagwrightError

DATA = dw.load("asia").sample(60, random_state=3)
SAMPLERS = [
    kind(samples=6, burn_in=3, chains=2, thin=2)
    for kind in (dw.OrderMCMC, dw.PartitionMCMC, dw.StructureMCMC)
]
NUMBERS = [
    -1,
    0,
    1,
    2,
    3,
    6,
    7,
    8,
    9,
    63,
    64,
    100,
    127,
    128,
    2**31,
    2**32,
    2**63,
    2**64,
    0.5,
    True,
    None,
    "x",
    [],
    {},
]


def run(which: int, path: Path) -> None:
    """One short run with a checkpoint: a sampler, or the bootstrap."""
    if which < len(SAMPLERS):
        dw.posterior(DATA, method=SAMPLERS[which], random_state=1, threads=1, checkpoint=path)
    else:
        dw.bootstrap(DATA, search=dw.HillClimb(), replicates=3, random_state=1, threads=1, checkpoint=path)


@functools.cache
def checkpoint(which: int) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        run(which, path)
        return path.read_bytes()


def changed(value: Any, rng: random.Random) -> Any:
    """A JSON value with something in it replaced, removed, repeated or exchanged."""
    if isinstance(value, dict) and value and rng.random() < 0.95:
        key = rng.choice(sorted(value))
        if rng.random() < 0.1:
            return {name: part for name, part in value.items() if name != key}
        return {**value, key: changed(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at, how = rng.randrange(len(value)), rng.random()
        if how < 0.1:
            return value[:at]
        if how < 0.2:
            return [*value, value[at]]
        if how < 0.3:
            return rng.sample(value, len(value))
        return [*value[:at], changed(value[at], rng), *value[at + 1 :]]
    return rng.choice(NUMBERS)


def changed_array(values: Any, rng: random.Random) -> Any:
    how = rng.randrange(6)
    if how == 0:
        return values[..., :-1]
    if how == 1:
        return values.astype(rng.choice([np.float32, np.int64, np.uint8, np.uint64, np.bool_, "U8"]))
    if how == 2:
        return values.reshape(-1)
    if how == 3 and values.dtype.kind == "f":
        return values * rng.choice([np.nan, np.inf, -1.0, 1e300])
    flat = values.copy().reshape(-1)
    if flat.size and flat.dtype.kind in "uif":
        flat[rng.randrange(flat.size)] = flat.dtype.type(rng.choice([0, 1, 7, 255, 256, 2**20]))
    if flat.size and flat.dtype.kind == "u":
        flat[rng.randrange(flat.size)] ^= flat.dtype.type(1 << rng.randrange(8 * flat.dtype.itemsize))
    return flat.reshape(values.shape)


def damaged(content: bytes, rng: random.Random) -> bytes:
    if rng.random() < 0.25:  # anywhere in the file
        text = bytearray(content)
        for _ in range(rng.choice([1, 2, 8])):
            text[rng.randrange(len(text))] = rng.randrange(256)
        return bytes(text[: rng.choice([len(text), rng.randrange(len(text))])])
    with np.load(io.BytesIO(content)) as file:
        arrays = {name: file[name] for name in file.files}
    facts = json.loads(str(arrays.pop("facts")))
    if arrays and rng.random() < 0.4:
        name = rng.choice(sorted(arrays))
        arrays[name] = changed_array(arrays[name], rng)
    else:
        facts["state"] = changed(facts["state"], rng)
    text = io.BytesIO()
    np.savez(text, **arrays, facts=np.array(json.dumps(facts)))
    return text.getvalue()


def attack(rng: random.Random) -> None:
    which = rng.randrange(len(SAMPLERS) + 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        path.write_bytes(damaged(checkpoint(which), rng))
        answered(f"damaged checkpoint {which}", lambda: run(which, path), (DagwrightError,))
