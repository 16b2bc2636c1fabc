"""Methods for the posterior over networks, as values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from dagwright.errors import OptionError, unknown_name
from dagwright.graph.counting import count_dags
from dagwright.methods.traits import MethodTraits
from dagwright.search.costs import Cost
from dagwright.search.problem import Problem
from dagwright.search.walks import require_at_least

Over = Literal["networks", "orders"]
FEATURES = ("paths", "blankets", "v_structures")
NETWORK_BYTES, NETWORK_SECONDS = 3000, 6e-5
"""What one listed network takes."""
WIDENING_VISITS = 100
"""Networks of the short chain of a round of widening; the first half is its burn-in."""


class PosteriorTraits(MethodTraits):
    """The properties of every posterior method; ``is_exact`` says whether it does not sample."""

    __slots__ = ()

    @property
    def max_parents(self) -> int | None:
        """The most parents a variable may have; None means no bound."""
        return None


@dataclass(frozen=True, slots=True)
class EnumeratedPosterior(PosteriorTraits):
    """Score every network: the complete posterior, for up to 5 variables.

    >>> from dagwright import posterior
    >>> found = posterior({"a": [0, 0, 1, 1] * 5, "b": [0, 0, 1, 1] * 5}, method=EnumeratedPosterior())
    >>> len(found.dags), round(found.confidence.strength("a", "b"), 4)
    (3, 1.0)
    """

    summary: ClassVar[str] = "every network scored, up to 5 variables"
    citation: ClassVar[str] = "Cooper & Herskovits 1992"
    is_exact: ClassVar[bool] = True

    MOST: ClassVar[int] = 5

    def cost(self, problem: Problem) -> Cost:
        """For `forecast`: every family once, and every network."""
        n = len(problem.names)
        if n > self.MOST:
            return Cost(
                n * 2 ** (n - 1), 0.0, math.inf, basis=f"refused: it takes up to {self.MOST} variables"
            )
        networks = count_dags(n)
        return Cost(
            n * 2 ** (n - 1),
            NETWORK_BYTES * networks,
            NETWORK_SECONDS * networks,
            basis=f"{networks:,} networks",
        )


@dataclass(frozen=True, slots=True)
class ExactPosterior(PosteriorTraits):
    """Exact probabilities of arcs and other features by dynamic programming over sets of variables.

    Parameters
    ----------
    over
        ``"networks"``: every network counts once (Tian & He 2009), in time 3^n. ``"orders"``: a network
        counts once for every order of the variables that it fits (Koivisto & Sood 2004), in time n^2 2^n;
        this favors networks that fit many orders.
    max_parents
        Most parents a variable may have; None means no bound, and 2^(n-1) families per variable to score.
    memory
        Bytes that may be used; more is refused beforehand. None means 4 GiB, or half of the memory that is
        left where that is less.
    also
        Which of ``"paths"``, ``"blankets"`` and ``"v_structures"`` to sum besides the arcs; None means those
        that are forecast to take seconds. Over networks paths come with the arcs, each of the others takes
        n^2 3^n / 4 steps; over orders paths take n^2 3^n / 3 (after Chen, Meng & Tian 2015), each of the
        others n^3 2^n / 8.

    >>> from dagwright import posterior, sample_path
    >>> found = posterior(sample_path("asia"), method=ExactPosterior(also=("paths", "v_structures")))
    >>> round(found.confidence.path("smoke", "lung"), 2)
    0.64
    """

    summary: ClassVar[str] = "exact sums over sets of variables"
    citation: ClassVar[str] = "Koivisto & Sood 2004; Tian & He 2009"
    is_exact: ClassVar[bool] = True

    over: Over = "networks"
    max_parents: int | None = None
    memory: int | None = None
    also: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if self.over not in ("networks", "orders"):
            raise OptionError(f"over is 'networks' or 'orders', not {self.over!r}")
        require_at_least("max_parents", self.max_parents, 0)
        require_at_least("memory", self.memory, 1)
        if self.also is not None:
            also = (self.also,) if isinstance(self.also, str) else tuple(self.also)
            for part in also:
                if part not in FEATURES:
                    raise unknown_name("feature of networks", part, FEATURES)
            object.__setattr__(self, "also", also)

    def cost(self, problem: Problem) -> Cost:
        """For `forecast`: what the sums will take."""
        from dagwright.confidence.exact_sums import exact_cost

        return exact_cost(len(problem.names), self)


@dataclass(frozen=True, slots=True)
class _Sampling(PosteriorTraits):
    """Fields shared by all samplers; `PartitionMCMC` explains them."""

    samples: int = 2000
    thin: int | None = None
    burn_in: int | None = None
    chains: int = 4
    candidates: int | Mapping[str, Sequence[str]] | None = None
    max_parents: int | None = None
    widen: int = 3
    walk: ClassVar[str]
    over: ClassVar[Over]
    moves_per_variable: ClassVar[int]
    seconds_per_move: ClassVar[float]  # and variable

    def __post_init__(self) -> None:
        for name, least in (
            ("samples", 4),
            ("thin", 1),
            ("burn_in", 0),
            ("chains", 1),
            ("max_parents", 0),
            ("widen", 0),
        ):
            require_at_least(name, getattr(self, name), least)
        if not isinstance(self.candidates, Mapping):
            require_at_least("candidates", self.candidates, 0)

    def cost(self, problem: Problem) -> Cost:
        """For `forecast`: the families of all candidates, and the moves of all chains."""
        from dagwright.confidence.candidate_parents import most_candidates
        from dagwright.confidence.sampling import MOST_ARC_VALUES

        n = len(problem.names)
        given = self.candidates if isinstance(self.candidates, Mapping) else {}
        most = max(map(len, given.values()), default=0)
        if not given.keys() >= set(problem.names):
            bound = None if isinstance(self.candidates, Mapping) else self.candidates
            most = max(most, min(n - 1, most_candidates(n, bound)))
        sizes = range(1 + (most if self.max_parents is None else min(most, self.max_parents)))
        families = n * sum(math.comb(most, size) for size in sizes)
        thin = self.moves_per_variable * n if self.thin is None else self.thin
        kept = self.samples + (self.samples // 4 if self.burn_in is None else self.burn_in)
        moves = self.chains * kept * thin
        if most < n - 1:
            families *= 1 + self.widen
            moves += self.widen * WIDENING_VISITS * 2 * n
        visits = self.chains * self.samples
        memory = 32 * n * 2**most + 8 * visits * n * -(-n // 64) + 4 * min(MOST_ARC_VALUES, visits * n * n)
        basis = f"{families:,} families of up to {most} candidates, {moves:,} moves"
        return Cost(families, memory, self.seconds_per_move * moves * n, upper=False, basis=basis)


@dataclass(frozen=True, slots=True)
class OrderMCMC(_Sampling):
    """Sample orders of the variables, each by the weight of all networks that fit it.

    A variable is drawn to a new place given the others, or two change places (Friedman & Koller 2003). A
    network counts once for every order that it fits, as in ``ExactPosterior(over="orders")``. The parameters
    are those of `PartitionMCMC`.
    """

    summary: ClassVar[str] = "samples of orders of the variables"
    citation: ClassVar[str] = "Friedman & Koller 2003"

    walk: ClassVar[str] = "order"
    over: ClassVar[Over] = "orders"
    moves_per_variable: ClassVar[int] = 2
    seconds_per_move: ClassVar[float] = 2e-8


@dataclass(frozen=True, slots=True)
class PartitionMCMC(_Sampling):
    """Sample ordered partitions into layers, each by the weight of all its networks (Kuipers & Moffa 2017).

    Every network belongs to exactly one partition, so each counts once. A variable is drawn to another layer
    or one of its own given the others, or a layer is split, or two are joined.

    Parameters
    ----------
    samples
        Networks kept per chain.
    thin
        Moves between two of them; None means 2 per variable for orders and partitions, 20 for structures.
    burn_in
        Networks dropped at the start of each chain, ``thin`` moves apart; None means a quarter of `samples`.
    chains
        Independent chains; they share the threads.
    candidates
        The most candidate parents per variable, or lists of them by variable: {"x": ["a", "b"]}. None means
        all others where 2^(n-1) families per variable can be scored, and else as many as can be. They are
        those of the best sets of up to three parents, from a shortlist of 32 made greedily (Viinikka et al.
        2020). Variables that a dict does not name have the candidates of None; an empty list means none.
    max_parents
        Most parents a variable may have; None means no bound.
    widen
        Rounds that reconsider the candidates where they are not all others: a short chain samples with them,
        its families are scored with one parent more, and parents that gain become candidates in place of
        ones that no sampled family uses (after Kuipers, Suter & Moffa 2022). Ends when none joins. Candidates
        named in a dict stay as they are.
    """

    summary: ClassVar[str] = "samples of partitions into layers"
    citation: ClassVar[str] = "Kuipers & Moffa 2017"

    walk: ClassVar[str] = "partition"
    over: ClassVar[Over] = "networks"
    moves_per_variable: ClassVar[int] = 2
    seconds_per_move: ClassVar[float] = 1.5e-7


@dataclass(frozen=True, slots=True)
class StructureMCMC(_Sampling):
    """Sample networks one by one; every network counts once.

    Moves change single arcs (Madigan & York 1995), draw the parents of one variable anew given the rest
    (Goudie & Mukherjee 2016), or reverse an arc and give both its ends new parents (Grzegorczyk & Husmeier
    2008). Takes the parameters of `PartitionMCMC`.
    """

    summary: ClassVar[str] = "samples of networks"
    citation: ClassVar[str] = "Madigan & York 1995; Grzegorczyk & Husmeier 2008; Goudie & Mukherjee 2016"

    walk: ClassVar[str] = "structure"
    over: ClassVar[Over] = "networks"
    moves_per_variable: ClassVar[int] = 20
    seconds_per_move: ClassVar[float] = 5e-9


Method = EnumeratedPosterior | ExactPosterior | OrderMCMC | PartitionMCMC | StructureMCMC
Sampler = OrderMCMC | PartitionMCMC | StructureMCMC

BY_NAME: dict[str, Method] = {
    "enumerate": EnumeratedPosterior(),
    "exact": ExactPosterior(),
    "order": OrderMCMC(),
    "partition": PartitionMCMC(),
    "structure": StructureMCMC(),
}
