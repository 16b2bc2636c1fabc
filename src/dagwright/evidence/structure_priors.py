"""Priors over structures that are products over families; their logarithm adds to any score.

None of them is normalized: a constant factor changes no comparison between graphs.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.base.numbering import Numbering
from dagwright.errors import OptionError, unknown_name
from dagwright.evidence.bound import Bound, BoundLocal, is_equivalent
from dagwright.evidence.protocols import Family
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_dag
from dagwright.methods.method_like import as_method
from dagwright.methods.traits import EvidenceTraits, name_of


class ArcWeights(NamedTuple):
    """A log prior as a sum: ``base[child]`` plus ``weights[parent, child]`` over the parents."""

    weights: NDArray[np.float64]
    base: NDArray[np.float64]


class StructurePrior(EvidenceTraits, ABC):
    """The logarithm of a prior over DAGs, as a sum over families.

    ``equivalent`` says whether equivalent DAGs have the same prior.
    """

    @abstractmethod
    def log_family(self, child: str, parents: frozenset[str]) -> float:
        """The family's term in nats; -inf for a family that cannot be."""

    @abstractmethod
    def describe(self) -> str:
        """The prior in words."""

    def on(
        self,
        names: Sequence[str],  # noqa: ARG002
        cardinalities: Sequence[int],  # noqa: ARG002
        N: float,  # noqa: ARG002
    ) -> StructurePrior:
        """The prior for these variables: what it takes from the data is filled in."""
        return self

    def parent_counts(self, n: int) -> tuple[float, ...] | None:  # noqa: ARG002
        """The family's term for 0 to n - 1 parents, for priors on the number of parents alone.

        Such a prior is the same for all members of an equivalence class: reversing a covered arc exchanges
        the numbers of parents of its two ends.
        """
        return None

    def arc_weights(self, names: Sequence[str]) -> ArcWeights | None:  # noqa: ARG002
        """The prior as weights of arcs over these variables, for those that are such a sum."""
        return None

    def log_prior(self, graph: GraphLike) -> float:
        """The sum over the families of a graph.

        >>> ArcCost(2.0).log_prior("A -> B <- C")
        -4.0
        """
        dag = self.dag(graph)
        return math.fsum(self.log_family(node, frozenset(dag.parents(node))) for node in dag.nodes)

    def dag(self, graph: GraphLike) -> Dag:
        """The DAG of a graph; a class of DAGs is refused where its members have different priors."""
        return as_dag(graph, differ="" if self.equivalent else f"{self.name} differs between equivalent DAGs")


def require_arcs(method: str, option: str, arcs: Iterable[object]) -> None:
    """Refuse an option of a method in which an arc is no pair of names."""
    for arc in arcs:
        if not (isinstance(arc, tuple) and len(arc) == 2):
            raise OptionError(f"{method} takes arcs (parent, child) as the keys of {option}, not {arc!r}")


@dataclass(frozen=True)
class UniformPrior(StructurePrior):
    """Every DAG is equally likely; scores without a prior assume this."""

    summary: ClassVar[str] = "every DAG as likely"

    name: ClassVar[str] = "UniformPrior"
    equivalent = True

    def log_family(self, child: str, parents: frozenset[str]) -> float:  # noqa: ARG002
        return 0.0

    def describe(self) -> str:
        return "uniform over DAGs"

    def parent_counts(self, n: int) -> tuple[float, ...]:
        return (0.0,) * n


@dataclass(frozen=True)
class KappaPrior(StructurePrior):
    """kappa to the power of the number of parents by which a graph differs from an expert's network.

    With delta(x) the number of variables that are a parent of x in one of the two graphs only, the prior is
    proportional to the product of kappa^delta(x) (Heckerman, Geiger & Chickering 1995; Jensen & Nielsen 2007,
    Eqs. 7.10 and 7.11). It prefers one graph to an equivalent one.

    Parameters
    ----------
    network
        The expert's graph. Variables it does not mention have no parents in it.
    kappa
        0 < kappa <= 1; the smaller, the stronger the pull; 1 is uniform.

    >>> expert = Dag(["A", "B"], [("A", "B")])
    >>> round(KappaPrior(expert, 0.5).log_prior(Dag(["A", "B"], [("B", "A")])) / math.log(0.5))
    2
    """

    summary: ClassVar[str] = "kappa for each parent that differs from an expert's graph"
    citation: ClassVar[str] = "Heckerman et al. 1995"

    network: Dag
    kappa: float
    name: ClassVar[str] = "KappaPrior"

    def __post_init__(self) -> None:
        if not 0 < self.kappa <= 1:
            raise OptionError(f"kappa must be above 0 and at most 1, not {self.kappa}")
        expected = as_dag(self.network, "expert's network", differ="KappaPrior counts the parents of one DAG")
        object.__setattr__(self, "network", expected)

    def deltas(self, graph: GraphLike) -> dict[str, int]:
        """For each node, how many parents are in one of the two graphs only."""
        dag = self.dag(graph)
        return {node: len(self._expected(node) ^ frozenset(dag.parents(node))) for node in dag.nodes}

    def log_family(self, child: str, parents: frozenset[str]) -> float:
        return math.log(self.kappa) * len(self._expected(child) ^ parents)

    def describe(self) -> str:
        return f"{self.kappa:g} for each parent that differs from the expert's network"

    def arc_weights(self, names: Sequence[str]) -> ArcWeights:
        for node in self.network.nodes:
            if node not in names:
                raise unknown_name("node of the expert's network", node, names)
        log_kappa = math.log(self.kappa)
        weights = np.full((len(names), len(names)), log_kappa)
        number = Numbering(names).number
        for start, end in self.network.edges:
            weights[number[start], number[end]] = -log_kappa
        return ArcWeights(weights, np.array([log_kappa * len(self._expected(name)) for name in names]))

    def _expected(self, node: str) -> frozenset[str]:
        return frozenset(self.network.parents(node)) if node in self.network.nodes else frozenset()


@dataclass(frozen=True)
class ArcCost(StructurePrior):
    """exp(-cost) for each arc.

    Parameters
    ----------
    cost
        Nats per arc, or {(parent, child): nats} for single arcs; math.inf forbids, a negative cost rewards.
    """

    summary: ClassVar[str] = "a price for each arc, in nats"

    cost: float | Mapping[tuple[str, str], float]
    name: ClassVar[str] = "ArcCost"

    def __post_init__(self) -> None:
        if isinstance(self.cost, Mapping):
            require_arcs("ArcCost", "cost", self.cost)
        costs = self.cost.values() if isinstance(self.cost, Mapping) else [self.cost]
        for cost in costs:
            if not cost > -math.inf:
                raise OptionError(f"the cost of an arc must be a number above -inf, not {cost}")

    @property
    def equivalent(self) -> bool:
        """All members of a class have the same number of arcs, but not the same arcs."""
        return not isinstance(self.cost, Mapping)

    def log_family(self, child: str, parents: frozenset[str]) -> float:
        if not isinstance(self.cost, Mapping):
            return self._of_arcs(self.cost, len(parents))
        return -math.fsum(self.cost.get((parent, child), 0.0) for parent in parents)

    def describe(self) -> str:
        return "each arc has its price" if isinstance(self.cost, Mapping) else f"each arc costs {self.cost:g}"

    def parent_counts(self, n: int) -> tuple[float, ...] | None:
        cost = self.cost
        return None if isinstance(cost, Mapping) else tuple(self._of_arcs(cost, k) for k in range(n))

    def arc_weights(self, names: Sequence[str]) -> ArcWeights | None:
        if not isinstance(self.cost, Mapping):
            return None
        weights = np.zeros((len(names), len(names)))
        number = Numbering(names).number
        for arc, cost in self.cost.items():
            for node in arc:
                if node not in number:
                    raise unknown_name("node of an arc with a cost", node, names)
            weights[number[arc[0]], number[arc[1]]] = -cost
        return ArcWeights(weights, np.zeros(len(names)))

    @staticmethod
    def _of_arcs(cost: float, arcs: int) -> float:
        return -cost * arcs if arcs else 0.0


@dataclass(frozen=True)
class FamilyPrior(StructurePrior):
    """Your own prior: a function of a child's name and the set of its parents' names.

    Parameters
    ----------
    function
        Gives the logarithm of the family's factor; -inf makes the family impossible, whatever the data say.
    equivalent
        Whether equivalent graphs get the same prior.

    >>> at_most_one = FamilyPrior(lambda child, parents: 0.0 if len(parents) <= 1 else -math.inf)
    >>> at_most_one.log_prior(Dag(["A", "B"], [("A", "B")]))
    0.0
    """

    function: Callable[[str, frozenset[str]], float]
    equivalent: bool = False
    name: ClassVar[str] = "FamilyPrior"

    def log_family(self, child: str, parents: frozenset[str]) -> float:
        value = float(self.function(child, parents))
        if not value < math.inf:
            raise OptionError(
                f"the structure prior of {child!r} given {sorted(parents)} is {value}; "
                "it must be a finite logarithm or -inf"
            )
        return value

    def describe(self) -> str:
        return f"a function of families, {getattr(self.function, '__name__', 'unnamed')}"


class WithPrior(EvidenceTraits):
    """A score and a structure prior, as one specification."""

    def __init__(self, score: Any, prior: StructurePrior, *, equivalent: bool) -> None:
        self.score = score
        self.prior = prior
        self._equivalent = equivalent

    @property
    def parts(self) -> tuple[Any, StructurePrior]:
        """The score and the prior."""
        return self.score, self.prior

    @property
    def name(self) -> str:
        return f"{name_of(self.score)} + {self.prior.name}"

    @property
    def equivalent(self) -> bool:
        return self._equivalent


class _FamilySum:
    """Score plus prior, family by family."""

    def __init__(self, score: Bound, prior: StructurePrior) -> None:
        self.score = score
        self.prior = prior

    def local(self, families: Sequence[Family]) -> list[float]:
        names = self.score.names
        return [
            value + self.prior.log_family(names[child], frozenset(names[p] for p in parents))
            for value, (child, parents) in zip(self.score.local(families), families, strict=True)
        ]


class BoundWithPrior(BoundLocal):
    """A bound score, ``inner``, plus a structure prior."""

    def __init__(self, inner: Bound, prior: StructurePrior) -> None:
        equivalent = prior.equivalent is True and is_equivalent(inner)
        added = native_prior(inner.native, prior, inner.names)
        super().__init__(
            WithPrior(inner.spec, prior, equivalent=equivalent),
            inner.data,
            _FamilySum(inner, prior) if added is None else added,
        )
        self.inner = inner
        self.targets = inner.targets


def native_prior(
    score: _core.LocalScore, prior: StructurePrior, names: Sequence[str]
) -> _core.LocalScore | None:
    """The score plus the prior in the core; None for a prior that is only known family by family."""
    counts = prior.parent_counts(len(names))
    if counts is not None:
        return _core.ParentCountScore(score, counts)
    sums = prior.arc_weights(names)
    if sums is not None:
        return _core.ArcPriorScore(score, sums.weights.ravel().tolist(), sums.base.tolist())
    return None


def as_prior(given: Any) -> StructurePrior:
    """A structure prior, also written as text; an error for anything else."""
    prior = as_method(given, "structure_prior", "prior")
    if not isinstance(prior, StructurePrior):
        raise OptionError(f"{prior!r} is not a structure prior; wrap a function of families in FamilyPrior")
    return prior


def with_prior(score: Bound, prior: StructurePrior) -> Bound:
    """The score plus the logarithm of the prior."""
    prior = as_prior(prior)
    return BoundWithPrior(score, prior.on(score.names, score.cardinalities, score.N))
