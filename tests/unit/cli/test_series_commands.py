"""Time series and experiments on the command line: learned, learned again, fitted, asked."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import dagwright as dw
from command_line import answer, refusal


@pytest.fixture
def series(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[float]]:
    monkeypatch.chdir(tmp_path)
    noise = np.random.default_rng(3).normal(size=(300, 2))
    x, y = np.zeros(300), np.zeros(300)
    for t in range(1, 300):
        x[t] = 0.7 * x[t - 1] + noise[t, 0]
        y[t] = 0.8 * x[t - 1] + noise[t, 1]
    rows = {"day": list(range(300)), "x": x.tolist(), "y": y.tolist()}
    dw.read(rows).to_polars().write_csv("series.csv")
    return rows


def test_windows_are_learned_fitted_and_asked(series: dict[str, list[float]]) -> None:
    answer("learn", "series.csv", "--time", "day", "--lags", "1", "--search", "HillClimb", "-o", "found.json")
    found = dw.load("found.json")
    assert found.study.windows == {"lags": 1, "time": "day", "contemporaneous": True, "gaps": "break"}
    assert "the same answer" in answer("rerun", "found.json")
    assert found.study.learn(series).graph == found.graph
    windows = dw.read(series).lagged(1, time="day")
    assert found.study.learn(windows).graph == found.graph
    answer("fit", "series.csv", "found.json", "-o", "dynamic.json")
    model = dw.load("dynamic.json")
    assert isinstance(model, dw.DynamicNetwork)
    assert repr(model) == repr(dw.DynamicNetwork.fit(found.graph, windows))
    said = json.loads(answer("dynamic", "dynamic.json", "series.csv", "--ahead", "2", "--json"))
    wanted = model.forecast(2, {name: series[name] for name in "xy"})
    assert said["series"]["y"]["mean"] == pytest.approx(wanted.mean("y").tolist())
    smoothed = json.loads(answer("dynamic", "dynamic.json", "series.csv", "--smooth", "--json"))
    assert len(smoothed["steps"]) == 300
    assert "particle filter" in answer(
        "dynamic", "dynamic.json", "--ahead", "1", "--method", "particles", "--particles", "100"
    )
    assert "--ahead" in refusal("dynamic", "dynamic.json")
    assert "give one of them" in refusal("dynamic", "dynamic.json", "series.csv", "--ahead", "1", "--smooth")


def test_experiments_are_learned_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    a = rng.random(400) < 0.4
    b = np.where(np.arange(400) < 300, a ^ (rng.random(400) < 0.1), rng.random(400) < 0.5)
    kind = ["seen"] * 300 + ["set"] * 100
    rows = {"a": a.astype(int).tolist(), "b": b.astype(int).tolist(), "kind": kind}
    dw.read(rows).to_polars().write_csv("rows.csv")
    sets = ("--condition", "kind", "--sets", "seen=", "--sets", "set=b")
    answer("learn", "rows.csv", *sets, "-o", "found.json")
    assert dw.load("found.json").essential.directed_edges == (("a", "b"),)
    assert "the same answer" in answer("rerun", "found.json")


def test_an_effect_learns_a_saved_result_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answer("learn", "sample:asia", "--tier", "asia,smoke", "--search", "HillClimb", "-o", "found.json")
    options = ("smoke", "bronc", "--json")
    said = json.loads(answer("effect", "sample:asia", "found.json", *options, "--replicates", "5"))
    assert "5 networks learned again" in said["source"]
    assert "given the graph" in json.loads(answer("effect", "sample:asia", "found.json", *options))["source"]
    assert "learn -o" in refusal(
        "effect", "sample:asia", "smoke -> bronc", "smoke", "bronc", "--replicates", "5"
    )


def test_an_effect_of_a_saved_result_is_that_of_its_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A DAG of the class would be arbitrary: bronc -> smoke gives no effect, smoke -> bronc some."""
    monkeypatch.chdir(tmp_path)
    answer("learn", "sample:asia", "--search", "Exact", "-o", "found.json")
    found = dw.load("found.json")
    assert {"smoke", "bronc"} in map(set, found.essential.undirected_edges)
    said = json.loads(answer("effect", "sample:asia", "found.json", "smoke", "bronc", "--json"))
    assert said == dw.effect(found, "smoke", "bronc", "sample:asia", replicates=0).to_dict()
    assert said != dw.effect(found.dag, "smoke", "bronc", "sample:asia").to_dict()
