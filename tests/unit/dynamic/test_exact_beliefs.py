"""Filtering, smoothing and forecasting equal what the unrolled network and closed forms say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dynamic_networks import ARCS, SEEN, discrete, vector_autoregression


def joint(network: dw.BayesianNetwork) -> tuple[list[str], np.ndarray[Any, Any]]:
    """The joint distribution by multiplying all tables, with nothing but broadcasting."""
    nodes = list(network.nodes)
    sizes = [network.cardinality(node) for node in nodes]
    product = np.ones(sizes)
    for node in nodes:
        scope = [*network.parents(node), node]
        table = network.table(node).transpose(np.argsort([nodes.index(one) for one in scope]))
        shape = [network.cardinality(one) if one in scope else 1 for one in nodes]
        product = product * table.reshape(shape)
    return nodes, product


def brute_force(
    nodes: list[str], product: np.ndarray[Any, Any], seen: dict[str, int], node: str
) -> tuple[Any, float]:
    for name, code in seen.items():
        at = nodes.index(name)
        product = np.where(
            np.arange(product.shape[at]).reshape([-1 if i == at else 1 for i in range(product.ndim)]) == code,
            product,
            0,
        )
    axes = tuple(at for at, one in enumerate(nodes) if one != node)
    table = product.sum(axis=axes)
    return table / table.sum(), float(table.sum())


@pytest.mark.parametrize("lags", [1, 2, 3])
@pytest.mark.parametrize("static", [None, 1])
def test_discrete_beliefs_equal_brute_force(lags: int, static: int | None) -> None:
    network = discrete(np.random.default_rng(lags), ARCS[lags], lags)
    cut = {name: cells[:4] for name, cells in SEEN.items()}
    evidence = cut if static is None else {**cut, "s": static}
    nodes, product = joint(network.unroll(6))

    def known(until: int) -> dict[str, int]:
        cells = {f"{n}[{t}]": c for n, cs in SEEN.items() for t, c in enumerate(cs[:until]) if c is not None}
        return cells if static is None else {**cells, "s": static}

    filtered, smoothed = network.filter(evidence), network.smooth(evidence)
    ahead = network.forecast(2, evidence)
    assert filtered.method == "interface algorithm"
    for name in "ab":
        for step in range(4):
            told, _ = brute_force(nodes, product, known(step + 1), f"{name}[{step}]")
            assert np.abs(filtered.probabilities(name)[step] - told).max() < 1e-12
            told, total = brute_force(nodes, product, known(4), f"{name}[{step}]")
            assert np.abs(smoothed.probabilities(name)[step] - told).max() < 1e-12
            assert smoothed.log_likelihood == pytest.approx(np.log(total), abs=1e-12)
        for step in (4, 5):
            told, total = brute_force(nodes, product, known(4), f"{name}[{step}]")
            assert np.abs(ahead.probabilities(name)[step - 4] - told).max() < 1e-12
    assert ahead.steps == range(4, 6)
    assert filtered.log_likelihood == pytest.approx(smoothed.log_likelihood, abs=1e-12)


def test_fewer_steps_than_lags() -> None:
    network = discrete(np.random.default_rng(5), ARCS[3], 3)
    nodes, product = joint(network.unroll(4))
    told = network.smooth({"a": [1, None]}).probabilities("b")
    ahead = network.forecast(3, {"a": [1]}).probabilities("a")
    for step in range(2):
        assert np.abs(told[step] - brute_force(nodes, product, {"a[0]": 1}, f"b[{step}]")[0]).max() < 1e-12
    for step in range(1, 4):
        expected = brute_force(nodes, product, {"a[0]": 1}, f"a[{step}]")[0]
        assert np.abs(ahead[step - 1] - expected).max() < 1e-12
    assert network.forecast(1).probabilities("a").shape == (1, 2)


def test_forecast_of_a_vector_autoregression_equals_the_closed_form() -> None:
    rng = np.random.default_rng(8)
    size, steps = 4, 12
    slopes = [0.3 * rng.normal(size=(size, size)) / size**0.5 for _ in range(3)]
    within = np.tril(rng.normal(size=(size, size)), -1) * 0.4
    intercept, sd = rng.normal(size=size), rng.uniform(0.5, 2, size)
    network = vector_autoregression(intercept, slopes, within, sd)
    past = rng.normal(size=(6, size))
    told = network.forecast(steps, {f"x{i}": past[:, i] for i in range(size)})
    # The companion form: means by recursion, variances as the sum over the moving-average weights.
    spread = np.linalg.inv(np.eye(size) - within)
    companion = np.zeros((3 * size, 3 * size))
    companion[:size] = np.hstack([spread @ slope for slope in slopes])
    companion[size:, :-size] = np.eye(2 * size)
    noise = np.zeros((3 * size, 3 * size))
    noise[:size, :size] = spread @ np.diag(sd**2) @ spread.T
    state = past[:-4:-1].reshape(-1)
    covariance = np.zeros_like(noise)
    for step in range(steps):
        state = companion @ state
        state[:size] += spread @ intercept
        covariance = companion @ covariance @ companion.T + noise
        for i in range(size):
            assert abs(told.mean(f"x{i}")[step] - state[i]) < 1e-9
            assert abs(told.sd(f"x{i}")[step] - covariance[i, i] ** 0.5) < 1e-9


@pytest.mark.parametrize("lags", [1, 2])
def test_gaussian_beliefs_equal_the_unrolled_network(lags: int) -> None:
    rng = np.random.default_rng(lags)
    slopes = [0.5 * rng.normal(size=(3, 3)) for _ in range(lags)]
    # The last series is a function of the others: its noise is 0.
    within = [[0, 0, 0], [0.7, 0, 0], [0, -1.5, 0]]
    network = vector_autoregression([1, -1, 0.5], slopes, within, [1.0, 0.5, 0.0])
    rows = network.simulate(7, random_state=4)
    seen: dict[str, list[Any]] = {name: rows.decode(name) for name in network.series}
    for name, steps in {"x0": [0, 2, 3], "x1": [1, 4, 6], "x2": [0, 1, 2, 5, 6]}.items():
        for step in steps:
            seen[name][step] = None
    unrolled = network.unroll(9)
    filtered, smoothed, ahead = network.filter(seen), network.smooth(seen), network.forecast(2, seen)
    for name in network.series:
        for step in range(9):
            node = f"{name}[{step}]"
            for beliefs, until in ((filtered, step + 1), (smoothed, 7)):
                if step > 6:
                    beliefs, at = ahead, step - 7
                else:
                    at = step
                known = {
                    f"{n}[{t}]": c
                    for n, cs in seen.items()
                    for t, c in enumerate(cs[:until])
                    if c is not None
                }
                if node in known:
                    assert beliefs.mean(name)[at] == pytest.approx(known[node], abs=1e-12)
                    assert beliefs.sd(name)[at] == pytest.approx(0, abs=1e-7)
                    continue
                told = unrolled.query(node, known)
                assert beliefs.mean(name)[at] == pytest.approx(told.mean, abs=1e-9)
                assert beliefs.sd(name)[at] == pytest.approx(told.sd, abs=1e-7)


def test_intervals_are_central() -> None:
    network = vector_autoregression([0], [[[0.5]]], [[0]], [2.0])
    told = network.forecast(1, {"x0": [1.0]})
    low, high = told.interval("x0", 0.9)
    assert (low[0], high[0]) == pytest.approx((0.5 - 2 * 1.6448536, 0.5 + 2 * 1.6448536))
    with pytest.raises(dw.OptionError, match="level must be"):
        told.interval("x0", 1.0)
    with pytest.raises(dw.OptionError, match="has numbers, not states"):
        told.probabilities("x0")
    with pytest.raises(dw.UnknownNameError, match="unknown series 'y'"):
        told.mean("y")


def test_impossible_evidence_is_refused() -> None:
    states = {"a[t]": [0, 1], "a[t-1]": [0, 1]}
    stays = dw.DynamicNetwork(
        dw.BayesianNetwork(dw.Dag(["a[0]"]), {"a[0]": [0, 1]}, {"a[0]": [0.5, 0.5]}),
        dw.BayesianNetwork("a[t-1] -> a[t]", states, {"a[t-1]": [0.5, 0.5], "a[t]": [[1, 0], [0, 1]]}),
    )
    for method in ("exact", "particles"):
        with pytest.raises(dw.ImpossibleEvidenceError):
            stays.filter({"a": [0, 0, 1]}, method=method)  # type: ignore[arg-type]
    number = vector_autoregression([0], [[[1.0]]], [[0]], [0.0])
    with pytest.raises(dw.ImpossibleEvidenceError, match="'x0' is 2 at step 1, and the network makes it 1"):
        number.filter({"x0": [1.0, 2.0]})
