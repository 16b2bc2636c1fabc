"""What holds for every network, whatever its graph and its tables."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagwright as dw
from dagwright.base.seeds import seed_word
from dagwright.io.native_json import read_bytes, write_bytes
from dagwright.model.inference.enumeration import full_joint as joint
from dagwright.model.reference import sample_codes

QUICK = settings(max_examples=25, deadline=None)


@st.composite
def networks(draw: st.DrawFn, nodes: int | None = None) -> dw.BayesianNetwork:
    n = draw(st.integers(1, 5)) if nodes is None else nodes
    return dw.random_network(
        n,
        density=draw(st.floats(0, 1)),
        max_parents=3,
        cardinalities={f"X{i + 1}": draw(st.integers(2, 3)) for i in range(n)},
        concentration=draw(st.sampled_from([0.05, 1.0, 20.0])),
        random_state=draw(st.integers(0, 2**32)),
    )


def permuted(network: dw.BayesianNetwork, seed: int) -> dw.BayesianNetwork:
    """The same network with nodes and the parents of each table in another order."""
    rng = np.random.default_rng(seed)
    tables, parents = {}, {}
    for node in network.nodes:
        axes = rng.permutation(len(network.parents(node))).tolist()
        parents[node] = [network.parents(node)[axis] for axis in axes]
        tables[node] = network.table(node).transpose(*axes, len(axes))
    return dw.BayesianNetwork(
        dw.Dag(rng.permutation(network.nodes).tolist(), network.graph.edges),
        {node: network.states(node) for node in network.nodes},
        tables,
        parents=parents,
    )


@QUICK
@given(networks(), st.integers(0, 100))
def test_order_of_nodes_and_parents_changes_nothing(network: dw.BayesianNetwork, seed: int) -> None:
    other = permuted(network, seed)
    assert other == network
    assert hash(other) == hash(network)
    rows = network.sample(50, random_state=seed)
    assert other.sample(50, random_state=seed).select(network.nodes) == rows
    assert math.isclose(other.log_likelihood(rows), network.log_likelihood(rows))
    assert dw.distance(network, other).total < 1e-12


@QUICK
@given(networks(), st.integers(0, 2**40), st.integers(1, 4))
def test_native_sampling_is_the_plain_one(network: dw.BayesianNetwork, seed: int, threads: int) -> None:
    rows = network.sample(40, random_state=seed, threads=threads)
    for node, codes in sample_codes(network, 40, seed_word(seed)).items():
        np.testing.assert_array_equal(rows.codes(node), codes)
    assert math.isfinite(network.log_likelihood(rows))


@QUICK
@given(networks())
def test_the_tables_are_one_distribution(network: dw.BayesianNetwork) -> None:
    whole = joint(network)
    assert math.isclose(whole.sum(), 1.0)
    np.testing.assert_allclose(network.marginal(network.nodes), whole, atol=1e-12)
    for node, axis in zip(network.nodes, range(whole.ndim), strict=True):
        others = tuple(i for i in range(whole.ndim) if i != axis)
        np.testing.assert_allclose(network.marginal(node), whole.sum(axis=others), atol=1e-12)
    assert network.inessential_edges() == ()


@QUICK
@given(networks())
def test_files_keep_everything(network: dw.BayesianNetwork) -> None:
    content = write_bytes(network, [])
    assert read_bytes(content) == network
    assert write_bytes(read_bytes(content), []) == content


@QUICK
@given(networks(4), networks(4), st.sampled_from(["absolute", "kl"]))
def test_distance_is_symmetric_and_zero_for_equals(
    first: dw.BayesianNetwork, second: dw.BayesianNetwork, measure: str
) -> None:
    assert dw.distance(first, first, measure).total == pytest.approx(0.0, abs=1e-12)
    if [first.cardinality(x) for x in first.nodes] == [second.cardinality(x) for x in first.nodes]:
        there, back = dw.distance(first, second, measure), dw.distance(second, first, measure)
        assert there.total == pytest.approx(back.total)
        assert there.impossible == back.impossible
        assert there.total >= 0


@QUICK
@given(networks(), st.integers(0, 1000), st.floats(0, 5))
def test_fitting_in_parts_and_in_any_order_is_fitting_at_once(
    network: dw.BayesianNetwork, seed: int, prior: float
) -> None:
    rows = network.sample(60, random_state=seed)
    rng = np.random.default_rng(seed)
    whole = dw.fit(network.graph, rows, parameter_prior=prior)
    shuffled = rows.take(rng.permutation(60)).select(rng.permutation(rows.names).tolist())
    assert dw.fit(network.graph, shuffled, parameter_prior=prior) == whole
    parts = dw.fit(network.graph, rows.take(np.arange(20)), parameter_prior=prior).update(
        rows.take(np.arange(20, 60))
    )
    for node in network.nodes:
        np.testing.assert_allclose(parts.table(node), whole.table(node), atol=1e-12)


@QUICK
@given(networks(), st.integers(0, 1000))
def test_no_parameters_fit_better_than_maximum_likelihood(network: dw.BayesianNetwork, seed: int) -> None:
    rows = network.sample(60, random_state=seed)
    best = dw.fit(network.graph, rows, parameter_prior=None)
    assert best.log_likelihood(rows) >= network.log_likelihood(rows) - 1e-9
    assert (
        best.log_likelihood(rows)
        >= dw.fit(network.graph, rows, parameter_prior=1).log_likelihood(rows) - 1e-9
    )
