"""Read a discrete network from a BIF file and draw rows from it, with NumPy only."""

from __future__ import annotations

import gzip
import math
import re
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

import numpy as np

VARIABLE = re.compile(r"variable\s+(\S+)\s*\{\s*type\s+discrete\s*\[\s*\d+\s*\]\s*\{([^}]*)\}\s*;\s*\}")
PROBABILITY = re.compile(r"probability\s*\(([^)|]*)(?:\|([^)]*))?\)\s*\{([^}]*)\}")
ROW = re.compile(r"(?:table|\(([^)]*)\))\s*([^;]*);")


@dataclass(frozen=True)
class Network:
    """Parents and conditional probabilities; `tables[x][configuration, state]`, last parent fastest."""

    states: dict[str, list[str]]
    parents: dict[str, list[str]]
    tables: dict[str, np.ndarray]

    @property
    def edges(self) -> list[tuple[str, str]]:
        return [(parent, child) for child, parents in self.parents.items() for parent in parents]

    def sample(self, rows: int, seed: int) -> dict[str, np.ndarray]:
        """Forward sampling: each variable after its parents, one uniform number per row."""
        random = np.random.default_rng(seed)
        codes: dict[str, np.ndarray] = {}
        for x in TopologicalSorter(self.parents).static_order():
            configuration = np.zeros(rows, dtype=np.int32)
            for parent in self.parents[x]:
                configuration = configuration * len(self.states[parent]) + codes[parent]
            cumulative = np.cumsum(self.tables[x], axis=1)
            uniform = random.random(rows)
            drawn = np.zeros(rows, dtype=np.uint8)
            for k in range(len(self.states[x]) - 1):
                drawn += uniform >= cumulative[configuration, k]
            codes[x] = drawn
        return {x: codes[x] for x in self.states}


def names(text: str | None) -> list[str]:
    return [word.strip().strip('"') for word in text.split(",")] if text else []


def read_bif(path: Path) -> Network:
    """The variables, parents and tables of a `.bif` or `.bif.gz` file."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        text = file.read()
    states = {name: names(values) for name, values in VARIABLE.findall(text)}
    parents: dict[str, list[str]] = {}
    tables: dict[str, np.ndarray] = {}
    for child, given, body in PROBABILITY.findall(text):
        x = child.strip()
        parents[x] = names(given)
        shape = [len(states[parent]) for parent in parents[x]]
        table = np.full((math.prod(shape), len(states[x])), np.nan)
        for configuration, numbers in ROW.findall(body):
            index = [states[p].index(s) for p, s in zip(parents[x], names(configuration), strict=True)]
            row = int(np.ravel_multi_index(index, shape)) if shape else 0
            table[row] = [float(number) for number in numbers.split(",")]
        if np.isnan(table).any():
            raise ValueError(f"{path.name}: the table of {x} lacks a configuration of its parents")
        tables[x] = table / table.sum(axis=1, keepdims=True)
    return Network(states, parents, tables)
