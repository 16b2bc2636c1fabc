"""Penalized likelihood: fit - lambda(N) * number of parameters."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

from dagwright import _core
from dagwright.defaults import Kind, usual_measure
from dagwright.errors import OptionError
from dagwright.evidence.bound import BoundCriterion, NativeTest, native_local
from dagwright.evidence.counting import Counting, as_counting, as_rows
from dagwright.evidence.numbers import MeasureSpec, Numbers
from dagwright.evidence.protocols import Family, Measure
from dagwright.evidence.units import Unit, in_unit
from dagwright.graph.graph_like import GraphLike
from dagwright.methods.notation import as_code
from dagwright.methods.traits import MIXED, DataKind, EvidenceTraits

NO_PENALTY = "no penalty, because log(N)/2 is not positive for N of at most 1"


class Score(EvidenceTraits, ABC):
    """The facts that every score specification declares. Scores are in nats, and larger is better."""

    equivalent = True

    @abstractmethod
    def definition(self, N: float) -> str:
        """The penalty or prior, in words."""

    @abstractmethod
    def on(self, data: Any) -> Any:
        """The score bound to a Table, a `Counting`, or anything that `dagwright.read` takes."""

    @property
    def title(self) -> str:
        """The name, with what it measures where that is not counted."""
        return self.name

    def describe(self, data: Any) -> str:
        """One line with the sign, the unit and the penalty."""
        N = data.N if isinstance(data, Counting | Measure) else as_rows(data).N
        return f"{self.title}, nats, larger is better, {self.definition(N)}, N = {N:.12g}"


def complete_counting(data: Any) -> Counting:
    """Counts for a score: available cases are refused, because they favor parents with many gaps."""
    counting = Counting.of(data)
    counting.require_complete()
    return counting


class PenalizedLikelihood(Score):
    """Sum of N_ijk log(N_ijk/N_ij) minus lambda(N) for each of the (r - 1) q parameters.

    Where columns hold numbers, a measure of numbers takes the place of the sum: the one that is given, or
    the usual one for the kind of the columns, as it stands in `dagwright.defaults`.
    """

    takes: ClassVar[frozenset[DataKind]] = MIXED
    measure: MeasureSpec | None

    @abstractmethod
    def penalty(self, N: float) -> float:
        """lambda(N), in nats per parameter."""

    @property
    def title(self) -> str:
        return self.name if self.measure is None else f"{self.name} of {self.measure!r}"

    @property
    def takes_numbers(self) -> bool:
        """Whether numbers stay numbers: where a measure of numbers is given."""
        return self.measure is not None

    def on_kind(self, kind: Kind) -> Self:
        """The criterion with the measure that is usual for columns of this kind, if it names none."""
        usual = usual_measure(kind=kind) if self.measure is None else None
        return self if usual is None else replace(self, measure=usual)  # type: ignore[type-var]

    def __repr__(self) -> str:
        return as_code(self)

    def on(self, data: Any) -> BoundCriterion:
        """The score bound to data, or to any `Measure` in place of the data."""
        if self.measure is not None:
            data = self.measure.on(data)
        elif not isinstance(data, Counting | Measure):
            data = data if isinstance(data, Numbers) else as_rows(data)
            table = data.table if isinstance(data, Numbers) else data
            if (chosen := self.on_kind(table.schema.kind)) is not self:
                return chosen.on(data)
            data = table
        if isinstance(data, Counting) or not isinstance(data, Measure):
            data = complete_counting(data)
            return BoundCriterion(self, data, data.measure("multinomial"), self.penalty(data.N))
        return BoundCriterion(self, data, data, self.penalty(data.N))

    def level(self, df: float, N: float) -> float:
        """The level of the G2 test that this criterion's decision about an arc amounts to.

        >>> round(BIC().level(1, 1000), 4)
        0.0086
        """
        return _core.chi2_sf(2.0 * self.penalty(N) * df, df)


@dataclass(frozen=True, repr=False)
class LogLik(PenalizedLikelihood):
    """Maximized log-likelihood, sum of N_ijk log(N_ijk/N_ij); it never falls when an arc is added.

    Parameters
    ----------
    measure
        How sets of columns are measured, such as ``Gaussian()``. None counts cells where all columns hold
        states, and is the usual measure of `dagwright.defaults` where some hold numbers.
    """

    summary: ClassVar[str] = "maximized log-likelihood, no penalty"
    citation: ClassVar[str] = "Fisher 1922"

    measure: MeasureSpec | None = None
    name: ClassVar[str] = "LogLik"

    def penalty(self, N: float) -> float:  # noqa: ARG002
        return 0.0

    def definition(self, N: float) -> str:  # noqa: ARG002
        return "no penalty"


@dataclass(frozen=True, repr=False)
class AIC(PenalizedLikelihood):
    """Log-likelihood - number of parameters (Akaike 1974; -1/2 of the usual AIC).

    Parameters
    ----------
    measure
        How sets of columns are measured, such as ``Gaussian()``. None counts cells where all columns hold
        states, and is the usual measure of `dagwright.defaults` where some hold numbers.
    """

    summary: ClassVar[str] = "log-likelihood minus 1 per parameter"
    citation: ClassVar[str] = "Akaike 1974"

    measure: MeasureSpec | None = None
    name: ClassVar[str] = "AIC"

    def penalty(self, N: float) -> float:  # noqa: ARG002
        return 1.0

    def definition(self, N: float) -> str:  # noqa: ARG002
        return "penalty 1 per parameter"


@dataclass(frozen=True, repr=False)
class BIC(PenalizedLikelihood):
    """Log-likelihood - log(N)/2 * number of parameters (Schwarz 1978; Jensen & Nielsen 2007, Eq. 7.5).

    Where N is at most 1, as for a distribution without a sample size, there is no penalty.

    Parameters
    ----------
    discount
        A factor of the penalty. 2 gives the same graphs as the usual settings of Tetrad and XGES on numbers.
    measure
        How sets of columns are measured, such as ``Gaussian()``. None counts cells where all columns hold
        states, and is the usual measure of `dagwright.defaults` where some hold numbers.

    >>> BIC().on({"a": ["n", "y", "y"], "b": ["n", "y", "y"]}).N
    3.0
    """

    summary: ClassVar[str] = "log-likelihood minus log(N)/2 per parameter"
    citation: ClassVar[str] = "Schwarz 1978"

    discount: float = 1.0
    measure: MeasureSpec | None = None
    name: ClassVar[str] = "BIC"

    def penalty(self, N: float) -> float:
        return self.discount * math.log(N) / 2.0 if N > 1.0 else 0.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.discount) and self.discount > 0):
            raise OptionError(f"discount must be positive and finite, got {self.discount}")

    def definition(self, N: float) -> str:
        factor = "" if self.discount == 1.0 else f"{self.discount:g} "
        return f"penalty {factor}log(N)/2 per parameter" if N > 1.0 else NO_PENALTY


@dataclass(frozen=True, repr=False)
class Penalized(PenalizedLikelihood):
    """Log-likelihood - phi(N) * number of parameters, with your own phi: a function of N or a number.

    Parameters
    ----------
    measure
        How sets of columns are measured, such as ``Gaussian()``. None counts cells where all columns hold
        states, and is the usual measure of `dagwright.defaults` where some hold numbers.

    >>> Penalized(lambda N: 2.0).on({"a": ["n", "y"], "b": ["n", "y"]}).penalty
    2.0
    """

    summary: ClassVar[str] = "log-likelihood minus phi(N) per parameter"

    phi: Callable[[float], float] | float
    measure: MeasureSpec | None = None
    name: ClassVar[str] = "Penalized"

    def penalty(self, N: float) -> float:
        value = float(self.phi(N) if callable(self.phi) else self.phi)
        if not (math.isfinite(value) and value >= 0):
            raise OptionError(
                f"phi({N:g}) = {value}, but a penalty per parameter must be finite and not negative"
            )
        return value

    def definition(self, N: float) -> str:
        return f"penalty {self.penalty(N):.12g} per parameter"


@dataclass(frozen=True)
class MDL(Score):
    """Minus the description length of Lam & Bacchus (1994, Eqs. 1 and 3).

    A node with k parents costs k log2(n) bits to name them and d bits for each of its (r - 1) q numbers; the
    data cost minus their log-likelihood. ``d=None`` means log2(N)/2, which makes it BIC - arcs * log(n).

    Parameters
    ----------
    d
        Bits per stored number.
    """

    summary: ClassVar[str] = "minus the description length"
    citation: ClassVar[str] = "Lam & Bacchus 1994"

    d: float | None = None
    name: ClassVar[str] = "MDL"

    def __post_init__(self) -> None:
        if self.d is not None and not (math.isfinite(self.d) and self.d >= 0):
            raise OptionError(f"d must be a number of bits, finite and not negative, not {self.d}")

    def penalty(self, N: float) -> float:
        return BIC().penalty(N) if self.d is None else self.d * math.log(2)

    def definition(self, N: float) -> str:
        if self.d is None:
            each = "log(N)/2 per parameter" if N > 1.0 else NO_PENALTY
        else:
            each = f"{self.d:g} bits per parameter"
        return f"minus the description length: {each}, log(n) per arc"

    def on(self, data: Any) -> BoundMDL:
        return BoundMDL(self, LogLik().on(as_counting(data)))


class NodeLength(NamedTuple):
    """The part of one node in a description: the list of its parents, its parameters, its column."""

    parents: float
    parameters: float
    data: float


@dataclass(frozen=True)
class DescriptionLength:
    """The two parts of a description length, and what each node adds to them; shorter is better."""

    model: float
    data: float
    unit: Unit
    by_node: dict[str, NodeLength]

    @property
    def total(self) -> float:
        return self.model + self.data

    def __str__(self) -> str:
        width = max(map(len, self.by_node), default=0)
        lines = [f"{'':<{width}}  {'parents':>12}  {'parameters':>12}  {'data':>12}"]
        lines += [
            f"{node:<{width}}  {length.parents:12.3f}  {length.parameters:12.3f}  {length.data:12.3f}"
            for node, length in self.by_node.items()
        ]
        ending = f"model {self.model:.3f} + data {self.data:.3f} = {self.total:.3f} {self.unit}"
        return "\n".join([*lines, ending])


class BoundMDL(NativeTest):
    """Log-likelihood minus the cost of the parameters minus the cost of naming the parents."""

    def __init__(self, spec: MDL, likelihood: BoundCriterion) -> None:
        super().__init__(spec, likelihood.data)
        self.penalized = BoundCriterion(spec, likelihood.data, likelihood.measure, spec.penalty(self.N))
        self.likelihood = likelihood
        self.per_arc = math.log(max(len(self.names), 1))

    @cached_property
    def native(self) -> _core.LocalScore:
        costs = [-self.per_arc * k for k in range(len(self.names))]
        return _core.ParentCountScore(self.penalized.native, costs)

    def local(self, families: Sequence[Family]) -> list[float]:
        return native_local(self.native, families, self.threads)

    @cached_property
    def native_test(self) -> _core.IndependenceTest:
        """As for BIC, with the arcs between x and y paid for."""
        return _core.MeasureTest.sign(
            self.penalized.native_measure, self.penalized.penalty_at, arc_cost=self.per_arc
        )

    def description_length(self, graph: GraphLike, unit: Unit = "bits") -> DescriptionLength:
        """Model and data parts of the description length of a graph, and what each node adds."""
        graph = self.dag(graph)
        data = {node: max(0.0, -value) for node, value in self.likelihood.by_node(graph).items()}
        whole = {node: -value for node, value in self.by_node(graph).items()}
        nodes = {}
        for node in graph.nodes:
            arcs = self.per_arc * len(graph.parents(node))
            parts = (arcs, whole[node] - data[node] - arcs, data[node])
            nodes[node] = NodeLength(*(in_unit(part, unit) for part in parts))
        model = math.fsum(length.parents + length.parameters for length in nodes.values())
        return DescriptionLength(model, math.fsum(length.data for length in nodes.values()), unit, nodes)


def description_length(
    graph: GraphLike, data: Any, d: float | None = None, *, unit: Unit = "bits"
) -> DescriptionLength:
    """The description length of a network and of the data given the network (Lam & Bacchus 1994, Eq. 1, 3).

    The model part of a node with k parents is k log2(n) for the list and d bits for each of its (r - 1) q
    parameters; the data part is minus the log-likelihood.

    Parameters
    ----------
    graph
        As in `score`.
    d
        Bits per parameter; None means log2(N)/2.

    >>> rows = {"a": [0, 0, 1, 1], "b": [0, 0, 1, 1]}
    >>> print(description_length("a -> b", rows))
            parents    parameters          data
    a         0.000         1.000         4.000
    b         1.000         2.000         0.000
    model 4.000 + data 4.000 = 8.000 bits
    """
    return MDL(d).on(data).description_length(graph, unit)
