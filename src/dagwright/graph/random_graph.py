"""Random DAGs for simulations, tests and benchmarks."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from dagwright import _core
from dagwright.base.seeds import RandomState, generator
from dagwright.errors import OptionError
from dagwright.graph.dag import Dag
from dagwright.graph.named_graph import NO_EDGES, NodeNames


def random_dag(nodes: int | Iterable[str], *, degree: float = 2.0, random_state: RandomState = None) -> Dag:
    """A DAG whose arcs are drawn independently along a random order.

    Parameters
    ----------
    nodes
        Names, or a number of nodes, named X1, X2, ...
    degree
        The expected number of nodes adjacent to a node, at most n - 1.

    >>> len(random_dag(50, degree=3, random_state=1))
    50
    """
    names = NodeNames(f"X{i + 1}" for i in range(nodes)) if isinstance(nodes, int) else NodeNames(nodes)
    n = len(names.given)
    if degree < 0 or (n > 1 and degree > n - 1):
        raise OptionError(
            f"the expected degree of {n} nodes must be between 0 and {max(n - 1, 0)}, got {degree}"
        )
    rng = generator(random_state)
    pairs = math.comb(n, 2)
    size = int(rng.binomial(pairs, degree / (n - 1))) if n > 1 else 0
    chosen = (
        rng.choice(pairs, size=size, replace=False, shuffle=False) if size else np.empty(0, dtype=np.int64)
    )
    # Pair k is (row, column) with column < row and k = row (row - 1) / 2 + column.
    rows = ((1 + np.sqrt(1 + 8 * chosen.astype(np.float64))) / 2).astype(np.int64)
    rows -= rows * (rows - 1) // 2 > chosen
    rows += rows * (rows + 1) // 2 <= chosen
    columns = chosen - rows * (rows - 1) // 2
    order = rng.permutation(n)
    arcs = np.ascontiguousarray(np.stack([order[columns], order[rows]], axis=1), dtype=np.uint32)
    return Dag._of(names, _core.MixedGraph(n, arcs, NO_EDGES))
