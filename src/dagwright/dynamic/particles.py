"""Sampled beliefs: a particle filter with resampling (Gordon, Salmond & Smith 1993), for any dynamic network.

Particles run in independent batches. The spread of the batches gives the standard error of every answer.
Smoothing follows the particles of the last step back to their ancestors.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from dagwright.dynamic.beliefs import LEVELS, Belief, NumberBelief, StateBelief
from dagwright.dynamic.evidence import Evidence
from dagwright.dynamic.structure import STATIC, Structure, Variate
from dagwright.errors import ImpossibleEvidenceError
from dagwright.model import BayesianNetwork

Floats = npt.NDArray[np.float64]
Values = dict[Variate, npt.NDArray[np.float64]]
"""The values of all particles: codes of states, and numbers."""
BATCHES = 20


class Sampler:
    """Draws the nodes of a dynamic network step by step, for many particles at once."""

    def __init__(self, structure: Structure, rng: np.random.Generator) -> None:
        self.structure = structure
        self.rng = rng
        order = structure.initial.graph.topological_order()
        self._static = [node for node in order if node in structure.static]
        self._first = [
            [
                node
                for node in order
                if node not in structure.static and structure.first_variate(node).age == age
            ]
            for age in range(structure.lags - 1, -1, -1)
        ]
        """The nodes of each initial step."""

    def static(self, count: int, seen: Mapping[str, float]) -> tuple[Values, Floats]:
        """The static nodes, and the log-weights of what was seen of them."""
        values: Values = {}
        weights = np.zeros(count)
        for node in self._static:
            self._draw(self.structure.initial, node, values, weights, seen, first=True)
        return values, weights

    def step(self, values: Values, step: int, weights: Floats, seen: Mapping[str, float]) -> None:
        """Draw a step into ``values`` and add to the log-weights.

        Ages count from the current step; in the initial steps from the last of these.
        """
        structure = self.structure
        if step < structure.lags:
            for node in self._first[step]:
                self._draw(structure.initial, node, values, weights, seen, first=True)
            return
        for name in structure.order:
            self._draw(structure.transition, f"{name}[t]", values, weights, seen, first=False)

    def _draw(
        self,
        network: BayesianNetwork,
        node: str,
        values: Values,
        weights: Floats,
        seen: Mapping[str, float],
        *,
        first: bool,
    ) -> None:
        variate = self.structure.first_variate if first else self.structure.variate
        own = variate(node)
        count, known = len(weights), seen.get(own.name)
        if node in network.gaussians:
            gaussian = network.gaussians[node]
            place = tuple(values[variate(parent)].astype(np.intp) for parent in gaussian.given)
            mean = np.broadcast_to(gaussian.intercept[place], (count,)).astype(np.float64)
            for parent, slope in gaussian.coefficients.items():
                mean = mean + slope[place] * values[variate(parent)]
            sd = np.broadcast_to(gaussian.sd[place], (count,))
            if known is None:
                values[own] = mean + sd * self.rng.standard_normal(count)
                return
            off, spread = known - mean, np.where(sd > 0, sd, 1.0)
            density = -0.5 * np.log(2 * np.pi) - np.log(spread) - 0.5 * (off / spread) ** 2
            certain = np.where(np.abs(off) <= 1e-8 * (1 + abs(known)), 0.0, -np.inf)
            weights += np.where(sd > 0, density, certain)
            values[own] = np.full(count, known)
            return
        place = tuple(values[variate(parent)].astype(np.intp) for parent in network.parents(node))
        rows = np.broadcast_to(network.table(node)[place], (count, network.cardinality(node)))
        if known is None:
            bounds = np.cumsum(rows, axis=1)
            draws = self.rng.random(count) * bounds[:, -1]
            values[own] = (draws[:, None] >= bounds).sum(axis=1).astype(np.float64)
            return
        with np.errstate(divide="ignore"):
            weights += np.log(rows[:, int(known)])
        values[own] = np.full(count, known)


def aged(values: Values, lags: int) -> Values:
    """The values seen from the next step; what is older than all lags is forgotten."""
    return {
        one if one.age == STATIC else Variate(one.name, one.age + 1): drawn
        for one, drawn in values.items()
        if one.age < lags
    }


class ParticleFilter:
    """Filtering and smoothing of one sequence by weighted particles."""

    def __init__(self, structure: Structure, particles: int, seed: np.random.SeedSequence) -> None:
        self.structure = structure
        self.size = max(1, particles // BATCHES)
        self.seed = seed

    @property
    def particles(self) -> int:
        """The number of particles in all batches."""
        return self.size * BATCHES

    def run(self, evidence: Evidence, steps: int, *, smooth: bool) -> tuple[dict[str, Belief], float]:
        """The beliefs of all series at the steps 0 to ``steps`` - 1, and the estimated log-likelihood."""
        runs = [
            self._batch(evidence, steps, np.random.default_rng(seed), smooth=smooth)
            for seed in self.seed.spawn(BATCHES)
        ]
        likelihoods = np.array([likelihood for _, _, likelihood in runs])
        if not np.isfinite(likelihoods).any():
            raise ImpossibleEvidenceError(
                f"none of {self.particles:,} particles produces the evidence; it is impossible, or more "
                "particles are needed"
            )
        highest = likelihoods.max()
        log_likelihood = float(highest + np.log(np.mean(np.exp(likelihoods - highest))))
        weights = [weights for _, weights, _ in runs]
        found: dict[str, Belief] = {}
        for variable in self.structure.variables.select(self.structure.series):
            drawn = [values[variable.name] for values, _, _ in runs]
            if variable.is_discrete:
                found[variable.name] = _states(variable.states, drawn, weights, steps)
            else:
                found[variable.name] = _numbers(drawn, weights, steps)
        return found, log_likelihood

    def _batch(
        self, evidence: Evidence, steps: int, rng: np.random.Generator, *, smooth: bool
    ) -> tuple[dict[str, Floats], Floats, float]:
        """Drawn values (steps by particles) of each series, their weights, and the log-likelihood."""
        structure, lags = self.structure, self.structure.lags
        sampler = Sampler(structure, rng)
        values, weights = sampler.static(self.size, evidence.static)
        drawn = {name: np.empty((steps, self.size)) for name in structure.series}
        shares = np.empty((steps, self.size))
        ancestors = np.empty((steps, self.size), dtype=np.intp)
        likelihood, last = 0.0, -np.log(self.size)
        own = np.arange(self.size)
        for step in range(steps):
            if step >= lags:
                values = aged(values, lags)
            sampler.step(values, step, weights, evidence.row(step))
            highest = weights.max()
            if not np.isfinite(highest):
                shares[step:] = 1 / self.size
                for table in drawn.values():
                    table[step:] = np.nan
                return drawn, shares, -np.inf
            share = np.exp(weights - highest)
            total = share.sum()
            share /= total
            age = max(0, lags - 1 - step)
            for name, table in drawn.items():
                table[step] = values[Variate(name, age)]
            shares[step] = share
            ancestors[step] = own
            if step < evidence.steps and 1 / np.sum(share**2) < self.size / 2:
                likelihood += highest + np.log(total) + last
                # Systematic resampling: one random number places all of them.
                points = (rng.random() + np.arange(self.size)) / self.size
                chosen = np.minimum(np.searchsorted(np.cumsum(share), points), self.size - 1)
                values = {one: each[chosen] for one, each in values.items()}
                weights = np.zeros(self.size)
                own = chosen
            else:
                own = np.arange(self.size)
        if steps:
            highest = weights.max()
            likelihood += highest + np.log(np.exp(weights - highest).sum()) + last
        if smooth and steps:
            self._trace_back(drawn, shares, ancestors)
        return drawn, shares, float(likelihood)

    def _trace_back(self, drawn: dict[str, Floats], shares: Floats, ancestors: npt.NDArray[np.intp]) -> None:
        """Each particle of the last step with its own past; all steps get the weights of the last."""
        place = np.arange(self.size)
        for step in range(len(shares) - 1, -1, -1):
            for table in drawn.values():
                table[step] = table[step][place]
            place = ancestors[step][place]
        shares[:] = shares[-1]


def _states(
    states: tuple[object, ...], drawn: list[Floats], weights: list[Floats], steps: int
) -> StateBelief:
    tables = np.zeros((len(drawn), steps, len(states)))
    for table, values, shares in zip(tables, drawn, weights, strict=True):
        for code in range(len(states)):
            table[:, code] = np.where(values == code, shares, 0.0).sum(axis=1)
    usable = tables[[not np.isnan(values).any() for values in drawn]]
    error = usable.std(axis=0, ddof=1) / np.sqrt(len(usable)) if len(usable) > 1 else usable[0] * np.inf
    return StateBelief(states, usable.mean(axis=0), error)


def _numbers(drawn: list[Floats], weights: list[Floats], steps: int) -> NumberBelief:
    usable = [at for at, values in enumerate(drawn) if not np.isnan(values).any()]
    means = np.array([(drawn[at] * weights[at]).sum(axis=1) for at in usable])
    mean = means.mean(axis=0)
    squares = np.array([((drawn[at] - mean[:, None]) ** 2 * weights[at]).sum(axis=1) for at in usable])
    error = means.std(axis=0, ddof=1) / np.sqrt(len(usable)) if len(usable) > 1 else np.full(steps, np.inf)
    quantiles = np.empty((steps, len(LEVELS)))
    for step in range(steps):
        values = np.concatenate([drawn[at][step] for at in usable])
        shares = np.concatenate([weights[at][step] for at in usable])
        order = np.argsort(values, kind="stable")
        below = np.cumsum(shares[order])
        quantiles[step] = values[order][np.searchsorted(below, LEVELS * below[-1])]
    # What was observed is the same in all particles; sums of weights must not make it look uncertain.
    known = np.all([np.ptp(drawn[at], axis=1) == 0 for at in usable], axis=0)
    mean = np.where(known, drawn[usable[0]][:, 0], mean)
    spread = np.where(known, 0.0, np.sqrt(squares.mean(axis=0)))
    return NumberBelief(mean, spread, np.where(known, 0.0, error), quantiles)
