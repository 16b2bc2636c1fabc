"""The particle filter agrees with exact answers within the error that it states."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dynamic_networks import ARCS, SEEN, discrete, mixed, vector_autoregression


def close(told: Any, exact: Any, error: Any) -> None:
    assert np.all(np.abs(np.asarray(told) - exact) <= 5 * np.asarray(error) + 1e-9)
    assert np.all(np.asarray(error) < 0.2)


@pytest.mark.parametrize("ask", ["filter", "smooth"])
def test_states_agree_with_the_interface_algorithm(ask: str) -> None:
    network = discrete(np.random.default_rng(2), ARCS[2], 2)
    exact = getattr(network, ask)(SEEN)
    told = getattr(network, ask)(SEEN, method="particles", random_state=1)
    assert told.method == "particle filter, 10,000 particles"
    for name in "ab":
        close(told.probabilities(name), exact.probabilities(name), told.error(name))
    assert told.log_likelihood == pytest.approx(exact.log_likelihood, abs=0.1)
    assert 0 < told.largest_error < 0.1
    assert exact.largest_error == 0


def test_numbers_agree_with_the_kalman_filter() -> None:
    network = vector_autoregression([1, 0], [[[0.5, 0.2], [0.0, 0.6]]], [[0, 0], [0.4, 0]], [1.0, 0.5])
    seen = {"x0": [0.5, 1.5, None, 2.0], "x1": [None, 0.3, 0.2, None]}
    for ask in ("filter", "smooth"):
        exact, told = getattr(network, ask)(seen), getattr(network, ask)(seen, method="particles")
        for name in network.series:
            close(told.mean(name), exact.mean(name), told.error(name))
            assert told.sd(name) == pytest.approx(exact.sd(name), abs=0.1)
    ahead, exact = network.forecast(3, seen, method="particles"), network.forecast(3, seen)
    for one, other in zip(ahead.interval("x0"), exact.interval("x0"), strict=True):
        assert one == pytest.approx(other, abs=0.15)


def test_mixed_networks_agree_with_the_unrolled_one() -> None:
    network = mixed()
    seen: dict[str, list[Any]] = {"s": [None, "on", None, None], "y": [0.5, None, 2.5, 1.0]}
    unrolled = network.unroll(5)
    told, ahead = network.smooth(seen), network.forecast(1, seen)
    assert told.method.startswith("particle filter")
    known = {f"{n}[{t}]": c for n, cs in seen.items() for t, c in enumerate(cs) if c is not None}
    for step in (0, 2, 3):
        exact = unrolled.query(f"s[{step}]", known)
        close(told.probabilities("s")[step], [exact[state] for state in ("off", "on")], told.error("s")[step])
    close(told.mean("y")[1], unrolled.query("y[1]", known).mean, told.error("y")[1])
    close(ahead.mean("y")[0], unrolled.query("y[4]", known).mean, ahead.error("y")[0])
    with pytest.raises(dw.CapacityError, match="a mixture that grows with every step"):
        network.filter(seen, method="exact")


def test_particles_repeat() -> None:
    network = mixed()
    one, other = (network.forecast(3, {"y": [1.0]}, random_state=3) for _ in range(2))
    assert np.array_equal(one.mean("y"), other.mean("y"))
    assert not np.array_equal(one.mean("y"), network.forecast(3, {"y": [1.0]}, random_state=4).mean("y"))
