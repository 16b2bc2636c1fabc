"""Rows drawn from networks, and the probability of rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import dagwright as dw
from dagwright.base.seeds import seed_word
from dagwright.errors import CapacityError, DataError, MissingValuesError, OptionError, UnknownNameError
from dagwright.model.inference.enumeration import full_joint as joint
from dagwright.model.reference import sample_codes


@pytest.mark.parametrize("name", ["asia", "alarm", "sachs"])
def test_native_sampling_is_the_plain_one(name: str) -> None:
    network = dw.load(name)
    rows = network.sample(300, random_state=11)
    for node, codes in sample_codes(network, 300, seed_word(11)).items():
        np.testing.assert_array_equal(rows.codes(node), codes)


def test_many_states() -> None:
    probabilities = np.random.default_rng(1).dirichlet(np.ones(400))
    network = dw.BayesianNetwork(
        dw.Dag(["big", "child"], [("big", "child")]),
        {"big": range(400), "child": range(20)},
        {"big": probabilities, "child": np.random.default_rng(2).dirichlet(np.ones(20), 400)},
    )
    rows = network.sample(5000, random_state=1)
    assert rows.codes("big").dtype == np.uint16
    for node, codes in sample_codes(network, 5000, seed_word(1)).items():
        np.testing.assert_array_equal(rows.codes(node), codes)


def test_threads_chunks_and_the_order_of_nodes_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    network = dw.load("child")
    rows = network.sample(20_000, random_state=5, threads=1)
    assert network.sample(20_000, random_state=5, threads=4) == rows
    assert network.sample(7, random_state=5) == rows.take(np.arange(7))
    monkeypatch.setattr("dagwright.model.inference.sampling.CHUNK", 1000)
    assert network.sample(20_000, random_state=5) == rows
    backwards = dw.BayesianNetwork(
        dw.Dag(network.nodes[::-1], network.graph.edges),
        {node: network.states(node) for node in network.nodes},
        {node: network.table(node) for node in network.nodes},
        parents={node: network.parents(node) for node in network.nodes},
    )
    assert backwards.sample(20_000, random_state=5).select(network.nodes) == rows


def test_random_states() -> None:
    network = dw.load("asia")
    assert network.sample(50, random_state=1) != network.sample(50, random_state=2)
    assert network.sample(50) == network.sample(50)
    assert network.sample(50, random_state="fresh") != network.sample(50, random_state="fresh")
    first, second = np.random.default_rng(1), np.random.default_rng(1)
    assert network.sample(50, random_state=first) == network.sample(50, random_state=second)
    assert network.sample(50, random_state=first) != network.sample(50, random_state=np.random.default_rng(1))
    assert network.sample(0, random_state=1).n_rows == 0
    for wrong in (-1, 1.5, True, "7"):
        with pytest.raises(OptionError):
            network.sample(5, random_state=wrong)
        with pytest.raises(OptionError):
            network.sample(wrong)
    with pytest.raises(OptionError, match="threads"):
        network.sample(5, threads=0)


def test_frequencies_follow_the_joint_distribution() -> None:
    network = dw.load("cancer")
    rows = network.sample(200_000, random_state=7)
    expected = joint(network)
    place = tuple(rows.codes(node) for node in network.nodes)
    observed = np.zeros(expected.shape)
    np.add.at(observed, place, 1)
    statistic = ((observed - 200_000 * expected) ** 2 / (200_000 * expected)).sum()
    assert stats.chi2.sf(statistic, expected.size - 1) > 1e-4


def test_rows_keep_the_states_of_the_network() -> None:
    rows = dw.load("cancer").sample(20, random_state=1)
    assert rows.states_of("Xray") == ("positive", "negative")
    assert list(rows.to_pandas().columns) == list(dw.load("cancer").nodes)
    assert set(rows.decode("Pollution")) <= {"low", "high"}


def test_evidence_keeps_the_rows_that_agree() -> None:
    network = dw.load("asia")
    evidence = {"xray": "yes", "smoke": "no"}
    rows = network.sample(3000, random_state=4, evidence=evidence)
    assert rows.n_rows == 3000
    assert set(rows.decode("xray")) == {"yes"}
    assert set(rows.decode("smoke")) == {"no"}
    # The rows are the first that agree in the stream without evidence.
    free = network.sample(200_000, random_state=4)
    agree = (free.codes("xray") == 0) & (free.codes("smoke") == 1)
    assert rows == free.take(np.flatnonzero(agree)[:3000])
    assert rows == network.sample(3000, random_state=4, evidence=evidence, threads=3)
    posterior = network.marginal(["tub", "xray", "smoke"])[:, 0, 1]
    share = float((rows.codes("tub") == 0).mean())
    assert abs(share - posterior[0] / posterior.sum()) < 0.03
    assert network.sample(0, random_state=4, evidence=evidence).n_rows == 0


def test_evidence_that_is_too_rare_or_unknown_is_refused() -> None:
    network = dw.load("asia")
    with pytest.raises(OptionError, match=r"of 18 rows agreed with asia='yes' in 1,000 draws"):
        network.sample(18, random_state=1, evidence={"asia": "yes"}, max_draws=1000)
    with pytest.raises(UnknownNameError, match="'either'"):
        network.sample(5, evidence={"either": "maybe"})
    with pytest.raises(UnknownNameError, match="ether"):
        network.sample(5, evidence={"ether": "no"})


def test_log_likelihoods() -> None:
    network = dw.load("survey")
    rows = network.sample(500, random_state=2)
    logs = np.log(joint(network))[tuple(rows.codes(node) for node in network.nodes)]
    np.testing.assert_allclose(network.row_log_likelihoods(rows), logs)
    assert math.isclose(network.log_likelihood(rows), math.fsum(logs))
    parts = network.node_log_likelihoods(rows)
    assert list(parts) == list(network.nodes)
    assert math.isclose(math.fsum(parts.values()), math.fsum(logs))
    weights = np.arange(500.0)
    assert math.isclose(network.log_likelihood(rows.with_weights(weights)), float(weights @ logs))
    assert math.isclose(dw.log_loss(network, rows), -math.fsum(logs) / 500)


def test_log_likelihood_of_the_fit_is_that_of_the_score() -> None:
    rows = dw.load("asia").sample(1000, random_state=2)
    graph = dw.load("asia").graph
    assert math.isclose(
        dw.fit(graph, rows, parameter_prior=None).log_likelihood(rows),
        dw.score(graph, rows, dw.LogLik()).total,
        rel_tol=1e-12,
    )


def test_impossible_and_incomplete_rows() -> None:
    network = dw.load("asia")
    rows = {node: ["yes", "yes"] for node in network.nodes} | {"either": ["no", "yes"]}
    assert network.log_likelihood(rows) == -math.inf
    values = network.row_log_likelihoods(rows)
    assert values[0] == -math.inf
    assert math.isfinite(values[1])
    with pytest.raises(DataError, match="no rows"):
        dw.log_loss(network, network.sample(0, random_state=1))
    with pytest.raises(MissingValuesError, match="1 values of 'asia'"):
        network.node_log_likelihoods(rows | {"asia": [None, "yes"]})
    with pytest.raises(CapacityError, match="TiB"):
        network.sample(10**12)


def test_missing_cells_are_summed_over() -> None:
    network = dw.load("survey")
    whole = joint(network)
    rows = network.sample(300, random_state=6)
    rng = np.random.default_rng(1)
    gaps = {node: rng.random(300) < 0.3 for node in network.nodes}
    codes = [np.where(gaps[node], 255, rows.codes(node)) for node in network.nodes]
    holes = dw.Table(network.nodes, codes, rows.states, weights=rng.integers(0, 3, 300))
    expected = []
    for row in range(300):
        place = tuple(slice(None) if column[row] == 255 else int(column[row]) for column in codes)
        expected.append(math.log(whole[place].sum()))
    np.testing.assert_allclose(network.row_log_likelihoods(holes), expected, atol=1e-12)
    assert math.isclose(network.log_likelihood(holes), float(holes.weights @ expected))
    nothing = {node: [None] for node in network.nodes}
    assert network.log_likelihood(network.encode(nothing)) == 0.0


def test_impossible_incomplete_rows() -> None:
    network = dw.load("asia")
    rows = {node: [None] for node in network.nodes} | {"either": ["no"], "lung": ["yes"]}
    assert network.log_likelihood(rows) == -math.inf


def test_evidence_that_cannot_be_met_is_refused_before_a_row_is_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asia = dw.load("asia")
    monkeypatch.setattr(
        "dagwright.model.inference.sampling.Draw.rows", lambda *_: pytest.fail("rows were drawn")
    )
    with pytest.raises(dw.ImpossibleEvidenceError, match="probability zero"):
        asia.sample(5, evidence={"tub": "yes", "either": "no"})
    with pytest.raises(OptionError, match=r"has probability 0.01: 100 rows need about 10,000 draws"):
        asia.sample(100, evidence={"asia": "yes"}, max_draws=1000)
