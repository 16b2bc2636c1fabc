"""The facts that a search declares about itself."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from dagwright.data import Table
from dagwright.defaults import Kind, usual_test
from dagwright.methods.traits import DataKind, GraphKind, MethodTraits
from dagwright.search.costs import Cost, Usual, unknown_cost
from dagwright.search.problem import Problem, Search

Decides = Literal["score", "test"]


class SearchTraits(MethodTraits):
    """The facts of a search, each with the value that holds unless its class declares another.

    Your own search needs only ``run(problem, control)``. It inherits from this class to declare more.

    Attributes
    ----------
    takes
        The kinds of data it works on; None means those that its score or test takes.
    gives
        The kind of graph that it answers with.
    is_exact
        Whether a search that runs to its end proves its answer optimal.
    decides_by
        Whether a score or an independence test decides.
    completes_rows
        Whether it takes the expectation of missing values itself.
    refuses
        Policies for missing values that it cannot work under although its score or test can.
    takes_oracle
        Whether an oracle may stand in for the data although a score decides.
    usual
        The questions that it usually asks, for `forecast`, unless it overrides `cost`.
    """

    __slots__ = ()
    takes: ClassVar[frozenset[DataKind] | None] = None
    gives: ClassVar[GraphKind] = "dag"
    decides_by: ClassVar[Decides] = "score"
    completes_rows: ClassVar[bool] = False
    refuses: ClassVar[frozenset[str]] = frozenset()
    takes_oracle: ClassVar[bool] = False
    usual: ClassVar[Usual | None] = None

    @property
    def max_parents(self) -> int | None:
        """The most parents a variable may have; None means no bound."""
        return None

    @property
    def chooses_start(self) -> bool:
        """Whether it begins where it wants, and takes no starting graph."""
        return False

    def usual_score(self) -> Any:
        """The score that it is known by, as `K2` is; None for most."""
        return None

    def usual_test(self, kind: Kind = "discrete") -> Any:
        """The test that decides when there are data, for columns of a kind."""
        return usual_test(kind=kind)

    def further_tests(self, kind: Kind) -> tuple[Any, ...]:  # noqa: ARG002
        """The tests that are asked besides the score, for columns of a kind."""
        return ()

    def with_hidden(self, table: Table) -> Table:
        """The data with columns for hidden variables, for searches that have some."""
        return table

    def chosen(self, problem: Problem) -> Search | None:  # noqa: ARG002
        """The search that will run on a problem, for one that chooses among others."""
        return None

    def cost(self, problem: Problem) -> Cost:
        """Families or questions, memory and time, for `forecast`."""
        return unknown_cost(problem) if self.usual is None else self.usual.cost(problem)


UNDECLARED = SearchTraits()
"""What is known of a search that declares nothing."""


def search_traits(search: object) -> SearchTraits:
    """The facts of a search; those of your own searches may be undeclared."""
    return search if isinstance(search, SearchTraits) else UNDECLARED


def asks_tests(search: object) -> bool:
    """Whether a search decides by independence tests, not by a score."""
    return search_traits(search).decides_by == "test"


def completes_rows(search: object) -> bool:
    """Whether a search takes the expectation of missing values itself, as structural EM does."""
    return search_traits(search).completes_rows


def own_score(search: object) -> Any:
    """The score that a search is known by, as `K2` is; None for most."""
    return search_traits(search).usual_score()
