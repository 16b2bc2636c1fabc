"""Measures of numbers: Gaussian, embedded, conditional Gaussian, and BGe.

A measure serves as a score by itself, and under a criterion: ``BIC(measure=Gaussian())``.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.data import Table
from dagwright.data.missing import require_complete
from dagwright.data.reach import require_reach
from dagwright.data.source import CellMomentSource
from dagwright.defaults import Kind
from dagwright.errors import DataError, OptionError
from dagwright.evidence.conditional_blocks import ConditionalGaussianBlocks
from dagwright.evidence.counting import NativeMeasure, as_rows
from dagwright.evidence.threads import available_threads
from dagwright.methods.notation import as_code
from dagwright.methods.traits import MIXED, NUMBERS, DataKind, EvidenceTraits, Reads, evidence_traits
from dagwright.sentences import Argument

Floats = NDArray[np.float64]


class Numbers:
    """A table as measures of numbers see it: its rows in the core, and the threads to use.

    Parameters
    ----------
    missing
        "available" for a test that may ask each question on the rows where it is complete; None refuses
        missing values.
    sample_size
        The N of penalties, where these rows are only some of those that a graph is judged by.
    whole
        The table that priors are taken from, where ``data`` are some of its rows, as in a replicate; its
        columns may stand in another order. None means ``data``.
    """

    def __init__(
        self,
        data: Any,
        *,
        missing: str | None = None,
        threads: int | None = None,
        sample_size: float | None = None,
        whole: Table | None = None,
    ) -> None:
        self.table: Table = as_rows(data)
        self.whole: Table = self.table if whole is None else whole
        if missing != "available":
            require_complete(self.table)
        self.threads = threads or available_threads()
        self.N = self.table.N if sample_size is None else sample_size

    @staticmethod
    def of(data: Any) -> Numbers:
        return data if isinstance(data, Numbers) else Numbers(data)

    @property
    def names(self) -> tuple[str, ...]:
        return self.table.names

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """The number of states of each column; 0 for numbers."""
        return self.table.cardinalities

    @cached_property
    def moments(self) -> _core.SetMoments:
        """Means and covariances, in one pass over the rows."""
        return self.table.moments(self.threads)

    def remembered(self, what: Any, measure: _core.Measure) -> _core.RememberedMeasure:
        """The measure, asked once for each set; ``what`` says which measure it is."""
        engine, memory = _core.RememberedMeasure(measure), self.table.memory
        return engine if memory is None else memory.adopt(as_code(what), self.names, engine)

    def named(self, *, discrete: bool) -> list[str]:
        """The discrete columns, or those of numbers."""
        return [variable.name for variable in self.table.schema if variable.is_discrete == discrete]

    def require_varying(self) -> None:
        """Refuse columns of numbers that are constant: their likelihood has no maximum."""
        constant = [name for name in self.named(discrete=False) if self.table.is_constant(name)]
        if constant:
            raise DataError(
                f"constant columns have no variance to measure: {', '.join(map(repr, constant))}; leave them "
                "out with ",
                Argument("exclude", constant),
            )


class MeasureSpec(EvidenceTraits, ABC):
    """The facts that every specification of a measure declares."""

    equivalent = True
    takes: ClassVar[frozenset[DataKind]] = NUMBERS

    @abstractmethod
    def native(self, data: Numbers) -> _core.Measure:
        """The measure in the core."""

    def on(self, data: Any) -> NativeMeasure:
        """The measure on a Table or anything that `dagwright.read` takes."""
        numbers = Numbers.of(data)
        require_complete(numbers.table)
        if numbers.whole is numbers.table:  # in some of the rows, a column may well be constant
            numbers.require_varying()
        return NativeMeasure(numbers, numbers.remembered(self, self.native(numbers)))

    def describe(self, data: Any) -> str:
        """One line with the sign and the unit."""
        return f"{self!r}, nats, larger is better, N = {data.N:.12g}"

    def __repr__(self) -> str:
        return as_code(self)


@dataclass(frozen=True, repr=False)
class Gaussian(MeasureSpec):
    """The maximum of the Gaussian log-likelihood: -N/2 (log|Sigma| + d log 2 pi e), divisor N.

    >>> rows = {"a": [1.0, 2.5, 3.0, 4.5], "b": [2.0, 1.5, 4.0, 3.0]}
    >>> round(Gaussian().on(rows).evidence([{0}])[0].fit, 6)
    -6.568328
    """

    summary: ClassVar[str] = "maximum of the Gaussian log-likelihood, for numbers"

    name: ClassVar[str] = "Gaussian"

    def native(self, data: Numbers) -> _core.Measure:
        refuse(self, data, discrete=True, instead="Embedded() or ConditionalGaussian()")
        return _core.GaussianMeasure(data.moments)


@dataclass(frozen=True, repr=False)
class Embedded(MeasureSpec):
    """The Gaussian log-likelihood of numbers and of the indicators of states.

    With ``degree=1`` this is the degenerate Gaussian of Andrews, Ramsey & Cooper (2019). Of a discrete column
    with r states that occur, r - 1 indicators count. The numbers are ratios of densities, not probabilities.

    Parameters
    ----------
    degree
        Each column of numbers enters with its Legendre polynomials up to this degree, for curved relations.
    """

    summary: ClassVar[str] = "Gaussian over numbers and indicators of states"
    citation: ClassVar[str] = "Andrews et al. 2019"
    takes: ClassVar[frozenset[DataKind]] = MIXED

    degree: int = 1
    name: ClassVar[str] = "Embedded"

    def __post_init__(self) -> None:
        if not 1 <= self.degree <= 12:
            raise OptionError(f"degree must be between 1 and 12, got {self.degree}")

    @property
    def reads(self) -> Reads:
        return "counts" if self.degree == 1 else "rows in memory"

    def native(self, data: Numbers) -> _core.Measure:
        if self.degree == 1:
            return _core.GaussianMeasure(data.moments)
        return _gaussian(data, *self._basis(data.table))

    def regressions(self, data: Numbers) -> _core.GaussianMeasure:
        """The measure of 2n variables: v is column v alone, n + v is column v with all its polynomials."""
        columns, states = self._basis(data.table)
        alone = [basis[:1] for basis in columns]
        return _gaussian(data, [*alone, *columns], [*states, *states])

    def _basis(self, table: Table) -> tuple[list[list[NDArray[Any]]], list[int | None]]:
        """For each variable its columns, and its number of states if it is discrete."""
        require_reach(self, table, 8.0 * self.degree * len(table.names))
        columns: list[list[NDArray[Any]]] = []
        states: list[int | None] = []
        for variable in table.schema:
            if variable.is_discrete:
                columns.append([table.codes(variable.name)])
                states.append(variable.cardinality)
            else:
                columns.append(polynomials(table.reals(variable.name), self.degree))
                states.append(None)
        return columns, states


def _gaussian(
    data: Numbers, columns: list[list[NDArray[Any]]], states: list[int | None]
) -> _core.GaussianMeasure:
    mixed = _core.MixedTable.from_columns(columns, states, data.table.n_rows, data.table.weights)
    return _core.GaussianMeasure(_core.SetMoments.of(mixed, data.threads))


@dataclass(frozen=True, repr=False)
class ConditionalGaussian(MeasureSpec):
    """A normal distribution in each cell of the discrete columns (Lauritzen & Wermuth 1989).

    The distributions of sets are not nested, so an interaction can be negative and no family can be ruled out
    unscored. A set with a cell of no more rows than columns of numbers cannot be scored.
    """

    summary: ClassVar[str] = "a normal distribution in each cell of the discrete columns"
    citation: ClassVar[str] = "Lauritzen & Wermuth 1989"
    takes: ClassVar[frozenset[DataKind]] = MIXED

    name: ClassVar[str] = "ConditionalGaussian"

    def native(self, data: Numbers) -> _core.Measure:
        source: Any = data.table.source
        if isinstance(source, CellMomentSource):
            require_complete(data.table)
            blocks = ConditionalGaussianBlocks(data.table, source)
            return _core.PythonMeasure(blocks, len(data.names))
        return _core.ConditionalGaussianMeasure(data.table.mixed)


@dataclass(frozen=True, repr=False)
class BGe(MeasureSpec):
    """The marginal likelihood of Gaussian data under a normal-Wishart prior, as a score.

    The set form of Kuipers, Moffa & Heckerman (2014). The value of a set depends on the number n of columns.

    Parameters
    ----------
    alpha_mu
        The weight of the prior mean in rows.
    alpha_w
        Degrees of freedom of the Wishart prior, more than n + 1; None means n + 2.
    prior_mean
        ``"data"`` for the means of the columns, or one number for all, or one for each column of the table.
    scale
        ``"variance"`` makes T proportional to the variances of the columns, so that units do not change the
        graph; ``"identity"`` is T = t I, as in bnlearn. Or one number for each column of the table, in place
        of its variance. Replicates and folds take means and variances from the whole table.
    """

    summary: ClassVar[str] = "marginal likelihood of Gaussian data, normal-Wishart prior"
    citation: ClassVar[str] = "Kuipers et al. 2014"

    alpha_mu: float = 1.0
    alpha_w: float | None = None
    prior_mean: Literal["data"] | float | tuple[float, ...] = "data"
    scale: Literal["variance", "identity"] | tuple[float, ...] = "variance"
    name: ClassVar[str] = "BGe"
    marginal_likelihood: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not (math.isfinite(self.alpha_mu) and self.alpha_mu > 0):
            raise OptionError(f"alpha_mu must be positive, got {self.alpha_mu}")
        if isinstance(self.scale, str) and self.scale not in ("variance", "identity"):
            raise OptionError(f"scale must be 'variance' or 'identity', got {self.scale!r}")

    def native(self, data: Numbers) -> _core.Measure:
        refuse(self, data, discrete=True, instead="BIC(measure=Embedded())")
        n = len(data.names)
        alpha_w = n + 2.0 if self.alpha_w is None else self.alpha_w
        if not alpha_w > n + 1:
            raise OptionError(f"alpha_w must be more than n + 1 = {n + 1}, got {alpha_w}")
        fixed = self.with_prior_of(data.whole, data.threads)
        assert isinstance(fixed.prior_mean, tuple) and isinstance(fixed.scale, tuple)
        t = self.alpha_mu * (alpha_w - n - 1) / (self.alpha_mu + 1)
        order = [data.whole.column_index(name) for name in data.names]
        return _core.BGeMeasure(
            data.moments,
            alpha_mu=self.alpha_mu,
            alpha_w=alpha_w,
            mean=[fixed.prior_mean[column] for column in order],
            scale=[t * fixed.scale[column] for column in order],
        )

    def with_prior_of(self, table: Table, threads: int = 1) -> BGe:
        """The same prior in numbers, one for each column of this table."""
        n = len(table.names)
        mean: Any = self.prior_mean
        scale: Any = self.scale
        if isinstance(mean, float | int):
            mean = [float(mean)] * n
        by_variance, identity = scale == "variance", scale == "identity"
        if isinstance(mean, str) or by_variance:
            moments = table.moments(threads).matrix
            mean = moments.means if isinstance(mean, str) else mean
            if by_variance:
                scale = np.diag(moments.covariance) * (table.N / max(table.N - 1.0, 1.0))
        if identity:
            scale = [1.0] * n
        for name, given, instead in (("prior_mean", mean, "'data'"), ("scale", scale, "'variance'")):
            if len(given) != n:
                raise OptionError(
                    f"{name} has {len(given)} numbers for {n} columns; give {instead}, or one number for "
                    "each column"
                )
        return replace(self, prior_mean=tuple(map(float, mean)), scale=tuple(map(float, scale)))


def refuse(spec: MeasureSpec, data: Numbers, *, discrete: bool, instead: str) -> None:
    """Refuse columns of a kind that a measure does not take."""
    if wrong := data.named(discrete=discrete):
        kind = "discrete" if discrete else "numbers"
        raise OptionError(
            f"{spec!r} takes columns of numbers, and {', '.join(map(repr, wrong))} "
            f"{'is' if len(wrong) == 1 else 'are'} {kind}; use {instead}"
        )


def polynomials(numbers: Floats, degree: int) -> list[Floats]:
    """The Legendre polynomials of a column from degree 1 on, over its range; missing stays missing."""
    least = np.min(numbers, initial=np.inf, where=~np.isnan(numbers))
    largest = np.max(numbers, initial=-np.inf, where=~np.isnan(numbers))
    if least > largest:  # nothing is known
        return [numbers] * degree
    x = (numbers - (least / 2 + largest / 2)) / max(largest / 2 - least / 2, np.finfo(float).tiny)
    basis = np.polynomial.legendre.legvander(x, degree)
    return [np.ascontiguousarray(column) for column in basis.T[1:]]


def takes_numbers(spec: Any) -> bool:
    """Whether a score or test works on numbers as they are; others see them cut into intervals."""
    return evidence_traits(spec).takes_numbers


def with_prior_of(spec: Any, table: Table) -> Any:
    """The score whose prior is that of this table, for use on some of its rows."""
    return spec.with_prior_of(table) if isinstance(spec, BGe) else spec


def on_kind(spec: Any, kind: Kind) -> Any:
    """The score or test for columns of a kind: a criterion that names no measure gets the usual one.

    >>> from dagwright import BIC, BDeu
    >>> on_kind(BIC(), "continuous"), on_kind(BIC(), "discrete"), on_kind(BDeu(), "mixed")
    (BIC(measure=Gaussian()), BIC(), BDeu(ess=1.0))
    """
    return spec.on_kind(kind) if isinstance(spec, EvidenceTraits) else spec
