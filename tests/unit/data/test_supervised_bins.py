"""Cut points that tell a target apart, and cut points chosen with a network."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.data.network_bins import _best_partition, _interval_sums
from dagwright.data.supervised import class_counts, mdlp_cuts
from dagwright.errors import OptionError, UnknownNameError

rng = np.random.default_rng(3)


def entropy(labels: list[int]) -> float:
    return -sum(
        labels.count(k) / len(labels) * math.log2(labels.count(k) / len(labels)) for k in sorted(set(labels))
    )


def plain_mdlp(pairs: list[tuple[float, int]]) -> list[tuple[float, float]]:
    """Fayyad & Irani 1993, row by row: the neighbors between which to cut."""
    labels = [label for _, label in pairs]
    N = len(pairs)
    splits = [i for i in range(1, N) if pairs[i - 1][0] < pairs[i][0]]
    if not splits:
        return []
    after = {i: i / N * entropy(labels[:i]) + (N - i) / N * entropy(labels[i:]) for i in splits}
    least = min(after.values())
    best = min((i for i in splits if after[i] <= least + 1e-12), key=lambda i: (abs(i - N / 2), i))
    parts = [labels, labels[:best], labels[best:]]
    k = [len(set(part)) for part in parts]
    weighed = [k[i] * entropy(parts[i]) for i in range(3)]
    delta = math.log2(3 ** k[0] - 2) - (weighed[0] - weighed[1] - weighed[2])
    if entropy(labels) - after[best] <= (math.log2(N - 1) + delta) / N:
        return []
    low, high = plain_mdlp(pairs[:best]), plain_mdlp(pairs[best:])
    return [*low, (pairs[best - 1][0], pairs[best][0]), *high]


@pytest.mark.parametrize("seed", range(40))
def test_mdlp_is_that_of_the_paper(seed: int) -> None:
    draw = np.random.default_rng(seed)
    n, classes = int(draw.integers(2, 80)), int(draw.integers(1, 4))
    values = np.round(draw.normal(size=n), int(draw.integers(0, 3)))
    target = ((values > 0).astype(int) + (draw.random(n) < 0.2) * draw.integers(0, classes, n)) % classes
    found = mdlp_cuts(*class_counts(values, target.astype(np.uint8), None))
    expected = plain_mdlp(sorted(zip(values.tolist(), target.tolist(), strict=True)))
    assert len(found) == len(expected)
    assert all(low <= cut < high for cut, (low, high) in zip(found, expected, strict=True))


def separated(n: int = 600) -> dict[str, Any]:
    x = rng.uniform(0, 10, n)
    kind = np.where(x < 3, "a", np.where(x < 7, "b", "a"))
    return {"x": x, "noise": rng.uniform(0, 1, n), "kind": kind.tolist()}


def test_mdlp_finds_the_boundaries_of_a_target() -> None:
    table = dw.read(separated(), discretize=dw.MDLP("kind"))
    low, high = table.bins["x"].cuts
    assert 2.9 < low < 3.1
    assert 6.9 < high < 7.1
    assert table.states_of("noise") == ("any",)
    assert "by MDLP(target='kind')" in " ".join(table.notes)


def test_mdlp_with_gaps_weights_and_a_continuous_target() -> None:
    data = separated()
    data["kind"][:20] = [None] * 20
    data["x"][20:40] = np.nan
    table = dw.read(data, discretize=dw.MDLP("kind"))
    assert len(table.bins["x"].cuts) == 2
    doubled = dw.read(data, discretize=dw.MDLP("kind"), weights=np.full(600, 1.0))
    assert doubled.bins == table.bins
    y = rng.normal(size=600)
    both = dw.read({"y": y, "x": y + 0.1 * rng.normal(size=600)}, discretize=dw.MDLP("y"))
    assert len(both.states_of("y")) == 3
    assert len(both.states_of("x")) >= 3


def test_a_target_of_very_many_states() -> None:
    x = np.arange(2000.0)
    table = dw.read({"x": x, "t": [f"s{int(i) // 2}" for i in x]}, discretize=dw.MDLP("t"))
    assert table.bins["x"].cuts == tuple(sorted(table.bins["x"].cuts))


def test_wrong_targets_and_numbers() -> None:
    with pytest.raises(UnknownNameError, match="kin"):
        dw.read(separated(), discretize=dw.MDLP("kin"))
    with pytest.raises(UnknownNameError, match="z"):
        dw.read(separated(), discretize=dw.NetworkMDL("z -> x"))
    with pytest.raises(OptionError, match="name of a column"):
        dw.MDLP("")
    with pytest.raises(OptionError, match="target"):
        dw.MDLP(3)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="at least 2"):
        dw.NetworkMDL(max_bins=1)
    with pytest.raises(OptionError, match="rounds must be a whole number"):
        dw.NetworkMDL(rounds=0)
    with pytest.raises(OptionError, match="graph"):
        dw.NetworkMDL(graph=7)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(20))
def test_the_best_partition_is_the_best_of_all(seed: int) -> None:
    draw = np.random.default_rng(seed)
    m, most, per_group = 8, 5, float(draw.uniform(0, 4))
    counts = draw.integers(0, 9, size=(m, 3)).astype(float)
    value = _interval_sums(counts) - _interval_sums(counts.sum(axis=1, keepdims=True))

    def worth(boundaries: tuple[int, ...]) -> float:
        ends = [0, *(b + 1 for b in boundaries), m]
        k = len(ends) - 1
        total = 0.0
        for a, b in pairwise(ends):
            cells = counts[a:b].sum(axis=0)
            total += sum(float(n * np.log(n)) for n in cells if n)
            total -= float(cells.sum() * np.log(cells.sum())) if cells.sum() else 0.0
        return total - k * per_group - math.log(k) - math.log(math.comb(m - 1, k - 1))

    every = [b for k in range(2, most + 1) for b in combinations(range(m - 1), k - 1)]
    found = _best_partition(value, per_group, most)
    assert worth(tuple(found)) == pytest.approx(max(map(worth, every)), abs=1e-9)


def chain(n: int = 2000) -> dict[str, Any]:
    x = rng.uniform(0, 10, n)
    y = np.where(x > 2, 4.0, 0.0) + rng.normal(0, 0.5, n)
    return {"x": x, "y": y, "noise": rng.normal(size=n), "flag": np.where(y > 2, "on", "off").tolist()}


def test_bins_serve_the_network() -> None:
    data = chain()
    for rule in (
        dw.NetworkMDL(),
        dw.NetworkMDL("x -> y; y -> flag"),
        dw.NetworkMDL(dw.Dag.parse("x -> y -> flag")),
    ):
        table = dw.read(data, discretize=rule)
        # The fine interval in which the boundary lies may stay on its own.
        assert 1 <= len(table.bins["x"].cuts) <= 2
        assert all(1.5 < cut < 2.5 for cut in table.bins["x"].cuts)
        assert all(0.0 < cut < 4.0 for cut in table.bins["y"].cuts)
        assert len(table.bins["noise"].cuts) == 1  # a column stays a column
    sums = {}
    for name, rule in (("terciles", dw.EqualFrequency()), ("network", dw.NetworkMDL())):
        table = dw.read(data, discretize=rule)
        graph = dw.Dag(table.names, [("x", "y"), ("y", "flag")])
        empty = dw.LogLik().on(table).total(dw.Dag(table.names))
        sums[name] = dw.BIC().on(table).total(graph) - empty
    assert sums["network"] > sums["terciles"]


def test_bins_do_not_depend_on_order_or_names() -> None:
    data = chain(500)
    data["y"][:7] = np.nan
    weights = rng.integers(1, 4, 500) + rng.random(500)
    order = rng.permutation(500)
    new = {"x": "q", "y": "a", "noise": "m", "flag": "z"}
    for rule, renamed in (
        (dw.NetworkMDL(), dw.NetworkMDL()),
        (dw.NetworkMDL("x -> y; y -> flag"), dw.NetworkMDL("q -> a; a -> z")),
        (dw.MDLP("flag"), dw.MDLP("z")),
        (dw.MDLP("y"), dw.MDLP("a")),
    ):
        first = dw.read(data, discretize=rule, weights=weights).bins
        other = {new[x]: [data[x][i] for i in order] for x in ("noise", "flag", "y", "x")}
        second = dw.read(other, discretize=renamed, weights=weights[order]).bins
        assert {new[x]: bins for x, bins in first.items()} == second


def test_the_rules_have_names_in_the_registry() -> None:
    from dagwright.methods import registry

    assert registry.parse("mdlp(target='kind')", "discretization") == dw.MDLP("kind")
    assert registry.parse("NetworkMDL(max_bins=5)", "discretization") == dw.NetworkMDL(max_bins=5)
