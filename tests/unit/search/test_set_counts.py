"""Parent sets are counted at once, also for thousands of columns."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

import dagwright as dw
from dagwright.search.candidates import refuse_unbounded
from dagwright.search.problem import Problem
from dagwright.search.set_counts import all_sets, count_in_words, sets_within, subsets


def problem(n: int, score: object, knowledge: dw.Knowledge | None = None) -> Problem:
    """Columns without a canonical order, which would take most of the time."""
    codes = np.random.default_rng(0).integers(0, 2, (20, n))
    names = [f"v{at}" for at in range(n)]
    table = dw.Table(names, list(codes.T), [[0, 1]] * n)
    law = (knowledge or dw.Knowledge()).resolve(names)
    return Problem(table.names, score.on(table), law, np.random.SeedSequence(0))  # type: ignore[attr-defined]


def test_subsets_are_sums_of_binomials() -> None:
    for n in range(9):
        for most in range(-2, 11):
            assert subsets(n, most) == sum(math.comb(n, size) for size in range(min(most, n) + 1))


def test_counts_stop_at_the_budget() -> None:
    small = problem(6, dw.BIC(), dw.Knowledge(required=["v0 -> v1"], max_parents={"v2": 1}))
    counts = list(all_sets(small, 3))
    assert counts == [subsets(4, 3), subsets(4, 2), subsets(5, 1), *[subsets(5, 3)] * 3]
    assert sets_within(small, 3, sum(counts)) == sum(counts)
    assert sets_within(small, 3, sum(counts) - 1) is None


@pytest.mark.parametrize("n", [1000, 3000])
def test_the_default_chooses_at_once_for_many_columns(n: int) -> None:
    wide = problem(n, dw.BIC())
    began = time.monotonic()
    search, _ = dw.Auto().choose(wide)
    assert isinstance(search, dw.OrderSearch)
    search, _ = dw.Auto(max_parents=n // 2).choose(wide)
    assert isinstance(search, dw.OrderSearch)
    assert time.monotonic() - began < 5.0


def test_numbers_too_large_for_a_float_are_put_in_words() -> None:
    assert count_in_words(2**20000) == "more than 10^6020"
    with pytest.raises(dw.CapacityError, match=r"more than 10\^36\d parent sets without a parent bound"):
        refuse_unbounded(problem(1200, dw.LogLik()), None, 2**32)


def test_a_forecast_for_many_columns() -> None:
    codes = np.random.default_rng(0).integers(0, 2, (5, 1100))
    rows = dw.Table([f"v{at}" for at in range(1100)], list(codes.T), [[0, 1]] * 1100)
    assert "more than 10^300" in str(dw.forecast(rows, search=dw.Exact(), score=dw.LogLik()))
