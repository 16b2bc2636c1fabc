"""The order-independent skeleton in the core, for the tests that the core can make."""

from __future__ import annotations

import numpy as np

from dagwright import _core
from dagwright.evidence.bound import Bound
from dagwright.evidence.chi_squared import BoundChiSquared
from dagwright.evidence.counting import Counting, NativeMeasure
from dagwright.evidence.statistics import LikelihoodRatio
from dagwright.search.control import Control
from dagwright.search.link_law import LinkLaw
from dagwright.search.skeleton import Asker, Skeleton, stable_skeleton
from dagwright.search.stored_separations import StoredSeparations


def runs_in_core(test: Bound) -> bool:
    """Whether a test is plain G2 on complete data."""
    return (
        isinstance(test, BoundChiSquared)
        and isinstance(test.statistic, LikelihoodRatio)
        and test.statistic.counting is None
        and isinstance(test.statistic.measure, NativeMeasure)
        and isinstance(test.data, Counting)
        and not test.data.incomplete
    )


def native_skeleton(asker: Asker, law: LinkLaw, control: Control, max_size: int | None) -> Skeleton:
    """What `stable_skeleton` finds, by the same questions, for a test that `runs_in_core`."""
    test = asker.test
    assert isinstance(test, BoundChiSquared)
    assert isinstance(test.statistic, LikelihoodRatio)
    assert isinstance(test.statistic.measure, NativeMeasure)
    native = test.statistic.measure.native
    assert isinstance(native, _core.CountingMeasure)
    forbidden, fixed = np.zeros((2, law.n, law.n), dtype=np.bool_)
    for x, y in law.forbidden:
        forbidden[x, y] = True
    linked = ~(forbidden & forbidden.T)
    for x, y in law.required:
        fixed[x, y] = fixed[y, x] = True
    useful = np.ones((law.n, law.n), dtype=np.bool_)
    for x, ancestors in enumerate(law.ancestors or ()):
        useful[x] = False
        useful[x, sorted(ancestors)] = True
    answer = _core.stable_skeleton(
        native,
        linked,
        fixed,
        useful,
        test.alpha,
        test.least or 0.0,
        max_size,
        control.threads,
        control.seconds_left(),
        control.progress,
    )
    asker.asked.update({size: count for size, count in enumerate(answer["asked"]) if count})
    return Skeleton(answer["around"], StoredSeparations(test, answer), answer["stopped"] or None)


def order_independent_skeleton(
    asker: Asker, law: LinkLaw, control: Control, max_size: int | None, *, on_paths: bool = False
) -> Skeleton:
    """The stable form: in the core where the test can run there, else in Python."""
    if runs_in_core(asker.test) and not on_paths:
        return native_skeleton(asker, law, control, max_size)
    return stable_skeleton(asker, law, control, max_size, on_paths=on_paths)
