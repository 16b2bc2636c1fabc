"""Dividing a problem by an arc that is there or not, and choosing the arc that raises the bound most."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dagwright.search.integer_program.cluster_program import ClusterProgram, Floats, Mask, Numbers
from dagwright.search.integer_program.incumbent import Incumbent
from dagwright.search.integer_program.linear_programs import Basis, HighsRelaxation

UNDECIDED = (0.02, 1e-7)
"""An arc whose weight is this far from 0 and 1 can be branched on; the second where the first finds none."""
TRIALS = 10
"""Arcs of unknown effect whose two sides are tried at a node."""
TRIAL_ITERATIONS = 60
RELIABLE = 4
"""An arc tried this often is judged by what it did before (Achterberg, Koch & Martin 2005)."""
LOOK_AHEAD = 8
"""The search for an arc ends after this many that were no better."""
LEAST_RISE = 1e-6


@dataclass(frozen=True)
class Branch:
    """Which families are left in a part of the problem, and which variable is known to precede which."""

    opened: Mask
    before: Mask

    @staticmethod
    def of(program: ClusterProgram, opened: Mask, before: Mask | None = None) -> Branch | None:
        """The part with all that follows from it; None if some variable has no family left.

        A family that contradicts the order is closed; where all families of a child share a parent, that
        parent precedes the child.
        """
        opened = opened.copy()
        before = np.zeros((program.n, program.n), dtype=bool) if before is None else before.copy()
        while True:
            opened &= ~(program.parent & before[program.child]).any(axis=1)
            left = program.per_child(opened)
            if not left.all():
                return None
            certain = (program.per_child(program.parent & opened[:, None]) == left[:, None]).T & ~before
            if not certain.any():
                return Branch(opened, before)
            for tail, head in np.argwhere(certain):
                earlier, later = before[:, tail].copy(), before[head].copy()
                earlier[tail] = later[head] = True
                before |= np.outer(earlier, later)

    def with_arc(self, program: ClusterProgram, tail: int, head: int, present: bool) -> Branch | None:
        """The part in which the arc is present, or the one in which it is not."""
        opened = self.opened.copy()
        here = slice(int(program.offsets[head]), int(program.offsets[head + 1]))
        opened[here] &= program.parent[here, tail] == present
        return Branch.of(program, opened, self.before)


class ArcBranching:
    """Tries arcs on both sides (strong branching), and remembers what each did to the bound."""

    def __init__(self, program: ClusterProgram, best: Incumbent) -> None:
        self._program = program
        self._best = best
        self._rise = np.zeros((2, program.n, program.n))  # per unit of weight; side 1: the arc is present
        self._tried = np.zeros((2, program.n, program.n))

    def divide(
        self,
        relaxation: HighsRelaxation,
        part: Branch,
        weights: Floats,
        bound: float,
        stopped: Callable[[], bool],
    ) -> list[tuple[float, Branch]]:
        """Parts that hold every better network of this one, with their bounds; the most promising first.

        One part if trying showed that an arc must be there or cannot be; none if it showed neither to do.
        """
        arcs = self._program.arcs(weights)
        tails, heads, expected = self._candidates(arcs, part)
        basis = relaxation.basis()
        best_score, chosen, trials, worse = -1.0, -1, 0, 0
        sides: list[tuple[float, Branch]] | None = None
        for at in np.argsort(-np.prod(np.maximum(expected, LEAST_RISE), axis=0), kind="stable"):
            tail, head = int(tails[at]), int(heads[at])
            found: list[tuple[float, Branch]] | None = None
            rises = expected[:, at]
            if self._tried[:, tail, head].min() < RELIABLE:
                if trials == TRIALS:
                    continue
                trials += 1
                tried = [
                    self._try(relaxation, basis, part, (tail, head), arcs, bound, present)
                    for present in (False, True)
                ]
                found = [side for side in tried if side is not None]
                if len(found) < 2:
                    relaxation.set_basis(basis)
                    return found
                rises = np.array([value - bound for value, _ in found])
            score = float(np.prod(np.maximum(rises, LEAST_RISE)))
            if score > best_score:
                best_score, chosen, sides, worse = score, int(at), found, 0
            else:
                worse += 1
            if worse == LOOK_AHEAD or stopped():
                break
        relaxation.set_basis(basis)
        if sides is None:
            tail, head = int(tails[chosen]), int(heads[chosen])
            parts = [part.with_arc(self._program, tail, head, present) for present in (False, True)]
            sides = [(bound, one) for one in parts if one is not None]
        # The higher bound first: it is the sooner done with.
        return sorted(sides, key=lambda side: -side[0])

    def undecided(self, weights: Floats) -> bool:
        """Whether the weights are those of no single choice of families."""
        arcs = self._program.arcs(weights)
        return bool(((arcs > UNDECIDED[-1]) & (arcs < 1.0 - UNDECIDED[-1])).any())

    def _candidates(self, arcs: Floats, part: Branch) -> tuple[Numbers, Numbers, Floats]:
        """Arcs to choose from, and by how much each side may raise the bound."""
        for margin in UNDECIDED:
            tails, heads = np.nonzero((arcs > margin) & (arcs < 1.0 - margin))
            if len(tails):
                break
        else:
            left = self._program.per_child(part.opened)[:, None]
            having = self._program.per_child(self._program.parent & part.opened[:, None])
            heads, tails = np.nonzero((having > 0) & (having < left))
        known = self._tried > 0
        usual = self._rise[known].sum() / self._tried[known].sum() if known.any() else 1.0
        rates = np.where(known, self._rise / np.maximum(self._tried, 1.0), usual)[:, tails, heads]
        weight = arcs[tails, heads]
        return tails, heads, rates * np.stack([weight, 1.0 - weight])

    def _try(
        self,
        relaxation: HighsRelaxation,
        basis: Basis,
        part: Branch,
        arc: tuple[int, int],
        arcs: Floats,
        bound: float,
        present: bool,
    ) -> tuple[float, Branch] | None:
        """One side of an arc and its bound after some iterations; None if nothing better is in it."""
        side = part.with_arc(self._program, *arc, present)
        if side is None:
            return None
        relaxation.set_basis(basis)
        relaxation.restrict(side.opened)
        solved = relaxation.solve(iterations=TRIAL_ITERATIONS)
        if solved is None:
            return None
        value, _ = self._program.least_loss(
            *self._program.lagrangian(relaxation.rows, solved[1]), side.opened
        )
        gap = self._best.cutoff - bound
        change = 1.0 - arcs[arc] if present else arcs[arc]
        rise = min(max(value - bound, 0.0), 2.0 * gap) / max(float(change), 1e-3)
        self._rise[int(present), *arc] += rise
        self._tried[int(present), *arc] += 1
        return (max(value, bound), side) if value < self._best.cutoff and math.isfinite(value) else None
