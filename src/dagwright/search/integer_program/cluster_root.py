"""The relaxation at the root: rounds of solving, cutting and closing families that cannot matter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dagwright.search.control import Control
from dagwright.search.integer_program.cluster_program import ClusterProgram, Mask, Row
from dagwright.search.integer_program.incumbent import Incumbent
from dagwright.search.integer_program.linear_programs import Relaxation

LEAST_VIOLATION = 1e-3
PATIENCE = 10
STALLED = 2e-3
"""After this many rounds that each closed less than this part of the gap, branching is the better choice."""
ROUNDS_PER_NETWORK = 5
SLACK = 1e-9
"""Multipliers below this belong to rows that hold by themselves."""


@dataclass(frozen=True)
class Root:
    """The root of the branching: families that a better network can have, and the tight constraints."""

    opened: Mask
    rows: list[Row]
    rounds: int
    cuts: int


def tighten(
    program: ClusterProgram,
    relax: Callable[[ClusterProgram, Mask], Relaxation],
    best: Incumbent,
    control: Control,
) -> Root:
    """Raise the bound by cutting planes until it is proven, nothing is violated, or it stalls.

    A family whose reduced loss is above the gap is in no better network and is closed (reduced-cost fixing).
    """
    opened = program.possible.copy()
    relaxation = relax(program, opened)
    tight: list[Row] = []
    stalled = rounds = cuts = 0
    while not best.proven() and stalled <= PATIENCE and control.stopped() is None:
        solved = relaxation.solve(seconds=control.seconds_left())
        if solved is None:
            break
        weights, duals = solved
        rounds += 1
        if rounds % ROUNDS_PER_NETWORK == 0:
            best.offer_near(weights)
        bound, rise = program.least_loss(*program.lagrangian(relaxation.rows, duals), opened)
        gap = best.cutoff - bound
        stalled = 0 if bound - best.bound > STALLED * gap else stalled + 1
        best.raise_bound(bound)
        best.report(control, "cutting planes", rounds, "rounds")
        opened &= rise <= gap
        tight = [row for row, dual in zip(relaxation.rows, duals, strict=True) if abs(dual) > SLACK]
        found = program.separate(weights, least=LEAST_VIOLATION, most=max(60, program.n))
        if not found:
            best.offer_near(weights)
            break
        cuts += len(found)
        if 2 * np.count_nonzero(opened) < len(relaxation.columns) or len(relaxation.rows) > most_rows(
            program
        ):
            relaxation = relax(program, opened)
            relaxation.add(tight)
        else:
            relaxation.restrict(opened)
        relaxation.add(found)
    return Root(opened, tight, rounds, cuts)


def most_rows(program: ClusterProgram) -> int:
    """With more rows than this, those that are slack only slow the solver down."""
    return 500 + 20 * program.n
