"""Plain G2 on complete data: the test that the core can make without coming back to Python."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from dagwright import _core
from dagwright.evidence.bound import Bound
from dagwright.evidence.chi_squared import BoundChiSquared
from dagwright.evidence.counting import Counting

PairQuestion = tuple[int, int, Collection[int]]


def runs_in_core(test: Bound) -> bool:
    """Whether a test is plain G2 on complete data."""
    return isinstance(test, BoundChiSquared) and test.in_core is not None


def core_measure(test: Bound) -> _core.CountingMeasure:
    """What a test that `runs_in_core` is counted by."""
    assert isinstance(test, BoundChiSquared)
    assert test.in_core is not None
    return test.in_core


def pair_g_squares(
    test: Bound, questions: Sequence[PairQuestion]
) -> tuple[list[float], list[float], list[float]]:
    """G2, degrees of freedom and log p of questions about pairs, by a test that `runs_in_core`."""
    assert isinstance(test.data, Counting)
    triples = [((x,), (y,), given) for x, y, given in questions]
    statistic, df, log_p = _core.g_squares(core_measure(test), triples, test.data.threads)
    return statistic, df, log_p
