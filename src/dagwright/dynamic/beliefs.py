"""Beliefs about each series at each step: probabilities of states, means and spreads of numbers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.base.wording import aligned
from dagwright.errors import OptionError, unknown_name
from dagwright.graph.viewable import Viewable
from dagwright.show.colors import Theme
from dagwright.show.picture import Picture

Floats = npt.NDArray[np.float64]
LEVELS = np.linspace(0.005, 0.995, 199)
"""The levels of the quantiles that sampled beliefs keep."""
MOST_STEPS = 12


@dataclass(frozen=True, eq=False)
class StateBelief:
    """Probabilities of states: one row for each step; ``error`` has the standard errors of sampled ones."""

    states: tuple[Hashable, ...]
    probabilities: Floats
    error: Floats | None = None

    def since(self, step: int) -> StateBelief:
        """The belief without the steps before ``step``."""
        return StateBelief(self.states, self.probabilities[step:], _since(self.error, step))


@dataclass(frozen=True, eq=False)
class NumberBelief:
    """Means and standard deviations by step; sampled ones have standard errors of the mean and quantiles."""

    mean: Floats
    sd: Floats
    error: Floats | None = None
    quantiles: Floats | None = None

    def since(self, step: int) -> NumberBelief:
        """The belief without the steps before ``step``."""
        return NumberBelief(
            self.mean[step:], self.sd[step:], _since(self.error, step), _since(self.quantiles, step)
        )


Belief = StateBelief | NumberBelief


def _since(values: Floats | None, step: int) -> Floats | None:
    return None if values is None else values[step:]


@dataclass(frozen=True, eq=False)
class Beliefs(Viewable):
    """The answer of `filter`, `smooth` and `forecast` of a `DynamicNetwork`.

    Attributes
    ----------
    steps
        The steps, counted from 0.
    by_series
        What is believed about each series.
    log_likelihood
        The log-density of the evidence, in nats; an estimate where particles were used.
    method
        How it was computed.
    """

    steps: range
    by_series: Mapping[str, Belief] = field(repr=False)
    log_likelihood: float
    method: str

    @property
    def series(self) -> tuple[str, ...]:
        """The names of the series."""
        return tuple(self.by_series)

    def _of(self, name: str) -> Belief:
        if name not in self.by_series:
            raise unknown_name("series", name, self.series)
        return self.by_series[name]

    def _numbers(self, name: str) -> NumberBelief:
        found = self._of(name)
        if isinstance(found, StateBelief):
            raise OptionError(f"the series {name!r} has states, not numbers; probabilities() has its beliefs")
        return found

    def states(self, name: str) -> tuple[Hashable, ...]:
        """The states of a series, in the order of the columns of `probabilities`; none for numbers."""
        found = self._of(name)
        return found.states if isinstance(found, StateBelief) else ()

    def probabilities(self, name: str) -> Floats:
        """The probability of each state of a series: one row for each step, one column for each state."""
        found = self._of(name)
        if isinstance(found, NumberBelief):
            raise OptionError(
                f"the series {name!r} has numbers, not states; mean() and sd() have its beliefs"
            )
        return found.probabilities

    def mean(self, name: str) -> Floats:
        """The mean of a series of numbers at each step."""
        return self._numbers(name).mean

    def sd(self, name: str) -> Floats:
        """The standard deviation of a series of numbers at each step."""
        return self._numbers(name).sd

    def error(self, name: str) -> Floats:
        """The Monte Carlo standard error of the probabilities or of the mean; 0 where nothing was sampled."""
        found = self._of(name)
        values = found.probabilities if isinstance(found, StateBelief) else found.mean
        return np.zeros_like(values) if found.error is None else found.error

    def interval(self, name: str, level: float = 0.9) -> tuple[Floats, Floats]:
        """The central interval of a series of numbers at each step: its lower and its upper end.

        Parameters
        ----------
        level
            The probability of the interval, above 0 and at most 0.99.
        """
        if not 0 < level <= 0.99:
            raise OptionError(f"level must be above 0 and at most 0.99, got {level}")
        found = self._numbers(name)
        low, high = (1 - level) / 2, (1 + level) / 2
        if found.quantiles is None:
            z = NormalDist().inv_cdf(high)
            return found.mean - z * found.sd, found.mean + z * found.sd
        ends = [np.array([np.interp(at, LEVELS, row) for row in found.quantiles]) for at in (low, high)]
        return ends[0], ends[1]

    @property
    def largest_error(self) -> float:
        """The largest standard error of a probability, or of a mean as a share of its standard deviation."""
        errors = [0.0]
        for name, found in self.by_series.items():
            if found.error is None or not found.error.size:
                continue
            scale = 1.0 if isinstance(found, StateBelief) else np.where(found.sd > 0, found.sd, 1.0)
            errors.append(float(np.max(self.error(name) / scale)))
        return max(errors)

    def draw(
        self, name: str, *, past: Sequence[Any] | None = None, level: float = 0.9, theme: Theme = "auto"
    ) -> Picture:
        """A chart of a series: the mean in a band, or the probability of each state.

        Parameters
        ----------
        past
            Numbers that were observed from step 0 on, None where not; they are drawn as dots.
        level
            The probability of the band.
        theme
            As in `dagwright.draw`.
        """
        from dagwright.dynamic.pictures import belief_chart

        return belief_chart(self, name, past=past, level=level, theme=theme)

    def to_dict(self) -> dict[str, Any]:
        """The beliefs as plain values, which JSON can hold."""
        found: dict[str, Any] = {}
        for name, belief in self.by_series.items():
            if isinstance(belief, StateBelief):
                found[name] = {
                    "states": [str(state) for state in belief.states],
                    "probabilities": belief.probabilities.tolist(),
                }
            else:
                low, high = self.interval(name)
                found[name] = {
                    "mean": belief.mean.tolist(),
                    "sd": belief.sd.tolist(),
                    "low": low.tolist(),
                    "high": high.tolist(),
                }
            found[name]["error"] = self.error(name).tolist()
        return {
            "steps": list(self.steps),
            "log_likelihood": self.log_likelihood,
            "method": self.method,
            "series": found,
        }

    def __str__(self) -> str:
        heads = ["step"]
        for name, belief in self.by_series.items():
            if isinstance(belief, StateBelief):
                heads += [f"P({name}={state})" for state in belief.states]
            else:
                heads += [name, "sd"]
        rows = [heads]
        for at, step in enumerate(self.steps[:MOST_STEPS]):
            row = [str(step)]
            for belief in self.by_series.values():
                if isinstance(belief, StateBelief):
                    row += [f"{p:.4f}" for p in belief.probabilities[at]]
                else:
                    row += [f"{belief.mean[at]:.5g}", f"{belief.sd[at]:.5g}"]
            rows.append(row)
        more = len(self.steps) - MOST_STEPS
        error = f", standard errors up to {self.largest_error:.2g}" if self.largest_error else ""
        return "\n".join(
            [f"{self.method}{error}", *aligned(rows), *([f"and {more:,} more steps"] if more > 0 else [])]
        )

    __repr__ = __str__
