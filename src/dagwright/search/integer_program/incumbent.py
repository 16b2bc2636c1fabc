"""The best network so far and the bound on all others, shared by the threads of an exact search."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable

from dagwright.search.control import Control
from dagwright.search.integer_program.cluster_program import ClusterProgram, Floats, Numbers

PROOF = 1e-6
"""Nats. A network is called optimal when none scores more than this above it."""


class Incumbent:
    """One family per child and its loss, with a proven lower bound on the loss of every network.

    Parameters
    ----------
    show
        Called with each report, on the thread that reports: the score of the best network and its families.
    """

    def __init__(
        self,
        program: ClusterProgram,
        tolerance: float = PROOF,
        show: Callable[[float, Numbers], None] | None = None,
    ) -> None:
        self._show = show
        self._program = program
        self._tolerance = tolerance
        self._lock = threading.Lock()
        self.chosen: Numbers | None = None
        self.loss = math.inf
        self.bound = 0.0

    @property
    def cutoff(self) -> float:
        """The upper bound below which a network is worth finding."""
        return self.loss - self._tolerance

    def proven(self) -> bool:
        """Whether no network is better by more than the tolerance."""
        return self.bound >= self.cutoff

    @property
    def optimal(self) -> bool:
        """Whether no network is better by more than what a proof may leave open."""
        return self.bound >= self.loss - PROOF

    @property
    def gap(self) -> float:
        """By how much the best network may score more, in nats."""
        return max(0.0, self.loss - self.bound)

    def offer(self, chosen: Numbers) -> bool:
        """Take a network if it is better than the best so far."""
        loss = math.fsum(self._program.loss[chosen])
        with self._lock:
            if loss >= self.loss - PROOF:
                return False
            self.chosen, self.loss = chosen, loss
            return True

    def offer_near(self, weights: Floats) -> bool:
        """Take the network that rounding the weights leads to, if it is better."""
        near = self._program.rounded(weights)
        return near is not None and self.offer(near)

    def raise_bound(self, bound: float) -> None:
        with self._lock:
            self.bound = max(self.bound, bound)

    def report(self, control: Control, phase: str, done: int, unit: str, *, total: int | None = None) -> None:
        """Tell whoever listens how far the work is, with the best score, and show the best network."""
        with self._lock:
            chosen, score = self.chosen, self._program.score_of(self.loss)
        control.report(phase, done, unit, total=total, best=score)
        if chosen is not None and self._show is not None:
            self._show(score, chosen)
