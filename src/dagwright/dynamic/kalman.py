"""Exact beliefs of Gaussian dynamic networks: the Kalman filter and the smoother of Bryson & Frazier.

The state holds the static numbers and the last steps of all series. Observations are numbers of the state
itself, taken in one at a time, so no matrix is inverted and zero variances are allowed. The backward pass
works on the innovations alone (Bryson & Frazier 1963; Bierman 1977).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from dagwright.dynamic.beliefs import Belief, NumberBelief
from dagwright.dynamic.evidence import Evidence
from dagwright.dynamic.structure import STATIC, Structure, Variate
from dagwright.errors import ImpossibleEvidenceError
from dagwright.model import LinearGaussian

Floats = npt.NDArray[np.float64]
KNOWN = 1e-13
"""A variance is 0 if it is below this share of what it was before the step."""
AGREES = 1e-8


@dataclass
class _Taken:
    """One observation taken in: place, variance of the innovation, gain, and the innovation."""

    place: int
    variance: float
    gain: Floats
    innovation: float


@dataclass
class _Past:
    """The filtered state of a step, and what was taken in to get there."""

    mean: Floats
    cov: Floats
    taken: list[_Taken] = field(default_factory=list)


class KalmanFilter:
    """Filtering and smoothing of one sequence of numbers."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        state = [Variate(name, STATIC) for name in structure.static]
        state += [Variate(name, age) for age in range(structure.lags) for name in structure.series]
        self.place = {one: at for at, one in enumerate(state)}
        self.mean, self.cov = self._initial()
        self.matrix, self.shift, self.noise = self._transition()

    def _initial(self) -> tuple[Floats, Floats]:
        structure, size = self.structure, len(self.place)
        mean, loads = np.zeros(size), np.zeros((size, size))
        for node in structure.initial.graph.topological_order():
            own, at = structure.initial.gaussians[node], self.place[structure.first_variate(node)]
            mean[at], loads[at, at] = float(own.intercept), float(own.sd)
            for parent, slope in own.coefficients.items():
                of_parent = self.place[structure.first_variate(parent)]
                mean[at] += float(slope) * mean[of_parent]
                loads[at] += float(slope) * loads[of_parent]
        return mean, loads @ loads.T

    def _transition(self) -> tuple[Floats, Floats, Floats]:
        """State' = matrix @ state + shift + noise, with the covariance of the noise."""
        structure, size = self.structure, len(self.place)
        matrix, shift = np.zeros((size, size)), np.zeros(size)
        loads = np.zeros((size, size))
        for one, at in self.place.items():
            if one.age == STATIC:
                matrix[at, at] = 1.0
            elif one.age > 0:
                matrix[at, self.place[Variate(one.name, one.age - 1)]] = 1.0
        for name in structure.order:
            own: LinearGaussian = structure.transition.gaussians[f"{name}[t]"]
            at = self.place[Variate(name, 0)]
            shift[at], loads[at, at] = float(own.intercept), float(own.sd)
            for parent, slope in own.coefficients.items():
                seen = structure.variate(parent)
                if seen.age == 0:
                    of_parent = self.place[seen]
                    matrix[at] += float(slope) * matrix[of_parent]
                    shift[at] += float(slope) * shift[of_parent]
                    loads[at] += float(slope) * loads[of_parent]
                else:
                    age = STATIC if seen.age == STATIC else seen.age - 1
                    matrix[at, self.place[Variate(seen.name, age)]] += float(slope)
        return matrix, shift, loads @ loads.T

    def run(self, evidence: Evidence, steps: int, *, smooth: bool) -> tuple[dict[str, Belief], float]:
        """The beliefs of all series at the steps 0 to ``steps`` - 1, and the log-likelihood."""
        structure, lags = self.structure, self.structure.lags
        means = {name: np.empty(steps) for name in structure.series}
        variances = {name: np.empty(steps) for name in structure.series}

        def keep(step: int, age: int, mean: Floats, cov: Floats) -> None:
            for name in structure.series:
                at = self.place[Variate(name, age)]
                means[name][step], variances[name][step] = mean[at], max(0.0, cov[at, at])

        pasts: list[_Past] = []
        mean, cov = self.mean.copy(), self.cov.copy()
        log_likelihood, first = 0.0, list[_Taken]()
        for name, number in evidence.static.items():
            mean, cov, gained = self._take(mean, cov, {Variate(name, STATIC): number}, first, 0)
            log_likelihood += gained
        for step in range(max(steps, lags)):
            if step >= lags:
                mean, cov = self.matrix @ mean + self.shift, self.matrix @ cov @ self.matrix.T + self.noise
            age = max(0, lags - 1 - step)
            seen = {Variate(name, age): number for name, number in evidence.row(step).items()}
            taken: list[_Taken] = []
            mean, cov, gained = self._take(mean, cov, seen, taken, step)
            log_likelihood += gained
            if step < steps:
                keep(step, age, mean, cov)
            if step >= lags - 1:
                pasts.append(_Past(mean, cov, taken))
        if smooth:
            self._smooth(pasts, steps, keep)
        beliefs: dict[str, Belief] = {
            name: NumberBelief(means[name], np.sqrt(variances[name])) for name in structure.series
        }
        return beliefs, log_likelihood

    def _take(
        self, mean: Floats, cov: Floats, seen: dict[Variate, float], taken: list[_Taken], step: int
    ) -> tuple[Floats, Floats, float]:
        """The state given observations of some of its parts, and the log-density of these."""
        before = cov.diagonal().copy()
        gained = 0.0
        for one, number in seen.items():
            at = self.place[one]
            variance, innovation = float(cov[at, at]), number - float(mean[at])
            if variance <= KNOWN * before[at]:
                if abs(innovation) > AGREES * (1 + abs(number)):
                    raise ImpossibleEvidenceError(
                        f"impossible evidence: {one.name!r} is {number:g} at step {step}, and the network "
                        f"makes it {float(mean[at]):g} with certainty"
                    )
                continue
            gain = cov[:, at] / variance
            taken.append(_Taken(at, variance, gain, innovation))
            mean = mean + gain * innovation
            cov = cov - np.outer(gain, cov[at])
            gained -= 0.5 * (np.log(2 * np.pi * variance) + innovation**2 / variance)
        return mean, cov, gained

    def _smooth(
        self, pasts: list[_Past], steps: int, keep: Callable[[int, int, Floats, Floats], None]
    ) -> None:
        lags, size = self.structure.lags, len(self.place)
        slope, curve = np.zeros(size), np.zeros((size, size))
        for step in range(lags - 1 + len(pasts) - 1, lags - 2, -1):
            past = pasts[step - (lags - 1)]
            mean, cov = past.mean - past.cov @ slope, past.cov - past.cov @ curve @ past.cov
            if step == lags - 1:
                for first in range(min(lags, steps)):
                    keep(first, lags - 1 - first, mean, cov)
                return
            keep(step, 0, mean, cov)
            for one in reversed(past.taken):
                slope = slope - one.gain.dot(slope) * _unit(size, one.place)
                slope[one.place] -= one.innovation / one.variance
                column = curve @ one.gain
                curve = curve - np.outer(_unit(size, one.place), column)
                curve[:, one.place] -= curve @ one.gain
                curve[one.place, one.place] += 1 / one.variance
            slope, curve = self.matrix.T @ slope, self.matrix.T @ curve @ self.matrix


def _unit(size: int, place: int) -> Floats:
    found = np.zeros(size)
    found[place] = 1.0
    return found
