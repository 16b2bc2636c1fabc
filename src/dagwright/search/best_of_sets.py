"""The best network that given parent sets make, by whichever method suits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, get_args

import numpy as np

from dagwright.errors import OptionError, require_a, unknown_name
from dagwright.search.branch_and_cut import BranchAndCut
from dagwright.search.candidates import CandidateSets
from dagwright.search.control import CancelToken, Control, Progress
from dagwright.search.solving import Pieces, Solution, least_regret

OnSets = Literal["auto", "dp", "astar", "ilp"]

FIRST_NODES = 300_000
"""Where a solver is installed, branch and cut takes over from A* after this many sets."""


def solve(
    sets: CandidateSets,
    *,
    method: OnSets = "auto",
    memory: int | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
) -> Solution:
    """The best network made of candidate sets, for instance those of a score file.

    Takes the parameters of `Exact` and `learn`.

    >>> from dagwright import candidates
    >>> found = solve(candidates({"rain": [0, 0, 1, 1] * 25, "wet": [0, 0, 1, 1] * 25, "coin": [0, 1] * 50}))
    >>> found.optimal, len(found.graph.edges)
    (True, 1)
    """
    require_a(CandidateSets, sets, "sets", "candidate sets, as candidates() gives them")
    if method not in get_args(OnSets):
        raise unknown_name("method", method, get_args(OnSets))
    if sets.limits is not None:
        raise OptionError(
            "candidate scoring was interrupted, so optimality cannot be proven; let it run to the end"
        )
    control = Control.of(threads, time_limit, progress, cancel)
    return best_of_sets(
        sets, control, method, memory, least_regret(sets), lambda trial: np.random.default_rng([0, trial])
    )


def best_of_sets(
    sets: CandidateSets,
    control: Control,
    method: OnSets,
    memory: int | None,
    known: Sequence[int],
    random: Callable[[int], np.random.Generator],
) -> Solution:
    """The best network, beginning with one that is known, as one candidate set per node.

    ``random`` gives the streams by which branch and cut begins its climbs.
    """
    if method == "ilp":
        return BranchAndCut(memory=memory).among(sets, control, known, random)
    solver = _branch_and_cut(memory) if method == "auto" else None
    nodes = None if solver is None else FIRST_NODES
    solved = Pieces(sets, control, method, memory, known, nodes=nodes).solve()
    if solved.out_of_memory and solver is not None:
        return solver.among(sets, control, solved.chosen, random)
    return solved


def _branch_and_cut(memory: int | None) -> BranchAndCut | None:
    """The search by linear programs; None where it has no solver."""
    search = BranchAndCut(memory=memory)
    try:
        search.installed()
    except OptionError:
        return None
    return search
