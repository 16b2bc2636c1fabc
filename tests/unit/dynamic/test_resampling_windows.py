"""Resampling, validation and the check of stationarity respect time."""

from __future__ import annotations

import numpy as np
import pytest

import dagwright as dw
from dagwright.learning.cross_validation import _parts
from dynamic_networks import discrete, vector_autoregression

SCORE = dw.BIC(measure=dw.Gaussian())


def windows(lags: int = 1) -> dw.Table:
    owner = np.repeat([0.0, 1.0, 2.0], [30, 20, 10])
    step = np.concatenate([np.arange(30.0), np.arange(20.0), np.arange(10.0)])
    table = dw.Table(["id", "t", "x"], [owner, step, 1000 * owner + step], [None] * 3)
    return table.lagged(lags, time="t", sequence="id")


def test_blocks_stay_within_runs_and_draw_all_windows_alike() -> None:
    table = windows()
    draw, counts = dw.BlockBootstrap(5), np.zeros(table.n_rows)
    for number in range(400):
        drawn = draw.replicate(table, number, np.random.default_rng(number))
        assert drawn.n_rows == table.n_rows
        assert drawn.windows is not None
        run, step = drawn.windows.run, drawn.windows.step
        for start in range(0, table.n_rows, 5):
            block = slice(start, min(start + 5, table.n_rows))
            assert len(set(run[block])) == 1
            size = {0: 29, 1: 19, 2: 9}[int(run[start])]
            assert set(np.diff(step[block]) % size) == {1} or len(step[block]) == 1
        where = {float(cell): at for at, cell in enumerate(table.reals("x[t]"))}
        np.add.at(counts, [where[float(cell)] for cell in drawn.reals("x[t]")], 1)
    assert counts == pytest.approx(400, abs=6 * 400**0.5 * 5**0.5)


def test_bootstrap_of_windows_draws_blocks() -> None:
    network = vector_autoregression([0, 0], [[[0.6, 0], [0.5, 0.3]]], [[0, 0], [0, 0]], [1, 1])
    table = network.simulate(300, random_state=1).lagged(1, time="step", sequence="sequence")
    sure = dw.bootstrap(table, search="HillClimb", score=SCORE, replicates=10)
    assert sure.arc("x0[t-1]", "x1[t]") == 1.0
    assert sure.arc("x0[t]", "x0[t-1]") == 0.0
    same = dw.bootstrap(table, search="HillClimb", score=SCORE, replicates=10, draw=dw.BlockBootstrap())
    assert same.to_dict()["pairs" if "pairs" in same.to_dict() else "nodes"]
    assert all(same.arc(a, b) == sure.arc(a, b) for a in table.names for b in table.names if a != b)
    with pytest.raises(dw.OptionError, match="these rows are none"):
        dw.bootstrap("sample:asia", draw=dw.BlockBootstrap(), replicates=3)
    with pytest.raises(dw.OptionError, match="at least 1 window"):
        dw.BlockBootstrap(0)


def test_folds_are_stretches_of_time_apart_from_what_is_learned_from() -> None:
    table = windows(2)
    parts = _parts(table, 4, np.random.default_rng(0))
    assert np.sum([held for _, held in parts], axis=0).tolist() == [1] * table.n_rows
    found = table.windows
    assert found is not None
    for kept, held in parts:
        for run, step in zip(found.run[held], found.step[held], strict=True):
            beside = kept & (found.run == run)
            assert not (np.abs(found.step[beside] - step) <= 2).any()


def test_cross_validation_of_windows() -> None:
    network = vector_autoregression([0, 0], [[[0.6, 0], [0.5, 0.3]]], [[0, 0], [0, 0]], [1, 1])
    table = network.simulate(400, random_state=1).lagged(1, time="step", sequence="sequence")
    tried = {
        "none": {"search": dw.HillClimb(max_parents=0), "score": SCORE},
        "some": {"search": dw.HillClimb(), "score": SCORE},
    }
    assert dw.cross_validate(table, tried, folds=4).best == "some"
    short = dw.Table(["x"], [[1.0, 2.5, 2.0, 4.0]], [None]).lagged(1)
    with pytest.raises(dw.OptionError, match="too short for 2 folds"):
        dw.cross_validate(short, tried, folds=2)


def test_stationary_series_are_told_from_those_that_change() -> None:
    still = vector_autoregression([0.0, 1.0], [[[0.6, 0], [0.4, 0.3]]], [[0, 0], [0, 0]], [1, 1])
    moved = vector_autoregression([0.0, 1.0], [[[0.6, 0], [-0.4, 0.3]]], [[0, 0], [0, 0]], [1, 1])
    small = 0
    for seed in range(20):
        rows = still.simulate(300, 2, random_state=seed)
        small += dw.stationarity(still.graph, rows.lagged(1, time="step", sequence="sequence")).p_value < 0.05
    assert small <= 4
    halves = [network.simulate(200, random_state=3) for network in (still, moved)]
    columns = [np.concatenate([half.reals(name) for half in halves]) for name in still.series]
    changed = dw.Table(still.series, columns, [None] * 2).lagged(1)
    found = dw.stationarity(still.graph, changed)
    assert found.p_value < 1e-6
    assert found.series[0].series == "x1"
    assert found.series[0].df == 4
    assert str(found).startswith("first against second halves of the runs: p = ")
    truth = discrete(np.random.default_rng(1), [("a[t-1]", "a[t]"), ("a[t]", "b[t]")], 1)
    rows = truth.simulate(50, 20, random_state=1)
    states = rows.lagged(1, time="step", sequence="sequence", static=["s"])
    assert dw.stationarity(truth.graph, states).p_value > 0.001
    with pytest.raises(dw.DataError, match=r"make them with Table\.lagged"):
        dw.stationarity(truth.graph, rows)
