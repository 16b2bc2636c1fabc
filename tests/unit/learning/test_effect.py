"""Effects: their estimates, intervals, ranges over classes, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import dagwright as dw

GRAPH = "z -> x; z -> y; x -> m -> y"
MEMBERS = [("x", "x -> z; x -> y; z -> y"), ("z -> x", "x -> y; z -> y"), ("y -> x", "x -> z; y -> z")]
MEMBERS += [("y -> x; z -> x", "z -> y")]


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


def mixed(rows: int, seed: int) -> dw.Table:
    """z has numbers, x two states, y numbers; x raises y by 2."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=rows)
    x = rng.random(rows) < 1 / (1 + np.exp(-2 * z))
    y = 3 * z + 2.0 * x + rng.normal(size=rows)
    return dw.Table(["z", "x", "y"], [z, x.astype(np.uint8), y], [None, [0, 1], None])


@pytest.mark.parametrize("kind", ["numbers", "states", "mixed"])
def test_effects_over_the_graphs_of_a_bootstrap(kind: str) -> None:
    if kind == "numbers":
        data = linear(600, 8)
        table, truth = dw.Table(list(data), list(data.values()), [None] * 4), 1.5
        knowledge = dw.Knowledge(order=["z", "x", "m", "y"])
    else:
        table, truth = (mixed(600, 8), 2.0) if kind == "mixed" else states(3000, 8)
        knowledge = dw.Knowledge(order=["z", "x", "y"])
    sure = dw.bootstrap(table, replicates=20, search=dw.HillClimb(), knowledge=knowledge)
    assert len(sure.graphs) == 20
    found = dw.effect(sure, "x", "y", table)
    assert found.identified == 1.0 and found.value is not None
    assert found.low < truth < found.high
    assert found.source.startswith("the rows and the graph, 20 graphs from 20 replicates")
    estimates = [dw.effect(graph, "x", "y", table) for graph in sure.graphs]
    assert found.value == pytest.approx(np.mean([one.value for one in estimates]))
    if len(set(sure.graphs)) == 1:
        assert (found.low, found.high) == pytest.approx((estimates[0].low, estimates[0].high), rel=0.02)


def test_graphs_that_leave_the_effect_open_widen_the_interval() -> None:
    table, _ = states(1500, 5)
    sure = dw.bootstrap(table, replicates=10, search=dw.HillClimb())  # no direction is known
    found = dw.effect(sure, "x", "y", table)
    assert found.value is None and found.identified == 0.0
    single = dw.effect(sure.graphs[0], "x", "y", table)
    assert set(single.possible) <= set(found.possible)
    assert found.low <= min(single.possible) and found.high >= max(single.possible)


@pytest.mark.parametrize("kind", ["numbers", "states", "mixed"])
def test_the_members_of_a_class_have_one_effect_for_each_set_of_parents(kind: str) -> None:
    data = linear(300, 9)
    numbers = dw.Table(["z", "x", "y"], [data["z"], data["x"], data["y"]], [None] * 3)
    table = {"numbers": numbers, "states": states(300, 9)[0], "mixed": mixed(300, 9)}[kind]
    found = dw.effect("z -- x; x -- y; z -- y", "x", "y", table)
    members = [f"{parents}; {rest}" for parents, rest in MEMBERS]
    wanted = [dw.effect(member, "x", "y", table).value for member in members]
    assert found.value is None and found.adjusted_for is None
    assert found.possible == pytest.approx(sorted(one for one in wanted if one is not None))


def test_effects_with_hidden_variables() -> None:
    rng = np.random.default_rng(4)
    n = 4000
    hidden, a, b = rng.normal(size=(3, n))
    x = a + b + rng.normal(size=n)
    m = 0.5 * x + rng.normal(size=n)
    rows = {"a": a, "b": b, "x": x, "m": m, "y": m + 2.0 * a + hidden + rng.normal(size=n)}
    rows["w"] = hidden + rng.normal(size=n)
    dag = dw.Dag.parse("a -> x; b -> x; x -> m -> y; a -> y; h -> y; h -> w")
    pag = dag.latent_projection(hidden="h").pag()
    found = dw.effect(pag, "x", "y", rows)
    assert found.adjusted_for == ("a",)
    assert found.low < 0.5 < found.high
    assert "no selection bias" in found.assumptions
    assert not any("common cause" in one for one in found.assumptions)
    assert dw.effect(pag, "w", "x", rows).value == 0.0
    learned = dw.learn(rows, search=dw.FCI(test=dw.StudentT(alpha=0.001)))
    again = dw.effect(learned, "x", "y", replicates=5)
    assert again.identified == 1.0 and again.low == pytest.approx(0.5, abs=0.05)


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
    forgotten = dw.Confidence.from_json(dw.bootstrap(rows, replicates=2).to_json())
    with pytest.raises(dw.OptionError, match="learn"):
        dw.effect(forgotten, "x", "y", rows)
    with pytest.raises(dw.DataError, match="needs rows"):
        dw.effect("x -> y", "x", "y")
    with pytest.raises(dw.OptionError, match="level"):
        dw.effect("x -> y", "x", "y", rows, level=2)
    with pytest.raises(dw.NotIdentifiableError, match="x o-> y may be a causal path or not"):
        dw.effect("x o-> y", "x", "y", rows)
    with pytest.raises(dw.NotIdentifiableError, match="undirected graph"):
        dw.effect(dw.UndirectedGraph.parse("x -- y"), "x", "y", rows)
