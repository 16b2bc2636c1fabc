"""The base of local methods: the test, all targets in turn, and which one-sided findings to believe."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from dagwright.errors import unknown_name
from dagwright.graph.undirected import UndirectedGraph
from dagwright.methods.traits import GraphKind
from dagwright.search.control import Control
from dagwright.search.independence.account import separations
from dagwright.search.independence.by_tests import ByTests
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, Pair, as_pair
from dagwright.search.independence.skeleton import Skeleton
from dagwright.search.local.questions import Finds, Questions, halted
from dagwright.search.problem import Found, Problem
from dagwright.search.walks import require_at_least

Symmetry = Literal["and", "or"]


@dataclass(frozen=True, slots=True)
class LocalMethod(ByTests, ABC):
    """Finds what is around one variable; `learn` with such a method looks around all of them.

    Parameters
    ----------
    test
        Any test or score; `GSquare` at level 0.01 by default. Not used with an oracle.
    symmetry
        Being around each other is mutual, but tests on data find some pairs from one end only. "and" joins
        two variables if each found the other, "or" if one did. The result's notes list such pairs.
    """

    finds: ClassVar[Finds]
    gives: ClassVar[GraphKind] = "undirected"

    symmetry: Symmetry = "and"

    def __post_init__(self) -> None:
        ByTests.__post_init__(self)
        if self.symmetry not in get_args(Symmetry):
            raise unknown_name("value of symmetry", self.symmetry, get_args(Symmetry))

    @abstractmethod
    def around(self, target: int, ask: Questions) -> set[int]:
        """The variables around the target, with all that knowledge requires."""

    def run(self, problem: Problem, control: Control) -> Found:
        """All targets; the answer is an undirected graph."""
        ask = Questions(problem.score, NumberedKnowledge(problem.knowledge), control, "neighbors")
        found: dict[int, set[int]] = {}

        def look_around_all() -> None:
            for target in range(len(problem.names)):
                ask.looked = target
                found[target] = self.around(target, ask)

        stopped = halted(look_around_all, control)
        edges, doubtful = symmetric(found, self.symmetry)
        edges |= ask.knowledge.required
        words = "left out" if self.symmetry == "and" else "kept"
        return undirected_answer(
            problem,
            ask,
            edges,
            one_sided=[f"{problem.names[a]} found {problem.names[b]}: {words}" for a, b in doubtful],
            stopped=stopped,
        )


@dataclass(frozen=True, slots=True)
class NeighborMethod(LocalMethod):
    """A local method for parents and children, which asks about subsets of what it has found.

    Parameters
    ----------
    max_size
        Largest conditioning set; None means 3 on data, where larger sets cost tests and neighbors, and no
        bound for an oracle.
    """

    finds: ClassVar[Finds] = "neighbors"

    max_size: int | None = None

    def __post_init__(self) -> None:
        LocalMethod.__post_init__(self)
        require_at_least("max_size", self.max_size, 0)


def symmetric(found: Mapping[int, set[int]], rule: Symmetry) -> tuple[set[Pair], list[Pair]]:
    """The edges by the rule, and the (finder, found) that hold from one end only.

    A variable that was not looked around, because time ran out, has found nothing.
    """
    directed = {(a, b) for a, members in found.items() for b in members}
    one_sided = sorted((a, b) for a, b in directed if (b, a) not in directed)
    kept = directed if rule == "or" else directed - set(one_sided)
    return {as_pair(*pair) for pair in kept}, one_sided


def undirected_answer(
    problem: Problem,
    ask: Questions,
    edges: set[Pair],
    *,
    one_sided: Sequence[str],
    stopped: Any,
) -> Found:
    """An undirected graph with what separated the pairs that it does not join."""
    names = problem.names
    apart = {pair: one for pair, one in ask.separated.items() if pair not in edges}
    notes: dict[str, Any] = {"tests by size": {str(size): ask.tests[size] for size in sorted(ask.tests)}}
    warnings: tuple[str, ...] = ()
    if one_sided:
        notes["one-sided"] = list(one_sided)
        were = "pair was" if len(one_sided) == 1 else "pairs were"
        warnings = (f"{len(one_sided)} {were} found from one end only: see the notes under 'one-sided'",)
    return Found(
        graph=UndirectedGraph(names, [(names[a], names[b]) for a, b in sorted(edges)]),
        evaluations=ask.tests.total(),
        stopped=stopped,
        warnings=warnings,
        notes=notes,
        separations=separations(names, Skeleton([], apart)),
    )
