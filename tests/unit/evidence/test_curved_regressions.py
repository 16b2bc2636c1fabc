"""Tests of numbers with polynomials: the level, the power, missing values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import dagwright as dw
from dagwright.graph.query import Query, Verdict

TEST = dw.LikelihoodRatio(0.05, measure=dw.Embedded(degree=3))


def asked(columns: dict[str, object], x: str, y: str, *given: str) -> Verdict:
    return TEST.on(dw.read(columns)).test([Query(x, y, given)])[0]


def test_a_true_independence_given_a_common_cause_is_rejected_at_the_level() -> None:
    # 2,000 questions: a share of 0.05 has a standard error of 0.005.
    rng = np.random.default_rng(1)
    rejected = 0
    for _ in range(80):
        z = rng.normal(size=200)
        columns = {"z": z} | {f"v{i:02}": z + rng.normal(size=200) for i in range(50)}
        queries = [Query(f"v{i:02}", f"v{i + 25:02}", ["z"]) for i in range(25)]
        rejected += sum(not one.independent for one in TEST.on(dw.read(columns)).test(queries))
    assert 0.03 <= rejected / 2000 <= 0.065


def test_a_curved_dependence_is_found_in_both_directions_with_one_answer() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=300)
    columns = {"x": x, "y": x**2 + rng.normal(size=300)}
    one, other = asked(columns, "x", "y"), asked(columns, "y", "x")
    assert not one.independent
    assert one.p_value == pytest.approx(other.p_value)
    assert dw.StudentT(0.05).on(dw.read(columns)).test([Query("x", "y")])[0].p_value > 1e-6
    assert one.p_value is not None
    assert one.p_value < 1e-20


def test_states_take_part_and_a_search_uses_the_test() -> None:
    rng = np.random.default_rng(3)
    z = rng.normal(size=800)
    far = z**2 + rng.normal(size=800) > 1.0
    columns = {"s": np.where(far, "far", "near").tolist(), "z": z, "x": z + rng.normal(size=800)}
    assert not asked(columns, "s", "z").independent
    found = dw.learn(columns, search=dw.PC(test=replace(TEST, alpha=0.001)))
    assert found.graph.skeleton().edges == dw.Dag(["s", "x", "z"], [("z", "s"), ("z", "x")]).skeleton().edges


def test_missing_values_leave_out_their_rows() -> None:
    rng = np.random.default_rng(4)
    z = rng.normal(size=300)
    x, y = z + rng.normal(size=300), z + rng.normal(size=300)
    known = np.arange(300) >= 40
    # The ends of the range stay, so that both have the same polynomials.
    x[-1], x[-2] = x.min() - 1.0, x.max() + 1.0
    whole = {"x": x[known], "y": y[known], "z": z[known]}
    gaps = {"x": np.where(known, x, np.nan), "y": y, "z": z}
    for query in (("x", "y"), ("x", "z"), ("x", "y", "z")):
        assert asked(gaps, *query).p_value == pytest.approx(asked(whole, *query).p_value, rel=1e-6)
