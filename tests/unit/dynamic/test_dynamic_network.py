"""Dynamic networks as values: from data, as JSON, unrolled and simulated."""

from __future__ import annotations

import itertools
import pickle
from pathlib import Path

import numpy as np
import pytest

import dagwright as dw
from dagwright import wire
from dynamic_networks import ARCS, discrete, mixed, vector_autoregression

SCORE = dw.BIC(measure=dw.Gaussian())


@pytest.fixture(scope="module")
def autoregression() -> dw.DynamicNetwork:
    slopes = [[[0.6, 0.0], [0.0, 0.3]], [[0.0, 0.0], [0.5, 0.0]]]
    return vector_autoregression([1.0, 0.0], slopes, [[0, 0], [0.8, 0]], [1.0, 0.5])


def test_learned_results_become_dynamic_networks(autoregression: dw.DynamicNetwork) -> None:
    rows = autoregression.simulate(600, 3, random_state=1)
    found = dw.learn(rows.lagged(2, time="step", sequence="sequence"), search="HillClimb", score=SCORE)
    network = dw.DynamicNetwork.from_learned(found)
    assert set(network.graph.edges) == set(autoregression.graph.edges)
    for node in ("x0[t]", "x1[t]"):
        own, true = network.transition.gaussians[node], autoregression.transition.gaussians[node]
        for parent, slope in true.coefficients.items():
            assert own.coefficients[parent] == pytest.approx(slope, abs=0.08)
    assert "as if 3 runs began within a long stationary process" in network.notes[-1]
    # The stationary variance of x0 is 1 / (1 - 0.36).
    assert network.forecast(1).sd("x0")[0] == pytest.approx((1 / 0.64) ** 0.5, rel=0.1)


def test_first_windows_are_used_where_there_are_enough() -> None:
    truth = mixed()
    rows = truth.simulate(8, 200, random_state=2)
    windows = rows.lagged(1, time="step", sequence="sequence")
    network = dw.DynamicNetwork.fit(truth.graph, windows)
    assert network.notes[-1] == "the initial network is fitted to the first 200 windows of runs"
    assert network.transition.table("s[t]") == pytest.approx(truth.transition.table("s[t]"), abs=0.05)
    other = dw.DynamicNetwork.fit(truth.graph, windows, start="stationary", initial="s[0] -> y[0]")
    assert set(other.initial.graph.edges) == {("s[0]", "y[0]")}
    with pytest.raises(dw.UnknownNameError, match="unknown value of start"):
        dw.DynamicNetwork.fit(truth.graph, windows, start="last")  # type: ignore[arg-type]
    with pytest.raises(dw.DataError, match="needs windows of time series"):
        dw.DynamicNetwork.fit(truth.graph, rows)


def test_discrete_series_with_a_static_column() -> None:
    truth = discrete(np.random.default_rng(3), ARCS[1], 1)
    rows = truth.simulate(30, 150, random_state=5)
    windows = rows.lagged(1, time="step", sequence="sequence", static=["s"])
    network = dw.DynamicNetwork.from_learned(dw.learn(windows, search="HillClimb"))
    assert network.static == ("s",)
    seen = {"a": [0, 1, 0], "s": 1}
    one, other = network.forecast(1, seen), truth.forecast(1, seen)
    assert one.probabilities("b") == pytest.approx(other.probabilities("b"), abs=0.1)


@pytest.mark.parametrize("lags", [1, 2])
def test_saved_and_loaded(lags: int, tmp_path: Path) -> None:
    for network in (discrete(np.random.default_rng(1), ARCS[lags], lags), mixed()):
        network.save(tmp_path / "network.json")
        again = dw.DynamicNetwork.load(tmp_path / "network.json")
        assert again == network
        assert again.notes == network.notes
        assert wire.from_dict(wire.to_dict(network)) == network
        assert pickle.loads(pickle.dumps(network)) == network
        assert network == dw.DynamicNetwork(network.initial, network.transition, ("a note",))
    with pytest.raises(dw.FormatError, match=r"saved as \.json, not as \.bif"):
        network.save(tmp_path / "network.bif")
    with pytest.raises(dw.FormatError, match="no such file"):
        dw.DynamicNetwork.load(tmp_path / "absent.json")
    with pytest.raises(dw.FormatError, match="'format' is not 'dagwright-dynamic-network'"):
        dw.DynamicNetwork.from_json("{}")
    with pytest.raises(dw.FormatError, match="without the field 'initial'"):
        dw.DynamicNetwork.from_dict({"format": "dagwright-dynamic-network", "format_version": 1})


def test_unrolled_networks_repeat_the_transition(autoregression: dw.DynamicNetwork) -> None:
    unrolled = autoregression.unroll(4)
    assert unrolled.nodes == ("x0[0]", "x1[0]", "x0[1]", "x1[1]", "x0[2]", "x1[2]", "x0[3]", "x1[3]")
    assert set(unrolled.graph.parents("x1[3]")) == {"x0[3]", "x1[2]", "x0[1]"}
    assert autoregression.unroll(2) == autoregression.initial
    with pytest.raises(dw.OptionError, match="steps=1 is too few; give at least the 2 lags"):
        autoregression.unroll(1)


def test_simulated_rows_follow_the_network(autoregression: dw.DynamicNetwork) -> None:
    rows = autoregression.simulate(4, 4000, random_state=7)
    assert rows.names == ("sequence", "step", "x0", "x1")
    last = rows.reals("x1").reshape(4000, 4)[:, 3]
    told = autoregression.unroll(4).query("x1[3]")
    assert last.mean() == pytest.approx(told.mean, abs=5 * told.sd / 4000**0.5)
    assert last.std() == pytest.approx(told.sd, rel=0.05)
    assert autoregression.simulate(2, 3) == autoregression.simulate(2, 3, random_state=0)


def test_evidence_in_other_forms(autoregression: dw.DynamicNetwork) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"x0": [1.0, 2.0], "x1": [0.5, np.nan], "note": ["a", "b"]})
    one = autoregression.filter(frame)
    other = autoregression.filter({"x0": [1.0, 2.0], "x1": [0.5, None]})
    assert np.array_equal(one.mean("x1"), other.mean("x1"))
    assert one.to_dict()["series"]["x0"]["mean"] == [1.0, 2.0]
    assert str(one).splitlines()[0] == "Kalman filter"
    with pytest.raises(dw.DataError, match="not windows"):
        autoregression.filter(dw.Table(["x0", "x1"], [[1, 2, 3]] * 2, [None] * 2).lagged())


def test_networks_that_do_not_fit_together_are_refused() -> None:
    two = {"a[t]": [0, 1], "a[t-1]": [0, 1]}
    first = dw.BayesianNetwork(dw.Dag(["a[0]"]), {"a[0]": [0, 1]}, {"a[0]": [0.5, 0.5]})
    later = dw.BayesianNetwork(
        "a[t-1] -> a[t]", two, {"a[t-1]": [0.5, 0.5], "a[t]": [[0.9, 0.1], [0.2, 0.8]]}
    )
    back = dw.BayesianNetwork("a[t] -> a[t-1]", two, {"a[t]": [0.5, 0.5], "a[t-1]": [[0.9, 0.1], [0.2, 0.8]]})
    third = dw.BayesianNetwork(dw.Dag(["a[0]"]), {"a[0]": [0, 1, 2]}, {"a[0]": [0.5, 0.5, 0]})
    with pytest.raises(dw.GraphError, match="only nodes of the current step"):
        dw.DynamicNetwork(first, back)
    with pytest.raises(dw.GraphError, match="no node of the current step"):
        dw.DynamicNetwork(first, first)
    with pytest.raises(dw.GraphError, match=r"lacks 'a\[0\]'"):
        dw.DynamicNetwork(later, later)
    with pytest.raises(dw.GraphError, match="has other states"):
        dw.DynamicNetwork(third, later)
    network = dw.DynamicNetwork(first, later)
    for wrong in (
        {"steps": 0},
        {"steps": 1, "method": "kalman"},
        {"steps": 1, "method": "particles", "particles": 0},
    ):
        with pytest.raises(dw.DagwrightError):
            network.forecast(**wrong)  # type: ignore[arg-type]
    assert repr(network).splitlines() == [
        "DynamicNetwork: 1 series, 1 lag, 1 arc in the transition",
        "  a[t] | a[t-1]",
    ]


def test_wide_networks_are_left_to_particles() -> None:
    names = [f"v{i}" for i in range(13)]
    states = {f"{name}[t{back}]": [0, 1, 2, 3] for name in names for back in ("", "-1")}
    graph = dw.Dag(
        list(states),
        [(f"{name}[t-1]", f"{name}[t]") for name in names]
        + [(f"{a}[t]", f"{b}[t]") for a, b in itertools.pairwise(names)],
    )
    rng = np.random.default_rng(0)
    tables = {node: rng.dirichlet(np.ones(4), size=(4,) * len(graph.parents(node))) for node in graph.nodes}
    first = dw.BayesianNetwork(
        dw.Dag([f"{name}[0]" for name in names], []),
        {f"{name}[0]": [0, 1, 2, 3] for name in names},
        {f"{name}[0]": np.full(4, 0.25) for name in names},
    )
    network = dw.DynamicNetwork(first, dw.BayesianNetwork(graph, states, tables))
    assert network.forecast(1, {"v0": [1]}, particles=200).method.startswith("particle filter")
    with pytest.raises(dw.CapacityError, match="exact beliefs need a table of"):
        network.forecast(1, method="exact")
