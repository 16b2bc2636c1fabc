"""The continuous part of a question: evidence is absorbed, targets are pushed to the discrete nodes.

Observed numbers are put in the regressions of their children, and each observed node is exchanged with its
continuous parents, the last first, until it depends on discrete nodes alone; its density there is a weight of
their configurations (PUSH of Cowell 2005). The result is again a network of regressions, the posterior one.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dagwright.model.gaussian.regression import (
    Limit,
    Regression,
    Scope,
    composed,
    exchanged,
    merged,
    of_rows,
)
from dagwright.model.tables.checks import Floats

if TYPE_CHECKING:
    from dagwright.model.gaussian.distribution import LinearGaussian
    from dagwright.model.network import BayesianNetwork

ROWS = -1
"""The axis of rows in a scope: the first, before all discrete nodes."""
SAME = 1e-9
"""How far from the value of a deterministic node evidence may lie, relative to the terms of the value."""

Codes = Mapping[str, NDArray[np.intp]]
"""States of observed discrete nodes: one number, or one for each row."""


@dataclass(frozen=True)
class Weight:
    """The log-density of observed numbers for each configuration of a scope.

    Attributes
    ----------
    atoms
        How many of the numbers are certain there, so that they have a probability rather than a density.
    """

    scope: Scope
    log: Floats
    atoms: NDArray[np.int64]


@dataclass(frozen=True)
class EliminationNumbers:
    """Numbers of continuous nodes, parents first, and of discrete nodes, in the order of the graph."""

    continuous: dict[str, int]
    discrete: dict[str, int]


def numbering(network: BayesianNetwork) -> EliminationNumbers:
    """The numbers of a network's nodes, which do not depend on the order in which they were given."""
    made: EliminationNumbers | None = network._compiled.get("numbering")
    if made is None:
        continuous = network._gaussians
        waiting = {node: len(own.coefficients) for node, own in continuous.items()}
        children: dict[str, list[str]] = {node: [] for node in continuous}
        for node, own in continuous.items():
            for parent in own.coefficients:
                children[parent].append(node)
        names, number = network.numbering.names, network.numbering.number
        ready = [number[node] for node, parents in waiting.items() if not parents]
        heapq.heapify(ready)
        order: dict[str, int] = {}
        while ready:
            node = names[heapq.heappop(ready)]
            order[node] = len(order)
            for child in children[node]:
                waiting[child] -= 1
                if not waiting[child]:
                    heapq.heappush(ready, number[child])
        discrete = {node: i for i, node in enumerate(name for name in names if name in network._states)}
        made = network._compiled["numbering"] = EliminationNumbers(order, discrete)
    return made


class Elimination:
    """The regressions of some continuous nodes, given the states of some discrete ones.

    Parameters
    ----------
    nodes
        The continuous nodes that matter, with all their continuous ancestors.
    codes
        States of observed discrete nodes; the others stay as axes.
    rows
        How many rows there are, if states or numbers are given for each row.
    """

    def __init__(
        self,
        network: BayesianNetwork,
        nodes: Iterable[str],
        codes: Codes,
        max_bytes: float,
        rows: int = 1,
    ) -> None:
        self.numbers = numbering(network)
        sizes = {number: len(network._states[node]) for node, number in self.numbers.discrete.items()}
        names = {number: node for node, number in self.numbers.discrete.items()}
        self.limit = Limit({ROWS: rows, **sizes}, names, max_bytes)
        self.regressions = {
            self.numbers.continuous[node]: self._regression(network._gaussians[node], codes) for node in nodes
        }
        self._marginals: dict[int, Regression] = {}

    def _regression(self, own: LinearGaussian, codes: Codes) -> Regression:
        observed = [axis for axis, parent in enumerate(own.given) if parent in codes]
        free = sorted(set(range(len(own.given))) - set(observed), key=lambda axis: self._discrete(own, axis))
        place = tuple(codes[own.given[axis]] for axis in observed)
        scope = tuple(self._discrete(own, axis) for axis in free)
        scope = (ROWS, *scope) if any(code.ndim for code in place) else scope
        parents = sorted(own.coefficients, key=self.numbers.continuous.__getitem__)
        self.limit.require(scope, len(parents))

        def taken(values: Floats) -> Floats:
            return np.asarray(values.transpose(*observed, *free)[place] if own.given else values)

        intercept = taken(own.intercept)
        slopes = np.empty((*intercept.shape, len(parents)))
        for i, parent in enumerate(parents):
            slopes[..., i] = taken(own.coefficients[parent])
        return Regression(
            scope,
            intercept,
            tuple(self.numbers.continuous[parent] for parent in parents),
            slopes,
            np.square(taken(own.sd)),
            np.abs(intercept),
        )

    def _discrete(self, own: LinearGaussian, axis: int) -> int:
        return self.numbers.discrete[own.given[axis]]

    def absorb(self, evidence: Mapping[str, Floats]) -> list[Weight]:
        """Take in observed numbers; what is left are the regressions given them."""
        values = {self.numbers.continuous[node]: value for node, value in evidence.items()}
        for node, regression in self.regressions.items():
            for parent in [parent for parent in regression.parents if parent in values]:
                regression = regression.without(parent, values[parent], ROWS)
            self.regressions[node] = regression
        weights = []
        for node in sorted(values):
            self._require(node)
            regression = self.regressions.pop(node)
            while regression.parents:
                last = regression.parents[-1]
                regression, self.regressions[last] = exchanged(
                    regression, self.regressions[last], values[node], ROWS, self.limit
                )
            weights.append(_weight(regression, values[node]))
        return weights

    def marginal(self, node: str) -> Regression:
        """The distribution of an unobserved node given the discrete nodes alone."""
        return self._marginal(self.numbers.continuous[node])

    def _marginal(self, number: int) -> Regression:
        self._require(number)
        way = [number]
        while way[-1] not in self._marginals:
            regression = self.regressions[way[-1]]
            while len(regression.parents) > 1:
                regression = composed(regression, self.regressions[regression.parents[-1]], self.limit)
            if regression.parents and regression.parents[0] not in self._marginals:
                way.append(regression.parents[0])
                continue
            if regression.parents:  # one parent: its own distribution says all about it
                regression = composed(regression, self._marginals[regression.parents[0]], self.limit)
            self._marginals[way[-1]] = regression
            if len(way) > 1:
                way.pop()
        return self._marginals[number]

    def _require(self, number: int) -> None:
        """Refuse a node whose distribution needs too large a scope, before any work is done for it."""
        seen, waiting = {number}, [number]
        scope: set[int] = set()
        while waiting:
            node = waiting.pop()
            own = self._marginals.get(node) or self.regressions[node]
            scope |= set(own.scope)
            waiting += [parent for parent in own.parents if parent not in seen]
            seen |= set(own.parents)
        self.limit.require(tuple(sorted(scope)), 0)

    def joint(self, nodes: Iterable[str]) -> list[Regression]:
        """Regressions of unobserved nodes, each on those before it; the first is number -1, and so on."""
        regressions = dict(self.regressions)
        found = []
        for place, number in enumerate(map(self.numbers.continuous.__getitem__, nodes), 1):
            regression = regressions.pop(number)
            while regression.parents and regression.parents[-1] >= 0:
                last = regression.parents[-1]
                regression, regressions[last] = exchanged(
                    regression, regressions[last], -place, ROWS, self.limit
                )
            found.append(regression)
            for other, own in regressions.items():
                if number in own.parents:
                    regressions[other] = _renumbered(own, number, -place)
        return found

    def in_order(self) -> list[tuple[int, Regression]]:
        """The regressions that are left, parents first."""
        return sorted(self.regressions.items())


def _renumbered(regression: Regression, old: int, new: int) -> Regression:
    """The regression with a parent under a new number, which is the lowest."""
    at = regression.parents.index(old)
    columns = [at, *(i for i in range(len(regression.parents)) if i != at)]
    parents = (new, *(parent for parent in regression.parents if parent != old))
    return replace(regression, parents=parents, slopes=regression.slopes[..., columns])


def _weight(regression: Regression, value: Floats) -> Weight:
    """The log-density of a value for each configuration; certain values have weight 1 or 0."""
    scope = merged(regression.scope, (ROWS,)) if value.ndim else regression.scope
    own = regression.over(scope)
    off = of_rows(value, scope) - own.intercept
    certain = own.variance <= 0
    variance = np.where(certain, 1.0, own.variance)
    with np.errstate(over="ignore"):
        density = -0.5 * (np.log(2 * np.pi * variance) + off * off / variance)
    same = np.abs(off) <= SAME * (own.size + np.abs(of_rows(value, scope)))
    log = np.where(certain, np.where(same, 0.0, -np.inf), density)
    atoms = np.broadcast_to(certain & same, log.shape).astype(np.int64)
    return Weight(scope, log, atoms)
