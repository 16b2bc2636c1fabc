"""The input and the output of a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from dagwright import _core
from dagwright.base.numbering import Numbering
from dagwright.base.wording import count_of
from dagwright.defaults import Kind
from dagwright.errors import OptionError, refuse_class
from dagwright.evidence.bound import Bound
from dagwright.graph.dag import Dag
from dagwright.graph.named_graph import NodeNames, renumbered
from dagwright.graph.pag import Pag
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph
from dagwright.knowledge import ResolvedKnowledge
from dagwright.search.control import Control, Stopped
from dagwright.search.other_rows import OtherRows
from dagwright.sentences import Argument

__all__ = [
    "Found",
    "Problem",
    "Search",
    "Separation",
    "Stopped",
    "TraceStep",
    "require_search",
]


class TraceStep(NamedTuple):
    """One move of a search: what was done to which arc, and what it gained (nats)."""

    move: str
    start: str
    end: str
    gain: float

    def __str__(self) -> str:
        return f"{self.move} {self.start} -> {self.end}  {self.gain:+.6g}"


class Separation(NamedTuple):
    """Two variables that a test found independent given others, with what the test knows of it."""

    x: str
    y: str
    given: tuple[str, ...]
    statistic: float | None = None
    df: float | None = None
    p_value: float | None = None
    effect: float | None = None
    note: str = ""

    def __str__(self) -> str:
        facts = [] if self.p_value is None else [f"p = {self.p_value:.4g}"]
        facts += [] if self.effect is None else [f"{self.effect:.4g} nats"]
        return f"I({self.x},{self.y}|{','.join(self.given)})" + (f"  {', '.join(facts)}" if facts else "")


@dataclass(frozen=True)
class Problem:
    """A learning problem in canonical numbering; a search never sees the data themselves.

    Parameters
    ----------
    names
        The variables in canonical order: number i in scores and knowledge is ``names[i]``.
    score
        The score, bound to the data; asked in batches. For a search that declares ``decides_by = "test"``
        this is its test or an oracle, and answers independence questions only.
    knowledge
        What must and must not be, resolved over ``names``.
    seed
        The root of every random stream of the search.
    start
        A graph to begin from, if the caller gave one.
    bind_test
        Makes a test of a specification, on the same data and numbering as ``score``; for searches that use
        both. None where there are no data.
    kind
        Whether the columns hold states, numbers, or some of each; it decides the usual test.
    other_rows
        Makes the score on a sample or a bootstrap replicate of the rows; None where the score cannot be
        computed on other rows.
    """

    names: tuple[str, ...]
    score: Bound
    knowledge: ResolvedKnowledge
    seed: np.random.SeedSequence
    start: Dag | None = None
    bind_test: Callable[[Any], Bound] | None = None
    kind: Kind = "discrete"
    other_rows: OtherRows | None = None

    @property
    def numbering(self) -> Numbering:
        """The variables and their numbers."""
        return self.knowledge.numbering

    @property
    def targets(self) -> list[list[int]]:
        """The intervention targets, each as a set of variable numbers."""
        number = self.numbering.number
        return [sorted(map(number.__getitem__, target)) for target in self.score.targets]

    def bound_test(self, test: Any) -> Bound:
        """A test, a score or an oracle on the same data and numbering as ``score``."""
        if self.bind_test is None:
            raise OptionError(f"{test!r} needs data to test on, and this problem has none")
        return self.bind_test(test)

    def rng(self, stream: int = 0) -> np.random.Generator:
        """An independent random stream; the same number gives the same stream."""
        child = np.random.SeedSequence(self.seed.entropy, spawn_key=(*self.seed.spawn_key, stream))
        return np.random.default_rng(child)

    def bounded(self, max_parents: int | None) -> Problem:
        """The problem with at most this many parents of every variable; None leaves it as it is.

        Raises OptionError where the knowledge requires more parents, or the starting graph has more.
        """
        if max_parents is None:
            return self
        known = self.knowledge.bounded(max_parents)
        parents = {} if self.start is None else {name: self.start.parents(name) for name in self.names}
        for name, members in sorted(parents.items()):
            if len(members) > max_parents:
                raise OptionError(
                    Argument("max_parents", max_parents),
                    f", but {name!r} has {count_of(len(members), 'parent')} in the starting graph; allow as "
                    "many, or start from another graph",
                )
        return replace(self, knowledge=known)

    def first_dag(self) -> Dag:
        """The graph to begin from: the caller's, or only what knowledge requires."""
        return self.start if self.start is not None else self.knowledge.initial_dag()

    def parents_of(self, dag: Dag) -> list[list[int]]:
        """The parent numbers of every variable in ``dag``."""
        number = self.numbering.number
        return [sorted(number[parent] for parent in dag.parents(name)) for name in self.names]

    def dag(self, parents: Sequence[Sequence[int]]) -> Dag:
        """The graph with these parent numbers."""
        arcs = [
            (self.names[parent], self.names[child])
            for child, members in enumerate(parents)
            for parent in members
        ]
        return Dag(self.names, arcs)

    def named_dag(self, native: _core.MixedGraph) -> Dag:
        """A DAG of the core over the numbers of the variables, with their names."""
        nodes = NodeNames(self.names)
        return Dag._of(nodes, renumbered(native, self.numbering.places_in(nodes.numbering)))


@dataclass(frozen=True)
class Found:
    """The answer of a search, before `learn` checks and signs it.

    ``score`` is None for searches that do not maximize one; ``stopped`` says why the search did not run to
    its end; ``optimal`` claims that no graph scores higher. Where ``graph`` is a class, ``dag`` is the member
    that ``score`` belongs to, if there is one. ``separations`` are the pairs that were found independent;
    ``network`` is the graph with parameters, from searches that need these on the way; ``ran`` are other
    methods that the answer comes from, such as the search that `Auto` chose.
    """

    graph: Dag | Pdag | Pag | UndirectedGraph
    dag: Dag | None = None
    score: float | None = None
    trace: tuple[TraceStep, ...] = ()
    evaluations: int = 0
    stopped: Stopped | None = None
    optimal: bool = False
    gap: float | None = None
    warnings: tuple[str, ...] = ()
    notes: dict[str, Any] = field(default_factory=dict)
    separations: Sequence[Separation] = ()
    network: Any = None
    ran: tuple[Any, ...] = ()


class Search(Protocol):
    """An algorithm that looks for a graph. Structural: nothing to inherit."""

    def run(self, problem: Problem, control: Control) -> Found: ...


def is_search(given: object) -> bool:
    """Whether something looks for a graph; posteriors and tests do not."""
    return hasattr(given, "run")


def require_search(given: object) -> None:
    """An error where something else was given for a search."""
    refuse_class("search", given)
    if not is_search(given):
        raise OptionError(
            Argument("search", given),
            " is not a search, such as Exact() or HillClimb(): it has no run()",
        )
