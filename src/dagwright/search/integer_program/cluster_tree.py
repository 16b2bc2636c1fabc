"""Branch and bound over arcs, with the relaxation of the cluster program as bound."""

from __future__ import annotations

import heapq
import itertools
import threading
from dataclasses import dataclass, field

import numpy as np

from dagwright.search.control import Control
from dagwright.search.integer_program.arc_branching import ArcBranching, Branch
from dagwright.search.integer_program.cluster_program import ClusterProgram
from dagwright.search.integer_program.cluster_root import Root, most_rows
from dagwright.search.integer_program.incumbent import Incumbent
from dagwright.search.integer_program.linear_programs import Basis, HighsRelaxation

LEAST_VIOLATION = 0.02
CUTS = 20
ROUNDS = 12
FREE_ROUNDS = 3
WORTHWHILE = 0.02
"""After the free rounds cutting goes on while a round closes this part of the gap."""
POLL = 0.05


@dataclass(order=True)
class Node:
    """A part of the problem that is still open; no network in it has less loss than ``bound``."""

    bound: float
    number: int
    part: Branch = field(compare=False)
    basis: Basis | None = field(compare=False, default=None)


class Tree:
    """The open parts, least bound first, shared by the threads that work on them.

    A thread goes on with one side of the part that it divided, where its relaxation is warm, and leaves the
    other for later. Only networks better than the incumbent by more than the tolerance are looked for.
    """

    def __init__(
        self,
        program: ClusterProgram,
        root: Root,
        best: Incumbent,
        control: Control,
        most_nodes: int | None = None,
    ) -> None:
        self.nodes = 0
        self._most_nodes = most_nodes
        self._program = program
        self._root = root
        self._best = best
        self._control = control
        self._branching = ArcBranching(program, best)
        self._numbers = itertools.count()
        self._ready = threading.Condition()
        self._open: list[Node] = []
        self._active: dict[int, float] = {}
        self._stop = False
        self._failure: Exception | None = None
        whole = Branch.of(program, root.opened)
        if whole is not None:
            self._open.append(Node(best.bound, next(self._numbers), whole))

    def search(self) -> None:
        """Work until nothing is open or the time is up; on Ctrl-C the threads are ended first."""
        workers = [threading.Thread(target=self._work, daemon=True) for _ in range(self._control.threads)]
        for worker in workers:
            worker.start()
        try:
            while any(worker.is_alive() for worker in workers) and self._control.stopped() is None:
                self._best.report(self._control, "branching", self.nodes, "nodes")
                self._raise_bound()
                with self._ready:
                    self._ready.wait(POLL)
        finally:
            self._stop = True
            for worker in workers:
                worker.join()
            self._raise_bound()
        if self._failure is not None:
            raise self._failure

    def _raise_bound(self) -> None:
        with self._ready:
            bounds = [self._best.cutoff, *self._active.values(), *(node.bound for node in self._open[:1])]
        self._best.raise_bound(min(bounds))

    def _stopped(self) -> bool:
        return self._stop

    def _next(self, me: int) -> Node | None:
        with self._ready:
            while not self._open and self._active and not self._stop:
                self._ready.wait(POLL)
            if not self._open or self._stop:
                return None
            node = heapq.heappop(self._open)
            self._active[me] = node.bound
            return node

    def _settle(self, me: int, nodes: list[Node], go_on: bool) -> Node | None:
        """Put down what is left of a node, and take up the first of it if there is time."""
        with self._ready:
            kept = nodes.pop(0) if nodes and go_on else None
            for node in nodes:
                heapq.heappush(self._open, node)
            if kept is None:
                self._active.pop(me, None)
            else:
                self._active[me] = kept.bound
            self._ready.notify_all()
            return kept

    def _work(self) -> None:
        me = threading.get_ident()
        try:
            relaxation = HighsRelaxation(self._program, self._root.opened)
            relaxation.add(self._root.rows)
            while (node := self._next(me)) is not None:
                self._tidy(relaxation)
                if node.basis is not None:
                    relaxation.set_basis(node.basis)
                kept: Node | None = node
                while kept is not None:
                    left = self._divided(relaxation, kept)
                    kept = self._settle(me, left, go_on=not self._stop)
        except Exception as problem:  # raised again by whoever waits for the threads
            self._failure, self._stop = problem, True

    def _tidy(self, relaxation: HighsRelaxation) -> None:
        """Begin anew with the rows of the root where too many have gathered."""
        if len(relaxation.rows) > 2 * most_rows(self._program):
            gone = np.ones(len(relaxation.rows), dtype=bool)
            gone[: len(self._root.rows)] = False
            relaxation.drop(gone)

    def _divided(self, relaxation: HighsRelaxation, node: Node) -> list[Node]:
        """The rest of a node: nothing, one smaller part, or two."""
        program, best = self._program, self._best
        if node.bound >= best.cutoff:
            return []
        if self._most_nodes is not None and self.nodes >= self._most_nodes:
            self._stop = True
            return [node]
        self.nodes += 1
        part, bound = node.part, node.bound
        for round_number in range(ROUNDS):
            relaxation.restrict(part.opened)
            solved = relaxation.solve(seconds=self._control.seconds_left())
            if solved is None:
                return []
            weights, duals = solved
            value, rise = program.least_loss(*program.lagrangian(relaxation.rows, duals), part.opened)
            gap = best.cutoff - value
            gained, bound = value - bound, max(value, bound)
            if gap <= 0.0:
                return []
            smaller = Branch.of(program, part.opened & (rise <= gap), part.before)
            if smaller is None:
                return []
            part = smaller
            node = Node(bound, node.number, part)
            rows = program.separate(weights, least=LEAST_VIOLATION, most=CUTS)
            if self._stop:
                return [node]
            if not rows or (round_number >= FREE_ROUNDS and gained < WORTHWHILE * gap):
                break
            relaxation.add(rows)
        best.offer_near(weights)
        if np.count_nonzero(part.opened) == program.n:  # one network is left
            only = np.flatnonzero(part.opened)
            if program.joined(only):
                best.offer(only)
            return []
        if bound >= best.cutoff:
            return []
        if rows and not self._branching.undecided(weights):
            relaxation.add(rows)
            return [node]
        sides = self._branching.divide(relaxation, part, weights, bound, self._stopped)
        basis = relaxation.basis()
        return [
            Node(value, next(self._numbers), side, basis if later else None)
            for later, (value, side) in enumerate(sides)
        ]
