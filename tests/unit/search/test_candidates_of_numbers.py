"""Columns of numbers: parent sets found one by one and from a table of all sets are the same."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dagwright as dw
from dagwright import _core
from dagwright.evidence.binding import bind_score
from dagwright.search.control import Control
from dagwright.search.pipeline import problem_of
from dagwright.search.study import Study

SCORES = [
    dw.BIC(),
    dw.AIC(),
    dw.BIC(discount=2),
    dw.BGe(),
    dw.BGe(alpha_mu=3, prior_mean=0, scale="identity"),
    dw.BIC(measure=dw.Embedded(degree=2)),
]


def numbers(seed: int, n: int, rows: int = 60) -> dict[str, object]:
    rng = np.random.default_rng(seed)
    data = rng.normal(size=(n, rows))
    for at in range(1, n):
        for parent in rng.choice(at, min(at, 2), replace=False):
            data[at] += rng.uniform(-1, 1) * data[parent]
    return {f"x{at}": 100.0**at * column for at, column in enumerate(data)}


def mixed(seed: int, n: int) -> dict[str, object]:
    data = numbers(seed, n)
    for at in range(0, n, 3):
        column = np.asarray(data[f"x{at}"])
        states = np.digitize(column, np.quantile(column, np.linspace(0, 1, at % 4 + 2)[1:-1]))
        data[f"x{at}"] = [f"s{state}" for state in states]
    return data


def found(
    data: dict[str, object],
    score: object,
    knowledge: dw.Knowledge,
    prior: list[float] | None,
    **options: object,
) -> tuple[list[object], ...]:
    table = dw.read(data)
    native = bind_score(score, table).native
    if prior is not None:
        native = _core.ParentCountScore(native, prior)
    assert _core.table_bytes(native, knowledge.resolve(table.names).native) == 6 * 2 ** len(table.names)
    answer = _core.find_candidates(native, knowledge.resolve(table.names).native, **options)
    assert (answer.stopped, answer.full) == (None, False)
    sets = answer.sets
    parts = (sets.offsets, sets.scores, sets.starts, sets.members)
    return (*(part.tolist() for part in parts), answer.bounds)


@pytest.mark.parametrize("score", SCORES, ids=repr)
@pytest.mark.parametrize("kind", [numbers, mixed], ids=["numbers", "mixed"])
def test_a_walk_and_a_table_give_the_same_sets(score: object, kind: object) -> None:
    n = 8
    data = kind(3, n)  # type: ignore[operator]
    if kind is mixed and isinstance(score, dw.BGe):
        pytest.skip("BGe takes numbers only")
    bounded = dw.Knowledge(required=["x1 -> x0"], forbidden=["x4 -> x5"], max_parents=3)
    for knowledge in (dw.Knowledge(), bounded):
        for prior in (None, [-math.log(math.comb(n - 1, k)) for k in range(n)]):
            for gain in (1e-9, -2.0):
                walked = found(data, score, knowledge, prior, least_gain=gain)
                for before, threads in ((0, 1), (40, 3)):
                    table = {"table_bytes": 1e9, "before_table": before, "threads": threads}
                    assert found(data, score, knowledge, prior, least_gain=gain, **table) == walked


def test_the_table_is_used_where_it_pays() -> None:
    data = numbers(1, 13, rows=400)
    by_table = dw.candidates(data, score=dw.BGe())
    one_by_one = dw.candidates(data, score=dw.BGe(), memory=40_000_000 // 4)
    assert by_table == one_by_one


def test_columns_that_nearly_determine_each_other_are_scored_one_by_one() -> None:
    data = numbers(2, 6)
    data["x6"] = np.asarray(data["x1"]) + 1e-5 * np.asarray(data["x0"])
    table = dw.read(data)
    native = bind_score(dw.BIC(), table).native
    assert math.isinf(_core.table_bytes(native, dw.Knowledge().resolve(table.names).native))
    assert dw.learn(table, score=dw.BIC(), search=dw.Exact()).optimal


def test_twenty_variables_are_proven_by_default() -> None:
    data = numbers(5, 20, rows=500)
    problem, _ = problem_of(Study(), data, Control())
    search, reason = dw.Auto().choose(problem)
    assert (search, reason) == (dw.Exact(), "all 2^20 sets of variables can be measured")
    learned, climbed = (dw.learn(data, search=method) for method in (search, dw.HillClimb()))
    assert learned.optimal
    assert learned.score is not None
    assert climbed.score is not None
    assert learned.score >= climbed.score - 1e-9
