"""Pictures of graphs over time, and charts of beliefs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dagwright as dw
from dagwright.show import draw_slices, draw_summary
from dagwright.show.scene import Group, Text
from dynamic_networks import ARCS, SEEN, discrete, vector_autoregression

GRAPH = dw.Dag.parse(
    "x[t-1] -> x[t]; x[t-2] -> x[t]; x[t-2] -> y[t]; y[t] -> z[t]; x[t] -> z[t]; z[t-1] -> x[t]; sex -> z[t]"
)


def words(picture: dw.show.Picture) -> list[str]:
    def texts(items: tuple[object, ...]) -> list[str]:
        found = []
        for item in items:
            if isinstance(item, Text):
                found.append(item.text)
            elif isinstance(item, Group):
                found += texts(item.items)
        return found

    return texts(picture.scene.items)


def test_the_summary_has_a_node_for_each_series_and_lags_at_edges() -> None:
    told = words(draw_summary(GRAPH))
    for word in ("x", "y", "z", "sex", "own past: lags 1, 2", "from z: lag 1", "2"):
        assert word in told
    assert not any("[t" in word for word in told)


def test_undirected_edges_within_a_step() -> None:
    graph = dw.Pdag(["x[t]", "y[t]", "x[t-1]"], [("x[t-1]", "x[t]")], [("x[t]", "y[t]")])
    assert "0" in words(draw_summary(graph))
    assert draw_slices(graph).svg.count("<svg") == 1


def test_slices_have_every_series_at_every_lag_and_hide_no_node() -> None:
    told = words(draw_slices(GRAPH))
    for name in "xyz":
        assert {f"{name}[t]", f"{name}[t-1]", f"{name}[t-2]"} <= set(told)
    assert "every step repeats these arcs" in told


def test_graphs_without_time_are_refused() -> None:
    for draw in (draw_summary, draw_slices):
        with pytest.raises(dw.OptionError, match="no node of a current step"):
            draw(dw.Dag.parse("a -> b"))


def test_dynamic_networks_and_beliefs_draw_themselves(tmp_path: Path) -> None:
    network = vector_autoregression([1], [[[0.7]], [[0.1]]], [[0]], [1.0])
    for view in ("slices", "summary"):
        network.draw(view, path=tmp_path / f"{view}.png")  # type: ignore[arg-type]
        assert (tmp_path / f"{view}.png").stat().st_size > 1000
    with pytest.raises(dw.UnknownNameError, match="unknown value of view"):
        network.draw("rolled")  # type: ignore[arg-type]
    past = [1.0, None, 2.0]
    told = words(network.forecast(4, {"x0": past}).draw("x0", past=past, level=0.8))
    assert "forecast" in told
    assert "mean, and 80% of the probability" in told
    assert "observed" in told
    assert "forecast" not in words(network.smooth({"x0": past}).draw("x0", past=past))
    assert network.forecast(1, {"x0": past}).draw("x0").svg
    states = discrete(np.random.default_rng(2), ARCS[2], 2).smooth(SEEN)
    assert {"P(b = 0)", "P(b = 1)", "P(b = 2)"} <= set(words(states.draw("b")))
