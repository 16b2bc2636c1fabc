"""Every search learns from windows of time series and obeys time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from command_line import answer, run
from dagwright.data.windows import moment_of
from dagwright.learning.cross_validation import _parts

TRUE = {("x[t-1]", "x[t]"), ("y[t-1]", "y[t]"), ("x[t-2]", "y[t]"), ("y[t]", "z[t]")}


def series(steps: int = 1500) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(steps, 3))
    x = np.zeros((steps, 3))
    for t in range(2, steps):
        x[t, 0] = 0.6 * x[t - 1, 0] + noise[t, 0]
        x[t, 1] = 0.4 * x[t - 1, 1] + 0.7 * x[t - 2, 0] + noise[t, 1]
        x[t, 2] = 0.8 * x[t, 1] + noise[t, 2]
    return {"t": np.arange(steps), "x": x[:, 0], "y": x[:, 1], "z": x[:, 2]}


@pytest.fixture(scope="module")
def windows() -> dw.Table:
    return dw.read(series()).lagged(2, time="t")


SCORE = dw.BIC(measure=dw.Gaussian())
BY_SCORE = [
    dw.HillClimb(),
    dw.Tabu(),
    dw.Annealing(),
    dw.GES(),
    dw.OrderSearch(),
    dw.BOSS(),
    dw.Exact(),
    dw.Auto(),
]


@pytest.mark.parametrize("search", BY_SCORE, ids=lambda search: type(search).__name__)
def test_searches_by_score_find_the_transition(search: Any, windows: dw.Table) -> None:
    found = dw.learn(windows, search=search, score=SCORE)
    assert found.dag is not None
    assert set(found.dag.edges) == TRUE
    assert isinstance(found.essential, dw.Pdag)
    assert set(found.essential.directed_edges) == TRUE


@pytest.mark.parametrize("search", [dw.PC(), dw.FCI(), dw.IAMB(), dw.MMHC(), dw.ChowLiu()])
def test_other_searches_obey_time(search: Any, windows: dw.Table) -> None:
    found = dw.learn(windows, search=search)
    assert found.essential.nodes == windows.names
    windows_of = windows.windows
    assert windows_of is not None
    windows_of.knowledge(windows.names).require(found.graph)


def test_pc_finds_the_lagged_edges(windows: dw.Table) -> None:
    found = dw.learn(windows, search=dw.PC(test=dw.StudentT(alpha=0.001)))
    assert isinstance(found.graph, dw.Pdag)
    assert set(found.graph.directed_edges) | set(found.graph.undirected_edges) == TRUE


def test_without_contemporaneous_arcs() -> None:
    table = dw.read(series()).lagged(2, time="t", contemporaneous=False)
    found = dw.learn(table, search=dw.HillClimb(), score=SCORE)
    assert found.dag is not None
    for parent, child in found.dag.edges:
        assert moment_of(child).lag == 0  # type: ignore[union-attr]
        assert moment_of(parent).lag > 0  # type: ignore[union-attr]


def test_static_columns_are_parents_only() -> None:
    rng = np.random.default_rng(1)
    kind = np.repeat(rng.integers(0, 2, 60), 10)
    x = rng.normal(size=600) + 2 * kind
    data = {"id": np.repeat(np.arange(60), 10), "t": np.tile(np.arange(10), 60), "kind": kind, "x": x}
    table = dw.read(data).lagged(1, time="t", sequence="id", static=["kind"])
    found = dw.learn(table, search=dw.HillClimb())
    assert found.dag is not None
    assert ("kind", "x[t]") in found.dag.edges


def test_the_result_says_and_keeps_what_time_implies(windows: dw.Table) -> None:
    found = dw.learn(windows, search=dw.HillClimb(), score=SCORE)
    assert found.assumptions[0].startswith("the same transition holds at every step")
    assert windows.windows is not None
    assert found.knowledge == windows.windows.knowledge(windows.names)
    again = dw.Learned.from_json(found.to_json())
    assert again.study == found.study
    assert dw.learn(windows, study=found.study).dag == found.dag
    own = dw.learn(windows, search=dw.HillClimb(), score=SCORE, knowledge={"forbidden": ["y[t] -> z[t]"]})
    assert own.dag is not None
    assert ("y[t]", "z[t]") not in own.dag.edges


def test_other_verbs_obey_time(windows: dw.Table) -> None:
    small = windows.select(["x[t]", "y[t]", "x[t-1]", "x[t-2]"])
    near = dw.neighbors(small, "x[t-1]", method=dw.MMPC(test=dw.StudentT(alpha=0.001)))
    assert "x[t]" in near.members
    assert "x[t-2]" not in near.members
    sure = dw.posterior(small.discretized(), method=dw.ExactPosterior(max_parents=2)).confidence
    assert sure.arc("x[t-1]", "x[t]") > 0.9
    assert sure.arc("x[t-2]", "x[t-1]") == 0
    assert sure.arc("x[t]", "x[t-1]") == 0


def test_command_line(tmp_path: Path) -> None:
    data = series(400)
    path = tmp_path / "series.csv"
    rows = zip(
        np.tile(data["t"], 2), np.repeat(["a", "b"], 400), *(np.tile(data[c], 2) for c in "xyz"), strict=True
    )
    path.write_text("t,id,x,y,z\n" + "\n".join(",".join(map(str, row)) for row in rows), encoding="utf-8")
    words = ("learn", str(path), "--time", "t", "--sequence", "id", "--lags", "2", "--search", "HillClimb")
    told = answer(*words, "--score", "BIC(measure=Gaussian())")
    for start, end in TRUE:
        assert f"{start} -> {end}" in told
    assert "796 windows of 3 steps, from 2 sequences in 2 runs" in " ".join(told.split())
    refused = run("learn", str(path), "--time", "t")
    assert refused.exit_code == 1
    assert "--lags 1" in refused.stderr


@pytest.mark.parametrize("folds", [2, 5])
def test_cross_validation_splits_by_time(folds: int) -> None:
    """No value of a series is both learned from and predicted, and a fold is one stretch of each sequence."""
    rng = np.random.default_rng(1)
    order = rng.permutation(90)
    who = np.repeat([0, 1], [60, 30])
    rows = {"who": who, "t": np.r_[np.arange(60), np.arange(30)], "x": rng.normal(size=90)}
    table = dw.read({name: values[order] for name, values in rows.items()}).lagged(
        2, time="t", sequence="who"
    )
    made = table.windows
    assert made is not None
    held_times = np.zeros(table.n_rows, dtype=int)
    for learned, held in _parts(table, folds, rng):
        held_times += held
        assert learned.any()
        used, asked = (
            {
                (run, step - lag)
                for run, step in zip(made.run[rows], made.step[rows], strict=True)
                for lag in range(3)
            }
            for rows in (learned, held)
        )
        assert not used & asked
        for one in np.unique(made.run[held]):
            steps = np.sort(made.step[held & (made.run == one)])
            assert np.array_equal(steps, np.arange(steps[0], steps[-1] + 1))
    assert np.array_equal(held_times, np.ones(table.n_rows))


def test_cross_validation_of_windows_prefers_what_time_implies() -> None:
    table = dw.read(series(300)).lagged(2, time="t")
    found = dw.cross_validate(
        table,
        {
            "lags": {"search": dw.HillClimb(), "score": SCORE},
            "none": {"search": dw.HillClimb(max_parents=0), "score": SCORE},
        },
        folds=3,
    )
    assert found.best == "lags"
    with pytest.raises(dw.OptionError, match="the series are too short for 2 folds"):
        dw.cross_validate(
            dw.read(series(7)).lagged(2, time="t"), {"one": {"search": dw.HillClimb()}}, folds=2
        )
