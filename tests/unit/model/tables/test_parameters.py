"""Tables from data: likelihood, priors, unseen configurations, updates, intervals."""

from __future__ import annotations

import logging
import pickle

import numpy as np
import pytest
from scipy import stats

import dagwright as dw
from dagwright.errors import (
    CapacityError,
    DataError,
    GraphError,
    MissingValuesError,
    OptionError,
    UnknownNameError,
)
from dagwright.model.tables.beta import beta_cdf, beta_quantile, log_gamma

GRAPH = dw.Dag(["a", "b", "c"], [("a", "c"), ("b", "c")])
STATES = [["n", "y"], ["n", "y"], ["low", "mid", "high"]]
CODES = [[0, 0, 0, 1, 1, 1], [0, 0, 1, 0, 0, 0], [0, 1, 2, 0, 0, 1]]


def data(**changes: object) -> dw.Table:
    return dw.Table(["a", "b", "c"], CODES, STATES, **changes)


def test_maximum_likelihood() -> None:
    network = dw.fit(GRAPH, data(), parameter_prior=None)
    np.testing.assert_allclose(network.table("a"), [0.5, 0.5])
    np.testing.assert_allclose(network.table("b"), [5 / 6, 1 / 6])
    np.testing.assert_allclose(network.table("c")[0, 0], [0.5, 0.5, 0.0])
    np.testing.assert_allclose(network.table("c")[0, 1], [0, 0, 1])
    np.testing.assert_allclose(network.table("c")[1, 0], [2 / 3, 1 / 3, 0])
    np.testing.assert_array_equal(network.counts("c")[1, 0], [2, 1, 0])
    assert network.pseudo_counts("c") is None


@pytest.mark.parametrize(
    ("rule", "row"), [("uniform", [1 / 3, 1 / 3, 1 / 3]), ("marginal", [3 / 6, 2 / 6, 1 / 6])]
)
def test_unseen_configurations_follow_the_rule(
    rule: str, row: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="dagwright"):
        network = dw.fit(GRAPH, data(), empty_configurations=rule, parameter_prior=None)
    np.testing.assert_allclose(network.table("c")[1, 1], row)
    assert network.empty_configurations("c") == [{"a": "y", "b": "y"}]
    assert network.empty_configurations("a") == []
    assert "1 of 4 parent configurations of 'c'" in caplog.text


def test_unseen_configurations_can_be_refused() -> None:
    with pytest.raises(DataError, match=r"'c', given a='y', b='y'"):
        dw.fit(GRAPH, data(), empty_configurations="error", parameter_prior=None)
    assert dw.fit(GRAPH, data(), empty_configurations="error", parameter_prior=1).empty_configurations(
        "c"
    ) == [{"a": "y", "b": "y"}]
    with pytest.raises(OptionError, match="guess"):
        dw.fit(GRAPH, data(), empty_configurations="guess")


@pytest.mark.parametrize(
    ("prior", "alpha"),
    [
        (1, 1.0),
        (0.5, 0.5),
        (dw.K2Score(), 1.0),
        (dw.BDeu(ess=6), 6 / 12),
        (dw.DirichletScore(2.0), 2.0),
        (dw.DirichletScore(lambda _child, parents: 3.0 if parents == ("a", "b") else 1.0), 3.0),
        ({"c": np.full((2, 2, 3), 4.0)}, 4.0),
    ],
)
def test_posterior_means(prior: object, alpha: float) -> None:
    network = dw.fit(GRAPH, data(), parameter_prior=prior)
    counts = network.counts("c")
    expected = (counts + alpha) / (counts + alpha).sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(network.table("c"), expected)
    np.testing.assert_allclose(network.pseudo_counts("c"), np.full((2, 2, 3), alpha))


def test_prior_on_seen_configurations_only() -> None:
    network = dw.fit(GRAPH, data(), parameter_prior=dw.BDs(ess=9))
    np.testing.assert_allclose(network.table("c")[1, 0], np.array([3, 2, 1]) / 6)
    np.testing.assert_allclose(network.table("c")[1, 1], [1 / 3, 1 / 3, 1 / 3])
    assert network.pseudo_counts("c")[1, 1].sum() == 0


def test_prior_network() -> None:
    prior = dw.random_network(GRAPH, cardinalities={"c": 3}, random_state=1)
    for node, states in zip("abc", STATES, strict=True):
        prior = prior.with_states(node, states)
    network = dw.fit(GRAPH, data(), parameter_prior=dw.BDe(prior, ess=10))
    joint = prior.table("a")[:, None, None] * prior.table("b")[None, :, None] * prior.table("c")
    counts = network.counts("c") + 10 * joint
    np.testing.assert_allclose(network.table("c"), counts / counts.sum(axis=-1, keepdims=True))
    # With no rows what remains is the prior network itself.
    nothing = dw.fit(GRAPH, data(weights=[0.0] * 6), parameter_prior=dw.BDe(prior, ess=10))
    for node in "abc":
        np.testing.assert_allclose(nothing.table(node), prior.table(node))


def test_a_prior_network_must_speak_of_the_same_states() -> None:
    prior = dw.random_network(GRAPH, random_state=1)
    with pytest.raises(OptionError, match="'a'"):
        dw.fit(GRAPH, data(), parameter_prior=dw.BDe(prior, ess=10))


def test_a_network_as_the_prior_of_a_score() -> None:
    truth = dw.load("cancer")
    rows = truth.sample(1000, random_state=1)
    found = dw.learn(rows, score=dw.BDe(truth, ess=20), search=dw.HillClimb())
    assert found.network() == dw.fit(found.dag, rows, parameter_prior=dw.BDe(truth, ess=20))
    turned = truth.with_states("Xray", ["negative", "positive"])
    with pytest.raises(OptionError, match="'Xray'"):
        dw.learn(rows, score=dw.BDe(turned, ess=20))


def test_columns_that_are_no_nodes_do_not_matter() -> None:
    rows = {"a": ["n", "y"], "b": ["n", "n"], "gaps": [None, "x"]}
    assert dw.fit(dw.Dag(["a", "b"]), rows).counts("a").tolist() == [1, 1]


def test_weights_are_frequencies() -> None:
    weighted = dw.fit(GRAPH, data(weights=[1, 2, 3, 0, 1, 0.5]), parameter_prior=None)
    assert weighted.counts("c")[0, 1, 2] == 3
    np.testing.assert_allclose(weighted.table("c")[1, 0], [2 / 3, 1 / 3, 0])
    assert weighted == dw.fit(GRAPH, data(weights=[2, 4, 6, 0, 2, 1]), parameter_prior=None)


def test_penalized_scores_bring_no_prior() -> None:
    assert dw.fit(GRAPH, data(), parameter_prior=dw.BIC()) == dw.fit(GRAPH, data(), parameter_prior=None)


@pytest.mark.parametrize("prior", ["?", -1, float("nan"), True, {"c": [-1.0, 0.0, 1.0]}, {"c": np.ones(5)}])
def test_what_is_no_prior(prior: object) -> None:
    with pytest.raises((OptionError, DataError, UnknownNameError)):
        dw.fit(GRAPH, data(), parameter_prior=prior)


def test_what_cannot_be_fitted() -> None:
    with pytest.raises(UnknownNameError, match="'d'"):
        dw.fit(dw.Dag(["a", "d"]), data())
    with pytest.raises(UnknownNameError, match="'z'"):
        dw.fit(GRAPH, data(), parameter_prior={"z": 1.0})
    with pytest.raises(GraphError, match="a PAG, in which variables may be hidden"):
        dw.fit(dw.Pag.parse("a o-> b"), data())
    gaps = {"a": ["n", None], "b": ["n", "y"], "c": ["low", "mid"]}
    with pytest.raises(MissingValuesError, match="'a'"):
        dw.fit(GRAPH, gaps)
    assert dw.fit(GRAPH, gaps, missing="drop").counts("a").sum() == 1
    with pytest.raises(CapacityError, match="'c'"):
        dw.fit(GRAPH, data(), max_bytes=200)


@pytest.mark.parametrize("prior", [None, 0.5, dw.BDeu(ess=3)])
def test_updating_is_fitting_all_rows(prior: object) -> None:
    rows = dw.load("asia").sample(500, random_state=1)
    graph = dw.load("asia").graph
    whole = dw.fit(graph, rows, parameter_prior=prior)
    parts = dw.fit(graph, rows.take(np.arange(200)), parameter_prior=prior).update(
        rows.take(np.arange(200, 500))
    )
    for node in graph.nodes:
        np.testing.assert_allclose(parts.table(node), whole.table(node))
        np.testing.assert_array_equal(parts.counts(node), whole.counts(node))
    assert pickle.loads(pickle.dumps(parts)) == parts


def test_updating_needs_counts_and_known_states() -> None:
    with pytest.raises(DataError, match="counts"):
        dw.load("asia").update(dw.load("asia").sample(10, random_state=1))
    with pytest.raises(DataError, match="'a'"):
        dw.fit(GRAPH, data()).update({"a": ["maybe"], "b": ["n"], "c": ["low"]})


def test_cut_points_travel_with_the_network() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=200)
    table = dw.read({"x": x, "y": ["n", "y"] * 100}, discretize=dw.EqualFrequency(4))
    network = dw.fit(dw.Dag(["x", "y"], [("x", "y")]), table)
    again = network.update({"x": [x.min() - 1, x.max() + 1], "y": ["n", "n"]})
    assert (again.counts("x") - network.counts("x")).tolist() == [1, 0, 0, 1]


def test_learned_networks_have_the_prior_of_their_score() -> None:
    rows = dw.load("asia").sample(2000, random_state=3)
    found = dw.learn(rows, score=dw.BDeu(ess=7))
    network = found.network()
    assert network == dw.fit(found.graph, rows, parameter_prior=dw.BDeu(ess=7))
    assert network == found.network(rows)
    assert found.network(parameter_prior=None) == dw.fit(found.graph, rows, parameter_prior=None)
    by_default = dw.learn(rows)
    assert by_default.network() == dw.fit(by_default.graph, rows, parameter_prior=dw.BDeu(ess=1))
    by_bic = dw.learn(rows, score=dw.BIC())
    assert by_bic.network() == dw.fit(by_bic.graph, rows, parameter_prior=dw.BDeu(ess=1))
    again = dw.Learned.from_json(found.to_json())
    assert again == found
    with pytest.raises(DataError, match="data"):
        again.network()
    assert again.network(rows) == network  # the study in it knows the score
    assert again.network(rows, parameter_prior=dw.BDeu(ess=7)) == network
    assert pickle.loads(pickle.dumps(found)).table is None


def test_credible_intervals_are_those_of_the_beta_distribution() -> None:
    network = dw.fit(GRAPH, data(), parameter_prior=dw.BDeu(ess=6))
    low, high = network.credible_intervals("c", level=0.9)
    posterior = network.counts("c") + 0.5
    rest = posterior.sum(axis=-1, keepdims=True) - posterior
    np.testing.assert_allclose(low, stats.beta.ppf(0.05, posterior, rest), rtol=1e-9)
    np.testing.assert_allclose(high, stats.beta.ppf(0.95, posterior, rest), rtol=1e-9)
    assert np.all((low < network.table("c")) & (network.table("c") < high))


def test_intervals_without_pseudo_counts_rest_on_a_uniform_prior() -> None:
    network = dw.fit(GRAPH, data(), parameter_prior=None)
    low, _ = network.credible_intervals("a")
    np.testing.assert_allclose(low, stats.beta.ppf(0.025, 4, 4), rtol=1e-9)
    with pytest.raises(OptionError, match="level"):
        network.credible_intervals("a", level=95)
    with pytest.raises(DataError, match="counts"):
        dw.load("asia").credible_intervals("asia")


def test_intervals_hold_the_true_parameter_as_often_as_they_say() -> None:
    truth = dw.load("survey")
    hits = total = 0
    for seed in range(12):
        network = dw.fit(truth.graph, truth.sample(300, random_state=seed), parameter_prior=1)
        for node in ("A", "E", "O"):
            low, high = network.credible_intervals(node, level=0.8)
            hits += int(((low <= truth.table(node)) & (truth.table(node) <= high)).sum())
            total += low.size
    assert 0.74 < hits / total < 0.86


def test_the_beta_distribution_against_scipy() -> None:
    rng = np.random.default_rng(0)
    a, b = 10 ** rng.uniform(-2, 5, 200), 10 ** rng.uniform(-2, 5, 200)
    x = rng.beta(np.maximum(a, 0.1), np.maximum(b, 0.1))
    np.testing.assert_allclose(beta_cdf(x, a, b), stats.beta.cdf(x, a, b), rtol=1e-8, atol=1e-12)
    for p in (0.025, 0.5, 0.975):
        np.testing.assert_allclose(beta_quantile(p, a, b), stats.beta.ppf(p, a, b), rtol=1e-7, atol=1e-300)
    np.testing.assert_array_equal(beta_quantile(0.5, np.array([0.0, 2.0]), np.array([3.0, 0.0])), [0, 1])
    from scipy.special import gammaln

    np.testing.assert_allclose(log_gamma(a), gammaln(a), rtol=1e-13, atol=1e-13)


def test_by_default_a_state_that_was_not_seen_is_not_impossible() -> None:
    train = {"x": ["a"] * 6 + ["b"] * 6, "y": ["u"] * 6 + ["v"] * 6}
    held_out = {"x": ["a", "b"], "y": ["v", "u"]}
    for network in (dw.learn(train, score=dw.BIC()).network(), dw.fit(dw.Dag.parse("x -> y"), train)):
        assert np.isfinite(network.log_likelihood(held_out))
        assert network.estimation == "posterior mean, equivalent sample size 1"
        assert network.estimation in repr(network).splitlines()[0]
    exact = dw.learn(train).network(parameter_prior=None)
    assert exact.log_likelihood(held_out) == -np.inf
    assert exact.estimation == "maximum likelihood"
    assert (
        dw.fit(dw.Dag.parse("x -> y"), train, parameter_prior=1).estimation == "posterior mean, pseudo-counts"
    )
    assert dw.load("asia").estimation == ""


def test_an_answer_says_which_part_of_it_no_row_supports() -> None:
    rows = {"a": ["n"] * 40 + ["y"] * 20 + ["n"] * 20, "b": ["n"] * 60 + ["y"] * 20}
    rows["c"] = [max(a, b) for a, b in zip(rows["a"], rows["b"], strict=True)]
    network = dw.fit(dw.Dag.parse("a -> c; b -> c"), rows)
    answer = network.query("b", {"a": "y", "c": "n"})
    assert answer["y"] > 0.9  # only because P(c | a=y, b=y) is uniform: no row has both
    assert "no row has a=y, b=y" in answer.unsupported[0]
    assert answer.unsupported[0] in str(answer)
    assert pickle.loads(pickle.dumps(answer)).unsupported == answer.unsupported
    assert network.query("b", {"a": "n", "c": "n"}).unsupported == ()
    assert network.marginals({"a": "y", "c": "n"})["b"].unsupported == answer.unsupported
    assert network.compile().query("b", {"a": "y", "c": "n"}).unsupported == answer.unsupported


def test_answers_print_with_their_question() -> None:
    assert str(dw.load("asia").query("lung", {"smoke": "yes"})).splitlines() == [
        "P(lung | smoke=yes)",
        "  yes  0.100000",
        "  no   0.900000",
    ]
