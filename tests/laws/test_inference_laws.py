"""Exact inference equals enumeration on random small networks, whatever is asked."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagwright as dw
from dagwright.model.inference.enumeration import enumerated_joint, enumerated_posterior, full_joint


@st.composite
def networks(draw: st.DrawFn, max_nodes: int = 7) -> dw.BayesianNetwork:
    n = draw(st.integers(1, max_nodes))
    seed = draw(st.integers(0, 2**32 - 1))
    zeros = draw(st.booleans())
    random = np.random.default_rng(seed)
    names = [f"v{i}" for i in random.permutation(n)]
    parents = {x: [p for p in names[:i] if random.random() < 0.45][:3] for i, x in enumerate(names)}
    r = {x: int(random.integers(1, 4)) for x in names}
    tables = {}
    for x in names:
        table = random.dirichlet(np.ones(r[x]), size=[r[p] for p in parents[x]])
        if zeros:
            table[table < 0.25] = 0.0
            empty = table.sum(axis=-1) == 0
            table[empty, 0] = 1.0
        tables[x] = table / table.sum(axis=-1, keepdims=True)
    graph = dw.Dag(names, [(p, x) for x in names for p in parents[x]])
    return dw.BayesianNetwork(
        graph, {x: [f"s{k}" for k in range(r[x])] for x in names}, tables, parents=parents
    )


@st.composite
def questions(draw: st.DrawFn) -> tuple[dw.BayesianNetwork, dict[str, Any]]:
    network = draw(networks())
    evidence: dict[str, Any] = {}
    for node in network.nodes:
        kind = draw(st.sampled_from(["none", "none", "hard", "soft"]))
        if kind == "hard":
            evidence[node] = draw(st.sampled_from(network.states(node)))
        elif kind == "soft":
            values = draw(
                st.lists(
                    st.floats(0, 5, allow_subnormal=False),
                    min_size=network.cardinality(node),
                    max_size=network.cardinality(node),
                ).filter(lambda v: max(v) > 1e-3)
            )
            evidence[node] = dict(zip(network.states(node), values, strict=True))
    return network, evidence


def close(a: Any, b: Any) -> bool:
    return bool(np.allclose(a, b, rtol=1e-9, atol=1e-12))


@settings(max_examples=150, deadline=None)
@given(questions())
def test_marginals_and_probability_of_evidence(question: tuple[dw.BayesianNetwork, dict[str, Any]]) -> None:
    network, evidence = question
    total = float(full_joint(network, evidence).sum())
    engine = network.compile()
    assert close(network.evidence_probability(evidence), total)
    assert close(engine.evidence_probability(evidence), total)
    if total == 0:
        for ask in (engine.marginals, network.marginals, network.mpe):
            with pytest.raises(dw.ImpossibleEvidenceError):
                ask(evidence)
        for node in network.nodes:
            with pytest.raises(dw.ImpossibleEvidenceError):
                network.query(node, evidence)
        return
    for node, posterior in engine.marginals(evidence).items():
        expected = list(enumerated_posterior(network, node, evidence).values())
        assert close(list(posterior.values()), expected)
        assert close(list(network.query(node, evidence).values()), expected)
        assert close(list(engine.query(node, evidence).values()), expected)


@settings(max_examples=80, deadline=None)
@given(questions(), st.data())
def test_joint_and_most_probable_states(
    question: tuple[dw.BayesianNetwork, dict[str, Any]], data: st.DataObject
) -> None:
    network, evidence = question
    whole = full_joint(network, evidence)
    if whole.sum() == 0:
        return
    targets = data.draw(st.lists(st.sampled_from(network.nodes), unique=True, max_size=4))
    expected = enumerated_joint(network, targets, evidence) / whole.sum()
    assert close(network.joint(targets, evidence), expected)

    def value(table: Any, states: Any, nodes: Any) -> float:
        return float(table[tuple(network.code(node, states[node]) for node in nodes)])

    best = network.mpe(evidence)
    assert close(value(whole, best, network.nodes), whole.max())
    assert close(best.probability, whole.max() / whole.sum())
    partial = network.map(targets, evidence)
    assert close(value(expected, partial, targets), expected.max())
    assert close(partial.probability, expected.max())


@settings(max_examples=60, deadline=None)
@given(networks(), st.data())
def test_changing_evidence_one_finding_at_a_time(network: dw.BayesianNetwork, data: st.DataObject) -> None:
    """An engine that went through many sets of evidence answers like a fresh one."""
    engine = network.compile()
    evidence: dict[str, Any] = {}
    for _ in range(6):
        node = data.draw(st.sampled_from(network.nodes))
        state = data.draw(st.sampled_from([*network.states(node), None]))
        evidence.pop(node, None)
        if state is not None:
            evidence[node] = state
        log_probability = engine.evidence_probability(evidence, log=True)
        assert log_probability == network.compile().evidence_probability(evidence, log=True)
        if math.isfinite(log_probability):
            assert engine.marginals(evidence) == network.compile().marginals(evidence)


@settings(max_examples=40, deadline=None)
@given(networks(), st.randoms(use_true_random=False))
def test_order_of_nodes_and_parents_does_not_show(network: dw.BayesianNetwork, random: Any) -> None:
    nodes = list(network.nodes)
    random.shuffle(nodes)
    parents = {}
    tables = {}
    for node in nodes:
        order = list(range(len(network.parents(node))))
        random.shuffle(order)
        parents[node] = [network.parents(node)[i] for i in order]
        tables[node] = network.table(node).transpose([*order, len(order)])
    shuffled = dw.BayesianNetwork(
        dw.Dag(nodes, network.graph.edges), {x: network.states(x) for x in nodes}, tables, parents=parents
    )
    assert shuffled.marginals() == network.marginals()
    assert shuffled.mpe() == network.mpe()


@settings(max_examples=30, deadline=None)
@given(networks(max_nodes=5), st.data())
def test_sensitivity_is_the_answer_of_the_changed_network(
    network: dw.BayesianNetwork, data: st.DataObject
) -> None:
    node = data.draw(st.sampled_from(network.nodes))
    if network.cardinality(node) == 1:
        return
    configuration = {p: data.draw(st.sampled_from(network.states(p))) for p in network.parents(node)}
    target = data.draw(st.sampled_from(network.nodes))
    state = network.states(target)[0]
    found = network.sensitivity(target, state, (node, network.states(node)[0]), configuration)
    assert close(found.value, network.query(target)[state])
    place = tuple(network.code(p, configuration[p]) for p in network.parents(node))
    table = network.table(node).copy()
    rest = table[place][1:].sum()
    if rest == 0:
        return
    table[place] = np.concatenate([[0.3], table[place][1:] / rest * 0.7])
    changed = network.with_table(node, table)
    assert close(found(0.3), changed.query(target)[state])
    back = found.parameter_for(found(0.3))
    assert back is None or close(found(back), found(0.3))
