"""Step-up procedures, against their definition."""

from __future__ import annotations

import numpy as np
import pytest

import dagwright as dw

# Benjamini & Hochberg 1995, section 3.2: fifteen p-values; four are rejected at 0.05, Bonferroni's three.
THROMBOLYSIS = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
    *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000),
]


def test_the_example_of_benjamini_and_hochberg() -> None:
    assert sum(dw.BenjaminiHochberg(0.05).rejected(THROMBOLYSIS)) == 4
    assert sum(dw.BenjaminiYekutieli(0.05).rejected(THROMBOLYSIS)) == 3


@pytest.mark.parametrize("seed", range(5))
def test_the_largest_rank_below_its_line_decides(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = rng.random(30) ** 3
    for fdr, caution in (
        (dw.BenjaminiHochberg(0.1), 1.0),
        (dw.BenjaminiYekutieli(0.1), np.sum(1 / np.arange(1, 31))),
    ):
        ranked = np.sort(p)
        below = np.flatnonzero(ranked <= 0.1 * np.arange(1, 31) / (30 * caution))
        assert sum(fdr.rejected(p.tolist())) == (below[-1] + 1 if len(below) else 0)


def test_nothing_and_ties() -> None:
    assert dw.BenjaminiHochberg(0.05).rejected([]) == []
    assert dw.BenjaminiHochberg(0.05).rejected([0.03, 0.03, 0.9]) == [True, True, False]
