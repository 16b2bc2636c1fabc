"""Answers about numbers: mixtures of normal distributions, with the question and the method."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dagwright.data.bins import Scale, number_on, shown_number
from dagwright.errors import OptionError
from dagwright.graph.viewable import Viewable
from dagwright.model.tables.checks import Floats

_erf = np.vectorize(math.erf, otypes=[np.float64])


class NumericPosterior(Viewable):
    """The distribution of a continuous node given the evidence: a mixture of normal distributions.

    There is one component for each configuration of the discrete nodes that matter; a network without
    discrete nodes gives a single normal distribution.

    Attributes
    ----------
    weights, means, sds
        The components; those of weight 0 are left out.
    mean, sd
        The mean and the standard deviation of the mixture, exact for exact answers.
    method
        How it was computed: ``"exact"`` or ``"likelihood_weighting"``.
    error
        0 for exact answers; the standard error of the mean for sampled ones.
    question
        The question in words, such as ``"weight | height=180"``.
    scale
        What the numbers count: ``"date"`` is days and ``"datetime"`` is seconds since 1970-01-01. They stay
        numbers here, and print as dates; `density` and `cdf` take dates too.
    """

    __slots__ = ("error", "mean", "means", "method", "question", "scale", "sd", "sds", "weights")

    def __init__(
        self,
        weights: ArrayLike,
        means: ArrayLike,
        sds: ArrayLike,
        method: str = "exact",
        error: float = 0.0,
        question: str = "",
        scale: Scale = "number",
    ) -> None:
        share: Floats = np.asarray(weights, dtype=np.float64)
        used = share > 0
        self.weights: Floats = share[used] / share[used].sum()
        self.means: Floats = np.broadcast_to(np.asarray(means, dtype=np.float64), share.shape)[used]
        self.sds: Floats = np.broadcast_to(np.asarray(sds, dtype=np.float64), share.shape)[used]
        self.mean = math.fsum((self.weights * self.means).tolist())
        squares = self.weights * (np.square(self.sds) + np.square(self.means - self.mean))
        self.sd = math.sqrt(math.fsum(squares.tolist()))
        self.method = method
        self.error = error
        self.question = question
        self.scale = scale

    def asked(self, question: str, unsupported: Callable[[], tuple[str, ...]]) -> NumericPosterior:  # noqa: ARG002
        """The same answer with its question."""
        return NumericPosterior(
            self.weights, self.means, self.sds, self.method, self.error, question, self.scale
        )

    @property
    def variance(self) -> float:
        return self.sd**2

    def shown(self, number: float) -> str:
        """A number of this node as text: a date where the node holds dates."""
        return shown_number(number, self.scale)

    @property
    def shown_sd(self) -> str:
        """The standard deviation as text, with its unit for dates and times."""
        unit = {"number": "", "date": " days", "datetime": " seconds"}[self.scale]
        return f"{self.sd:.6g}{unit}"

    def _numbers(self, x: Any) -> Floats:
        if self.scale == "number" or isinstance(x, np.ndarray | int | float):
            return np.asarray(x, dtype=np.float64)
        several = isinstance(x, Sequence) and not isinstance(x, str)
        found = [
            each if (number := number_on(each, self.scale)) is None else number
            for each in (x if several else [x])
        ]
        return np.asarray(found if several else found[0], dtype=np.float64)

    def density(self, x: ArrayLike) -> Any:
        """The density at a number or at each of several; infinite at the value of a certain component."""
        at = self._numbers(x)
        off = at[..., None] - self.means
        certain = self.sds <= 0
        sds = np.where(certain, 1.0, self.sds)
        each = np.exp(-0.5 * np.square(off / sds)) / (math.sqrt(2 * math.pi) * sds)
        each = np.where(certain, np.where(off == 0, np.inf, 0.0), each)
        return _plain((self.weights * each).sum(axis=-1))

    def cdf(self, x: ArrayLike) -> Any:
        """P(node <= x), for a number or each of several."""
        off = self._numbers(x)[..., None] - self.means
        certain = self.sds <= 0
        scaled = off / np.where(certain, 1.0, self.sds)
        below = 0.5 * (1.0 + _erf(scaled / math.sqrt(2.0)))
        return _plain((self.weights * np.where(certain, off >= 0, below)).sum(axis=-1))

    def quantile(self, p: ArrayLike) -> Any:
        """The number below which the node lies with probability p, for a probability or each of several."""
        wanted = np.asarray(p, dtype=np.float64)
        if not np.all((wanted > 0) & (wanted < 1)):
            raise OptionError(f"a quantile needs probabilities between 0 and 1, got {p!r}")
        return _plain(
            np.array([self._quantile(float(each)) for each in wanted.ravel()]).reshape(wanted.shape)
        )

    def _quantile(self, p: float) -> float:
        normal = NormalDist()
        if len(self.means) == 1 or self.sd == 0:
            return self.mean + self.sd * normal.inv_cdf(p)
        # Every component has its own quantile; that of the mixture lies between them.
        each = self.means + self.sds * normal.inv_cdf(p)
        low, high = float(each.min()), float(each.max())
        while True:
            middle = 0.5 * (low + high)
            if not low < middle < high:
                return high
            if self.cdf(middle) < p:
                low = middle
            else:
                high = middle

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The ends between which the node lies with this probability; half the rest is on each side."""
        if not 0 < level < 1:
            raise OptionError(f"the level must be between 0 and 1, got {level}")
        return self._quantile((1 - level) / 2), self._quantile((1 + level) / 2)

    def __str__(self) -> str:
        low, high = self.interval()
        lines = [self.question] if self.question else []
        lines += [f"  mean  {self.shown(self.mean)}", f"  sd    {self.shown_sd}"]
        lines.append(f"  95 %  {self.shown(low)} to {self.shown(high)}")
        if len(self.means) > 1 and self.method == "exact":
            lines.append(f"  a mixture of {len(self.means):,} normal distributions")
        if self.method != "exact":
            lines.append(f"  approximate, by {self.method}; standard error of the mean {self.error:.2g}")
        return "\n".join(lines)

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NumericPosterior):
            return NotImplemented
        mine, others = ((x.weights, x.means, x.sds) for x in (self, other))
        return all(np.array_equal(a, b) for a, b in zip(mine, others, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return NumericPosterior, (
            self.weights,
            self.means,
            self.sds,
            self.method,
            self.error,
            self.question,
            self.scale,
        )


class NumericJoint(Viewable):
    """The joint distribution of several continuous nodes: a mixture of multivariate normal distributions.

    Attributes
    ----------
    names
        The nodes, in the order of the axes.
    weights, means, covariances
        The components: shapes (k), (k, n) and (k, n, n).
    mean, covariance
        Mean vector and covariance matrix of the mixture.
    question
        The question in words.
    scales
        What the numbers of each node count, as in `NumericPosterior`.
    """

    __slots__ = ("covariance", "covariances", "mean", "means", "names", "question", "scales", "weights")

    def __init__(
        self,
        names: Sequence[str],
        weights: Floats,
        means: Floats,
        covariances: Floats,
        question: str = "",
        scales: Sequence[Scale] = (),
    ) -> None:
        used = weights > 0
        self.names = tuple(names)
        self.weights = weights[used] / weights[used].sum()
        self.means, self.covariances = means[used], covariances[used]
        self.mean: Floats = self.weights @ self.means
        off = self.means - self.mean
        within = np.tensordot(self.weights, self.covariances, 1)
        self.covariance: Floats = within + np.einsum("k,ki,kj->ij", self.weights, off, off)
        self.question = question
        plain: Scale = "number"
        self.scales: tuple[Scale, ...] = tuple(scales) or (plain,) * len(self.names)

    @property
    def sd(self) -> Floats:
        return np.sqrt(np.diagonal(self.covariance))

    @property
    def correlation(self) -> Floats:
        """The correlation matrix; NaN where a node is certain."""
        sd = self.sd
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.covariance / np.outer(sd, sd)

    def density(self, point: ArrayLike) -> float:
        """The density at a point; refused where a component has no density because it is degenerate."""
        off = np.asarray(point, dtype=np.float64) - self.means
        try:
            factors = np.linalg.cholesky(self.covariances)
        except np.linalg.LinAlgError:
            raise OptionError(
                f"{', '.join(self.names)} have no joint density: one is a function of the others"
            ) from None
        scaled = np.linalg.solve(factors, off[..., None])[..., 0]
        logs = -0.5 * np.square(scaled).sum(axis=-1) - 0.5 * len(self.names) * math.log(2 * math.pi)
        logs -= np.log(np.diagonal(factors, axis1=-2, axis2=-1)).sum(axis=-1)
        return float(self.weights @ np.exp(logs))

    def __str__(self) -> str:
        width = max(map(len, self.names))
        lines = [self.question or ", ".join(self.names)]
        lines.append(f"  {'':<{width}}  {'mean':>10}  {'sd':>10}  correlations")
        means = map(shown_number, self.mean, self.scales)
        for name, mean, sd, row in zip(self.names, means, self.sd, self.correlation, strict=True):
            shown = "  ".join(f"{value:6.3f}" for value in row)
            lines.append(f"  {name:<{width}}  {mean:>10}  {sd:>10.6g}  {shown}")
        return "\n".join(lines)

    __repr__ = __str__

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.names, self.weights, self.means, self.covariances, self.question, self.scales)
        return NumericJoint, parts


def _plain(values: Any) -> Any:
    """A float for a number, an array for several."""
    return float(values) if np.ndim(values) == 0 else values
