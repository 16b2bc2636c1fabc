"""Protocols of a measure, a local score and an independence test. Structural: nothing to inherit.

A *measure* is the preferred extension, because it is a score and a test at once (Cowell 2001)::

    family       mu(x | P)     = mu(P+x) - mu(P)                                -> local score
    interaction  mu(x ; y | Z) = (mu(Z+x+y) + mu(Z)) - (mu(Z+x) + mu(Z+y))      -> independence test
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dagwright.graph.query import Query, Verdict

# The rows on which all these columns are known; None where the data are complete.
KnownColumns = frozenset[int]


class SetFit(NamedTuple):
    """The fit of a set of variables: ``fit`` in nats without any penalty, ``dim`` parameters."""

    fit: float
    dim: float


class Family(NamedTuple):
    """A child and its parents, as column numbers."""

    child: int
    parents: frozenset[int]


class Triple(NamedTuple):
    """The columns of an independence question: x, y and the conditioning set."""

    x: frozenset[int]
    y: frozenset[int]
    given: frozenset[int]


@runtime_checkable
class Measure(Protocol):
    """Evidence of sets of variables, asked for in batches.

    ``names`` is optional: without it the variables are called "0", "1", ...
    """

    @property
    def N(self) -> float: ...
    @property
    def cardinalities(self) -> Sequence[int]: ...
    def evidence(
        self, sets: Sequence[frozenset[int]], rows: KnownColumns | None = None
    ) -> Sequence[SetFit]: ...


@runtime_checkable
class Named(Protocol):
    """A measure that names its variables."""

    @property
    def names(self) -> Sequence[str]: ...


@runtime_checkable
class LocalScore(Protocol):
    """One number per family, in nats, larger is better; for scores that are not functions of a set."""

    def local(self, families: Sequence[Family]) -> Sequence[float]: ...


@runtime_checkable
class IndependenceTest(Protocol):
    """Answers to independence questions; oracles are such tests too."""

    def test(self, queries: Sequence[Query]) -> Sequence[Verdict]: ...


@runtime_checkable
class JointDistribution(Protocol):
    """A known distribution, for instance a network with parameters."""

    def marginal(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Joint probabilities of the named variables, one axis each in that order."""
        ...
