"""PCMCI+ on data: known edges are found where plain PC is misled, and options do what they say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.data.windows import moment_of

LINKS = {
    ("a", "b", 1): 0.4,
    ("b", "c", 2): -0.4,
    ("c", "d", 0): 0.5,
    ("a", "d", 2): 0.3,
    ("e", "d", 0): 0.4,
}
OWN = 0.85


def series(steps: int = 600, seed: int = 0) -> dw.Table:
    """A vector autoregression with strong autocorrelation."""
    names = "abced"
    noise = np.random.default_rng(seed).normal(size=(steps + 100, 5))
    x = {name: np.zeros(steps + 100) for name in names}
    for t in range(2, steps + 100):
        for at, name in enumerate(names):
            x[name][t] = OWN * x[name][t - 1] + noise[t, at]
            x[name][t] += sum(k * x[i][t - lag] for (i, j, lag), k in LINKS.items() if j == name)
    return dw.Table(list("abcde"), [x[name][100:] for name in "abcde"], [None] * 5)


def between_series(found: dw.Learned) -> set[tuple[str, str, int]]:
    assert isinstance(found.graph, dw.Pdag)
    edges = set()
    for start, end in (*found.graph.directed_edges, *found.graph.undirected_edges):
        one, other = sorted([moment_of(start), moment_of(end)], key=lambda m: -m.lag)  # type: ignore[union-attr]
        assert one is not None and other is not None
        if one.series != other.series:
            ends = (one.series, other.series) if one.lag else tuple(sorted((one.series, other.series)))
            edges.add((*ends, one.lag))
    return edges  # type: ignore[return-value]


TRUE = {(i, j, lag) if lag else (*sorted((i, j)), lag) for i, j, lag in LINKS}


@pytest.mark.parametrize("test", [dw.StudentT(0.001), dw.FisherZ(0.001), dw.BIC(measure=dw.Gaussian())])
def test_known_edges_are_found(test: Any) -> None:
    found = dw.learn(series(2000).lagged(4), search=dw.PCMCIPlus(test=test))
    assert between_series(found) == TRUE
    assert isinstance(found.graph, dw.Pdag)
    assert {("c[t]", "d[t]"), ("e[t]", "d[t]")} <= set(found.graph.directed_edges)
    assert {f"{name}[t-1]" for name in "abcde"} <= {
        start for start, end in found.graph.directed_edges if start[0] == end[0]
    }


def test_plain_pc_is_misled_by_autocorrelation() -> None:
    counts = {"plus": 0, "plain": 0}
    for seed in range(4):
        table = series(400, seed)
        test = dw.StudentT(0.01)
        plus = between_series(dw.learn(table.lagged(4), search=dw.PCMCIPlus(test=test)))
        plain = between_series(dw.learn(table.lagged(2), search=dw.PC(test=test)))
        counts["plus"] += len(plus ^ TRUE)
        counts["plain"] += len(plain ^ TRUE)
    assert counts["plus"] <= 4
    assert counts["plain"] > 2 * counts["plus"] + 4


def test_states_by_g_squared() -> None:
    rng = np.random.default_rng(1)
    x, y = np.zeros(4000, dtype=int), np.zeros(4000, dtype=int)
    for t in range(1, 4000):
        x[t] = x[t - 1] if rng.random() < 0.8 else rng.integers(2)
        y[t] = x[t - 1] if rng.random() < 0.6 else (y[t - 1] if rng.random() < 0.7 else rng.integers(2))
    table = dw.Table(["x", "y"], [x, y], [[0, 1], [0, 1]]).lagged(2)
    found = dw.learn(table, search=dw.PCMCIPlus(test=dw.GSquare(0.001)))
    assert isinstance(found.graph, dw.Pdag)
    assert set(found.graph.directed_edges) == {("x[t-1]", "x[t]"), ("x[t-1]", "y[t]"), ("y[t-1]", "y[t]")}


def test_conditions_beyond_the_window_are_said() -> None:
    table = series(300)
    cut = dw.learn(table.lagged(2), search=dw.PCMCIPlus(test=dw.StudentT(), max_lag=2))
    assert cut.notes["beyond the window"].endswith("learn from windows of 4 lags to have them")
    assert "beyond the window" not in dw.learn(table.lagged(4), search=dw.PCMCIPlus(test=dw.StudentT())).notes


def test_knowledge_and_options() -> None:
    table = series(300)
    known = {"forbidden": ["a[t-1] -> b[t]"], "required": ["e[t-2] -> a[t]"]}
    found = dw.learn(table.lagged(4), search=dw.PCMCIPlus(test=dw.StudentT()), knowledge=known)
    assert found.dag is not None
    assert ("a[t-1]", "b[t]") not in found.dag.edges
    assert ("e[t-2]", "a[t]") in found.dag.edges
    within = table.lagged(4, contemporaneous=False)
    lagged = dw.learn(within, search=dw.PCMCIPlus(test=dw.StudentT(), max_size=0))
    assert all(moment_of(start).lag for start, _ in lagged.dag.edges)  # type: ignore[union-attr]
    for wrong in ({"max_lag": 0}, {"colliders": "all"}, {"conflicts": "x"}, {"max_size": -1}):
        with pytest.raises(dw.DagwrightError):
            dw.PCMCIPlus(**wrong)  # type: ignore[arg-type]
    with pytest.raises(dw.OptionError, match="max_lag=5, but the windows have 4 lags"):
        dw.learn(table.lagged(4), search=dw.PCMCIPlus(test=dw.StudentT(), max_lag=5))


def test_static_columns_are_given_and_can_be_parents() -> None:
    rng = np.random.default_rng(4)
    kind = np.repeat(rng.normal(size=80), 20)
    x = np.zeros(1600)
    for t in range(1600):
        x[t] = (0.7 * x[t - 1] if t % 20 else 0.0) + kind[t] + rng.normal()
    columns = {"id": np.repeat(np.arange(80.0), 20), "kind": kind, "x": x}
    table = dw.Table(list(columns), list(columns.values()), [None] * 3)
    windows = table.lagged(2, sequence="id", static=["kind"])
    found = dw.learn(windows, search=dw.PCMCIPlus(test=dw.StudentT(0.001)))
    assert isinstance(found.graph, dw.Pdag)
    assert set(found.graph.directed_edges) == {("kind", "x[t]"), ("x[t-1]", "x[t]")}


def test_results_become_dynamic_networks_without_unused_lags() -> None:
    found = dw.learn(series().lagged(4), search=dw.PCMCIPlus(test=dw.StudentT(0.001)))
    network = dw.DynamicNetwork.from_learned(found)
    assert network.lags == 2
    assert network.forecast(2, {"a": [0.5, 1.0, 0.2]}).mean("b").shape == (2,)
