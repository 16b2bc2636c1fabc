"""Effects: their estimates, intervals, ranges over classes, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import dagwright as dw

GRAPH = "z -> x; z -> y; x -> m -> y"


def linear(rows: int, seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    z = rng.normal(size=rows)
    x = 0.8 * z + rng.normal(size=rows)
    m = 1.5 * x + rng.normal(size=rows)
    return {"z": z, "x": x, "m": m, "y": m - 2.0 * z + rng.normal(size=rows)}


def states(rows: int, seed: int) -> tuple[dw.Table, float]:
    """Rows of z, x and y of two states, and the true effect of x on y."""
    rng = np.random.default_rng(seed)
    z = rng.random(rows) < 0.4
    x = rng.random(rows) < np.where(z, 0.7, 0.3)
    chance = np.array([[0.2, 0.5], [0.6, 0.8]])  # by z, x
    y = rng.random(rows) < chance[z.astype(int), x.astype(int)]
    table = dw.Table(["z", "x", "y"], [column.astype(np.uint8) for column in (z, x, y)], [[0, 1]] * 3)
    return table, 0.6 * 0.3 + 0.4 * 0.2


def test_a_linear_effect_is_the_coefficient_of_least_squares() -> None:
    data = linear(200, 1)
    found = dw.effect(GRAPH, "x", "y", data)
    design = np.stack([np.ones(200), data["x"], data["z"]], axis=1)
    assert found.adjusted_for == ("z",)
    assert found.value == pytest.approx(np.linalg.lstsq(design, data["y"], rcond=None)[0][1])
    assert found.identified == 1.0 and found.possible == (found.value,)
    assert json.loads(json.dumps(found.to_dict()))["value"] == found.value
    assert dw.effect(GRAPH, "y", "x", data).value == 0.0


def test_a_discrete_effect_is_standardized() -> None:
    table, _ = states(400, 2)
    found = dw.effect("z -> x; z -> y; x -> y", "x", "y", table)
    network = dw.fit("z -> x; z -> y; x -> y", table, parameter_prior=None)
    wanted = network.causal_effect("x", "y", (0, 1))
    assert found.value == pytest.approx(wanted, abs=1e-12)
    assert [one.given for one in found.positivity] == [(("z", 0),), (("z", 1),)]
    assert sum(sum(one.counts.values()) for one in found.positivity) == 400
    turned = dw.effect("z -> x; z -> y; x -> y", "x", "y", table, states=(1, 0))
    assert turned.value == pytest.approx(-found.value)
    doubled = dw.effect("z -> x; z -> y; x -> y", "x", "y", table.with_weights(np.full(400, 2.0)))
    assert doubled.value == pytest.approx(found.value)
    assert doubled.high - doubled.low == pytest.approx((found.high - found.low) / np.sqrt(2), rel=0.01)


@pytest.mark.parametrize("kind", ["numbers", "states", "mixed"])
def test_intervals_cover(kind: str) -> None:
    hits, runs = 0, 200
    for seed in range(runs):
        if kind == "numbers":
            data = linear(60, seed)
            table, truth = dw.Table(list(data), list(data.values()), [None] * 4), 1.5
            found = dw.effect(GRAPH, "x", "y", table)
        elif kind == "states":
            table, truth = states(200, seed)
            found = dw.effect("z -> x; z -> y; x -> y", "x", "y", table)
        else:
            rng = np.random.default_rng(seed)
            z = rng.normal(size=100)
            x = rng.random(100) < 1 / (1 + np.exp(-z))
            y = z + 2.0 * x + rng.normal(size=100) * (1 + x)
            rows = dw.Table(["z", "x", "y"], [z, x.astype(np.uint8), y], [None, [0, 1], None])
            found, truth = dw.effect("z -> x; z -> y; x -> y", "x", "y", rows), 2.0
        hits += found.low <= truth <= found.high
    assert 0.90 <= hits / runs <= 0.99


def test_a_class_gives_a_range() -> None:
    data = linear(500, 3)
    found = dw.effect("x -- m", "x", "m", {name: data[name] for name in ("x", "m")})
    slope = np.polyfit(data["x"], data["m"], 1)[0]
    assert found.value is None and found.identified == 0.0
    assert found.possible == pytest.approx((0.0, slope))
    assert found.low <= 0.0 and found.high >= slope
    assert "not identified" in str(found)


def test_learned_graphs_carry_their_uncertainty() -> None:
    table, truth = states(1500, 5)
    learned = dw.learn(table, knowledge=dw.Knowledge(order=["z", "x", "y"]))
    found = dw.effect(learned, "x", "y", replicates=20)
    alone = dw.effect(learned, "x", "y", replicates=0)
    assert found.value == alone.value
    assert found.identified == 1.0
    assert found.low < truth < found.high
    assert dw.effect(learned, "x", "y", replicates=20) == found
    sampled = dw.effect(dw.posterior(table, knowledge=dw.Knowledge(order=["z", "x", "y"])), "x", "y", table)
    assert sampled.value == pytest.approx(alone.value, abs=0.02)
    assert sampled.low < truth < sampled.high


def test_rows_of_experiments_are_left_out() -> None:
    table, _ = states(400, 6)
    marked = table.with_interventions({"y": [False] * 300 + [True] * 100})
    graph = "z -> x; z -> y; x -> y"
    assert (
        dw.effect(graph, "x", "y", marked).value == dw.effect(graph, "x", "y", table.take(range(300))).value
    )


def test_what_is_refused() -> None:
    rows = {"z": [0, 0, 1, 1] * 5, "x": [0, 0, 1, 1] * 5, "y": [0, 1] * 10}
    with pytest.raises(dw.DataError, match=r"x=0 never occurs where z=1.*positivity"):
        dw.effect("z -> x; z -> y; x -> y", "x", "y", rows)
    with pytest.raises(dw.NotIdentifiableError, match="x <- z -> y"):
        dw.effect("z -> x; z -> y; x -> y", "x", "y", rows, observed=[])
    with pytest.raises(dw.OptionError, match="3 states"):
        dw.effect("x -> y", "x", "y", {"x": ["a", "b", "c"] * 4, "y": [0, 1] * 6})
    with pytest.raises(dw.OptionError, match="are not numbers"):
        dw.effect("x -> y", "x", "y", {"y": ["a", "b", "c"] * 4, "x": [0, 1] * 6})
    with pytest.raises(dw.OptionError, match="learn"):
        dw.effect(dw.bootstrap(rows, replicates=2), "x", "y", rows)
    with pytest.raises(dw.DataError, match="needs rows"):
        dw.effect("x -> y", "x", "y")
    with pytest.raises(dw.OptionError, match="level"):
        dw.effect("x -> y", "x", "y", rows, level=2)
    with pytest.raises(dw.NotIdentifiableError, match="Pag"):
        dw.effect("x o-> y", "x", "y", rows)
