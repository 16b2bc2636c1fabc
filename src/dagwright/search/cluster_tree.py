"""Branch and bound over arcs, with the relaxation of the cluster program as bound."""

from __future__ import annotations

import heapq
import itertools
import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dagwright.search.cluster_program import ClusterProgram, Floats, Mask, Numbers, Row
from dagwright.search.linear_programs import HighsProgram

FRACTION = 1e-6


@dataclass(order=True)
class Node:
    """A part of the problem: which families are left, and which variable is known to precede which."""

    bound: float
    number: int
    opened: Mask = field(compare=False)
    before: Mask = field(compare=False)
    depth: int = field(compare=False, default=0)
    basis: Any = field(compare=False, default=None)


def consistent(program: ClusterProgram, opened: Mask, before: Mask) -> bool:
    """Close families that contradict the order so far, and read new order off families that all have an arc.

    Both arrays are changed in place. False if a variable has no family left.
    """
    while True:
        opened &= ~(program.parent & before[program.child]).any(axis=1)
        counts = np.add.reduceat(opened, program.offsets[:-1], dtype=np.int64)
        if not counts.all():
            return False
        certain = np.add.reduceat(program.parent & opened[:, None], program.offsets[:-1], axis=0, dtype=np.int64)
        arcs = (certain == counts[:, None]).T & ~before
        if not arcs.any():
            return True
        for tail, head in np.argwhere(arcs):
            precede(before, int(tail), int(head))


def precede(before: Mask, first: int, second: int) -> None:
    """Note that ``first`` comes before ``second``, with all that follows."""
    earlier = before[:, first].copy()
    earlier[first] = True
    later = before[second].copy()
    later[second] = True
    before |= np.outer(earlier, later)


class PseudoCosts:
    """What fixing an arc raised the bound by, per unit of change, over the branchings so far."""

    def __init__(self, n: int) -> None:
        self.total = np.zeros((2, n, n))
        self.count = np.zeros((2, n, n))

    def learn(self, present: int, tail: int, head: int, rise: float, change: float) -> None:
        self.total[present, tail, head] += rise / max(change, 1e-3)
        self.count[present, tail, head] += 1

    def rates(self) -> Floats:
        seen = self.count > 0
        mean = self.total[seen].sum() / self.count[seen].sum() if seen.any() else 1.0
        return np.where(seen, self.total / np.maximum(self.count, 1), mean)


class Tree:
    def __init__(self, program: ClusterProgram, opened: Mask, rows: list[Row], cutoff: float, tolerance: float) -> None:
        self.program = program
        self.opened = opened
        self.rows = rows
        self.cutoff = cutoff
        self.tolerance = tolerance
        self.heap: list[Node] = []
        self.active: dict[int, float] = {}
        self.lock = threading.Condition()
        self.stop = False
        self.nodes = 0
        self.numbers = itertools.count()
        self.costs = PseudoCosts(program.n)
        self.incumbent: Numbers | None = None
        self.links = [tuple()]
        before = np.zeros((program.n, program.n), dtype=bool)
        opened = opened.copy()
        if consistent(program, opened, before):
            self.heap.append(Node(0.0, next(self.numbers), opened, before))

    def bound(self) -> float:
        with self.lock:
            bounds = [node.bound for node in self.heap] + list(self.active.values())
        return min([self.cutoff, *bounds])

    def work(self) -> None:
        lp = HighsProgram(self.program, self.opened)
        lp.add(self.rows)
        me = threading.get_ident()
        node: Node | None = None
        while not self.stop:
            with self.lock:
                if node is None:
                    while not self.heap and self.active and not self.stop:
                        self.lock.wait(0.05)
                    if not self.heap:
                        if not self.active: return
                        continue
                    node = heapq.heappop(self.heap)
                    if node.basis is not None:
                        self.tidy(lp)
                        b = node.basis
                        if len(b.row_status) == len(lp.rows) + self.program.n: lp.set_basis(b)
                        node.basis = None
                self.active[me] = node.bound
                self.nodes += 1
            children = self.expand(lp, node) if node.bound < self.cutoff - self.tolerance else []
            with self.lock:
                if children:
                    node, *others = children
                    for other in others: heapq.heappush(self.heap, other)
                    self.active[me] = node.bound
                else:
                    node = None
                    self.active.pop(me, None)
                self.lock.notify_all()

    def tidy(self, lp: HighsProgram) -> None:
        if len(lp.rows) > self.most_rows and self.slack is not None and len(self.slack) == len(lp.rows):
            pass

    most_rows = 10**9
    slack = None

    def expand(self, lp: HighsProgram, node: Node) -> list[Node]:
        program = self.program
        opened = node.opened
        bound = node.bound
        for cutting in range(12):
            lp.restrict(opened)
            solved = lp.solve()
            if solved is None: return []
            weights, duals = solved
            reduced, constant = program.lagrangian(lp.rows, duals)
            value, above = program.least_loss(reduced, constant, opened)
            gained = value - bound
            bound = max(bound, value)
            gap = self.cutoff - self.tolerance - value
            if gap <= 0: return []
            keep = opened & (above <= gap)
            if keep.sum() < opened.sum():
                opened = keep.copy()
                if not consistent(program, opened, node.before): return []
            rows = program.separate(weights, least=0.02 if node.depth else 1e-3, most=20)
            if not rows: break
            if cutting >= 3 and gained < 0.02 * gap: break
            lp.add(rows)
        node.bound = bound; node.opened = opened
        whole = weights[opened] 
        arcs = np.add.reduceat(program.parent * weights[:, None], program.offsets[:-1], axis=0).T
        if not ((whole > FRACTION) & (whole < 1 - FRACTION)).any():
            rows = program.separate(weights, least=0.5, most=5)
            if rows:
                lp.add(rows); return [node]
            chosen = np.array([int(program.offsets[v] + np.argmax(weights[program.offsets[v]:program.offsets[v+1]])) for v in range(program.n)])
            with self.lock:
                loss = float(program.loss[chosen].sum())
                if loss < self.cutoff: self.cutoff = loss; self.incumbent = chosen
            return []
        return self.branch(lp, node, arcs, bound)

    def child(self, node: Node, tail: int, head: int, present: bool) -> Node | None:
        program = self.program
        opened = node.opened.copy(); before = node.before.copy()
        here = slice(int(program.offsets[head]), int(program.offsets[head + 1]))
        has = program.parent[here, tail]
        opened[here] &= has if present else ~has
        if present: precede(before, tail, head)
        if not consistent(program, opened, before): return None
        return Node(node.bound, next(self.numbers), opened, before, node.depth + 1)

    def branch(self, lp: HighsProgram, node: Node, arcs: Floats, bound: float) -> list[Node]:
        open_arcs = np.argwhere((arcs > 0.02) & (arcs < 0.98))
        if not len(open_arcs): open_arcs = np.argwhere((arcs > 1e-7) & (arcs < 1-1e-7))
        rates = self.costs.rates()
        value = arcs[open_arcs[:,0], open_arcs[:,1]]
        up = rates[1][open_arcs[:,0], open_arcs[:,1]] * (1 - value); down = rates[0][open_arcs[:,0], open_arcs[:,1]] * value
        guess = np.maximum(up, 1e-6) * np.maximum(down, 1e-6)
        order = np.argsort(-guess, kind="stable")[: 200]
        basis = lp.basis()
        best=None; best_score=-1.0; since=0; tested=0
        for at in order:
            tail, head = map(int, open_arcs[at])
            known = self.costs.count[:, tail, head].min()
            if known >= 4 :
                rises = (up[at], down[at]); kids = None
            else:
                if tested >= 10: continue
                tested += 1
                kids=[]; rises=[]
                for present in (True, False):
                    kid = self.child(node, tail, head, present)
                    rise = np.inf
                    if kid is not None:
                        lp.set_basis(basis)
                        lp.restrict(kid.opened)
                        solved = lp.solve(60)
                        if solved is not None:
                            reduced, constant = self.program.lagrangian(lp.rows, solved[1])
                            v, above = self.program.least_loss(reduced, constant, kid.opened)
                            rise = max(v - bound, 0.0)
                            kid.bound = max(v, bound)
                            self.costs.learn(int(present), tail, head, min(rise, 2*(self.cutoff-bound)), (1 - arcs[tail,head]) if present else arcs[tail,head])
                            if v >= self.cutoff - self.tolerance: rise = np.inf; 
                    if rise == np.inf: kid=None
                    kids.append(kid); rises.append(rise)
                if rises[0]==np.inf and rises[1]==np.inf: return []
                if rises[0]==np.inf or rises[1]==np.inf:
                    kid = kids[0] or kids[1]
                    kid.depth = node.depth
                    lp.set_basis(basis)
                    return [kid]
            score = max(rises[0],1e-6)*max(rises[1],1e-6)
            if score > best_score: best_score=score; best=(tail,head,kids); since=0
            else: since+=1
            if since>=8: break
        tail, head, kids = best
        if kids is None: kids=[self.child(node,tail,head,p) for p in (True,False)]
        kids=[k for k in kids if k is not None]
        kids.sort(key=lambda k: -k.bound)   # the harder one to fail first is dived into
        for k in kids[1:]: k.basis=basis
        lp.set_basis(basis)
        return kids
