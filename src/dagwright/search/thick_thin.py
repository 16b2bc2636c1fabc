"""Thickening and thinning of parent sets in a given order (Cowell 2001, section 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, ClassVar

from dagwright.errors import OptionError
from dagwright.evidence.oracle_evidence import BoundAnswers
from dagwright.evidence.protocols import Triple
from dagwright.graph.query import Verdict
from dagwright.search.control import Control, Watch
from dagwright.search.costs import Cost, given_order_cost
from dagwright.search.given_order import ordered_start, require_order
from dagwright.search.problem import Found, Problem, TraceStep
from dagwright.search.traits import SearchTraits

SETS_PER_BATCH = 5_000
"""Sets of predecessors that are asked about together: all pairs of 100."""

Members = frozenset[int]


@dataclass(frozen=True, slots=True)
class ThickThin(SearchTraits):
    """In a given order, add parents while a variable depends on others, then remove unnecessary ones.

    Thickening adds the predecessor (or set of predecessors) with the largest conditional mutual information
    given the parents so far, among those the test calls dependent. Thinning drops parents of which the
    variable is independent given the other parents, the weakest first. Sets of two and more are tried only
    when no smaller set is dependent.

    Single predecessors can all be independent of a variable that depends on them together, as with exclusive
    or. Such a case is listed in the warnings; a larger ``subset_size`` finds it. The warning comes from tests
    of up to 5,000 sets of the next size and of all predecessors together.

    Parameters
    ----------
    order
        All variables; parents come from those before.
    by
        The test: an independence test, a score (the sign of an arc's gain) or an oracle, such as a graph or a
        network with parameters. None: the score or the oracle of `learn`.
    subset_size
        Largest set of predecessors that is added at once. All sets of this size are asked about: with k
        predecessors C(k, subset_size) of them.
    max_parents
        Most parents a variable may have; None means no bound.

    >>> from dagwright import GSquare, learn
    >>> xor = [[a, b, a ^ b] for a in (0, 1) for b in (0, 1)] * 25
    >>> data = dict(zip("abc", zip(*xor)))
    >>> learn(data, search=ThickThin(list("abc"), by=GSquare())).warnings[-1]
    "'c' depends on 'a', 'b' together but on none of them alone; subset_size=2 adds them"
    >>> len(learn(data, search=ThickThin(list("abc"), by=GSquare(), subset_size=2)).graph.edges)
    2
    """

    summary: ClassVar[str] = "add parents while dependent, then drop, in a given order"
    citation: ClassVar[str] = "Cowell 2001"

    takes_oracle: ClassVar[bool] = True

    order: Sequence[str]
    by: Any = None
    subset_size: int = 1
    max_parents: int | None = None

    def __post_init__(self) -> None:
        require_order(self.order)
        object.__setattr__(self, "order", tuple(self.order))
        if self.subset_size < 1:
            raise OptionError(f"subset_size must be at least 1, not {self.subset_size}")
        if self.max_parents is not None and self.max_parents < 0:
            raise OptionError(f"max_parents must not be negative, got {self.max_parents}")

    def cost(self, problem: Problem) -> Cost:
        return given_order_cost(problem)

    def run(self, problem: Problem, control: Control) -> Found:
        judge = Judge(problem, self.by)
        start = ordered_start(problem, self.order, self.max_parents)
        parents = list(start.forced)
        trace: list[TraceStep] = []
        warnings = list(start.warnings)
        with control.watch() as watch:
            for done, child in enumerate(start.order):
                if watch.over():
                    break
                forced, most = start.forced[child], start.most[child]
                rest = list(start.candidates[child])
                chosen = forced
                # Thicken.
                while not watch.over() and (
                    added := self._strongest(judge, child, chosen, rest, most, watch)
                ):
                    trace += judge.steps("add", child, chosen, added)
                    chosen |= added
                    rest = [parent for parent in rest if parent not in added]
                hidden = self._hidden(judge, child, chosen, rest, most)
                if hidden:
                    warnings.append(hidden)
                # Thin.
                while dropped := judge.weakest(child, chosen, chosen - forced):
                    trace += judge.steps("delete", child, chosen - dropped, dropped)
                    chosen -= dropped
                parents[child] = chosen
                control.report("thickening and thinning", done + 1, "variables", total=len(parents))
        graph = problem.dag([sorted(members) for members in parents])
        return Found(
            graph=graph,
            score=None
            if self.by is not None or isinstance(judge.test, BoundAnswers)
            else judge.test.total(graph),
            trace=tuple(trace),
            evaluations=judge.tests,
            stopped=watch.stopped,
            warnings=tuple(warnings),
        )

    def _strongest(
        self, judge: Judge, child: int, parents: Members, rest: list[int], most: int, watch: Watch
    ) -> Members:
        for size in range(1, min(self.subset_size, most - len(parents)) + 1):
            found = judge.strongest(child, parents, combinations(rest, size), watch)
            if found:
                return found
        return frozenset()

    def _hidden(self, judge: Judge, child: int, parents: Members, rest: list[int], most: int) -> str:
        """The variables that it depends on only through larger sets than were tried, in words; '' if none."""
        sizes = sorted({self.subset_size + 1, len(rest)})
        for size in sizes:
            if self.subset_size < size <= len(rest) and len(parents) + size <= most:
                found = judge.strongest(child, parents, islice(combinations(rest, size), SETS_PER_BATCH))
                if found:
                    together = ", ".join(repr(judge.names[v]) for v in sorted(found))
                    smaller = "none of them alone" if size == 2 else "no smaller set of them that was tried"
                    return (
                        f"{judge.names[child]!r} depends on {together} together but on {smaller}; "
                        f"subset_size={size} adds them"
                    )
        return ""


class Judge:
    """Asks a test, a score or an oracle in batches, and remembers how often."""

    def __init__(self, problem: Problem, by: Any) -> None:
        self.names = problem.names
        self.test = problem.score if by is None else problem.bound_test(by)
        self.tests = 0

    def edges(self, x: int, questions: Sequence[tuple[Members, Members]]) -> list[Verdict]:
        """Symmetric questions: one answer for each pair of a set of variables and what is given."""
        return self._ask(self.test.verdicts, x, questions)

    def arcs(self, child: int, questions: Sequence[tuple[Members, Members]]) -> list[Verdict]:
        """The test results for pairs of additional parents and present parents of the child."""
        return self._ask(self.test.arc_verdicts, child, questions)

    def _ask(
        self,
        ask: Callable[[Sequence[Triple]], list[Verdict]],
        x: int,
        questions: Sequence[tuple[Members, Members]],
    ) -> list[Verdict]:
        self.tests += len(questions)
        return ask([Triple(frozenset([x]), y, given) for y, given in questions])

    def strongest(
        self, child: int, given: Members, sets: Iterable[tuple[int, ...]], watch: Watch | None = None
    ) -> Members:
        """Of the sets on which the child depends the one with the largest effect; empty if there is none."""
        left = iter(sets)
        found: Members = frozenset()
        most = -float("inf")
        while candidates := [frozenset(members) for members in islice(left, SETS_PER_BATCH)]:
            for members, verdict in zip(
                candidates, self.arcs(child, [(members, given) for members in candidates]), strict=True
            ):
                if not verdict.independent and strength(verdict) > most:
                    found, most = members, strength(verdict)
            if watch is not None and watch.over():
                break
        return found

    def weakest(self, child: int, parents: Members, removable: Members) -> Members:
        """The parent with the smallest effect of which the child is independent given the others."""
        candidates = [frozenset([parent]) for parent in sorted(removable)]
        found: Members = frozenset()
        least = float("inf")
        for members, verdict in zip(
            candidates, self.arcs(child, [(one, parents - one) for one in candidates]), strict=True
        ):
            if verdict.independent and strength(verdict) < least:
                found, least = members, strength(verdict)
        return found

    def steps(self, move: str, child: int, given: Members, members: Members) -> list[TraceStep]:
        """The trace of a move: the gain of the whole set stands with its first variable."""
        (verdict,) = self.arcs(child, [(members, given)])
        gain = (verdict.gain or 0.0) * (1 if move == "add" else -1)
        return [
            TraceStep(move, self.names[v], self.names[child], gain if at == 0 else 0.0)
            for at, v in enumerate(sorted(members))
        ]


def strength(verdict: Verdict) -> float:
    """Conditional mutual information where the test knows it, else what an arc gains."""
    if verdict.effect is not None:
        return verdict.effect
    return verdict.gain if verdict.gain is not None else 0.0
