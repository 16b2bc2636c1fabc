"""Learning leaves out columns that number or name the rows, and says so; reading keeps them."""

from __future__ import annotations

import csv
import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command_line import run

import dagwright as dw

N = 120


def rows() -> dict[str, list[Any]]:
    rng = np.random.default_rng(5)
    rain = rng.integers(0, 2, N)
    wet = np.where(rng.random(N) < 0.9, rain, 1 - rain)
    return {
        "seqno": rng.permutation(np.arange(1000, 1000 + N)).tolist(),
        "ticket": [f"T{i * i}" for i in range(N)],
        "price": (rng.permutation(N) * 37).tolist(),
        "height": (rng.permutation(N) + 150.5).tolist(),
        "rain": rain.tolist(),
        "wet": wet.tolist(),
    }


LEFT = {"price", "height", "rain", "wet"}


def test_learn_leaves_identifiers_out_and_says_so() -> None:
    data = rows()
    for source in (data, dw.read(data)):
        found = dw.learn(source)
        assert set(found.graph.nodes) == LEFT
        assert "column 'seqno' was left out: it looks like an identifier (120 consecutive" in str(found)
        assert "column 'ticket' was left out" in str(found)
    assert dw.read(data).names == tuple(data)


def test_an_identifier_that_is_named_is_kept() -> None:
    data = rows()
    assert "seqno" in dw.learn(data, columns=["seqno", "rain", "wet"]).graph.nodes
    assert "seqno" in dw.learn(data, knowledge=dw.Knowledge(forbidden=["seqno -> rain"])).graph.nodes
    assert "seqno" in dw.learn(data, start=dw.Dag(["seqno", *sorted(LEFT)])).graph.nodes
    assert "seqno" in dw.learn(dw.read(data, kinds={"seqno": "continuous"})).graph.nodes
    assert "seqno" in dw.learn(dw.read(data, columns=["seqno", "rain", "wet"])).graph.nodes
    assert dw.blanket(data, "seqno").target == "seqno"


def test_more_distinct_texts_than_states_fit_is_no_hindrance() -> None:
    many = 70_000
    data = {"id": [f"p{i}" for i in range(many)], "a": [0, 1] * (many // 2), "b": [0, 1] * (many // 2)}
    assert set(dw.learn(data).graph.nodes) == {"a", "b"}


@pytest.mark.parametrize(
    "column",
    [
        list(range(20)) * 6,  # they repeat
        [float(i) + 0.5 for i in range(N)],  # real numbers
        [i * 2 for i in range(N)],  # every second number
        [i % 60 for i in range(N)],
        [f"c{i % 60}" for i in range(N)],
    ],
)
def test_what_is_no_identifier(column: list[Any]) -> None:
    data = {"x": column, "y": [0, 1] * (N // 2)}
    assert set(dw.learn(data).graph.nodes) == {"x", "y"}


def test_gaps_and_missing_numbers_do_not_hide_an_identifier() -> None:
    numbers = [i for i in range(N + 5) if i % 25]
    numbers[3] = None  # type: ignore[call-overload]
    data = {"id": numbers, "x": [0, 1] * (len(numbers) // 2), "y": [0, 1] * (len(numbers) // 2)}
    assert set(dw.learn(data).graph.nodes) == {"x", "y"}


DOORS = {
    "learn": lambda data, **o: dw.learn(data, **o).graph.nodes,
    "bootstrap": lambda data, **o: dw.bootstrap(data, replicates=2, **o).nodes,
    "posterior": lambda data, **o: dw.posterior(data, **o).confidence.nodes,
    "candidates": lambda data, **o: dw.candidates(data, **o).nodes,
    "credible_set": lambda data, **o: dw.credible_set(data, **o).networks[0].nodes,
    "rivals": lambda data, **o: dw.rivals(data, 1, **o).networks[0].nodes,
    "enumerate_networks": lambda data, **o: dw.search.enumerate_networks(data, **o).best.nodes,
    "greedy_tie_outcomes": lambda data, **o: dw.search.greedy_tie_outcomes(data, **o)[0].graph.nodes,
    "report": lambda data, **o: dw.report(data, replicates=0, rival_seconds=0, **o).dag.nodes,
}


@pytest.mark.parametrize("door", DOORS)
def test_every_door_to_learning_has_columns_and_exclude(door: str) -> None:
    data = rows()
    assert set(DOORS[door](data)) == LEFT
    assert set(DOORS[door](data, exclude=["price"])) == LEFT - {"price"}
    assert set(DOORS[door](data, columns=["rain", "wet", "seqno"])) == {"rain", "wet", "seqno"}


def test_the_other_doors_take_them_too() -> None:
    for function in (dw.blanket, dw.neighbors, dw.forecast, dw.cross_validate):
        assert {"columns", "exclude"} <= set(inspect.signature(function).parameters)
    data = rows()
    assert "price" not in dw.blanket(data, "wet", exclude=["price"]).members
    tried = {"auto": {}}
    for options in ({}, {"exclude": ["price"]}, {"columns": ["rain", "wet"]}):
        assert dw.cross_validate(data, tried, folds=2, **options).best == "auto"  # type: ignore[arg-type]


def test_the_command_line_says_what_it_leaves_out(tmp_path: Path) -> None:
    data = rows()
    path = tmp_path / "rows.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([list(data), *zip(*data.values(), strict=True)])
    model = tmp_path / "model.json"
    learned = run("learn", str(path), "-o", str(model))
    assert learned.exit_code == 0 and "column 'seqno' was left out" in learned.stdout
    assert set(json.loads(model.read_text())["nodes"]) == LEFT
    kept = run("learn", str(path), "--column", "seqno", "--column", "wet", "--json")
    assert json.loads(kept.stdout)["nodes"] == ["seqno", "wet"]
    rivals = run("rivals", str(path))
    assert rivals.exit_code == 0 and "column 'ticket' was left out" in rivals.stderr
    card = run("evidence-card", str(path), "seqno", "wet")
    assert card.exit_code == 0 and "seqno" in card.stdout
    named = run("blanket", str(path), "seqno")
    assert named.exit_code == 0
