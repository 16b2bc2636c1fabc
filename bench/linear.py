"""Random linear and mixed data, drawn the same way in every environment. NumPy only."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Arc = tuple[str, str]
DATA = Path(__file__).parent / ".data"


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


def dense(n: int, density: float, rows: int, seed: int) -> Drawn:
    """Each pair joined with probability 2 density / (n - 1), in a random order (Nazaret & Blei 2024).

    Weights U(1, 3), divided by their sum for each child; noise with a standard deviation of U(0, 0.5), of
    nodes without parents too; columns standardized.
    """
    rng = np.random.default_rng(seed)
    joined = np.tril(rng.random((n, n)) < 2.0 * density / (n - 1), -1)
    order = rng.permutation(n)
    parents: list[list[int]] = [[] for _ in range(n)]
    data = np.empty((n, rows))
    for i in range(n):
        v = order[i]
        parents[v] = [int(p) for p in order[np.flatnonzero(joined[i])]]
        weights = rng.uniform(1, 3, len(parents[v]))
        weights /= max(weights.sum(), 1.0)
        data[v] = weights @ data[parents[v]] + rng.normal(size=rows) * rng.uniform(0, 0.5)
    data = (data - data.mean(axis=1, keepdims=True)) / data.std(axis=1, keepdims=True)
    return _named(list(data), parents)


def shuffled(drawn: Drawn, seed: int) -> Drawn:
    """The columns in a random order: that of files is nearly topological."""
    names = list(drawn.columns)
    order = np.random.default_rng(seed).permutation(len(names))
    return Drawn({names[k]: drawn.columns[names[k]] for k in order}, drawn.arcs)


def kept(drawn: Drawn, name: str, rows: int) -> Path:
    """Store a sample in bench/.data; the path."""
    path = DATA / f"numbers-{name}-{rows}.npz"
    path.parent.mkdir(exist_ok=True)
    columns = np.array(list(drawn.columns.values()), dtype=float)
    np.savez(path, names=list(drawn.columns), columns=columns, arcs=np.array(drawn.arcs))
    return path


def load(path: Path | str) -> Drawn:
    """A sample that is kept."""
    with np.load(path) as stored:
        names = [str(name) for name in stored["names"]]
        arcs = [(str(a), str(b)) for a, b in stored["arcs"]]
        return Drawn(dict(zip(names, stored["columns"], strict=True)), arcs)


def r2_sortability(drawn: Drawn) -> float:
    """The share of arcs along which the variance that all others explain rises (Reisach et al. 2023)."""
    explained = 1.0 - 1.0 / np.diag(np.linalg.pinv(np.corrcoef(list(drawn.columns.values()))))
    return _rising(drawn, explained)


def variance_sortability(drawn: Drawn) -> float:
    """The share of arcs along which the variance rises (Reisach, Seiler & Weichwald 2021)."""
    return _rising(drawn, np.var(list(drawn.columns.values()), axis=1))


def _rising(drawn: Drawn, values: Floats) -> float:
    # Rounded, so that the equal variances of standardized columns are ties, which count half.
    of = dict(zip(drawn.columns, np.round(values, 9), strict=True))
    shares = [0.5 + 0.5 * np.sign(of[b] - of[a]) for a, b in drawn.arcs]
    return float(np.mean(shares)) if shares else 0.5
