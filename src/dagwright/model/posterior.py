"""Answers to questions: probabilities by state, with the method that gave them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from dagwright.graph.viewable import Viewable


class Posterior(Viewable, dict[Hashable, float]):
    """The probability of each state, in the order of the states.

    Attributes
    ----------
    method
        How it was computed: ``"exact"``, ``"likelihood_weighting"`` or ``"loopy"``.
    error
        0 for exact answers, also of loopy propagation where no loop is left; the largest standard error for
        sampled ones; for other answers of loopy propagation the largest difference from a weighted sample
        plus its standard error, and None where no sample agreed with the evidence or none was wanted.
    """

    __slots__ = ("error", "method")

    def __init__(
        self,
        probabilities: Mapping[Hashable, float] | Iterable[tuple[Hashable, float]],
        method: str = "exact",
        error: float | None = 0.0,
    ) -> None:
        super().__init__(probabilities)
        self.method = method
        self.error = error

    @property
    def most_likely(self) -> Hashable:
        """The state with the largest probability; of equal ones the first."""
        return max(self, key=self.__getitem__)

    def __reduce__(self) -> tuple[Any, ...]:
        return Posterior, (dict(self), self.method, self.error)
