"""Samples of standard networks, drawn once, kept in bench/.data/, and handed to each peer in its own form.

The workers import this module inside the peers' environments: NumPy only.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.networks import read_bif
from bench.peers import network_file

DATA = Path(__file__).parent / ".data"


@dataclass(frozen=True)
class Sample:
    """Coded columns with the names of their states, in the order in which a learner will see them."""

    codes: dict[str, np.ndarray]
    states: dict[str, list[str]]

    def __len__(self) -> int:
        return len(next(iter(self.codes.values())))

    def shuffled(self, order: int) -> Sample:
        """The columns in random order number `order`; file order is nearly topological, a free hint."""
        columns = list(self.codes)
        chosen = [columns[k] for k in np.random.default_rng(order).permutation(len(columns))]
        return Sample({x: self.codes[x] for x in chosen}, {x: self.states[x] for x in chosen})

    def take(self, rows: np.ndarray) -> Sample:
        """The rows of these numbers."""
        return Sample({name: codes[rows] for name, codes in self.codes.items()}, self.states)

    def labels(self) -> dict[str, np.ndarray]:
        """Each column as an array of state names."""
        return {x: np.asarray(self.states[x])[codes] for x, codes in self.codes.items()}

    def arrow(self) -> Any:
        """A PyArrow record batch of dictionary columns, the form that PyBNesian holds in memory."""
        import pyarrow as pa

        columns = [
            pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int8)), pa.array(self.states[x]))
            for x, codes in self.codes.items()
        ]
        return pa.RecordBatch.from_arrays(columns, names=list(self.codes))

    def pandas(self) -> Any:
        """A pandas frame of categorical columns."""
        import pandas as pd

        return pd.DataFrame(
            {x: pd.Categorical.from_codes(codes, self.states[x]) for x, codes in self.codes.items()}
        )

    def save(self, path: Path) -> None:
        arrays = {f"codes {x}": column for x, column in self.codes.items()}
        arrays |= {f"states {x}": np.asarray(states) for x, states in self.states.items()}
        path.parent.mkdir(exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}.npz")
        np.savez(partial, **arrays)
        partial.replace(path)

    def write_codes(self, path: Path) -> None:
        """A comma-separated file with a header; codes as letters, which no reader takes for numbers."""
        width = len(str(max(map(len, self.states.values())) - 1))
        text = np.full((len(self), len(self.codes), width + 1), ord(","), dtype=np.uint8)
        for k, codes in enumerate(self.codes.values()):
            for digit in range(width):
                text[:, k, digit] = codes // 10 ** (width - 1 - digit) % 10 + ord("a")
        text[:, -1, -1] = ord("\n")
        path.write_bytes(",".join(self.codes).encode() + b"\n" + text.tobytes())

    def write_csv(self, path: Path) -> None:
        """A comma-separated file of state names with a header."""
        rows = zip(*(column.tolist() for column in self.labels().values()), strict=True)
        path.write_text("\n".join(map(",".join, [tuple(self.codes), *rows])) + "\n", encoding="utf-8")


def draw(network: str, rows: int, seed: int = 1) -> Path:
    """The file of a sample, drawn on the first call; states that do not occur are left out."""
    path = DATA / f"{network}_{rows}_seed{seed}.npz"
    if path.exists():
        return path
    source = read_bif(network_file(network))
    codes: dict[str, np.ndarray] = {}
    states: dict[str, list[str]] = {}
    for x, drawn in source.sample(rows, seed).items():
        seen, compact = np.unique(drawn, return_inverse=True)
        codes[x] = compact.astype(np.uint8)
        states[x] = [source.states[x][k] for k in seen]
    Sample(codes, states).save(path)
    return path


def load(path: Path | str) -> Sample:
    with np.load(path) as arrays:
        columns = [key.removeprefix("codes ") for key in arrays.files if key.startswith("codes ")]
        return Sample(
            {x: arrays[f"codes {x}"] for x in columns}, {x: arrays[f"states {x}"].tolist() for x in columns}
        )
