"""Random linear and mixed data, drawn the same way in every environment. NumPy only."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Arc = tuple[str, str]


class Drawn(NamedTuple):
    """Columns by name, numbers or codes, and the arcs of the graph that made them."""

    columns: dict[str, NDArray[Any]]
    arcs: list[Arc]


def _arcs(n: int, degree: float, rng: np.random.Generator) -> list[list[int]]:
    """The parents of each node: pairs in a random order until the mean degree is reached."""
    order = rng.permutation(n)
    pairs = [(i, k) for i in range(n) for k in range(i)]
    parents: list[list[int]] = [[] for _ in range(n)]
    for at in rng.permutation(len(pairs))[: round(n * degree / 2)]:
        i, k = pairs[at]
        parents[order[i]].append(int(order[k]))
    return parents


def _sorted(parents: list[list[int]]) -> list[int]:
    done: list[int] = []
    while len(done) < len(parents):
        done += [v for v in range(len(parents)) if v not in done and set(parents[v]) <= set(done)]
    return done


def linear(n: int, degree: float, rows: int, seed: int) -> Drawn:
    """Linear with normal noise: coefficients +-U(0.5, 1.5), variances U(1, 2), columns standardized."""
    rng = np.random.default_rng(seed)
    parents = _arcs(n, degree, rng)
    data = np.empty((n, rows))
    for v in _sorted(parents):
        data[v] = rng.normal(size=rows) * np.sqrt(rng.uniform(1, 2))
        for parent in parents[v]:
            data[v] += _weight(rng) * data[parent]
        data[v] = (data[v] - data[v].mean()) / data[v].std()
    return _named(list(data), parents)


def lee_hastie(n: int, degree: float, rows: int, seed: int, states: int = 3) -> Drawn:
    """Half of the columns discrete, in the manner of Lee & Hastie: one weight +-U(0.5, 1.5) for each arc.

    States have the values -1, 0, 1. A number is the sum of weight times parent, plus noise of variance
    U(1, 2); the logits of a state are weight times number times value; equal states of two discrete columns
    gain the weight, others lose it.
    """
    rng = np.random.default_rng(seed)
    parents = _arcs(n, degree, rng)
    discrete = np.zeros(n, dtype=bool)
    discrete[rng.permutation(n)[: n // 2]] = True
    values, alike = np.linspace(-1, 1, states), 2.0 * np.eye(states) - 1.0
    data: list[Any] = [None] * n
    for v in _sorted(parents):
        level = np.zeros((rows, states if discrete[v] else 1))
        for parent in parents[v]:
            weight, given = _weight(rng), data[parent]
            if discrete[parent] and discrete[v]:
                level += weight * alike[given]
            elif discrete[v]:
                level += weight * given[:, None] * values
            else:
                level += weight * (values[given] if discrete[parent] else given)[:, None]
        if discrete[v]:
            data[v] = (level + rng.gumbel(size=level.shape)).argmax(axis=1)
        else:
            data[v] = level[:, 0] + rng.normal(size=rows) * np.sqrt(rng.uniform(1, 2))
    return _named(data, parents)


def _weight(rng: np.random.Generator) -> float:
    return float(rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 1.5))


def _named(data: list[Any], parents: list[list[int]]) -> Drawn:
    names = [f"v{v:04}" for v in range(len(data))]
    arcs = [(names[parent], names[child]) for child, those in enumerate(parents) for parent in those]
    return Drawn(dict(zip(names, data, strict=True)), arcs)


def r2_sortability(data: Floats, arcs: list[tuple[int, int]]) -> float:
    """The share of arcs along which the variance that all others explain rises (Reisach et al. 2023)."""
    explained = 1.0 - 1.0 / np.diag(np.linalg.inv(np.corrcoef(data)))
    return float(np.mean([explained[a] < explained[b] for a, b in arcs])) if arcs else 0.5
