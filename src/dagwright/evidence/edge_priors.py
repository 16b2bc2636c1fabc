"""Structure priors from probabilities of edges and from description lengths."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from dagwright.errors import OptionError, unknown_name
from dagwright.evidence.structure_priors import ArcWeights, StructurePrior, require_arcs


@dataclass(frozen=True)
class EdgeProbability(StructurePrior):
    """The probability of each arc before seeing data, each pair of variables judged on its own.

    A pair is joined one way, the other way or not at all, so the two probabilities of a pair must add up to
    less than 1 (Castelo & Siebes 2000). The prior of a network is proportional to the product over pairs.

    Parameters
    ----------
    probability
        Of every arc, or {(parent, child): probability}; 0 makes an arc impossible.
    other
        Of the arcs that are not named.

    >>> from dagwright import Dag
    >>> prior = EdgeProbability({("A", "B"): 0.6, ("B", "A"): 0.2}, other=0.1)
    >>> round(math.exp(prior.log_prior(Dag(["A", "B"], [("A", "B")])) - prior.log_prior(Dag(["A", "B"]))), 6)
    3.0
    """

    summary: ClassVar[str] = "the probability of each arc, before seeing data"
    citation: ClassVar[str] = "Castelo & Siebes 2000"

    probability: float | Mapping[tuple[str, str], float]
    other: float = 1 / 3
    name: ClassVar[str] = "EdgeProbability"

    def __post_init__(self) -> None:
        named = self.probability if isinstance(self.probability, Mapping) else {}
        require_arcs("EdgeProbability", "probability", named)
        for value in (*named.values(), self.other if named else self.probability):
            if not isinstance(value, int | float) or not 0 <= value < 1:
                raise OptionError(f"the probability of an arc must be at least 0 and below 1, got {value}")
        for start, end in named or [("a", "b")]:
            if not self._of(start, end) + self._of(end, start) < 1:
                raise OptionError(
                    f"the probabilities of {start!r} -> {end!r} and back add up to 1 or more, so the pair "
                    "would always be adjacent; require an edge with Knowledge instead"
                )

    @property
    def equivalent(self) -> bool:
        """Equivalent networks join the same pairs, so both ways must be as likely."""
        if not isinstance(self.probability, Mapping):
            return True
        return all(self._of(a, b) == self._of(b, a) for a, b in self.probability)

    def _of(self, start: str, end: str) -> float:
        if not isinstance(self.probability, Mapping):
            return self.probability
        return self.probability.get((start, end), self.other)

    def _log_odds(self, start: str, end: str) -> float:
        arc = self._of(start, end)
        return math.log(arc / (1.0 - arc - self._of(end, start))) if arc > 0 else -math.inf

    def log_family(self, child: str, parents: frozenset[str]) -> float:
        return math.fsum(self._log_odds(parent, child) for parent in parents)

    def parent_counts(self, n: int) -> tuple[float, ...] | None:
        if isinstance(self.probability, Mapping):
            return None
        each = self._log_odds("", "")
        return tuple(each * k if k else 0.0 for k in range(n))

    def describe(self) -> str:
        if isinstance(self.probability, Mapping):
            return f"{len(self.probability)} arcs with their probabilities, others {self.other:g}"
        return f"each arc has the probability {self.probability:g}"

    def arc_weights(self, names: Sequence[str]) -> ArcWeights | None:
        if not isinstance(self.probability, Mapping):
            return None
        for node in (node for arc in self.probability for node in arc):
            if node not in names:
                raise unknown_name("node of an arc with a probability", node, names)
        weights = np.array([[0.0 if a == b else self._log_odds(a, b) for b in names] for a in names])
        return ArcWeights(weights, np.zeros(len(names)))


@dataclass(frozen=True)
class DescriptionLengthPrior(StructurePrior):
    """2 to the power of minus the bits that describe the network (Lam & Bacchus 1994, Section 2).

    A node with k parents costs k log2(n) bits to name them and ``bits`` for each of its (r - 1) q numbers.
    With the log-likelihood as the score, the most probable network is that of least description length.

    Parameters
    ----------
    states
        The number of states of every variable; None means those of the data.
    bits
        Per stored number; None means log2(N)/2 for the N rows of the data.

    >>> prior = DescriptionLengthPrior({"A": 2, "B": 2}, bits=16)
    >>> round(prior.log_family("B", frozenset(["A"])) / math.log(2))
    -33
    """

    summary: ClassVar[str] = "2 to the power of minus the bits that describe the network"
    citation: ClassVar[str] = "Lam & Bacchus 1994"

    states: Mapping[str, int] | None = None
    bits: float | None = None
    equivalent = True
    name: ClassVar[str] = "DescriptionLengthPrior"

    def __post_init__(self) -> None:
        if self.bits is not None and not (math.isfinite(self.bits) and self.bits >= 0):
            raise OptionError(f"bits must be a finite number and not negative, not {self.bits}")

    def on(self, names: Sequence[str], cardinalities: Sequence[int], N: float) -> DescriptionLengthPrior:
        states = dict(zip(names, cardinalities, strict=True)) if self.states is None else self.states
        if numeric := sorted(name for name, r in states.items() if r == 0):
            raise OptionError(
                f"the description length counts states, and {', '.join(map(repr, numeric))} "
                f"{'holds' if len(numeric) == 1 else 'hold'} numbers; use FanIn(monotone=True)"
            )
        for name in states:
            if name not in names:
                raise unknown_name("variable of the description length", name, names)
        bits = max(0.0, math.log2(N) / 2) if self.bits is None else self.bits
        return replace(self, states=states, bits=bits)

    def log_family(self, child: str, parents: frozenset[str]) -> float:
        if self.states is None or self.bits is None:
            raise OptionError(
                "the description length needs ",
                "states",
                " and ",
                "bits",
                ", or data to take them from",
            )
        for node in (child, *parents):
            if node not in self.states:
                raise unknown_name("variable of the description length", node, self.states)
        configurations = math.prod(self.states[parent] for parent in parents)
        names = len(parents) * math.log2(len(self.states)) if parents else 0.0
        return -math.log(2) * (names + self.bits * (self.states[child] - 1) * configurations)

    def describe(self) -> str:
        each = "log2(N)/2" if self.bits is None else f"{self.bits:g}"
        return f"2^-(description length), {each} bits per number"
