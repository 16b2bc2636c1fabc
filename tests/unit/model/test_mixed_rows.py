"""Rows of states and numbers: drawn, weighed, predicted and completed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.unit.model.mixed_networks import one_row, random_mixed

import dagwright as dw
from dagwright.errors import CapacityError, DataError, ImpossibleEvidenceError


def incomplete(network: dw.BayesianNetwork, seed: int, rows: int = 12) -> list[dict[str, Any]]:
    """Rows of a network with a third of the cells missing."""
    random = np.random.default_rng([11, seed])
    drawn = [one_row(network, 100 * seed + i) for i in range(rows)]
    return [{n: None if random.random() < 0.35 else v for n, v in row.items()} for row in drawn]


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {node: [row[node] for row in rows] for node in rows[0]}


def cells(table: dw.Table, node: str) -> NDArray[Any]:
    return np.array(table.decode(node))


def known(row: dict[str, Any], *but: str) -> dict[str, Any]:
    return {node: value for node, value in row.items() if value is not None and node not in but}


@pytest.mark.parametrize("seed", range(6))
def test_rows_answer_as_questions_do(seed: int) -> None:
    network = random_mixed(seed, seed % 5, 5, certain=0.2 if seed % 2 else 0.0)
    rows = incomplete(network, seed)
    data = columns(rows)
    found = network.log_density(data)
    expected = [network.evidence_probability(known(row), log=True) for row in rows]
    assert found == pytest.approx(expected, abs=1e-8)
    assert network.log_likelihood(data) == pytest.approx(math.fsum(expected), abs=1e-7)
    for node in network.nodes:
        predicted = network.predict(data, node)
        for row, value in zip(rows, predicted, strict=True):
            answer = network.query(node, known(row, node))
            if node in network.gaussians:
                assert value == pytest.approx(answer.mean, abs=1e-8)
            else:
                assert value == answer.most_likely
        if node not in network.gaussians:
            chances = network.predict_proba(data, node)
            for row, each in zip(rows, chances, strict=True):
                assert each == pytest.approx(list(network.query(node, known(row, node)).values()), abs=1e-9)


def test_completed_rows() -> None:
    network = random_mixed(4, 4, 5, certain=0.0)
    rows = incomplete(network, 4)
    filled = network.impute(columns(rows))
    states = [node for node in network.nodes if node not in network.gaussians]
    for place, row in enumerate(rows):
        best = network.map(states, known(row))
        for node in network.nodes:
            value = filled.decode(node)[place]
            if row[node] is not None:
                assert value == row[node]
            elif node in best:
                assert value == best[node]
            else:
                assert value == pytest.approx(network.query(node, known(row) | dict(best)).mean, abs=1e-9)


def test_samples_have_the_moments_of_the_network() -> None:
    network = random_mixed(9, 3, 4)
    rows = network.sample(100_000, random_state=2)
    for node in network.nodes:
        answer = network.query(node)
        if node in network.gaussians:
            assert cells(rows, node).mean() == pytest.approx(answer.mean, abs=5 * answer.sd / 300)
            assert cells(rows, node).std() == pytest.approx(answer.sd, rel=0.03, abs=1e-9)
        else:
            for state, chance in answer.items():
                assert (cells(rows, node) == state).mean() == pytest.approx(chance, abs=0.01)


def test_samples_repeat_and_a_longer_one_begins_like_a_shorter_one() -> None:
    network = random_mixed(2, 2, 3)
    first, again, longer = (network.sample(n, random_state=5) for n in (50, 50, 80))
    other = network.sample(50, random_state=6)
    for node in network.nodes:
        assert np.array_equal(cells(first, node), cells(again, node))
        assert np.array_equal(cells(first, node), cells(longer, node)[:50])
    assert not np.array_equal(first.reals("x0"), other.reals("x0"))


def test_samples_given_evidence_follow_the_posterior() -> None:
    network = random_mixed(5, 3, 5, certain=0.0)
    row = one_row(network, 3)
    evidence = {"x4": row["x4"], "d1": row["d1"]}
    rows = network.sample(60_000, random_state=1, evidence=evidence)
    assert np.all(cells(rows, "x4") == row["x4"])
    assert np.all(cells(rows, "d1") == row["d1"])
    for node in network.nodes:
        answer = network.query(node, evidence)
        if node in network.gaussians:
            assert cells(rows, node).mean() == pytest.approx(answer.mean, abs=0.02 * max(answer.sd, 1e-6))
        else:
            for state, chance in answer.items():
                assert (cells(rows, node) == state).mean() == pytest.approx(chance, abs=0.01)


def test_what_rows_must_be() -> None:
    network = dw.BayesianNetwork(
        "sex -> x",
        {"sex": ["f", "m"]},
        {"sex": [1.0, 0.0], "x": dw.LinearGaussian([1, 2], sd=1, given=["sex"])},
    )
    with pytest.raises(DataError, match="'tall' is not a number"):
        network.log_density({"x": [1.0, "tall"]})
    with pytest.raises(DataError, match="inf is not a finite number"):
        network.log_density({"x": [1.0, np.inf]})
    with pytest.raises(DataError, match="share no column with the known ones"):
        network.log_density({"y": [1.0]})
    with pytest.raises(DataError, match="column 'x' has 2 values, 'sex' has 1"):
        network.log_density({"sex": ["f"], "x": [1.0, 2.0]})
    with pytest.raises(DataError, match="unknown state 'g'"):
        network.log_density({"sex": ["g"]})
    assert network.predict({"sex": ["g"]}, "x", unknown_states="ignore") == [1.0]
    with pytest.raises(ImpossibleEvidenceError, match="row 1 is impossible"):
        network.predict({"sex": ["f", "m"]}, "x")
    assert network.predict({"sex": ["f", "m"]}, "x", impossible="missing") == [1.0, None]
    assert network.log_density({"sex": ["m"], "x": [0.0]}).tolist() == [-math.inf]


def test_many_missing_states_are_refused() -> None:
    count = 17
    names = [f"d{i:02}" for i in range(count)]
    tables: dict[str, Any] = {name: [0.5, 0.5] for name in names}
    tables |= {f"x{i:02}": dw.LinearGaussian([0.0, 1.0], given=[names[i]]) for i in range(count)}
    network = dw.BayesianNetwork(
        dw.Dag(list(tables), [(name, f"x{name[1:]}") for name in names]),
        {name: [0, 1] for name in names},
        tables,
    )
    with pytest.raises(CapacityError, match="lacks 17 states"):
        network.log_density({f"x{i:02}": [0.5] for i in range(count)})
