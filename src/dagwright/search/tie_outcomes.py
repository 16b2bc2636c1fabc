"""Where greedy hill climbing can end when ties are left open (Jensen & Nielsen 2007, Exercise 7.10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from dagwright.errors import CapacityError
from dagwright.evidence.bound import Bound
from dagwright.evidence.protocols import Family
from dagwright.evidence.structure_priors import with_prior
from dagwright.evidence.threads import available_threads
from dagwright.graph.dag import Dag
from dagwright.knowledge import Knowledge, as_knowledge
from dagwright.search.control import Control
from dagwright.search.graph_neighborhood import allowed_neighbors
from dagwright.search.pipeline import Prepared
from dagwright.search.study import Study
from dagwright.search.walks import require_at_least

Parents = tuple[frozenset[int], ...]

MOST_GRAPHS = 100_000
MOST_SECONDS = 60.0


class TieOutcome(NamedTuple):
    """A graph that greedy search may end in, and its score."""

    graph: Dag
    score: float


def greedy_tie_outcomes(
    data: Any,
    *,
    score: Any = None,
    knowledge: Knowledge | None = None,
    missing: str | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    max_graphs: int = MOST_GRAPHS,
    time_limit: float = MOST_SECONDS,
) -> tuple[TieOutcome, ...]:
    """Every graph in which the best-improvement search from the empty graph can end, best first.

    The algorithm says "take a move that gains most" and leaves open which; this follows all of them. For
    teaching and for a few variables: the number of graphs on the way grows quickly.

    Parameters
    ----------
    missing
        What to do with missing values: ``"drop"`` or ``"state"``, as in `learn`.
    max_graphs, time_limit
        The most graphs on the way, and the most seconds; beyond either it refuses.

    >>> rows = {"a": [0, 0, 1, 1] * 10, "b": [0, 0, 1, 1] * 10}
    >>> [outcome.graph.edges for outcome in greedy_tie_outcomes(rows)]
    [(('a', 'b'),), (('b', 'a'),)]
    """
    require_at_least("max_graphs", max_graphs, 1)
    limits = _Limits(max_graphs, Control(time_limit=time_limit))
    known = as_knowledge(knowledge)
    request = Study(
        score=score,
        knowledge=known,
        missing=missing,
        columns=None if columns is None else tuple(columns),
        exclude=tuple(exclude),
    )
    prepared = Prepared.of(request, data)
    table, prior = prepared.table, prepared.structure_prior
    bound = prepared.bound(table.canonical().table, available_threads())
    if prior is not None:
        bound = with_prior(bound, prior)
    climb = _AllClimbs(bound, known, table.names, limits)
    outcomes = [TieOutcome(climb.dag(parents), climb.total(parents)) for parents in climb.ends()]
    return tuple(sorted(outcomes, key=lambda outcome: (-outcome.score, outcome.graph.edges)))


class _Limits(NamedTuple):
    max_graphs: int
    control: Control

    def check(self, graphs: int) -> None:
        """Refuse to go on with more graphs, or longer."""
        beyond = "max_graphs" if graphs > self.max_graphs else "time_limit"
        if graphs > self.max_graphs or self.control.stopped() is not None:
            raise CapacityError(
                f"{graphs:,} graphs visited in {self.control.elapsed():.3g} seconds exceed {beyond}; "
                f"use fewer columns, or raise {beyond}"
            )


class _AllClimbs:
    def __init__(self, score: Bound, knowledge: Knowledge, columns: tuple[str, ...], limits: _Limits) -> None:
        self.limits = limits
        self.seen: set[Parents] = set()
        self.score = score
        self.columns = columns
        self.names = score.names
        self.known = knowledge.resolve(self.names)
        self.number = self.known.numbering.number
        self.local: dict[Family, float] = {}

    def ends(self) -> list[Parents]:
        first = self._parents(self.known.initial_dag())
        self.seen, waiting, found = {first}, [first], []
        while waiting:
            here = waiting.pop()
            best = self._best_neighbors(here)
            if not best:
                found.append(here)
            waiting.extend(there for there in best if there not in self.seen)
            self.seen.update(best)
            self.limits.check(len(self.seen))
        return found

    def total(self, parents: Parents) -> float:
        return self._totals([parents])[0]

    def dag(self, parents: Parents) -> Dag:
        arcs = [(self.names[p], self.names[x]) for x, family in enumerate(parents) for p in family]
        return Dag(self.columns, arcs)

    def _best_neighbors(self, here: Parents) -> list[Parents]:
        neighbors = list(self._neighbors(here))
        now, *totals = self._totals([here, *neighbors])
        gains = [total - now for total in totals]
        most = max(gains, default=0.0)
        if most <= self.score.tolerance:
            return []
        return [
            there for there, gain in zip(neighbors, gains, strict=True) if gain >= most - self.score.tolerance
        ]

    def _neighbors(self, here: Parents) -> Iterator[Parents]:
        for one in allowed_neighbors(self.dag(here), self.known):
            self.limits.check(len(self.seen))
            yield self._parents(one.graph)

    def _parents(self, dag: Dag) -> Parents:
        return tuple(frozenset(self.number[parent] for parent in dag.parents(name)) for name in self.names)

    def _totals(self, graphs: list[Parents]) -> list[float]:
        families = {Family(x, family) for graph in graphs for x, family in enumerate(graph)}
        unknown = sorted(families - self.local.keys(), key=lambda f: (f.child, sorted(f.parents)))
        self.local.update(zip(unknown, self.score.local(unknown), strict=True))
        return [sum(self.local[Family(x, family)] for x, family in enumerate(graph)) for graph in graphs]
