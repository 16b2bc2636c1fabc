"""The discrete nodes of a question, with the weights that observed numbers give their configurations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dagwright import _core
from dagwright.model.gaussian.elimination import Weight, numbering
from dagwright.model.gaussian.regression import Limit, Scope, merged, spread
from dagwright.model.tables.capacity import CELL_BYTES
from dagwright.model.tables.checks import Floats
from dagwright.model.tables.native_tables import TRIES

if TYPE_CHECKING:
    from dagwright.model.inference.findings import Findings
    from dagwright.model.network import BayesianNetwork


class WeightedStates:
    """The distribution of the discrete nodes given states, likelihoods and weights.

    A weight becomes the table of a node with one state, which is observed.
    """

    def __init__(
        self, network: BayesianNetwork, findings: Findings, weights: Sequence[Weight], limit: Limit
    ) -> None:
        self.number = numbering(network).discrete
        self.sizes = [len(network._states[node]) for node in self.number]
        self._limit = limit
        self._tables = [network._tables[node].reshape(-1) for node in self.number]
        self._axes = [
            [*map(self.number.__getitem__, network._parents[node]), i] for i, node in enumerate(self.number)
        ]
        self._hard = [(self.number[node], code) for node, code in findings.hard.items()]
        self._soft = [(self.number[node], list(values)) for node, values in findings.soft.items()]
        self._max_cells = limit.max_bytes / CELL_BYTES
        self._shift = 0.0
        plain, levels = _merged_weights(weights, limit)
        self.kept: list[Weight] = plain if levels is None else [*plain, *self._highest(plain, levels)]
        self._take(self.kept)

    def _take(self, weights: Sequence[Weight]) -> None:
        """Make the native tables with these weights."""
        count = len(self.number)
        tables, axes, hard = list(self._tables), list(self._axes), list(self._hard)
        self._shift = 0.0
        for place, weight in enumerate(weights):
            log = weight.log
            largest = float(log.max())
            self._shift += largest if math.isfinite(largest) else 0.0
            full = [self.sizes[node] for node in weight.scope]
            values = np.exp(log - largest) if math.isfinite(largest) else np.zeros(log.shape)
            tables.append(np.ascontiguousarray(np.broadcast_to(values, full)).reshape(-1))
            axes.append([*weight.scope, count + place])
            hard.append((count + place, 0))
        names = [*self.number, *(f"weight {i}" for i in range(len(weights)))]
        sizes = [*self.sizes, *[1] * len(weights)]
        self._native = _core.NetworkTables.make(names, sizes, axes, tables) if names else None
        self._observed = hard

    def _highest(self, plain: Sequence[Weight], levels: Weight) -> list[Weight]:
        """Where numbers are certain in some configurations only, these outweigh any density."""
        for level in sorted(set(np.unique(levels.atoms).tolist()), reverse=True):
            kept = np.where(levels.atoms == level, levels.log, -np.inf)
            weight = Weight(levels.scope, kept, levels.atoms)
            self._take([*plain, weight])
            if math.isfinite(self.log_evidence()):
                return [weight]
        return [levels]

    def log_evidence(self) -> float:
        """The log of the probability, or of the density, of all evidence."""
        if self._native is None:
            return self._shift
        return self._shift + self._native.log_evidence(self._observed, self._soft, self._max_cells)

    def joint(self, scope: Scope) -> Floats | None:
        """P(nodes | evidence), one axis for each node of the scope; None if the evidence is impossible."""
        if self._native is None:
            return np.ones(())
        hard = dict(self._hard)
        free = [node for node in scope if node not in hard]
        self._limit.require(tuple(free), 0)
        cells = self._native.joint(self._observed, self._soft, free, self._max_cells)
        if cells is None:
            return None
        result = np.zeros([self.sizes[node] for node in scope])
        place = tuple(hard.get(node, slice(None)) for node in scope)
        result[place] = cells.reshape([self.sizes[node] for node in free])
        return result

    def marginals(self, nodes: Sequence[int]) -> list[Floats] | None:
        """P(node | evidence) of many nodes from one propagation; None if the evidence is impossible."""
        if self._native is None or not nodes:
            return []
        tree = _core.JunctionTree.make(self._native, TRIES, 1)
        native = _core.Propagation(self._native, tree, self._max_cells)
        native.observe(self._observed, self._soft)
        if math.isinf(native.log_evidence()):
            return None
        flat = native.marginals(list(nodes))
        ends = np.cumsum([self.sizes[node] for node in nodes])
        return list(np.split(flat, ends[:-1]))

    def most_probable(self, nodes: Sequence[int]) -> tuple[dict[int, int], float]:
        """The most probable states of the nodes, and the log of their density with the evidence."""
        if self._native is None:
            return {}, self._shift
        hard = dict(self._hard)
        free = [node for node in nodes if node not in hard]
        best = self._native.most_probable(self._observed, self._soft, free, self._max_cells)
        found = hard | dict(zip(free, best.states, strict=True))
        return {node: found[node] for node in nodes}, self._shift + best.log_probability


def _merged_weights(weights: Sequence[Weight], limit: Limit) -> tuple[list[Weight], Weight | None]:
    """Weights within others are joined to these in logs, so that none is lost by underflow.

    The second is one weight of all those whose numbers are certain in some configurations and not in others.
    """
    plain: list[Weight] = []
    levels: Weight | None = None
    for weight in sorted(weights, key=lambda each: (-len(each.scope), each.scope)):
        known = weight.atoms[np.isfinite(weight.log)]
        if known.size and known.min() != known.max():
            levels = weight if levels is None else _product(levels, weight, limit)
            continue
        for place, wider in enumerate(plain):
            if set(weight.scope) <= set(wider.scope):
                plain[place] = _product(wider, weight, limit)
                break
        else:
            plain.append(weight)
    return plain, levels


def _product(first: Weight, second: Weight, limit: Limit) -> Weight:
    scope = merged(first.scope, second.scope)
    limit.require(scope, 0)
    log = spread(first.log, first.scope, scope) + spread(second.log, second.scope, scope)
    atoms = spread(first.atoms, first.scope, scope) + spread(second.atoms, second.scope, scope)
    return Weight(scope, log, atoms)
