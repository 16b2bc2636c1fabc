"""Where greedy hill climbing can end when ties are left open (Jensen & Nielsen 2007, Exercise 7.10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from dagwright.errors import CapacityError
from dagwright.evidence.binding import bind_score
from dagwright.evidence.bound import Bound
from dagwright.evidence.counting import learnable_table
from dagwright.evidence.criteria import BIC
from dagwright.evidence.protocols import Family
from dagwright.graph.dag import Dag
from dagwright.knowledge import Knowledge

Parents = tuple[frozenset[int], ...]

MOST_GRAPHS = 100_000


class TieOutcome(NamedTuple):
    """A graph that greedy search may end in, and its score."""

    graph: Dag
    score: float


def greedy_tie_outcomes(
    data: Any,
    *,
    score: Any = None,
    knowledge: Knowledge | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
) -> tuple[TieOutcome, ...]:
    """Every graph in which the best-improvement search from the empty graph can end, best first.

    The algorithm says "take a move that gains most" and leaves open which; this follows all of them. For
    teaching and for a few variables: the number of graphs on the way grows quickly.

    >>> rows = {"a": [0, 0, 1, 1] * 10, "b": [0, 0, 1, 1] * 10}
    >>> [outcome.graph.edges for outcome in greedy_tie_outcomes(rows)]
    [(('a', 'b'),), (('b', 'a'),)]
    """
    known = knowledge or Knowledge()
    table = learnable_table(data, columns, exclude, known.named)
    canonical, _ = table.canonical()
    bound = bind_score(BIC() if score is None else score, canonical, original=table)
    climb = _AllClimbs(bound, known, table.names)
    outcomes = [TieOutcome(climb.dag(parents), climb.total(parents)) for parents in climb.ends()]
    return tuple(sorted(outcomes, key=lambda outcome: (-outcome.score, outcome.graph.edges)))


class _AllClimbs:
    def __init__(self, score: Bound, knowledge: Knowledge, columns: tuple[str, ...]) -> None:
        self.score = score
        self.columns = columns
        self.names = score.names
        self.known = knowledge.resolve(self.names)
        self.local: dict[Family, float] = {}

    def ends(self) -> list[Parents]:
        number = {name: at for at, name in enumerate(self.names)}
        start = self.known.initial_dag()
        first = tuple(frozenset(number[p] for p in start.parents(name)) for name in self.names)
        seen, waiting, found = {first}, [first], []
        while waiting:
            here = waiting.pop()
            best = self._best_neighbours(here)
            if not best:
                found.append(here)
            waiting.extend(there for there in best if there not in seen)
            seen.update(best)
            if len(seen) > MOST_GRAPHS:
                raise CapacityError(
                    f"more than {MOST_GRAPHS:,} graphs lie on the way; list ties on fewer columns"
                )
        return found

    def total(self, parents: Parents) -> float:
        return self._totals([parents])[0]

    def dag(self, parents: Parents) -> Dag:
        arcs = [(self.names[p], self.names[x]) for x, family in enumerate(parents) for p in family]
        return Dag(self.columns, arcs)

    def _best_neighbours(self, here: Parents) -> list[Parents]:
        neighbours = list(self._neighbours(here))
        now, *totals = self._totals([here, *neighbours])
        gains = [total - now for total in totals]
        most = max(gains, default=0.0)
        if most <= self.score.tolerance:
            return []
        return [
            there
            for there, gain in zip(neighbours, gains, strict=True)
            if gain >= most - self.score.tolerance
        ]

    def _neighbours(self, here: Parents) -> Iterator[Parents]:
        for x in range(len(here)):
            for p in range(len(here)):
                if p == x:
                    continue
                changed = list(here)
                changed[x] = here[x] ^ {p}
                candidates = [tuple(changed)]
                if p in here[x]:
                    changed[p] = here[p] | {x}
                    candidates.append(tuple(changed))
                yield from (there for there in candidates if self._is_legal(there))

    def _is_legal(self, parents: Parents) -> bool:
        left = dict(enumerate(parents))
        while free := [x for x, family in left.items() if not family & left.keys()]:
            for x in free:
                del left[x]
        return not left and not self.known.check(self.dag(parents))

    def _totals(self, graphs: list[Parents]) -> list[float]:
        families = {Family(x, family) for graph in graphs for x, family in enumerate(graph)}
        unknown = sorted(families - self.local.keys(), key=lambda f: (f.child, sorted(f.parents)))
        self.local.update(zip(unknown, self.score.local(unknown), strict=True))
        return [sum(self.local[Family(x, family)] for x, family in enumerate(graph)) for graph in graphs]
