"""Squared distance between the data's distribution and the network's: a score for a handful of variables."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dagwright.errors import CapacityError, OptionError
from dagwright.evidence.counting import Counting
from dagwright.evidence.criteria import Score, complete_counting
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_dag

LARGEST_JOINT_SPACE = 1_000_000


@dataclass(frozen=True)
class Euclidean(Score):
    """-(sum over joint cells of (P_D(x) - P_S(x))^2 + c * size), P_S with maximum-likelihood parameters.

    Jensen & Nielsen 2007, section 7.3.1, where it is a cost; here negated: larger is better. Not a sum over
    families, and it visits every joint cell: for small graphs only, and for `total` only.

    Parameters
    ----------
    c
        Cost of one parameter.
    """

    summary: ClassVar[str] = "minus the distance of the joint distributions, few columns"
    citation: ClassVar[str] = "Jensen & Nielsen 2007"

    c: float = 0.0
    name: ClassVar[str] = "Euclidean"
    decomposable: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not (math.isfinite(self.c) and self.c >= 0):
            raise OptionError(f"c must be finite and not negative, not {self.c}")

    def definition(self, N: float) -> str:  # noqa: ARG002
        return f"minus the squared distance of the distributions, {self.c:g} per parameter"

    def describe(self, data: Any) -> str:
        """One line with the sign and the penalty; a distance has no unit of information."""
        return super().describe(data).replace(", nats,", ", no unit,")

    def on(self, data: Any) -> BoundEuclidean:
        return BoundEuclidean(self, complete_counting(data))


class BoundEuclidean:
    """The Euclidean score of whole graphs on given data."""

    def __init__(self, spec: Euclidean, counting: Counting) -> None:
        cells = math.prod(counting.cardinalities)
        if cells > LARGEST_JOINT_SPACE:
            raise CapacityError(
                f"the Euclidean score visits every joint cell, here {cells:.3g} of at most "
                f"{LARGEST_JOINT_SPACE:,}; choose a decomposable score such as BIC"
            )
        if counting.N <= 0:
            raise OptionError("the Euclidean score needs at least one row")
        self.spec = spec
        self.counting = counting
        self.names = counting.names
        self.N = counting.N
        self._joint = counting.contingency_table(range(len(self.names))) / self.N

    def distance(self, graph: GraphLike) -> float:
        """Sum over all joint cells of the squared difference of the two distributions."""
        graph = as_dag(graph, names=self.names)
        model: NDArray[np.float64] = np.ones([1] * len(self.names))
        for node in graph.nodes:
            child = self.counting.table.column_index(node)
            family = sorted([child, *map(self.counting.table.column_index, graph.parents(node))])
            counts = self.counting.contingency_table(family)
            of_parents = counts.sum(axis=family.index(child), keepdims=True)
            r = self.counting.cardinalities[child]
            # A parent configuration that never occurs gets a uniform row.
            table = np.where(of_parents > 0, counts / np.where(of_parents > 0, of_parents, 1.0), 1.0 / r)
            shape = [self.counting.cardinalities[c] if c in family else 1 for c in range(len(self.names))]
            model = model * table.reshape(shape)
        return float(((self._joint - model) ** 2).sum())

    def total(self, graph: GraphLike) -> float:
        """The score of a graph; columns that it does not mention have no arcs."""
        dag = as_dag(graph, names=self.names)
        return -(self.distance(dag) + self.spec.c * self._size(dag))

    def _size(self, graph: Dag) -> int:
        states = dict(zip(self.names, self.counting.cardinalities, strict=True))
        return sum((states[x] - 1) * math.prod(states[p] for p in graph.parents(x)) for x in graph.nodes)
