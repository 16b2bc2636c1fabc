"""The default: the strongest search for the problem at hand."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from dagwright import _core
from dagwright.evidence.bound import Bound, BoundCriterion
from dagwright.evidence.counting import NativeMeasure
from dagwright.search.control import Control
from dagwright.search.order_search import OrderSearch
from dagwright.search.problem import Found, Problem


@dataclass(frozen=True, slots=True)
class Auto:
    """Choose a search by the size of the problem and say so on the result.

    At present this is `OrderSearch`, with a smaller budget for scores that are written in Python. The budget
    counts evaluations, so that a time limit only caps it.

    Parameters
    ----------
    max_parents
        Most parents a variable may have; None means no bound.

    >>> from dagwright import learn
    >>> found = learn({"rain": [0, 0, 1, 1] * 25, "wet": [0, 0, 1, 1] * 25, "coin": [0, 1] * 50})
    >>> found.notes["chosen"]
    'OrderSearch(): reaches the best network of most problems of this size (3 variables)'
    """

    max_parents: int | None = None

    def __post_init__(self) -> None:
        OrderSearch(max_parents=self.max_parents)

    def choose(self, problem: Problem) -> tuple[OrderSearch, str]:
        """The search for this problem, and why."""
        n = len(problem.names)
        if written_in_python(problem.score):
            families = max(2_000, 5 * n)
            return (
                OrderSearch(evaluations=families, max_parents=self.max_parents),
                "a score written in Python is slow to ask, so few parent sets are scored",
            )
        return (
            OrderSearch(max_parents=self.max_parents),
            f"reaches the best network of most problems of this size ({n} variables)",
        )

    def run(self, problem: Problem, control: Control) -> Found:
        search, reason = self.choose(problem)
        found = search.run(problem, control)
        return replace(found, notes={"chosen": f"{described(search)}: {reason}", **found.notes})


def written_in_python(score: Bound) -> bool:
    """Whether every family of this score costs a call of Python code."""
    if isinstance(score, BoundCriterion):
        return not isinstance(score.measure, NativeMeasure)
    return isinstance(score.native, _core.PythonLocalScore)


def described(search: OrderSearch) -> str:
    """A search with the options that differ from their defaults."""
    given = {
        field.name: value
        for field in fields(search)
        if (value := getattr(search, field.name)) != field.default
    }
    return f"{type(search).__name__}({', '.join(f'{name}={value!r}' for name, value in given.items())})"
