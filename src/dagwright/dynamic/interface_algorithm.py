"""Exact beliefs of discrete dynamic networks: the interface algorithm (Murphy 2002).

The nodes of the past that the next step needs are the interface. Its joint distribution separates the past
from the future, so a message over it goes forward from step to step, and another one backward.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dagwright.dynamic.beliefs import Belief, StateBelief
from dagwright.dynamic.elimination import Elimination
from dagwright.dynamic.evidence import Evidence
from dagwright.dynamic.structure import STATIC, Structure, Variate
from dagwright.errors import ImpossibleEvidenceError

Floats = npt.NDArray[np.float64]
MOST_CELLS = 1 << 24
"""Larger tables are left to particles."""


def _older(scope: Sequence[Variate]) -> tuple[Variate, ...]:
    return tuple(one if one.age == STATIC else Variate(one.name, one.age + 1) for one in scope)


class InterfaceAlgorithm:
    """Filtering and smoothing of one sequence by messages over the interface."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self._sizes: dict[Hashable, int] = {
            Variate(variable.name, age): variable.cardinality
            for variable in structure.variables
            for age in range(STATIC, structure.lags + 1)
        }
        first, later = structure.initial, structure.transition
        self._first_scopes = [
            tuple(map(structure.first_variate, (*first.parents(node), node))) for node in first.nodes
        ]
        self._first_tables = [first.table(node) for node in first.nodes]
        nodes = [f"{name}[t]" for name in structure.series]
        self._scopes = [tuple(map(structure.variate, (*later.parents(node), node))) for node in nodes]
        self._tables = [later.table(node) for node in nodes]
        self._now = [(Variate(name, 0),) for name in structure.series]
        self._interface = structure.remembered
        self._past = _older(self._interface)

    @property
    def largest_table(self) -> int:
        """The number of cells of the largest table that a step makes."""
        return max(self._forward.largest, *(plan.largest for plan in self._marginals), self._first.largest)

    # The plans of a step: [message over the past, own tables, likelihoods, ones or message over the future]

    @cached_property
    def _forward(self) -> Elimination:
        return Elimination([self._past, *self._scopes, *self._now], self._interface, self._sizes)

    @cached_property
    def _backward(self) -> Elimination:
        ones = [(one,) for one in self._past]
        return Elimination([*self._scopes, *self._now, self._interface, *ones], self._past, self._sizes)

    @cached_property
    def _marginals(self) -> list[Elimination]:
        scopes = [self._past, *self._scopes, *self._now, self._interface]
        return [Elimination(scopes, now, self._sizes) for now in self._now]

    @cached_property
    def _first_evidence(self) -> list[tuple[Variate]]:
        ages = range(self.structure.lags)
        series = [(Variate(name, age),) for age in reversed(ages) for name in self.structure.series]
        return [*((Variate(name, STATIC),) for name in self.structure.static), *series]

    @cached_property
    def _first(self) -> Elimination:
        return Elimination([*self._first_scopes, *self._first_evidence], self._interface, self._sizes)

    def _first_marginal(self, name: str, age: int) -> Elimination:
        scopes = [*self._first_scopes, *self._first_evidence, self._interface]
        return Elimination(scopes, (Variate(name, age),), self._sizes)

    # The messages

    def _likelihood(self, evidence: Evidence, name: str, step: int | None) -> Floats:
        size = self._sizes[Variate(name, STATIC)]
        code = evidence.static.get(name) if step is None else evidence.at(name, step)
        if code is None:
            return np.ones(size)
        found = np.zeros(size)
        found[int(code)] = 1.0
        return found

    def _first_likelihoods(self, evidence: Evidence, until: int) -> list[Floats]:
        """Likelihoods of the initial steps; steps from ``until`` on are taken as unknown."""
        lags, series = self.structure.lags, self.structure.series
        found = [self._likelihood(evidence, name, None) for name in self.structure.static]
        for step in range(lags):
            for name in series:
                known = self._likelihood(evidence, name, step)
                found.append(known if step < until else np.ones_like(known))
        return found

    def _likelihoods(self, evidence: Evidence, step: int) -> list[Floats]:
        return [self._likelihood(evidence, name, step) for name in self.structure.series]

    def run(self, evidence: Evidence, steps: int, *, smooth: bool) -> tuple[dict[str, Belief], float]:
        """The beliefs of all series at the steps 0 to ``steps`` - 1, and the log-likelihood."""
        lags, series = self.structure.lags, self.structure.series
        found = {name: np.empty((steps, self._sizes[Variate(name, 0)])) for name in series}
        forward, log_likelihood = self._forward_messages(evidence, steps)
        backward = self._backward_messages(evidence, steps) if smooth else {}
        shape = tuple(self._sizes[one] for one in self._interface)
        nothing = np.ones(shape)
        known = min(steps, lags)
        for step in range(known):
            until = known if smooth else step + 1
            tables = [*self._first_tables, *self._first_likelihoods(evidence, until)]
            later = backward.get(lags - 1, nothing)
            for name in series:
                plan = self._first_marginal(name, lags - 1 - step)
                found[name][step] = _normalized(plan([*tables, later]), step)
        for step in range(lags, steps):
            tables = [forward[step - 1], *self._tables, *self._likelihoods(evidence, step)]
            tables.append(backward.get(step, nothing))
            for name, plan in zip(series, self._marginals, strict=True):
                found[name][step] = _normalized(plan(tables), step)
        states = {variable.name: variable.states for variable in self.structure.variables}
        return {name: StateBelief(states[name], table) for name, table in found.items()}, log_likelihood

    def _forward_messages(self, evidence: Evidence, steps: int) -> tuple[dict[int, Floats], float]:
        lags = self.structure.lags
        message = self._first([*self._first_tables, *self._first_likelihoods(evidence, min(steps, lags))])
        messages, log_likelihood = {}, 0.0
        for step in range(lags - 1, max(lags, steps)):
            if step >= lags:
                message = self._forward([message, *self._tables, *self._likelihoods(evidence, step)])
            total = float(message.sum())
            if not total > 0:
                raise ImpossibleEvidenceError(
                    f"the evidence has probability 0: the network cannot produce what was seen up to step "
                    f"{step}"
                )
            log_likelihood += float(np.log(total))
            message = message / total
            messages[step] = message
        return messages, log_likelihood

    def _backward_messages(self, evidence: Evidence, steps: int) -> dict[int, Floats]:
        ones = [np.ones(self._sizes[one]) for one in self._past]
        message = np.ones(tuple(self._sizes[one] for one in self._interface))
        messages = {}
        for step in range(steps - 1, self.structure.lags - 2, -1):
            messages[step] = message
            if step >= self.structure.lags:
                tables = [*self._tables, *self._likelihoods(evidence, step), message, *ones]
                message = self._backward(tables)
                message = message / message.max()
        return messages


def _normalized(table: Floats, step: int) -> Floats:
    total = table.sum()
    if not total > 0:
        raise ImpossibleEvidenceError(f"the evidence has probability 0 at step {step}")
    return np.asarray(table / total)
