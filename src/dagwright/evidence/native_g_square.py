"""Plain G2 on complete data: the test that the core can make without coming back to Python."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

from dagwright import _core
from dagwright.evidence.bound import Bound
from dagwright.evidence.chi_squared import BoundChiSquared
from dagwright.evidence.counting import Counting

Floats = npt.NDArray[np.float64]
PairQuestion = tuple[int, int, Collection[int]]


def runs_in_core(test: Bound) -> bool:
    """Whether a test is plain G2 on complete data."""
    return isinstance(test, BoundChiSquared) and test.in_core is not None


def core_measure(test: Bound) -> _core.CountingMeasure:
    """What a test that `runs_in_core` is counted by."""
    assert isinstance(test, BoundChiSquared)
    assert test.in_core is not None
    return test.in_core


def pair_statistics(test: Bound, questions: Sequence[PairQuestion]) -> tuple[Floats, Floats]:
    """G2 and degrees of freedom of questions about pairs, by a test that `runs_in_core`."""
    assert isinstance(test.data, Counting)
    fit, df = _core.pair_interactions(
        core_measure(test),
        [x for x, _, _ in questions],
        [y for _, y, _ in questions],
        [list(given) for _, _, given in questions],
        test.data.threads,
    )
    return 2.0 * np.maximum(fit, 0.0), df
