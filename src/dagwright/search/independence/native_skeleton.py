"""The order-independent skeleton in the core, for the tests that are made there."""

from __future__ import annotations

import numpy as np

from dagwright import _core
from dagwright.evidence.bound import NativeTest
from dagwright.search.control import Control, stopped_by
from dagwright.search.independence.edge_levels import EdgeLevels
from dagwright.search.independence.link_law import LinkLaw
from dagwright.search.independence.skeleton import Asker, Skeleton, stable_skeleton
from dagwright.search.independence.stored_separations import StoredSeparations


def native_skeleton(asker: Asker, law: LinkLaw, control: Control, max_size: int | None) -> Skeleton:
    """What `stable_skeleton` finds, by the same questions, for a `NativeTest`."""
    test = asker.test
    assert isinstance(test, NativeTest)
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
        test.native_test,
        linked,
        fixed,
        useful,
        max_size,
        isinstance(asker, EdgeLevels),
        control.threads,
        control.seconds_left(),
        control.progress,
        cancel=control.cancel,
    )
    asker.asked.update({size: count for size, count in enumerate(answer.asked) if count})
    if isinstance(asker, EdgeLevels):
        asker.alone.update(StoredSeparations(test, law.n, answer.alone))
        asker.largest.update(StoredSeparations(test, law.n, answer.largest))
    separated = StoredSeparations(test, law.n, answer.separated)
    return Skeleton(answer.around, separated, stopped_by(answer.stopped))


def order_independent_skeleton(
    asker: Asker, law: LinkLaw, control: Control, max_size: int | None, *, on_paths: bool = False
) -> Skeleton:
    """The stable form: in the core where the test can run there, else in Python."""
    if isinstance(asker.test, NativeTest) and not on_paths:
        return native_skeleton(asker, law, control, max_size)
    return stable_skeleton(asker, law, control, max_size, on_paths=on_paths)
