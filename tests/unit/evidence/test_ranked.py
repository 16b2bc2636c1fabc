"""Rank correlations, likelihood ratios and permutations of numbers, against SciPy and by brute force."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import dagwright as dw
from dagwright.evidence.ranked import kendall_sum, mid_ranks, nearest_correlations, rank_correlations
from dagwright.graph.query import Query


def sample(rows: int = 80, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, rows))
    return {"x": np.exp(2 * x), "y": (x + 0.5 * rng.normal(size=rows)) ** 3, "z": z}


@pytest.mark.parametrize("ties", [False, True])
def test_rank_correlations_are_those_of_scipy(ties: bool) -> None:
    data = sample()
    if ties:
        data = {name: np.round(column, 0) + 0.5 for name, column in data.items()}
    table = dw.read(data, kinds=dict.fromkeys(data, "continuous"))
    for by, of, back in (
        ("spearman", stats.spearmanr, lambda r: 2 * math.sin(math.pi * r / 6)),
        ("kendall", stats.kendalltau, lambda r: math.sin(math.pi * r / 2)),
    ):
        found = rank_correlations(table, by)
        for (i, a), (j, b) in itertools.combinations(enumerate(table.names), 2):
            assert found[i, j] == pytest.approx(back(of(data[a], data[b]).statistic), abs=1e-12)


def test_kendall_by_brute_force() -> None:
    rng = np.random.default_rng(3)
    for rows in (1, 2, 3, 17):
        x, y = rng.integers(0, 5, (2, rows)).astype(float)
        pairs = itertools.combinations(range(rows), 2)
        expected = sum(np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i, j in pairs)
        assert kendall_sum(x, y) == expected


def test_weights_are_repeated_rows() -> None:
    values, weights = np.array([3.0, 1.0, 2.0, 2.0]), np.array([2.0, 1.0, 3.0, 1.0])
    repeated = np.repeat(values, weights.astype(int))
    expected = dict(zip(repeated, stats.rankdata(repeated), strict=True))
    assert mid_ranks(values, weights).tolist() == [expected[value] for value in values]


def test_nearest_correlations() -> None:
    bad = np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]])
    near = nearest_correlations(bad)
    assert np.linalg.eigvalsh(near)[0] > 0
    assert np.allclose(np.diag(near), 1.0)
    good = np.array([[1.0, 0.5], [0.5, 1.0]])
    assert nearest_correlations(good) is good
    # The three correlations of least squared change have the same size.
    assert near[0, 1] == pytest.approx(-near[0, 2], abs=1e-6) == pytest.approx(near[1, 2], abs=1e-6)


def test_monotone_transformations_change_no_answer() -> None:
    data = sample()
    other = {name: np.arctan(column / 3) for name, column in data.items()}
    for test in (dw.Ranked(), dw.Ranked(dw.FisherZ(), by="kendall"), dw.Ranked(dw.LikelihoodRatio())):
        one, two = (dw.independence_test(d, "x", "y", "z", test) for d in (data, other))
        assert one == two
        assert not one.independent
    assert str(dw.learn(data, search=dw.PC(test=dw.Ranked())).graph) == "x -- y; z"
    assert dw.Study.from_json((s := dw.Study(search=dw.PC(test=dw.Ranked(dw.FisherZ(0.05))))).to_json()) == s


def test_what_ranks_refuse() -> None:
    rng = np.random.default_rng(0)
    data = {"x": rng.normal(size=30), "s": ["a", "b", "c"] * 10}
    with pytest.raises(dw.OptionError, match="'s' has 3 states without an order"):
        dw.independence_test(data, "x", "s", test=dw.Ranked())
    ordered = dw.read(data, states={"s": ["a", "b", "c"]}, ordered=["s"])
    assert dw.independence_test(ordered, "x", "s", test=dw.Ranked()).p_value is not None
    with pytest.raises(dw.DagwrightError, match="did you mean 'spearman'"):
        dw.Ranked(by="pearson")  # type: ignore[arg-type]
    with pytest.raises(dw.OptionError, match="the test of Ranked"):
        dw.Ranked(dw.GSquare())  # type: ignore[arg-type]


def test_likelihood_ratios() -> None:
    data = {"a": np.arange(1.0, 9), "b": [2.0, 1, 4, 3, 6, 5, 8, 9], "c": [1.0, 0, 2, 1, 3, 5, 4, 7]}
    table = dw.read(data, kinds=dict.fromkeys(data, "continuous"))
    found = dw.independence_test(table, "a", "c", "b", dw.LikelihoodRatio())
    assert found.p_value == pytest.approx(0.22156796037685494, rel=1e-12)
    mixed = dw.read({**data, "d": ["n"] * 4 + ["y"] * 4}, kinds=dict.fromkeys(data, "continuous"))
    of_cells = dw.independence_test(
        mixed, "c", "d", "a", dw.LikelihoodRatio(measure=dw.ConditionalGaussian())
    )
    assert of_cells.statistic == pytest.approx(2 * 1.9364469447029915, rel=1e-12)
    assert of_cells.df == 3
    assert "approximate" in of_cells.note
    with pytest.raises(dw.OptionError, match=r"BayesFactor\(BGe\(\)\)"):
        dw.LikelihoodRatio(measure=dw.BGe())


def test_permutations_of_numbers() -> None:
    data = sample(60)
    test = dw.Permuted(dw.StudentT(0.05), rounds=199)
    found = dw.independence_test(data, "x", "y", "z", test)
    assert not found.independent
    assert dw.independence_test(data, "x", "z", "y", test).independent
    rows = np.random.default_rng(1).permutation(60)
    turned = {name: data[name][rows] for name in reversed(data)}
    assert dw.independence_test(turned, "y", "x", "z", test) == found
    assert dw.learn(data, search=dw.PC(test=test)).notes["test"].startswith("Permuted")
    # The p-value is near that of Student's t for normal data.
    rng = np.random.default_rng(5)
    x = rng.normal(size=40)
    normal = {"x": x, "y": 0.3 * x + rng.normal(size=40)}
    by_t = dw.independence_test(normal, "x", "y").p_value
    shuffled = dw.independence_test(normal, "x", "y", test=dw.Permuted(dw.StudentT(), rounds=2000)).p_value
    assert shuffled == pytest.approx(by_t, abs=0.02)
    mixed = {**data, "s": np.where(data["y"] > 0, "high", "low")}
    assert not dw.independence_test(mixed, "s", "y", "z", test).independent


@pytest.mark.parametrize("rows", [60, 200])
def test_levels_under_independence(rows: int) -> None:
    rng = np.random.default_rng(rows)
    level, tables, pairs = 0.05, 150, 8
    tests = {
        "t": dw.StudentT(level),
        "z": dw.FisherZ(level),
        "ranked": dw.Ranked(dw.StudentT(level)),
    }
    rejected = dict.fromkeys(tests, 0)
    for _ in range(tables):
        z = rng.normal(size=rows)
        data = {f"v{i:02}": z + column for i, column in enumerate(rng.normal(size=(2 * pairs, rows)))}
        table = dw.read({**data, "z": z}, kinds=dict.fromkeys([*data, "z"], "continuous"))
        queries = [Query(f"v{i:02}", f"v{i + pairs:02}", "z") for i in range(pairs)]
        for name, test in tests.items():
            rejected[name] += sum(not one.independent for one in test.on(table).test(queries))
    draws = tables * pairs
    error = 3.3 * math.sqrt(level * (1 - level) / draws)
    assert rejected["t"] / draws == pytest.approx(level, abs=error)
    assert rejected["z"] / draws == pytest.approx(level, abs=error)
    # Rank correlations vary a little more than those of normal data.
    assert rejected["ranked"] / draws == pytest.approx(level, abs=error + 0.02)
