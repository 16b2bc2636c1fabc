"""Random dynamic networks with known answers."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

import dagwright as dw
from dagwright.data.windows import Moment
from dagwright.dynamic.structure import Step

ARCS = {
    1: [("a[t-1]", "a[t]"), ("b[t-1]", "b[t]"), ("a[t]", "b[t]"), ("s", "a[t]")],
    2: [("a[t-2]", "a[t]"), ("a[t-1]", "b[t]"), ("b[t-1]", "b[t]"), ("b[t-2]", "a[t]"), ("s", "b[t]")],
    3: [("a[t-3]", "b[t]"), ("b[t]", "a[t]")],
}
SEEN: dict[str, list[Any]] = {"a": [0, None, 1, 1, None, 0], "b": [None, 2, None, 0, 1, None]}


def discrete(rng: np.random.Generator, arcs: Sequence[tuple[str, str]], lags: int) -> dw.DynamicNetwork:
    """Series a (2 states) and b (3 states), a static node s (2 states); random tables."""
    sizes = {"a": 2, "b": 3}

    def random_network(sized: dict[str, int], edges: Sequence[tuple[str, str]]) -> dw.BayesianNetwork:
        graph = dw.Dag(list(sized), edges)
        tables = {
            node: rng.dirichlet(np.ones(sized[node]), size=[sized[p] for p in graph.parents(node)])
            for node in sized
        }
        return dw.BayesianNetwork(graph, {node: list(range(r)) for node, r in sized.items()}, tables)

    steps = {str(Step(name, step)): r for step in range(lags) for name, r in sizes.items()}
    later = {str(Moment(name, lag)): r for lag in range(lags + 1) for name, r in sizes.items()}
    chain = list(itertools.pairwise(["s", *steps]))
    return dw.DynamicNetwork(
        random_network({"s": 2, **steps}, chain), random_network({"s": 2, **later}, arcs)
    )


def vector_autoregression(intercept: Any, slopes: Sequence[Any], within: Any, sd: Any) -> dw.DynamicNetwork:
    """x[t] = intercept + sum of slopes[k] @ x[t-1-k] + within @ x[t] + noise; within is triangular."""
    size, lags = len(sd), len(slopes)
    names = [f"x{i}" for i in range(size)]
    nodes, arcs, tables = [], [], {}
    for lag in range(1, lags + 1):
        for name in names:
            nodes.append(str(Moment(name, lag)))
            tables[nodes[-1]] = dw.LinearGaussian()
    for i, name in enumerate(names):
        node = str(Moment(name, 0))
        nodes.append(node)
        parents = {
            str(Moment(names[j], k + 1)): slopes[k][i][j]
            for k in range(lags)
            for j in range(size)
            if slopes[k][i][j]
        }
        parents |= {str(Moment(names[j], 0)): within[i][j] for j in range(i) if within[i][j]}
        arcs += [(parent, node) for parent in parents]
        tables[node] = dw.LinearGaussian(intercept[i], parents, sd[i])
    first = [str(Step(name, step)) for step in range(lags) for name in names]
    initial = dw.BayesianNetwork(dw.Dag(first, []), {}, {node: dw.LinearGaussian(sd=2.0) for node in first})
    return dw.DynamicNetwork(initial, dw.BayesianNetwork(dw.Dag(nodes, arcs), {}, tables))


def mixed() -> dw.DynamicNetwork:
    """A switch with states, and a number that drifts to another level under each of them."""
    two = ["off", "on"]
    initial = dw.BayesianNetwork(
        "s[0] -> y[0]",
        {"s[0]": two},
        {"s[0]": [0.5, 0.5], "y[0]": dw.LinearGaussian([0, 1], sd=[1, 2], given=["s[0]"])},
    )
    transition = dw.BayesianNetwork(
        "s[t-1] -> s[t]; s[t] -> y[t]; y[t-1] -> y[t]",
        {"s[t]": two, "s[t-1]": two},
        {
            "s[t-1]": [0.5, 0.5],
            "y[t-1]": dw.LinearGaussian(),
            "s[t]": [[0.9, 0.1], [0.3, 0.7]],
            "y[t]": dw.LinearGaussian([0, 2], {"y[t-1]": [0.5, 0.8]}, [1, 0.5], given=["s[t]"]),
        },
    )
    return dw.DynamicNetwork(initial, transition)
