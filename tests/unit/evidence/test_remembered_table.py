"""A remembered measure of few variables keeps a table of all sets; of many, a bounded memory."""

from __future__ import annotations

import itertools

import numpy as np

from dagwright import _core


def test_both_memories_give_what_the_measure_gives() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(7, 40))
    moments = _core.SetMoments.given(40.0, [0.0] * 7, x @ x.T / 40)
    plain = _core.GaussianMeasure(moments)
    sets = [list(s) for size in range(8) for s in itertools.combinations(range(7), size)]
    expected = plain.evidence(sets, [], 1)
    order = rng.permutation(np.repeat(np.arange(len(sets)), 3))
    for mib in (256.0, 0.001):  # the table of 128 sets takes 2 KiB
        measure = _core.RememberedMeasure(_core.GaussianMeasure(moments), mib)
        for part in np.array_split(order, 5):
            found = measure.evidence([sets[i] for i in part], [], 1)
            assert np.array_equal(found.fit, expected.fit[part])
            assert np.array_equal(found.dim, expected.dim[part])
    asked = _core.RememberedMeasure(_core.GaussianMeasure(moments))
    asked.evidence([sets[i] for i in order], [], 1)
    asked.evidence([sets[i] for i in order], [], 1)
    assert asked.statistics().computed == len(sets)
