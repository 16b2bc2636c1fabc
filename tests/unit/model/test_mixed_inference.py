"""Exact answers in networks with continuous nodes equal enumeration, and approximate ones come near."""

from __future__ import annotations

import pickle
import time
from typing import Any

import numpy as np
import pytest
from tests.unit.model.mixed_networks import Enumerated, one_row, random_mixed, sangiovese

import dagwright as dw
from dagwright.errors import (
    CapacityError,
    DataError,
    GraphError,
    ImpossibleEvidenceError,
    OptionError,
)
from dagwright.model.gaussian.forecast import boundaries

TIGHT = 1e-10


@pytest.fixture
def body() -> dw.BayesianNetwork:
    return dw.BayesianNetwork(
        "sex -> height; sex -> weight; height -> weight",
        {"sex": ["f", "m"]},
        {
            "sex": [0.5, 0.5],
            "height": dw.LinearGaussian([165, 178], sd=[7, 8], given=["sex"]),
            "weight": dw.LinearGaussian([-60, -55], {"height": [0.75, 0.8]}, sd=8, given=["sex"]),
        },
    )


def evidence_of(network: dw.BayesianNetwork, seed: int) -> dict[str, Any]:
    """Some cells of a row drawn from the network, so that certain numbers agree; one state is soft."""
    random = np.random.default_rng([7, seed])
    row = one_row(network, seed)
    count = int(random.integers(0, min(5, len(network.nodes))))
    seen: dict[str, Any] = {
        node: row[node] for node in random.choice(network.nodes, count, replace=False).tolist()
    }
    soft = [node for node in seen if node not in network.gaussians]
    if soft and seed % 3 == 0:
        likelihoods = random.random(network.cardinality(soft[0]))
        seen[soft[0]] = likelihoods.tolist()
    return seen


@pytest.mark.parametrize("seed", range(60))
def test_answers_equal_enumeration(seed: int) -> None:
    random = np.random.default_rng([3, seed])
    discrete = 8 if seed % 20 == 0 else int(random.integers(0, 6))
    network = random_mixed(seed, discrete, int(random.integers(1, 8)), certain=0.25 if seed % 2 else 0.0)
    evidence = evidence_of(network, seed)
    truth = Enumerated(network, evidence)
    found = network.marginals(evidence)
    assert network.evidence_probability(evidence, log=True) == pytest.approx(truth.log_evidence, abs=1e-9)
    for node in network.nodes:
        if node not in network.gaussians:
            assert list(found[node].values()) == pytest.approx(truth.chances(node), abs=TIGHT)
            continue
        mean, covariance = truth.joint([node])
        scale = max(1.0, abs(mean[0]), covariance[0, 0])
        assert found[node].mean == pytest.approx(mean[0], abs=TIGHT * scale)
        assert found[node].variance == pytest.approx(covariance[0, 0], abs=TIGHT * scale)
        assert network.query(node, evidence).mean == pytest.approx(mean[0], abs=TIGHT * scale)
    joint = network.joint(network.continuous, evidence)
    mean, covariance = truth.joint(list(network.continuous))
    scale = max(1.0, float(np.abs(mean).max()), float(np.abs(covariance).max()))
    assert joint.mean == pytest.approx(mean, abs=TIGHT * scale)
    assert joint.covariance == pytest.approx(covariance, abs=TIGHT * scale)


@pytest.mark.parametrize("seed", range(5))
def test_a_gaussian_network_is_a_multivariate_normal_distribution(seed: int) -> None:
    network = random_mixed(seed, 0, 9, certain=0.0)
    names = list(network.continuous)
    slopes, noise = np.zeros((9, 9)), np.zeros(9)
    intercept = np.zeros(9)
    for i, node in enumerate(names):
        own = network.gaussians[node]
        intercept[i], noise[i] = own.intercept, own.sd**2
        for parent, value in own.coefficients.items():
            slopes[i, names.index(parent)] = value
    inverse = np.linalg.inv(np.eye(9) - slopes)
    mean, covariance = inverse @ intercept, inverse @ np.diag(noise) @ inverse.T
    a, b = [0, 2, 3, 6, 7], [1, 4, 5, 8]
    values = np.array([0.5, -1.0, 2.0, 0.3])
    gain = covariance[np.ix_(a, b)] @ np.linalg.inv(covariance[np.ix_(b, b)])
    joint = network.joint([names[i] for i in a], {names[i]: v for i, v in zip(b, values, strict=True)})
    assert joint.mean == pytest.approx(mean[a] + gain @ (values - mean[b]), abs=1e-9)
    assert joint.covariance == pytest.approx(
        covariance[np.ix_(a, a)] - gain @ covariance[np.ix_(b, a)], abs=1e-9
    )


def random_tree(nodes: int, seed: int) -> dw.BayesianNetwork:
    random = np.random.default_rng(seed)
    states: dict[str, Any] = {}
    tables: dict[str, Any] = {}
    edges = []
    for i in range(nodes):
        name, parent = f"n{i:03}", f"n{int(random.integers(0, i)):03}" if i else ""
        edges += [(parent, name)] if i else []
        if not i or (parent in states and random.random() < 0.8):
            states[name] = ("a", "b", "c")
            tables[name] = random.dirichlet(np.ones(3), size=[3] if i else [])
        elif parent in states:
            sd = random.uniform(0.5, 1, 3)
            tables[name] = dw.LinearGaussian(random.normal(size=3), {}, sd, given=[parent])
        else:
            tables[name] = dw.LinearGaussian(random.normal(), {parent: random.normal()}, 1.0)
    return dw.BayesianNetwork(dw.Dag(list(tables), edges), states, tables)


def test_a_tree_of_500_nodes_takes_less_than_a_second() -> None:
    network = random_tree(500, 1)
    assert 100 < len(network.continuous) < 450
    row = one_row(network, 1)
    evidence = {node: row[node] for node in network.nodes[::10]}
    start = time.process_time()
    found = network.marginals(evidence)
    assert time.process_time() - start < 1.0
    assert found["n251"].mean == pytest.approx(network.query("n251", evidence).mean, abs=1e-9)


def test_sangiovese_within_the_error_of_weighted_draws() -> None:
    """Plain likelihood weighting, written here, against exact answers."""
    network = sangiovese()
    evidence = {"SproutN": 0.1, "SPAD06": 0.05, "Brix": -0.1}
    random = np.random.default_rng(5)
    samples = 400_000
    treatment = random.choice(16, samples, p=network.table("Treatment"))
    drawn: dict[str, Any] = {}
    log = np.zeros(samples)
    for node in network.graph.topological_order():
        if node == "Treatment":
            continue
        own = network.gaussians[node]
        place = (treatment,) if own.given else ()
        mean = own.intercept[place] + sum(c[place] * drawn[p] for p, c in own.coefficients.items())
        sd = own.sd[place]
        if node in evidence:
            drawn[node] = np.full(samples, evidence[node])
            log += -np.log(sd) - 0.5 * ((evidence[node] - mean) / sd) ** 2
        else:
            drawn[node] = mean + sd * random.standard_normal(samples)
    weights = np.exp(log - log.max())
    weights /= weights.sum()
    exact = network.marginals(evidence)
    for node in network.continuous:
        mean = float(weights @ drawn[node])
        error = float(np.sqrt(np.square(weights) @ np.square(drawn[node] - mean)))
        assert abs(exact[node].mean - mean) <= 5 * error + 1e-12, node
        second = float(weights @ np.square(drawn[node] - mean))
        assert exact[node].variance == pytest.approx(second, rel=0.05, abs=1e-12)
    shares = np.bincount(treatment, weights, 16)
    error = np.sqrt(np.square(weights).sum())
    assert list(exact["Treatment"].values()) == pytest.approx(shares, abs=4 * error)


def test_likelihood_weighting_states_its_error(body: dw.BayesianNetwork) -> None:
    method = dw.LikelihoodWeighting(samples=20_000, random_state=1)
    evidence = {"weight": 85.0}
    exact, found = body.query("height", evidence), body.query("height", evidence, method=method)
    assert found.method == "likelihood_weighting"
    assert 0 < found.error < 0.2
    assert abs(found.mean - exact.mean) < 5 * found.error
    assert found.sd == pytest.approx(exact.sd, rel=0.02)
    assert found.quantile(0.9) == pytest.approx(exact.quantile(0.9), abs=0.3)
    states, sampled = body.query("sex", evidence), body.query("sex", evidence, method=method)
    assert abs(sampled["f"] - states["f"]) < 5 * sampled.error
    assert body.query("height", evidence, method=method) == found


def crowded(count: int) -> dw.BayesianNetwork:
    """A sum of many numbers, each with a discrete parent of its own."""
    names = [f"x{i:02}" for i in range(count)]
    tables: dict[str, Any] = {f"d{i:02}": [0.5, 0.5] for i in range(count)}
    tables |= {name: dw.LinearGaussian([0.0, 1.0], sd=[1.0, 0.0], given=[f"d{name[1:]}"]) for name in names}
    tables["sum"] = dw.LinearGaussian(0.0, dict.fromkeys(names, 1.0), 0.5)
    edges = [(f"d{name[1:]}", name) for name in names] + [(name, "sum") for name in names]
    states = {f"d{i:02}": [0, 1] for i in range(count)}
    return dw.BayesianNetwork(dw.Dag(list(tables), edges), states, tables)


def test_beyond_the_strong_width_auto_draws_samples() -> None:
    network = crowded(40)
    forecast = network.forecast_inference()
    assert forecast.width == 39
    assert forecast.largest_cells == 2.0**40
    with pytest.raises(CapacityError, match="40 discrete nodes that meet in one continuous part"):
        network.query("sum")
    found = network.query("sum", method="auto")
    assert found.method == "likelihood_weighting"
    assert abs(found.mean - 20.0) < 5 * found.error
    assert found.variance == pytest.approx(0.25 + 40 * (0.5 + 0.25), rel=0.02)


def test_the_forecast_of_a_narrow_network(body: dw.BayesianNetwork) -> None:
    assert body.forecast_inference().largest == ("sex",)
    assert boundaries(body) == [frozenset({"sex"})]
    assert random_mixed(1, 0, 4).forecast_inference().cells == 0


def test_deterministic_nodes() -> None:
    network = dw.BayesianNetwork(
        "a -> sum; b -> sum",
        {},
        {
            "a": dw.LinearGaussian(0.1, sd=1),
            "b": dw.LinearGaussian(0.2, sd=1),
            "sum": dw.LinearGaussian(0, {"a": 1, "b": 1}, sd=0),
        },
    )
    assert network.query("b", {"a": 0.1, "sum": 0.3}).mean == pytest.approx(0.2)
    assert network.query("b", {"a": 0.1, "sum": 0.3}).sd == 0
    half = network.query("a", {"sum": 0.3})
    assert (half.mean, half.variance) == pytest.approx((0.1, 0.5))
    assert network.evidence_probability({"a": 0.1, "b": 0.2, "sum": 0.3}) == pytest.approx(1 / (2 * np.pi))
    with pytest.raises(ImpossibleEvidenceError, match="sum=9"):
        network.query("a", {"a": 0.1, "b": 0.2, "sum": 9.0})


def test_rounding_does_not_create_evidence() -> None:
    """0.3 - 3 * 0.1 is not zero in floating point; the difference must not decide about x."""
    network = dw.BayesianNetwork(
        "x -> y; x -> z; y -> z",
        {},
        {
            "x": dw.LinearGaussian(0, sd=1),
            "y": dw.LinearGaussian(0, {"x": 0.1}, sd=0),
            "z": dw.LinearGaussian(0, {"x": -0.3, "y": 3}, sd=0),
        },
    )
    found = network.query("x", {"z": 0.0})
    assert (found.mean, found.sd) == (0.0, 1.0)


def test_a_certain_number_outweighs_a_density() -> None:
    network = dw.BayesianNetwork(
        "d -> x",
        {"d": ["exact", "noisy"]},
        {"d": [1e-6, 1 - 1e-6], "x": dw.LinearGaussian([2, 2], sd=[0, 1], given=["d"])},
    )
    assert network.query("d", {"x": 2.0})["exact"] == 1.0
    assert network.query("d", {"x": 2.5})["noisy"] == 1.0
    assert network.query("d", {"x": 2.0, "d": "noisy"})["noisy"] == 1.0
    assert network.query("d", {"x": 2.0, "d": {"exact": 0, "noisy": 1}})["noisy"] == 1.0


def test_far_evidence_does_not_underflow() -> None:
    leaves = [f"x{i:03}" for i in range(300)]
    network = dw.BayesianNetwork(
        dw.Dag(["class", *leaves], [("class", leaf) for leaf in leaves]),
        {"class": ["a", "b"]},
        {"class": [0.5, 0.5]}
        | {leaf: dw.LinearGaussian([0.0, 0.1], sd=1.0, given=["class"]) for leaf in leaves},
    )
    values = {leaf: 30.0 if i % 2 else -30.0 for i, leaf in enumerate(leaves)}
    truth = 1 / (1 + np.exp(-0.5 * 300 * 0.1**2))
    assert network.query("class", values)["a"] == pytest.approx(truth, abs=1e-9)


def test_the_answer_about_a_number(body: dw.BayesianNetwork) -> None:
    answer = body.query("weight")
    points = np.linspace(-50, 200, 200_001)
    heights = answer.density(points)
    step = points[1] - points[0]
    assert heights.sum() * step == pytest.approx(1.0, abs=1e-9)
    assert (heights * points).sum() * step == pytest.approx(answer.mean, abs=1e-7)
    for p in (0.01, 0.5, 0.975):
        assert answer.cdf(answer.quantile(p)) == pytest.approx(p, abs=1e-12)
    low, high = answer.interval(0.9)
    assert answer.cdf(high) - answer.cdf(low) == pytest.approx(0.9)
    assert answer.quantile([0.25, 0.75]).shape == (2,)
    assert isinstance(answer.density(70.0), float)
    assert pickle.loads(pickle.dumps(answer)) == answer
    assert "a mixture of 2 normal distributions" in str(answer)
    with pytest.raises(OptionError, match="between 0 and 1"):
        answer.quantile(1.5)


def test_the_joint_density(body: dw.BayesianNetwork) -> None:
    joint = body.joint(["weight", "height"], {"sex": "m"})
    expected = body.query("height", {"sex": "m"}).density(180.0)
    expected *= body.query("weight", {"sex": "m", "height": 180}).density(90.0)
    assert joint.density([90.0, 180.0]) == pytest.approx(expected)
    assert joint.correlation[0, 1] == pytest.approx(0.8 * 8 / np.sqrt(64 + 0.64 * 64))
    with pytest.raises(OptionError, match="not both"):
        body.joint(["sex", "height"])


def test_most_probable_values(body: dw.BayesianNetwork) -> None:
    found = body.mpe({"weight": 80})
    assert found["weight"] == 80.0
    heights = np.tile(np.arange(150, 200, 0.01), 2)
    sexes = np.repeat(["f", "m"], len(heights) // 2)
    rows = {"weight": np.full(len(heights), 80.0), "height": heights, "sex": sexes}
    best = int(body.log_density(rows).argmax())
    assert found["sex"] == sexes[best]
    assert found["height"] == pytest.approx(heights[best], abs=0.01)
    assert body.map(["sex"], {"weight": 80}) == {"sex": "m"}
    with pytest.raises(OptionError, match="has no closed form"):
        body.map(["height"])


def test_interventions(body: dw.BayesianNetwork) -> None:
    set_to = body.do({"height": 180})
    assert set_to.query("sex")["f"] == 0.5
    assert set_to.query("weight").mean == pytest.approx(0.5 * (75 + 89))
    assert body.causal_effect("height", "weight", (170, 180)) == pytest.approx(7.75)
    drawn = body.do({"height": dw.LinearGaussian(180, sd=2)})
    assert drawn.query("height").sd == 2.0
    assert body.do({"sex": "m"}).query("height").mean == 178.0


def test_what_is_refused(body: dw.BayesianNetwork) -> None:
    with pytest.raises(GraphError, match="'size' -> 'big' goes from a continuous to a discrete node"):
        dw.BayesianNetwork("size -> big", {"big": [0, 1]}, {"size": dw.LinearGaussian(), "big": [[0.5, 0.5]]})
    with pytest.raises(GraphError, match="'sex' is discrete; name it in given="):
        dw.BayesianNetwork(
            "sex -> x", {"sex": ["f", "m"]}, {"sex": [0.5, 0.5], "x": dw.LinearGaussian(0, {"sex": 1})}
        )
    with pytest.raises(GraphError, match="3 regressions along 'sex', which has 2 states"):
        dw.BayesianNetwork(
            "sex -> x",
            {"sex": ["f", "m"]},
            {"sex": [0.5, 0.5], "x": dw.LinearGaussian([1, 2, 3], given=["sex"])},
        )
    with pytest.raises(DataError, match="takes a finite number, not 'tall'"):
        body.query("weight", {"height": "tall"})
    with pytest.raises(DataError, match="takes a finite number, not nan"):
        body.query("weight", {"height": float("nan")})
    with pytest.raises(DataError, match="'weight' is continuous"):
        body.table("weight")
    with pytest.raises(DataError, match="cannot be negative"):
        dw.LinearGaussian(0, sd=-1)
    with pytest.raises(OptionError, match="loopy propagation"):
        body.query("weight", method="loopy")


def test_networks_are_values(body: dw.BayesianNetwork) -> None:
    again = pickle.loads(pickle.dumps(body))
    assert again == body
    assert hash(again) == hash(body)
    assert again.query("weight", {"height": 180}) == body.query("weight", {"height": 180})
    other = body.renamed({"height": "size", "sex": "group"})
    assert other != body
    assert other.query("weight", {"size": 180}).mean == body.query("weight", {"height": 180}).mean
    assert other.gaussians["weight"].parents == ("group", "size")
    assert body.dimension == 1 + 4 + 6
    assert str(body.cpd("weight")).splitlines()[2] == "  f    weight = -60 + 0.75 * height + N(0, 8)"
    assert body.cpd("sex").tolist() == [0.5, 0.5]


@pytest.mark.parametrize("seed", range(3))
def test_answers_do_not_depend_on_the_order_of_nodes(seed: int) -> None:
    network = random_mixed(seed, 4, 5)
    shuffled = dw.BayesianNetwork(
        dw.Dag(network.nodes[::-1], network.graph.edges[::-1]),
        {node: network.states(node) for node in network.nodes if node not in network.gaussians},
        {n: network.gaussians.get(n, network._tables.get(n)) for n in network.nodes},
        parents={n: network.parents(n) for n in network.nodes if n not in network.gaussians},
    )
    assert shuffled == network
    evidence = {"x2": 0.7}
    for node in network.nodes:
        assert shuffled.query(node, evidence) == network.query(node, evidence)
