"""Answers to questions: probabilities by state, with the question and the method that gave them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from dagwright.graph.viewable import Viewable


class Posterior(Viewable, dict[Hashable, float]):
    """The probability of each state, in the order of the states; it prints as a table.

    Attributes
    ----------
    method
        How it was computed: ``"exact"``, ``"likelihood_weighting"`` or ``"loopy"``.
    error
        0 for exact answers, also of loopy propagation where no loop is left; the largest standard error for
        sampled ones; for other answers of loopy propagation the largest difference from a weighted sample
        plus its standard error, and None where no sample agreed with the evidence or none was wanted.
    question
        The question in words, such as ``"lung | smoke=yes"``.
    """

    __slots__ = ("_unsupported", "error", "method", "question")
    _unsupported: Callable[[], tuple[str, ...]] | tuple[str, ...]

    def __init__(
        self,
        probabilities: Mapping[Hashable, float] | Iterable[tuple[Hashable, float]],
        method: str = "exact",
        error: float | None = 0.0,
        question: str = "",
        unsupported: Callable[[], tuple[str, ...]] | tuple[str, ...] = (),
    ) -> None:
        super().__init__(probabilities)
        self.method = method
        self.error = error
        self.question = question
        self._unsupported = unsupported

    def asked(self, question: str, unsupported: Callable[[], tuple[str, ...]]) -> Posterior:
        """The same answer with its question, and the rule that finds what it rests on without data."""
        return Posterior(self, self.method, self.error, question, unsupported)

    @property
    def most_likely(self) -> Hashable:
        """The state with the largest probability; of equal ones the first."""
        return max(self, key=self.__getitem__)

    @property
    def unsupported(self) -> tuple[str, ...]:
        """Parent configurations without rows that carry 5 % of the answer or more, in words.

        Their probabilities come from the prior or from the rule for empty configurations, not from data.
        Empty for networks without counts, and where exact inference does not fit in memory.
        """
        if callable(self._unsupported):
            self._unsupported = self._unsupported()
        return self._unsupported

    def __str__(self) -> str:
        width = max((len(str(state)) for state in self), default=0)
        lines = [f"P({self.question})"] if self.question else []
        lines += [f"  {state!s:<{width}}  {probability:.6f}" for state, probability in self.items()]
        if self.method != "exact":
            error = "unknown" if self.error is None else f"{self.error:.2g}"
            lines.append(f"  approximate, by {self.method}; error {error}")
        return "\n".join([*lines, *(f"  warning: {each}" for each in self.unsupported)])

    __repr__ = __str__

    def __reduce__(self) -> tuple[Any, ...]:
        return Posterior, (dict(self), self.method, self.error, self.question, self.unsupported)


class Marginals(Viewable, dict[str, Any]):
    """The answer for each node; it prints as one table."""

    __slots__ = ()

    def __str__(self) -> str:
        node_width = max(map(len, self), default=0)
        states = [state for answer in self.values() if isinstance(answer, Posterior) for state in answer]
        state_width = max((len(str(state)) for state in states), default=0)
        lines = []
        for node, answer in self.items():
            if isinstance(answer, Posterior):
                shown = [f"{state!s:<{state_width}}  {share:.6f}" for state, share in answer.items()]
            else:
                shown = [f"mean {answer.mean:.6g}, sd {answer.sd:.6g}"]
            lines += [f"  {'' if at else node:<{node_width}}  {text}" for at, text in enumerate(shown)]
        given = next((answer.question.partition(" | ")[2] for answer in self.values()), "")
        return "\n".join([f"P(node | {given})" if given else "P(node)", *lines])

    __repr__ = __str__
