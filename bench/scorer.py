"""The one scorer behind every comparison: BIC in nats, written apart from every library that is compared.

BIC(G) = sum over families of  sum_jk n_jk log(n_jk / n_j)  -  log(N)/2 * (r - 1) * q
with q the product of the parents' numbers of states (Schwarz 1978; Jensen & Nielsen 2007, section 7.3.1).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

import numpy as np

DENSE_CELLS = 1 << 22


def counts(columns: Sequence[np.ndarray], cardinalities: Sequence[int]) -> np.ndarray:
    """The positive cell counts of a set of variables, in any order."""
    index = np.zeros(len(columns[0]), dtype=np.int64)
    cells = 1
    for column, cardinality in zip(columns, cardinalities, strict=True):
        index *= cardinality
        index += column
        cells *= cardinality
        if cells > DENSE_CELLS:
            seen, index = np.unique(index, return_inverse=True)
            cells = len(seen)
    table = np.bincount(index, minlength=1)
    return table[table > 0]


def entropy_term(columns: Sequence[np.ndarray], cardinalities: Sequence[int], N: int) -> float:
    """Sum of n log n over the cells; N log N for the empty set."""
    if not columns:
        return N * math.log(N)
    n = counts(columns, cardinalities).astype(np.float64)
    return float(np.sum(n * np.log(n)))


def parents_of(nodes: Iterable[str], edges: Iterable[Sequence[str]]) -> dict[str, list[str]]:
    parents: dict[str, list[str]] = {x: [] for x in nodes}
    for parent, child in edges:
        parents[child].append(parent)
    return parents


def is_acyclic(nodes: Iterable[str], edges: Iterable[Sequence[str]]) -> bool:
    try:
        TopologicalSorter(parents_of(nodes, edges)).prepare()
    except CycleError:
        return False
    return True


class Scorer:
    """Scores DAGs on one sample; a family is counted once however many graphs hold it."""

    def __init__(self, codes: Mapping[str, np.ndarray]) -> None:
        self.codes = codes
        self.r = {x: int(column.max()) + 1 for x, column in codes.items()}
        self.N = len(next(iter(codes.values())))
        self.known: dict[tuple[str, frozenset[str]], tuple[float, int]] = {}

    def family(self, child: str, parents: Iterable[str]) -> tuple[float, int]:
        """Log-likelihood and number of free parameters of one family."""
        key = (child, frozenset(parents))
        if key not in self.known:
            given = sorted(key[1])
            columns = [self.codes[x] for x in given]
            sizes = [self.r[x] for x in given]
            joint = entropy_term([*columns, self.codes[child]], [*sizes, self.r[child]], self.N)
            fit = joint - entropy_term(columns, sizes, self.N)
            self.known[key] = (fit, (self.r[child] - 1) * math.prod(sizes))
        return self.known[key]

    def bic(self, edges: Iterable[Sequence[str]]) -> float:
        families = [self.family(x, parents) for x, parents in parents_of(self.codes, edges).items()]
        return math.fsum(fit - 0.5 * math.log(self.N) * size for fit, size in families)
