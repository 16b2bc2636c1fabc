"""Distances, divergences, calibration and beliefs."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import CapacityError, DataError, OptionError, UnknownNameError
from dagwright.model.distances import joint_divergence
from dagwright.model.distances.blanket_distance import _conditional
from dagwright.model.inference.enumeration import full_joint as joint


def pair(seed: int, n: int = 5) -> tuple[dw.BayesianNetwork, dw.BayesianNetwork]:
    r = {f"X{i + 1}": 2 + i % 2 for i in range(n)}
    first, second = (
        dw.random_network(n, arcs=n + 1, cardinalities=r, random_state=seed * 2 + k) for k in (0, 1)
    )
    return first, second


def plain_distance(first: dw.BayesianNetwork, second: dw.BayesianNetwork, kl: bool) -> float:
    """Equation 10 of Lam & Bacchus (1994) from the two joint distributions."""
    nodes = first.nodes
    joints = [
        joint(first),
        joint(
            dw.BayesianNetwork(
                dw.Dag(nodes, second.graph.edges),
                {x: second.states(x) for x in nodes},
                {x: second.table(x) for x in nodes},
            )
        ),
    ]
    total = 0.0
    for x in nodes:
        for one, two, network in ((0, 1, first), (1, 0, second)):
            blanket = [nodes.index(v) for v in network.graph.markov_blanket(x)]
            values = []
            for f in itertools.product(*(range(first.cardinality(nodes[v])) for v in blanket)):
                place = [slice(None)] * len(nodes)
                for v, code in zip(blanket, f, strict=True):
                    place[v] = slice(code, code + 1)
                axes = tuple(i for i in range(len(nodes)) if i != nodes.index(x))
                p, q = (joints[k][tuple(place)].sum(axis=axes) for k in (one, two))
                p, q = p / p.sum(), q / q.sum()
                values.append(float((p * np.log2(p / q)).sum()) if kl else float(np.abs(p - q).mean()))
            total += sum(values) / len(values)
    return total / len(nodes)


@pytest.mark.parametrize("seed", range(4))
def test_distance_is_equation_10(seed: int) -> None:
    first, second = pair(seed)
    for measure in ("absolute", "kl"):
        found = dw.distance(first, second, measure)
        assert math.isclose(found.total, plain_distance(first, second, measure == "kl"), rel_tol=1e-9)
        assert math.isclose(found.total, dw.distance(second, first, measure).total, rel_tol=1e-12)
        assert found.exact
        assert found.impossible == 0
        assert math.isclose(float(found), math.fsum(found.by_node.values()) / 5)
        assert dw.distance(first, first, measure).total == 0.0


def test_estimated_distance_is_near_the_exact_one() -> None:
    first, second = pair(1, n=8)
    exact = dw.distance(first, second)
    estimate = dw.distance(first, second, max_instantiations=1, samples=5000)
    assert not estimate.exact
    assert 0 < estimate.standard_error < 0.01
    assert abs(estimate.total - exact.total) < 5 * estimate.standard_error
    assert estimate == dw.distance(first, second, max_instantiations=1, samples=5000)


def test_impossible_instantiations_are_counted() -> None:
    asia = dw.load("asia")
    other = asia.with_table("smoke", [0.6, 0.4])
    found = dw.distance(asia, other)
    assert found.impossible > 0
    assert 0 < found.total < 1
    with pytest.raises(DataError, match="probability zero"):
        dw.distance(asia, other, impossible="error")
    opened = asia.with_table("either", np.full((2, 2, 2), 0.5))
    assert dw.distance(asia, opened, "kl").total == math.inf


def test_rows_of_impossible_parents_do_not_count() -> None:
    graph = dw.Dag(["a", "b"], [("a", "b")])
    states = {"a": ["no", "yes"], "b": ["no", "yes"]}
    first, second = (
        dw.BayesianNetwork(graph, states, {"a": [1.0, 0.0], "b": [[0.3, 0.7], row]})
        for row in ([0.9, 0.1], [0.2, 0.8])
    )
    assert dw.divergence(first, second).value == 0.0
    for measure in ("absolute", "kl"):
        found = dw.distance(first, second, measure)
        assert (found.total, found.impossible) == (0.0, 2)
    with pytest.raises(DataError, match="probability zero"):
        dw.distance(first, second, impossible="error")


@pytest.mark.parametrize("seed", range(3))
def test_impossible_states_are_those_of_the_joint_distribution(seed: int) -> None:
    """Equation 10 over the instantiations that have probability in both joint distributions."""
    rng = np.random.default_rng(seed)
    networks = []
    for network in pair(seed, n=4):
        for node in network.nodes:
            table = network.table(node) * (rng.random(network.table(node).shape) < 0.6)
            table[..., 0] += table.sum(axis=-1) == 0
            network = network.with_table(node, table / table.sum(axis=-1, keepdims=True))
        networks.append(network)
    first, second = networks
    second = dw.BayesianNetwork(
        dw.Dag(first.nodes, second.graph.edges),
        {x: second.states(x) for x in first.nodes},
        {x: second.table(x) for x in first.nodes},
    )
    joints = [joint(first), joint(second)]
    total, skipped = 0.0, 0
    for at, node in enumerate(first.nodes):
        for one, two, network in ((0, 1, first), (1, 0, second)):
            kept = [first.nodes.index(v) for v in network.graph.markov_blanket(node)]
            axes = tuple(i for i in range(4) if i not in (*kept, at))
            p, q = (np.moveaxis(joints[k].sum(axis=axes, keepdims=True), at, -1) for k in (one, two))
            p, q = (values.reshape(-1, values.shape[-1]) for values in (p, q))
            possible = (p.sum(axis=1) > 0) & (q.sum(axis=1) > 0)
            skipped += int((~possible).sum())
            p, q = (values[possible] / values[possible].sum(axis=1, keepdims=True) for values in (p, q))
            total += float(np.abs(p - q).mean(axis=1).mean()) if len(p) else 0.0
    found = dw.distance(first, second)
    assert skipped > 0
    assert (found.total, found.impossible) == (pytest.approx(total / 4, rel=1e-9), skipped)
    drawn = dw.distance(first, second, max_instantiations=0, samples=5000)
    assert abs(drawn.total - found.total) < 5 * drawn.standard_error


@pytest.mark.parametrize("seed", range(4))
def test_divergences_against_the_joint_distributions(seed: int) -> None:
    first, second = pair(seed)
    p, q = joint(first), joint(second)
    kl = dw.divergence(first, second)
    assert math.isclose(kl.value, float((p * np.log(p / q)).sum()), rel_tol=1e-9)
    hellinger = dw.divergence(first, second, "hellinger")
    assert math.isclose(hellinger.value, math.sqrt(1 - np.sqrt(p * q).sum()), rel_tol=1e-9)
    assert kl.exact and hellinger.exact
    for exact, kind in ((kl, "kl"), (hellinger, "hellinger")):
        estimate = dw.divergence(first, second, kind, method="sampling", samples=50_000)
        assert not estimate.exact
        assert abs(estimate.value - exact.value) < 5 * estimate.standard_error
    assert float(dw.divergence(first, first)) == 0.0


def test_divergence_of_large_networks() -> None:
    alarm = dw.load("alarm")
    fitted = dw.fit(alarm.graph, alarm.sample(20_000, random_state=1), parameter_prior=1)
    exact = dw.divergence(alarm, fitted)
    assert exact.exact
    estimate = dw.divergence(alarm, fitted, method="sampling")
    assert abs(estimate.value - exact.value) < 5 * estimate.standard_error
    assert dw.divergence(fitted, alarm).value == math.inf
    assert 0 < dw.divergence(fitted, alarm, "hellinger").value < 0.2


def test_what_does_not_fit_in_memory_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = pair(1)
    monkeypatch.setattr(joint_divergence, "MAX_BYTES", 16)
    assert not dw.divergence(first, second, "hellinger").exact
    with pytest.raises(CapacityError, match="cells"):
        dw.divergence(first, second, "hellinger", method="exact")


def test_states_in_another_order_are_the_same_states() -> None:
    first, second = pair(2)
    turned = dw.BayesianNetwork(
        second.graph,
        {x: second.states(x)[::-1] for x in second.nodes},
        {x: np.flip(second.table(x)) for x in second.nodes},
    )
    assert math.isclose(dw.distance(first, turned).total, dw.distance(first, second).total)
    assert math.isclose(dw.divergence(first, turned).value, dw.divergence(first, second).value)


def test_networks_over_other_variables_are_refused() -> None:
    asia = dw.load("asia")
    with pytest.raises(UnknownNameError):
        dw.distance(asia, dw.load("cancer"))
    with pytest.raises(DataError, match="'smoke'"):
        dw.distance(asia, asia.with_states("smoke", ["ja", "nein"]))
    for options in ({"measure": "l2"}, {"impossible": "?"}, {"samples": 1}):
        with pytest.raises(OptionError):
            dw.distance(asia, asia, **options)
    for options in ({"kind": "js"}, {"method": "?"}, {"samples": 1}):
        with pytest.raises(OptionError):
            dw.divergence(asia, asia, **options)


def test_joint_distributions_of_some_nodes() -> None:
    network, _ = pair(3, n=6)
    whole = joint(network)
    order = ["X4", "X1", "X6"]
    axes = [network.nodes.index(x) for x in order]
    expected = np.einsum(whole, list(range(6)), axes)
    np.testing.assert_allclose(network.marginal(order), expected)
    assert float(network.marginal([])) == 1.0
    np.testing.assert_allclose(network.marginal("X2"), network.marginal(["X2"]))
    given = {"X2": np.array([0, 1, 1]), "X5": np.array([0, 0, 1])}
    found = _conditional(network, "X3", given)
    both = np.einsum(whole, list(range(6)), [network.nodes.index(x) for x in ("X2", "X5", "X3")])
    at = both[given["X2"], given["X5"]]
    np.testing.assert_allclose(found, at / at.sum(axis=1, keepdims=True))


def test_calibration_of_the_truth_is_good_and_of_a_wrong_network_bad() -> None:
    asia = dw.load("asia")
    rows = asia.sample(50_000, random_state=1)
    good = dw.calibration(asia, rows, "bronc")
    assert good.error < 0.01
    assert math.isclose(good.weight.sum(), 2 * 50_000)
    wrong = dw.calibration(asia.with_table("bronc", [[0.2, 0.8], [0.9, 0.1]]), rows, "bronc")
    assert wrong.error > 0.1
    assert wrong.brier > good.brier
    weighted = dw.calibration(asia, rows.with_weights(np.full(50_000, 2.0)), "bronc")
    np.testing.assert_allclose(weighted.weight, 2 * good.weight)
    assert math.isclose(weighted.error, good.error)


def test_calibration_without_neighbors_and_its_refusals() -> None:
    coin = dw.BayesianNetwork(dw.Dag(["x"]), {"x": [0, 1]}, {"x": [0.3, 0.7]})
    found = dw.calibration(coin, {"x": [0, 1, 1, 1]}, "x", bins=2)
    np.testing.assert_allclose(found.predicted, [0.3, 0.7])
    np.testing.assert_allclose(found.observed, [0.25, 0.75])
    assert math.isclose(found.error, 0.05)
    assert math.isclose(found.brier, (2 * 0.49 + 3 * 2 * 0.09) / 4)
    with pytest.raises(OptionError, match="bin"):
        dw.calibration(coin, {"x": [0]}, "x", bins=0)
    asia = dw.load("asia")
    rows = {node: ["yes"] for node in asia.nodes} | {"either": ["no"]}
    with pytest.raises(DataError, match="row 0"):
        dw.calibration(asia, rows, "tub")


def test_blanket_agreement() -> None:
    truth, found = dw.Dag.parse("a -> c; b -> c; d"), dw.Dag.parse("a -> c; b; d")
    agreement = dw.model.blanket_agreement(truth, found)
    assert agreement.jaccard == {"a": 0.5, "c": 0.5, "b": 0.0, "d": 1.0}
    assert agreement.missing["a"] == ("b",)
    assert agreement.extra["a"] == ()
    assert agreement.mean == 0.5
    asia = dw.load("asia")
    assert dw.model.blanket_agreement(asia, asia.graph).mean == 1.0
    with pytest.raises(DataError, match="nodes"):
        dw.model.blanket_agreement(truth, asia)


def test_beliefs_refuse_what_has_no_prior_or_cannot_be() -> None:
    asia = dw.load("asia")
    with pytest.raises(OptionError, match="'tub'"):
        dw.model.compare_beliefs(asia, asia, priors={"tub": [0.5, 0.5]})
    with pytest.raises(DataError, match="either"):
        dw.model.compare_beliefs(asia, asia, {"tub": "yes", "either": "no"})
    same = dw.model.compare_beliefs(asia, asia, {"dysp": "yes"})
    assert same.largest_difference == 0.0
    other = asia.with_table("smoke", [0.6, 0.4])
    soft = dw.model.compare_beliefs(asia, other, {"dysp": {"yes": 0.9, "no": 0.1}})
    assert soft.largest_difference > dw.model.compare_beliefs(asia, other, {"smoke": "no"}).largest_difference
