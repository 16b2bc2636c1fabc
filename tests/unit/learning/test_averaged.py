"""The averaged answer: replicates by content, the most frequent state of each pair."""

from __future__ import annotations

import numpy as np
import pytest

import dagwright as dw
from dagwright.confidence.averaging import averaged
from dagwright.data.row_sample import DifferentRows
from dagwright.errors import OptionError
from dagwright.learning.resampling.strengths import frequencies, numbered

ASIA = dw.read("sample:asia").take(np.arange(400))


def test_it_is_the_average_of_the_graphs_of_the_replicates() -> None:
    ordered = ASIA.canonical().table
    rows = DifferentRows.of(ordered)
    assert rows is not None
    graphs = []
    for number in range(12):
        seed = np.random.SeedSequence(0, spawn_key=(1 + number,))
        drawn = rows.replicate(np.random.default_rng(seed))
        graphs.append(numbered(dw.learn(drawn, score=dw.BIC(), search=dw.GES()).graph, ordered.names))
    expected = averaged(frequencies(ordered.names, graphs, "by hand", keep=False), None)
    found = dw.learn(ASIA, score=dw.BIC(), search=dw.Averaged(replicates=12))
    assert found.graph == dw.Pdag(ASIA.names, expected.graph.directed_edges, expected.graph.undirected_edges)
    assert found.notes["pairs expected right"] == pytest.approx(expected.agreement)
    assert found.notes["replicates"] == 12
    assert found.score is None or found.score <= found.notes["score of one search"] + 1e-6


def test_noise_edges_fall_away() -> None:
    rng = np.random.default_rng(0)
    columns = {f"v{at}": rng.integers(0, 2, 60) for at in range(8)}
    columns["copy"] = np.where(rng.random(60) < 0.9, columns["v0"], 1 - columns["v0"])
    one = dw.learn(columns, score=dw.AIC(), search=dw.GES())
    many = dw.learn(columns, score=dw.AIC(), search=dw.Averaged(replicates=40))
    assert many.graph.adjacent("v0", "copy")
    edges = len(many.graph.directed_edges) + len(many.graph.undirected_edges)
    assert edges < len(one.graph.directed_edges) + len(one.graph.undirected_edges)


def test_the_parent_bound_of_the_search_holds() -> None:
    found = dw.learn(ASIA, score=dw.AIC(), search=dw.Averaged(dw.HillClimb(max_parents=1), replicates=9))
    for name in ASIA.names:
        into = [edge for edge in found.graph.directed_edges if edge[1] == name]
        assert len(into) <= 1
    assert found.method == "Averaged(search=HillClimb(max_parents=1), replicates=9)"


def test_searches_by_tests_are_refused_with_a_way_out() -> None:
    with pytest.raises(OptionError, match=r"bootstrap\(\.\.\.\)\.averaged\(\)"):
        dw.Averaged(dw.PC())
    with pytest.raises(OptionError, match="at least 1"):
        dw.Averaged(replicates=0)


def test_windows_of_time_series_are_refused() -> None:
    windows = dw.read({"x": ["a", "b"] * 30, "y": ["a", "a", "b"] * 20}).lagged(1)
    with pytest.raises(OptionError, match="draws rows again"):
        dw.learn(windows, search=dw.Averaged(replicates=2))


def test_numbers_are_averaged_too() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=200)
    found = dw.learn({"x": x, "y": x + rng.normal(size=200)}, search=dw.Averaged(replicates=5))
    assert found.graph.adjacent("x", "y")
