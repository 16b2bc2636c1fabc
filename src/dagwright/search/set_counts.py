"""How many parent sets a problem has, counted without listing them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

from dagwright.search.problem import Problem

LONGEST_COUNT = 10**15
"""Larger numbers are given as powers of ten in messages."""


def all_sets(problem: Problem, max_parents: int | None) -> Iterator[int]:
    """For every node, how many parent sets knowledge and the bounds allow."""
    native = problem.knowledge.native
    required = Counter(head for _, head in problem.knowledge.required_arcs)
    for child, name in enumerate(problem.names):
        free = len(native.allowed_parents(child)) - required[name]
        bounds = [most for most in (max_parents, native.max_parents(child)) if most is not None]
        yield subsets(free, min([free, *(bound - required[name] for bound in bounds)]))


@lru_cache(maxsize=1024)
def subsets(n: int, most: int) -> int:
    """The number of subsets of n elements with at most this many members.

    >>> subsets(5, 2), subsets(5, 9), subsets(5, -1)
    (16, 32, 0)
    """
    if most < 0:
        return 0
    if most >= n:
        return 1 << n
    return sum(accumulate(range(most), lambda count, size: count * (n - size) // (size + 1), initial=1))


def sets_within(problem: Problem, max_parents: int | None, budget: int) -> int | None:
    """How many parent sets all nodes have together; None if there are more than the budget."""
    total = 0
    for count in all_sets(problem, max_parents):
        total += count
        if total > budget:
            return None
    return total


def count_in_words(count: int) -> str:
    """A number for a sentence.

    >>> count_in_words(1200), count_in_words(2**5000)
    ('1,200', 'more than 10^1505')
    """
    return f"{count:,}" if count < LONGEST_COUNT else f"more than 10^{int(math.log10(count))}"


def gib_in_words(size: int) -> str:
    """So many bytes in GiB, for a sentence.

    >>> gib_in_words(3 * 2**29), gib_in_words(2**5000)
    ('1.5', 'more than 10^1496')
    """
    return f"{size / 2**30:,.3g}" if size < LONGEST_COUNT * 2**30 else count_in_words(size >> 30)
