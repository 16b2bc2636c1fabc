"""Decomposable Markov networks by score: chordal graphs, one edge more or less at a time.

With cliques C and separators S the score of a chordal graph is that of any equivalent DAG,

    sum over C of mu(C) - sum over S of mu(S)

(Lauritzen 1996, section 4.4). Between x and y with the common neighbors Z, an edge may be added when Z
separates x from y, and removed when Z is complete; then the graph stays chordal and the score changes by
mu(x ; y | Z) (Giudici & Green 1999; Deshpande, Garofalakis & Jordan 2001).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dagwright.errors import KnowledgeError, OptionError, unknown_name
from dagwright.evidence.protocols import Triple
from dagwright.graph.undirected import UndirectedGraph
from dagwright.methods.traits import GraphKind, evidence_traits
from dagwright.search.control import Control
from dagwright.search.costs import Usual
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, Pair, as_pair
from dagwright.search.problem import Found, Problem, Stopped, TraceStep
from dagwright.search.traits import SearchTraits
from dagwright.search.walks import require_at_least
from dagwright.sentences import Argument

Moves = Literal["both", "forward", "backward"]


@dataclass(frozen=True, slots=True)
class Decomposable(SearchTraits):
    """Add or remove the edge that raises the score most, among those that keep the graph chordal.

    The answer is an undirected graph; `Learned.markov_network` gives its cliques and parameters. Finds a
    local maximum.

    Parameters
    ----------
    moves
        "both"; "forward" only adds, beginning without edges; "backward" only removes, beginning with all.
    max_clique
        Most variables in a clique; None means no bound.

    >>> from dagwright import learn, sample_path
    >>> found = learn(sample_path("asia"), search=Decomposable())
    >>> found.graph.is_chordal()
    True
    """

    summary: ClassVar[str] = "undirected: chordal graphs by score, one edge at a time"
    citation: ClassVar[str] = "Giudici & Green 1999"
    gives: ClassVar[GraphKind] = "undirected"
    usual: ClassVar[Usual] = Usual(0.6, 3e-5)

    moves: Moves = "both"
    max_clique: int | None = None

    def __post_init__(self) -> None:
        if self.moves not in get_args(Moves):
            raise unknown_name("value of moves", self.moves, get_args(Moves))
        require_at_least("max_clique", self.max_clique, 1)
        if self.moves == "backward" and self.max_clique is not None:
            raise OptionError(
                Argument("moves", "backward"),
                " begins with one clique of all variables; drop max_clique",
            )

    def run(self, problem: Problem, control: Control) -> Found:
        if evidence_traits(problem.score.spec).equivalent is False:
            raise OptionError(
                f"{problem.score.spec!r} differs between equivalent DAGs, so a chordal graph has no score; "
                "use BIC, AIC, BDeu or another equivalent score"
            )
        walk = ChordalWalk(problem, self.moves, self.max_clique)
        stopped: Stopped | None = None
        try:
            walk.ask_all()
            while (stopped := control.stopped()) is None and walk.step():
                control.report("decomposable", len(walk.trace), "steps")
        except KeyboardInterrupt:
            stopped = control.interrupted()
        names = problem.names
        graph = UndirectedGraph(names, [(names[a], names[b]) for a, b in walk.edges()])
        dag = graph.directed(names)
        return Found(
            graph=graph,
            dag=None if problem.knowledge.check(dag) else dag,
            score=problem.score.total(dag),
            trace=tuple(walk.trace),
            evaluations=walk.evaluations,
            stopped=stopped,
            warnings=walk.warnings,
        )


class ChordalWalk:
    """A chordal graph, what each change of one edge would gain, and the changes made so far."""

    def __init__(self, problem: Problem, moves: Moves, max_clique: int | None) -> None:
        self.problem = problem
        self.knowledge = NumberedKnowledge(problem.knowledge)
        self.n = len(problem.names)
        self.max_clique = max_clique
        self.moves = moves
        self.trace: list[TraceStep] = []
        self.warnings: tuple[str, ...] = ()
        self.evaluations = 0
        self.gained = 0.0
        # The pairs x < y that may be joined and need not be.
        self.free = np.triu(np.ones((self.n, self.n), dtype=np.bool_), 1)
        for x, y in np.argwhere(self.free).tolist():
            self.free[x, y] = (x, y) not in self.knowledge.required and self.knowledge.may_link(x, y)
        self.around = self._first_edges()
        # What an edge between x and y is, or would be, worth given their common neighbors.
        self.worth = np.zeros((self.n, self.n))

    def ask_all(self) -> None:
        """The gain of each pair at the start."""
        self._ask([(x, y) for x, y in np.argwhere(self.free).tolist()])

    def edges(self) -> list[Pair]:
        return [(x, y) for x in range(self.n) for y in sorted(self.around[x]) if x < y]

    def _first_edges(self) -> list[set[int]]:
        """The given graph, or all that is allowed, or what is required: made chordal."""
        wanted = set(self.knowledge.required)
        if self.moves == "backward":
            wanted |= {(x, y) for x, y in np.argwhere(self.free).tolist()}
        elif self.problem.start is not None:
            number = self.problem.numbering.number
            moral = {as_pair(number[a], number[b]) for a, b in self.problem.start.moral().edges}
            wanted |= {pair for pair in moral if self.knowledge.may_link(*pair)}
        around, refused = self._triangulated(wanted)
        if refused and wanted != self.knowledge.required:
            self.warnings = ("the graph to begin with cannot be made chordal within the knowledge: left out",)
            around, refused = self._triangulated(self.knowledge.required)
        if refused:
            a, b = (self.problem.names[at] for at in refused[0])
            raise KnowledgeError(
                f"no chordal graph was found with all required edges, but without {a!r} - {b!r}, which is "
                "forbidden; allow a chord of each required cycle"
            )
        if self.max_clique is not None:
            self._require_small(around, self.max_clique)
        return around

    def _require_small(self, around: list[set[int]], most: int) -> None:
        names = self.problem.names
        edges = [(names[x], names[y]) for x, near in enumerate(around) for y in near if x < y]
        widest = max(UndirectedGraph(names, edges).cliques(), key=len, default=())
        if len(widest) > most:
            raise OptionError(
                f"the edges to begin with join {', '.join(widest)}, more than ",
                Argument("max_clique", most),
                "; begin with another graph, or raise the bound",
            )

    def _triangulated(self, edges: Iterable[Pair]) -> tuple[list[set[int]], list[Pair]]:
        """The edges with those that elimination adds, and which of these are not allowed.

        Whether a chordal graph lies between required and allowed edges is hard to decide (Golumbic, Kaplan &
        Shamir 1995), so this is the best of one pass: next comes the node that adds fewest forbidden edges.
        """
        around: list[set[int]] = [set() for _ in range(self.n)]
        for x, y in edges:
            around[x].add(y)
            around[y].add(x)
        near = [set(members) for members in around]
        refused: list[Pair] = []
        left = set(range(self.n))
        while left:
            node = min(left, key=lambda v: (*self._cost(missing(near, v)), v))
            for x, y in missing(near, node):
                for graph in (near, around):
                    graph[x].add(y)
                    graph[y].add(x)
                refused += [] if self.knowledge.may_link(x, y) else [(x, y)]
            left.remove(node)
            for other in near[node]:
                near[other].discard(node)
        return around, refused

    def _cost(self, fill: list[Pair]) -> tuple[int, int]:
        return sum(not self.knowledge.may_link(x, y) for x, y in fill), len(fill)

    def _ask(self, pairs: Iterable[Pair]) -> None:
        """The present gain of the free ones of these pairs, in one batch."""
        free_pairs = sorted({as_pair(x, y) for x, y in pairs if self.free[as_pair(x, y)]})
        questions = [
            Triple(frozenset([x]), frozenset([y]), frozenset(self.around[x] & self.around[y]))
            for x, y in free_pairs
        ]
        self.evaluations += len(questions)
        for pair, verdict in zip(free_pairs, self.problem.score.verdicts(questions), strict=True):
            self.worth[pair] = verdict.gain or 0.0

    def step(self) -> bool:
        """Make the legal change that gains most; False when none gains."""
        gains = self.worth.copy()
        for x, y in self.edges():
            gains[x, y] = -gains[x, y] if self.moves != "forward" else 0.0
        if self.moves == "backward":
            np.minimum(gains, 0.0, out=gains, where=~self._joined())
        xs, ys = np.nonzero(gains > self.problem.score.tolerance)
        for at in np.lexsort((ys, xs, -gains[xs, ys])).tolist():
            x, y = int(xs[at]), int(ys[at])
            if self._stays_chordal(x, y):
                self._change(x, y, float(gains[x, y]))
                return True
        return False

    def _joined(self) -> NDArray[np.bool_]:
        joined = np.zeros((self.n, self.n), dtype=np.bool_)
        for pair in self.edges():
            joined[pair] = True
        return joined

    def _stays_chordal(self, x: int, y: int) -> bool:
        common = self.around[x] & self.around[y]
        if y in self.around[x]:
            return all(common - {v} <= self.around[v] for v in common)
        if self.max_clique is not None and len(common) + 2 > self.max_clique:
            return False
        reached, front = {x} | common, [x]
        while front:
            for v in self.around[front.pop()] - reached:
                if v == y:
                    return False
                reached.add(v)
                front.append(v)
        return True

    def _change(self, x: int, y: int, gain: float) -> None:
        start, end = sorted((self.problem.names[x], self.problem.names[y]))
        there = y in self.around[x]
        self.trace.append(TraceStep("delete" if there else "add", start, end, gain))
        self.gained += gain
        # The pairs that have other common neighbors now: x is one of y and its neighbors, and vice versa.
        changed = [(x, v) for v in self.around[y] - {x}] + [(y, v) for v in self.around[x] - {y}]
        (self.around[x].discard if there else self.around[x].add)(y)
        (self.around[y].discard if there else self.around[y].add)(x)
        self._ask(changed)


def missing(near: list[set[int]], node: int) -> list[Pair]:
    """The pairs of neighbors of a node that are not neighbors of each other."""
    members = sorted(near[node])
    return [(x, y) for i, x in enumerate(members) for y in members[i + 1 :] if y not in near[x]]
