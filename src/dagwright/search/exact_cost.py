"""The cost of exact searches: parent sets, dynamic programming, enumeration."""

from __future__ import annotations

import math

from dagwright import _core
from dagwright.base.memory import budget
from dagwright.evidence.bound import BoundCriterion
from dagwright.evidence.protocols import Family
from dagwright.graph.counting import count_dags
from dagwright.search.candidates import BYTES_PER_SET
from dagwright.search.costs import Cost
from dagwright.search.enumeration import LARGEST_ENUMERATED
from dagwright.search.problem import Problem
from dagwright.search.set_counts import all_sets, count_in_words
from dagwright.search.solving import BYTES_PER_SUBSET, QUICK_SUBSETS

SUBSET_SECONDS = 1e-9
"""Dynamic programming, for one variable and one subset on one thread."""

COUNTED_SET_SECONDS = 5e-10
"""A table of all sets of variables, for one set and one row on one thread."""

MEASURED_SET_SECONDS = 1e-6
"""The same for one set of columns of numbers, whatever the number of rows, with the scoring of its families
where columns nearly determine each other."""

NETWORK_SECONDS = 1e-7
"""One network of an enumeration."""

LARGEST_COUNT = 10**300
"""Counts stop here, so that they fit into a float."""


def counts_cells(problem: Problem) -> bool:
    """Whether the score counts cells: columns of numbers have no states."""
    return 0 not in problem.score.cardinalities


def table_seconds(problem: Problem) -> float:
    """How long a table of all sets of variables takes on one thread."""
    a_set = COUNTED_SET_SECONDS * problem.score.N if counts_cells(problem) else MEASURED_SET_SECONDS
    return 2.0 ** len(problem.names) * a_set


def exact_cost(problem: Problem, method: str, max_parents: int | None, memory: int | None) -> Cost:
    """Scoring the parent sets that a best network can need, then the solver."""
    if method == "exhaustive":
        return _every_network(problem, max_parents)
    n = len(problem.names)
    total = min(sum(all_sets(problem, max_parents)), LARGEST_COUNT)
    needed = min(sum(_needed_sets(problem, max_parents)), LARGEST_COUNT)
    basis = (
        f"all {count_in_words(total)} parent sets"
        if needed == total
        else f"{count_in_words(needed)} of {count_in_words(total)} parent sets, by the penalty"
    )
    space = budget(memory)
    sets: float = min(needed * BYTES_PER_SET, space)
    table = _core.table_bytes(problem.score.native, problem.knowledge.native)
    one_by_one, seconds = float(needed), 0.0
    first = 5.0 * n * n  # hill climbing, for a network to begin with
    if table <= space and needed > max(2**n, 4096):
        # Some are scored one by one before the table turns out to be worth while; it has them all again.
        one_by_one, sets = float(_core.walked_before_table(n)), table
        needed = 2 * total
        seconds = table_seconds(problem) + 2**n * SUBSET_SECONDS * n
        basis += f"; 6 * 2^{n} bytes for a table of all sets"
    if method == "dp" or (method == "auto" and n <= QUICK_SUBSETS):
        subsets = min(2**n, LARGEST_COUNT)
        if BYTES_PER_SUBSET * subsets > space:
            basis += f"; refused if all {n} variables can be in cycles together"
        return Cost(
            needed + first,
            max(sets, BYTES_PER_SUBSET * subsets),
            seconds + SUBSET_SECONDS * n * subsets,
            basis=f"hill climbing; {basis}; 8 * 2^{n} bytes for dynamic programming",
            one_by_one=one_by_one + first,
        )
    return Cost(
        needed,
        space,
        seconds,
        upper=False,
        basis=f"{basis}; {space / 2**30:.3g} GiB may be used; no bound on the time is known",
        one_by_one=one_by_one,
    )


def _every_network(problem: Problem, max_parents: int | None) -> Cost:
    n = len(problem.names)
    families = sum(all_sets(problem, max_parents))
    if n > LARGEST_ENUMERATED:
        basis = f"refused: an enumeration takes up to {LARGEST_ENUMERATED} variables"
        return Cost(families, families * BYTES_PER_SET, math.inf, basis=basis)
    networks = count_dags(n)
    return Cost(
        families,
        families * BYTES_PER_SET,
        NETWORK_SECONDS * networks,
        basis=f"all {families:,} parent sets, up to {networks:,} networks",
    )


def _needed_sets(problem: Problem, max_parents: int | None) -> list[int]:
    """For every variable the parent sets whose penalty alone does not put them below the empty set."""
    every = list(all_sets(problem, max_parents))
    score = problem.score
    penalty = score.penalty if isinstance(score, BoundCriterion) else 0.0
    if penalty <= 0 or not counts_cells(problem):  # the fit of numbers has no bound at zero
        return every
    n = len(problem.names)
    empty = score.local([Family(child, frozenset()) for child in range(n)])
    needed = []
    for child, most in enumerate(every):
        others = sorted(max(r, 1) for v, r in enumerate(score.cardinalities) if v != child)
        price, count, size = penalty * (score.cardinalities[child] - 1), 0, 0
        while size <= len(others) and price < -empty[child]:
            count += math.comb(n - 1, size)
            price *= others[size] if size < len(others) else 2
            size += 1
        needed.append(min(most, max(count, 1)))
    return needed
