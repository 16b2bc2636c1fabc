"""What calls of the native core are made of: tables, scores, graphs, networks and chains."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from dagwright import _core

N, ROWS, LIMIT = 5, 40, 0.05


class PythonScore:
    """A local score whose answers can be anything."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.N, self.cardinalities = answer, 10.0, [2] * N

    def local(self, families: Any) -> Any:
        return [self.answer] * len(families)

    def evidence(self, sets: Any, _: Any) -> Any:
        return [self.answer] * len(sets)


def codes(rng: random.Random, states: int) -> Any:
    return np.array([rng.randrange(states) for _ in range(ROWS)], dtype=np.uint8)


def table(rng: random.Random, n: int = N) -> _core.Table:
    return _core.Table.from_codes(
        [codes(rng, 2 + v % 2) for v in range(n)], [2 + v % 2 for v in range(n)], ROWS
    )


def sums(rng: random.Random) -> _core.CellSums:
    return _core.CellSums(table(rng), 1.0)


def g_square(rng: random.Random) -> _core.IndependenceTest:
    return _core.MeasureTest.chi_squared(measure(rng), 0.05)


def measure(rng: random.Random) -> _core.CountingMeasure:
    return _core.CountingMeasure(
        sums(rng), rng.choice([_core.MeasureKind.multinomial, _core.MeasureKind.nml])
    )


def score(rng: random.Random) -> _core.LocalScore:
    if rng.random() < 0.1:
        return _core.PythonLocalScore(PythonScore(rng.choice([0.0, None, "x", float("nan")])), N, 10.0)
    return _core.CriterionScore(measure(rng), 1.0)


def graph(rng: random.Random, n: int = N) -> _core.MixedGraph:
    directed = [(a, b) for a in range(n) for b in range(a + 1, n) if rng.random() < 0.4]
    lists = [np.array(part, dtype=np.uint32).reshape(-1, 2) for part in (directed, [])]
    return _core.MixedGraph(n, *lists)


def network(rng: random.Random, n: int = N) -> _core.NetworkTables:
    axes = [[*sorted(rng.sample(range(v), min(v, rng.randrange(3)))), v] for v in range(n)]
    tables = [np.full(2 ** len(axis), 0.5) for axis in axes]
    return _core.NetworkTables.make([f"v{v}" for v in range(n)], [2] * n, axes, tables)


def sets() -> _core.CandidateSets:
    return _core.find_candidates(_core.FlatScore(N), _core.Knowledge(N)).sets


def weights() -> _core.FamilyWeights:
    every = [[u for u in range(N) if u != v] for v in range(N)]
    return _core.FamilyWeights(_core.FlatScore(N), _core.Knowledge(N), every)


def sampler(rng: random.Random) -> _core.GraphSampler:
    return _core.GraphSampler(weights(), rng.choice(list(_core.WalkKind)), [1, 2], EMPTY)


def masks() -> list[Any]:
    return [np.ones((N, N), dtype=bool), np.zeros((N, N), dtype=bool), np.ones((N, N), dtype=bool)]


def binary_rows(rng: random.Random) -> _core.Table:
    columns = [codes(rng, 2) for _ in range(N)]
    columns[1][::3] = 255
    return _core.Table.from_codes(columns, [2] * N, ROWS)


EMPTY: list[list[int]] = [[] for _ in range(N)]
EVERY_FEATURE = _core.Features(paths=True, blankets=True, v_structures=True)
BINARY = network(random.Random(0))
