"""The cost of a search before it starts: families or questions, memory, time."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from dagwright.search.problem import Problem


class Cost(NamedTuple):
    """Families scored (or questions asked), bytes, and seconds beside the scoring."""

    evaluations: float
    memory: float = 0.0
    seconds: float = 0.0
    upper: bool = True  # whether these are bounds; otherwise the usual course
    basis: str = ""
    one_by_one: float | None = None  # families that are scored one by one; None: all


@runtime_checkable
class Forecasting(Protocol):
    """A search that knows what it costs; for your own searches."""

    def cost(self, problem: Problem) -> Cost: ...


class Usual(NamedTuple):
    """Questions per ordered pair of variables, or per triple, and seconds for each beside the counting.

    The numbers of the searches were counted on data of 8 to 56 variables and 500 to 5,000 rows (asia,
    insurance, wdbc, alarm, hailfinder): the questions per pair of variables differ by a factor of two or
    three from one data set to the next, and searches by tests ask several times as many where variables have
    many neighbors.
    """

    per_pair: float = 0.0
    seconds: float = 0.0
    per_triple: float = 0.0
    seconds_per_row: float = 0.0  # for questions that look at every row anew
    upper: bool = False

    def cost(self, problem: Problem) -> Cost:
        n = len(problem.names)
        questions = self.per_pair * n * n + self.per_triple * n**3
        each = self.seconds + self.seconds_per_row * problem.score.N
        return Cost(questions, 8 * n * n, questions * each, self.upper, self._basis())

    def _basis(self) -> str:
        if self.upper:
            return f"{self.per_pair:g} n^2 questions at most"
        growth = f"{self.per_pair:g} n^2" if self.per_pair else f"{self.per_triple:g} n^3"
        return f"some {growth} questions on sparse networks, more on dense ones"


def unknown_cost(problem: Problem) -> Cost:
    """The cost of a search that declares none."""
    return Cost(
        len(problem.names) ** 2,
        upper=False,
        basis="every pair of variables once: the cost of this search is unknown; give it cost(problem)",
    )


def cost_of(search: object, problem: Problem) -> Cost:
    """The cost that a search declares, or a guess."""
    return search.cost(problem) if isinstance(search, Forecasting) else unknown_cost(problem)


def climbing_cost(problem: Problem, *, climbs: float) -> Cost:
    """All single arcs once, then after each of some 2n steps what concerns one or two variables."""
    n = len(problem.names)
    return Cost(
        (n * (n - 1) + 4 * n * n) * climbs,
        5 * 8 * n * n,
        upper=False,
        basis="every arc once, and some 2 n steps",
    )


def given_order_cost(problem: Problem) -> Cost:
    """Greedy parents in a given order."""
    n = len(problem.names)
    return Cost(n * n * (n - 1) / 2, 8 * n * n, basis="n parents for n variables at most, each among n")
